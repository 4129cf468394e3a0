"""No memory at all: the floor that every other architecture must beat."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import BaseModel

from memories.shelf import Shelved
from simulator.effects.memory import Ask, Block, Habit, MemoryOptions, MemorySetup
from simulator.effects.steps import Steps
from simulator.events import Surface


class NoOptions(MemoryOptions):
    """`none` has no options."""


class NoMemory(Shelved):
    """Keeps nothing and gives nothing back."""

    Options: ClassVar[type[BaseModel]] = NoOptions
    habit: Habit = "nothing"
    embedder: str | None = None

    def __init__(self, options: NoOptions, setup: MemorySetup) -> None:
        super().__init__()

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Let the working context go."""
        yield from ()

    def read(self, ask: Ask) -> Steps[Block]:
        """Return an empty block."""
        yield from ()
        return Block()
