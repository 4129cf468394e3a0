"""A memory of your own in one file: it keeps what users said and shows the newest of it.

From the folder of this file:

    memtrial check memory MODULE:Example

and in a suite, with its options beside its name:

    [[memories]]
    name = "MODULE:Example"
    dates = false
"""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import BaseModel

from memories.budget import fit
from memories.lines import show, verbatim
from memories.shelf import Shelved, repeats
from simulator.effects.memory import Ask, Block, Habit, MemoryOptions, MemorySetup
from simulator.effects.steps import Steps
from simulator.events import Surface


class ExampleOptions(MemoryOptions):
    """Options of this memory; unknown names are refused.

    Attributes:
        dates: Whether a line begins with its date.
    """

    dates: bool = True


class Example(Shelved):
    """Keeps every line that a user said; `Shelved` brings forgetting, granting and holdings."""

    Options: ClassVar[type[BaseModel]] = ExampleOptions
    habit: Habit = "truncates"  # what becomes of old content: see docs/memories.md
    embedder: str | None = None  # name one ("lexical") to yield `Embed` effects

    def __init__(self, options: ExampleOptions, setup: MemorySetup) -> None:
        super().__init__()
        self._options = options

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Take in what happened since the last boundary: the only way in."""
        yield from ()  # asks for nothing; to embed: vectors = yield Embed(texts)
        for surface in transcript:
            if surface.role == "user":
                # `store` names the kind of store in audits of what is left of something forgotten;
                # a digest also says `derived=True`.
                self.shelf.put(verbatim(surface, self._options.dates, store="user_lines"))

    def read(self, ask: Ask) -> Steps[Block]:
        """Give back what helps: within scope and budget, and nothing that is shown anyway."""
        yield from ()
        lines = [show(item) for item in self.shelf.visible(ask) if not repeats(item, ask)]
        newest = fit(reversed(lines), ask.budget)
        return Block(items=newest[::-1])
