"""Hybrid: facts and the nearest lines of the transcript, put together in one budget."""

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from memories.budget import fit
from memories.extraction.domains import DomainName
from memories.facts import Facts, FactsOptions
from memories.lines import show
from memories.retrieval import Ranked, Retrieval, RetrievalOptions
from simulator.effects.memory import (
    Ask,
    Block,
    Forgetting,
    Gone,
    Habit,
    Item,
    MemoryOptions,
    MemorySetup,
    Reach,
    Shown,
)
from simulator.effects.steps import Steps
from simulator.events import Surface


class HybridOptions(MemoryOptions):
    """Options of `hybrid`.

    Attributes:
        implementation: How the two are put together. `facts_first`: all facts, then lines.
            `interleaved`: the nearest line, the first fact, the second line, and so on.
            `deduplicated`: facts first, without the lines whose value another one took the place of.
        extractor: As `implementation` of `facts`.
        domain: As `domain` of `facts`.
        embedder: As `implementation` of `retrieval`.
        max_facts: Most facts of a block.
        top_k: Most lines that the retrieval half ranks.
        dates: Whether a line begins with its date.
        provenance: As `provenance` of `retrieval`.
    """

    implementation: Literal["facts_first", "interleaved", "deduplicated"] = "facts_first"
    extractor: Literal["pattern", "domain", "model"] = "pattern"
    domain: DomainName = "all"
    embedder: Literal["lexical", "minilm"] = "lexical"
    max_facts: int = Field(default=8, ge=1)
    top_k: int = Field(default=8, ge=1)
    dates: bool = True
    provenance: bool = True


class Hybrid:
    """Holds facts and lines. Old values come back with their lines, so it accumulates."""

    Options: ClassVar[type[BaseModel]] = HybridOptions
    habit: Habit = "accumulates"
    embedder: str | None = "lexical"

    def __init__(self, options: HybridOptions, setup: MemorySetup) -> None:
        self._options = options
        self.embedder = options.embedder
        facts = FactsOptions(
            implementation=options.extractor, domain=options.domain, dates=options.dates
        )
        lines = RetrievalOptions(
            implementation=options.embedder,
            top_k=options.top_k,
            dates=options.dates,
            provenance=options.provenance,
        )
        if options.implementation == "deduplicated":
            self.habit = "overwrites"
        self.facts = Facts(facts, setup)
        self.lines = Retrieval(lines, setup)

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Let both halves absorb; the facts go last, since their model may fail."""
        yield from self.lines.absorb(transcript)
        yield from self.facts.absorb(transcript)

    def read(self, ask: Ask) -> Steps[Block]:
        """Return facts, and lines from events that none of these facts came from."""
        facts = [show(item) for item in self.facts.rank(ask)[: self._options.max_facts]]
        ranked = yield from self.lines.rank(ask)
        lines = [
            show(each.item, rank, each.distance)
            for rank, each in enumerate(ranked, 1)
            if not self._outdated(each, ask)
        ]
        return Block(items=self._merged(fit(facts, ask.budget), lines, ask.budget))

    def _merged(
        self, facts: Sequence[Shown], lines: Sequence[Shown], budget: int | None
    ) -> tuple[Shown, ...]:
        covered = {source for fact in facts for source in fact.sources}
        others = [line for line in lines if not covered >= set(line.sources)]
        if self._options.implementation != "interleaved":
            return fit([*facts, *others], budget)
        turns = chain.from_iterable(zip_longest(others, facts))
        shown = fit([each for each in turns if each is not None], budget)
        # A line that a fact stands for comes back where that fact no longer fits.
        covered = {source for each in shown for source in each.sources}
        return fit([*shown, *(each for each in lines if not covered >= set(each.sources))], budget)

    def _outdated(self, line: Ranked, ask: Ask) -> bool:
        if self._options.implementation != "deduplicated":
            return False
        return self.facts.book.outdates(line.item.text, ask)

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Forget in both halves."""
        facts = yield from self.facts.forget(sources, how, reach)
        lines = yield from self.lines.forget(sources, how, reach)
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
