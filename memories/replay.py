"""Replay: the transcript itself, word for word, as much of it as the budget holds."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import BaseModel

from memories.budget import fit
from memories.lines import show, verbatim
from memories.shelf import Shelved, repeats
from simulator.effects.memory import Ask, Block, Habit, MemoryOptions, MemorySetup
from simulator.effects.steps import Steps
from simulator.events import Surface


class ReplayOptions(MemoryOptions):
    """Options of `replay`.

    Attributes:
        implementation: `newest` or `oldest` lines are kept where the budget binds; `unbudgeted`
            is the control arm, which shows everything whatever the budget.
        dates: Whether a line begins with its date.
    """

    implementation: Literal["newest", "oldest", "unbudgeted"] = "newest"
    dates: bool = True


class Replay(Shelved):
    """Holds every line for good; the block is the part of it that fits, in order."""

    Options: ClassVar[type[BaseModel]] = ReplayOptions
    habit: Habit = "truncates"
    embedder: str | None = None

    def __init__(self, options: ReplayOptions, setup: MemorySetup) -> None:
        super().__init__()
        self._options = options
        if options.implementation == "unbudgeted":
            self.habit = "accumulates"

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Keep each surface as one line."""
        yield from ()
        for surface in transcript:
            self.shelf.put(verbatim(surface, self._options.dates, store="replay_window"))

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the lines that fit, oldest first whichever end was kept."""
        yield from ()
        lines = [show(item) for item in self.shelf.visible(ask) if not repeats(item, ask)]
        match self._options.implementation:
            case "unbudgeted":
                return Block(items=tuple(lines))
            case "oldest":
                return Block(items=fit(lines, ask.budget))
            case "newest":
                return Block(items=fit(reversed(lines), ask.budget)[::-1])
