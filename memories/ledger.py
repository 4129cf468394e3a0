"""Ledger: finds by itself what binds, what is still to be done and what is to be quoted.

Constraints, obligations and quotation requests are kept word for word with their status, notices
as well; facts with their intervals; statements of documents with the document's id; the rest
compressed. A block is filled by priority (see `Ledger.ranked`). It sees surfaces only, as every
memory does: what a sentence means it reads from its English.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from memories.bookkeeping.book import Book
from memories.bookkeeping.entries import Entry, Status, Style
from memories.bookkeeping.notices import named_things
from memories.bookkeeping.papers import Papers, Statement
from memories.bookkeeping.passing import Figure, passages_for, relevant_first
from memories.bookkeeping.relating import topic
from memories.bookkeeping.rest import Rest
from memories.bookkeeping.taking import Taker
from memories.budget import fit
from memories.facts import Facts, FactsOptions
from memories.lines import show
from memories.shelf import Shelf, repeats
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
)
from simulator.effects.steps import Steps
from simulator.events import Surface

Priority = Literal[
    "constraints",
    "obligations",
    "notices",
    "quotations",
    "corrections",
    "figures",
    "ended",
    "rest",
]
PRIORITIES: tuple[Priority, ...] = (
    "constraints",
    "obligations",
    "notices",
    "quotations",
    "corrections",
    "figures",
    "ended",
    "rest",
)
"""In this order a block is filled."""


class LedgerOptions(MemoryOptions):
    """Options of `ledger`.

    Attributes:
        implementation: How sentences are read: by general `patterns` of English.
        max_rest_tokens: Size limit of the compressed rest of one scope, tokens.
        dates: Whether a line begins with its date; the order and the status tell what holds, and
            a date costs nine tokens.
        provenance: Whether a line says whose words it has.
    """

    implementation: Literal["patterns"] = "patterns"
    max_rest_tokens: int = Field(default=160, ge=0)
    dates: bool = False
    provenance: bool = True


class Ledger:
    """Holds entries, statements of documents, facts and a digest, each with its exact sources."""

    Options: ClassVar[type[BaseModel]] = LedgerOptions
    habit: Habit = "overwrites"
    embedder: str | None = None

    def __init__(self, options: LedgerOptions, setup: MemorySetup) -> None:
        self.book = Book(Style(options.dates, options.provenance))
        self.papers = Papers(options.dates, options.provenance)
        self.facts = Facts(FactsOptions(dates=options.dates), setup)
        self.rest = Rest(options.max_rest_tokens, options.dates, options.provenance)
        self._taker = Taker(self.book, self.papers, self.facts, self.rest)

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Write entries, statements and facts, and compress what is none of them."""
        yield from self._taker.take(transcript)

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the lines that fit, by priority; one that does not fit is passed over."""
        yield from ()
        groups = self.ranked(ask)
        lines = chain.from_iterable(groups[each] for each in PRIORITIES)
        fresh = {item.id: item for item in lines if not repeats(item, ask)}
        return Block(items=fit(map(show, fresh.values()), ask.budget))

    def ranked(self, ask: Ask) -> dict[Priority, list[Item]]:
        """Return what may answer `ask`, by priority.

        Within one the newest comes first; of figures those that share most with the request and
        the open obligations come before. A request to quote is followed by its passages. What
        binds to a value in whose place a fact has put another one is left out.
        """
        outdated = self.facts.book.outdated(ask)
        entries = [
            (each, is_, item)
            for each, is_, item in self.book.visible(ask)
            if not (each.kind in ("constraint", "obligation") and outdated(each.text))
        ]
        closed = self.book.closed(ask.scope)
        papers = self.papers.current(ask, closed)
        standing = list(_said_once((each, item) for each, is_, item in entries if is_ == "open"))
        quoted = chain.from_iterable(
            [item, *(line for _, line in passages_for(each.text, papers))]
            for each, item in standing
            if each.kind == "quotation"
        )
        asked = [each.text for each, _ in standing if each.kind in ("obligation", "quotation")]
        figures = self._figures(ask, entries, papers)
        corrected = {item.id for each, item in papers if each.of != item.id}
        corrected |= {
            item.id
            for each, _, item in entries
            if each.kind == "correction" and named_things(each.text)
        }
        ranked = relevant_first(figures, ask.query, asked)
        return {
            "constraints": [item for each, item in standing if each.kind == "constraint"],
            "obligations": [item for each, item in standing if each.kind == "obligation"],
            "notices": [item for each, item in standing if _in_force(each)],
            "quotations": list(quoted),
            "corrections": [item for item in ranked if item.id in corrected],
            "figures": [item for item in ranked if item.id not in corrected],
            "ended": [item for each, is_, item in entries if _is_over(each, is_)],
            "rest": [item for item in self.rest.ranked(ask, closed) if not outdated(item.text)],
        }

    def _figures(
        self,
        ask: Ask,
        entries: Sequence[tuple[Entry, Status, Item]],
        papers: Sequence[tuple[Statement, Item]],
    ) -> dict[str, Figure]:
        """Return statements, facts and corrections that none of the others stands for.

        By their ids, with what each is about and the document that it is from, if any.
        """
        stated = [item for _, item in papers]
        bound = [item for each, _, item in entries if each.kind != "correction"]
        facts = [
            fact for fact in self.facts.book.current(ask) if not _stands_in(fact, stated + bound)
        ]
        applied = self.papers.applied(ask, self.book.closed(ask.scope))
        covered = {source for fact in facts if _is_named(fact) for source in fact.sources}
        loose = [
            item
            for each, _, item in entries
            if each.kind == "correction" and each.source not in covered and each.id not in applied
        ]
        found = {item.id: (item, topic(item.text), "") for item in [*loose, *facts]}
        said = {item.id: (item, each.about, each.document.id) for each, item in papers}
        return found | said

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Hide or erase what contains one of `sources`, and nothing else.

        What such an entry ended stands again: a constraint binds, an obligation is open.
        """
        facts = yield from self.facts.forget(sources, how, reach)
        done = [each.forget(sources, how, reach) for each in self._shelves()]
        self.book.shelf_changed()
        self.papers.forgotten()
        self.rest.shelf_changed()
        return Forgetting(
            hidden=facts.hidden + tuple(name for each in done for name in each.hidden),
            erased=facts.erased + tuple(name for each in done for name in each.erased),
        )

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Show again what was hidden because of `sources`."""
        yield from self.facts.regrant(sources)
        for each in self._shelves():
            each.regrant(sources)
        self.book.shelf_changed()

    def holdings(self) -> Iterable[Item]:
        """Yield entries, statements, facts, the rest; each in the order in which they came."""
        yield from self.book.holdings()
        yield from self.papers.holdings(self.book.closed)
        yield from self.facts.holdings()
        yield from self.rest.holdings(self.book.closed)

    def close(self) -> None:
        """Nothing is held outside Python's heap."""

    def _shelves(self) -> tuple[Shelf, ...]:
        return self.book.shelf, self.papers.shelf, self.rest.shelf


def _said_once(entries: Iterable[tuple[Entry, Item]]) -> Iterator[tuple[Entry, Item]]:
    """Leave out what was said again later, in the same words."""
    said: set[tuple[str, str]] = set()
    for entry, item in entries:
        words = (entry.kind, entry.text.casefold())
        if words not in said:
            said.add(words)
            yield entry, item


def _in_force(entry: Entry) -> bool:
    return entry.kind == "notice" and entry.change != "granted"


def _is_over(entry: Entry, status: Status) -> bool:
    """Tell whether an entry is over, or only tells that another one is."""
    return status != "open" or entry.kind in ("lift", "report") or entry.change == "granted"


def _stands_in(fact: Item, lines: Iterable[Item]) -> bool:
    """Tell whether a line from the fact's event has its value."""
    value = fact.text.partition(" = ")[2].removesuffix(" (tool)")
    return any(fact.sources <= line.sources and value in line.text for line in lines)


def _is_named(fact: Item) -> bool:
    """Tell whether a fact names what it is said of."""
    return ": " in fact.text.partition(" = ")[0]
