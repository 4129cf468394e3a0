"""Hybrid: facts first, then the nearest lines of the transcript, in one budget."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from memories.budget import fit
from memories.facts import Facts, FactsOptions
from memories.lines import show
from memories.retrieval import Retrieval, RetrievalOptions
from simulator.effects.memory import Ask, Block, Forgetting, Habit, Item, MemorySetup
from simulator.effects.options import Options
from simulator.effects.steps import Steps
from simulator.events import Surface


class HybridOptions(Options):
    """Options of `hybrid`.

    Attributes:
        implementation: `facts_first` is the one way in which the two are put together.
        extractor: As `implementation` of `facts`.
        embedder: As `implementation` of `retrieval`.
        max_facts: Most facts of a block.
        top_k: Most lines that the retrieval half ranks.
        dates: Whether a line begins with its date.
    """

    implementation: Literal["facts_first"] = "facts_first"
    extractor: Literal["pattern", "model"] = "pattern"
    embedder: Literal["lexical", "minilm"] = "lexical"
    max_facts: int = Field(default=8, ge=1)
    top_k: int = Field(default=8, ge=1)
    dates: bool = True


class Hybrid:
    """Holds facts and lines. Old values come back with their lines, so it accumulates."""

    Options: ClassVar[type[BaseModel]] = HybridOptions
    habit: Habit = "accumulates"
    embedder: str | None = "lexical"

    def __init__(self, options: HybridOptions, setup: MemorySetup) -> None:
        self._options = options
        self.embedder = options.embedder
        facts = FactsOptions(implementation=options.extractor, dates=options.dates)
        lines = RetrievalOptions(
            implementation=options.embedder, top_k=options.top_k, dates=options.dates
        )
        self.facts = Facts(facts, setup)
        self.lines = Retrieval(lines, setup)

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Let both halves absorb; the facts go last, since their model may fail."""
        yield from self.lines.absorb(transcript)
        yield from self.facts.absorb(transcript)

    def read(self, ask: Ask) -> Steps[Block]:
        """Return facts, then lines from events that none of these facts came from."""
        facts = [show(item) for item in self.facts.rank(ask)[: self._options.max_facts]]
        shown = fit(facts, ask.budget)
        covered = {source for line in shown for source in line.sources}
        ranked = yield from self.lines.rank(ask)
        lines = [
            show(each.item, rank, each.distance)
            for rank, each in enumerate(ranked, 1)
            if not each.item.sources <= covered
        ]
        return Block(items=fit([*shown, *lines], ask.budget))

    def forget(
        self, sources: frozenset[str], how: Literal["withdrawn", "deleted"]
    ) -> Steps[Forgetting]:
        """Forget in both halves."""
        facts = yield from self.facts.forget(sources, how)
        lines = yield from self.lines.forget(sources, how)
        return Forgetting(hidden=facts.hidden + lines.hidden, erased=facts.erased + lines.erased)

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Show again in both halves."""
        yield from self.facts.regrant(sources)
        yield from self.lines.regrant(sources)

    def holdings(self) -> Iterable[Item]:
        """Yield the facts, then the lines."""
        yield from self.facts.holdings()
        yield from self.lines.holdings()

    def close(self) -> None:
        """Free the index."""
        self.lines.close()
