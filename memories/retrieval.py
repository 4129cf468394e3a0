"""Retrieval: the transcript's lines as vectors; a read gives back the nearest to the request.

Chroma stores, filters and searches; numpy decides. Chroma is asked for everything in scope, and
distances are computed again from the vectors themselves, exactly and in one order of additions;
ties go by event order. So a result equals brute force, is a prefix of the result for a larger k,
and does not depend on insertion order, none of which an approximate index promises.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from memories.budget import fit
from memories.chroma import Collection
from memories.lines import show, verbatim
from memories.shelf import Shelved, repeats
from simulator.effects.distances import cosine_distances, event_order
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
from simulator.effects.steps import Embed, Steps, Vector
from simulator.events import GLOBAL, Surface
from simulator.models.rendering import one_line


class RetrievalOptions(MemoryOptions):
    """Options of `retrieval`.

    Attributes:
        implementation: The embedder: `lexical`, or `minilm` (all-MiniLM-L6-v2).
        top_k: Most lines of a block.
        dates: Whether a line begins with its date.
        provenance: Whether a line says whose words it has (`user: `).
        order: Whether the block goes by rank or by time; which lines it holds goes by rank.
    """

    implementation: Literal["lexical", "minilm"] = "lexical"
    top_k: int = Field(default=8, ge=1)
    dates: bool = True
    provenance: bool = True
    order: Literal["rank", "chronological"] = "rank"


@dataclass(frozen=True)
class Ranked:
    """An item and its cosine distance to the query, in millionths."""

    item: Item
    distance: int


class Retrieval(Shelved):
    """Holds every line and its vector for good; withdrawn lines leave the index."""

    Options: ClassVar[type[BaseModel]] = RetrievalOptions
    habit: Habit = "accumulates"
    embedder: str | None = "lexical"

    def __init__(self, options: RetrievalOptions, setup: MemorySetup) -> None:
        super().__init__()
        self._options = options
        self.embedder = options.implementation
        self._vectors: dict[str, Vector] = {}
        self.index = Collection(setup.trial)

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Embed the surfaces in one call and index them in one call."""
        kept: dict[str, tuple[Item, str]] = {}
        for surface in transcript:
            item = self.shelf.put(self._line(surface))
            if item is not None:
                kept[item.id] = (item, one_line(surface.text))
        if not kept:
            return
        vectors = yield Embed(tuple(text for _, text in kept.values()))
        self._vectors.update(zip(kept, vectors, strict=True))
        self._add([item for item, _ in kept.values()])

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the nearest `top_k` lines that fit."""
        ranked = yield from self.rank(ask)
        lines = [show(each.item, rank, each.distance) for rank, each in enumerate(ranked, 1)]
        shown = fit(lines, ask.budget)
        if self._options.order == "chronological":
            shown = self._by_time(shown)
        return Block(items=shown)

    def rank(self, ask: Ask) -> Steps[list[Ranked]]:
        """Return the `top_k` nearest items that may answer `ask`, nearest first."""
        open_to = {item.id: item for item in self.shelf.visible(ask) if not repeats(item, ask)}
        if not open_to:
            return []
        [query] = yield Embed((one_line(ask.query),))
        return self._nearest(query, open_to, ask.scope)

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Take the lines out of the index, and off the shelf when they are deleted."""
        done = yield from super().forget(sources, how, reach)
        self.index.remove([*done.hidden, *done.erased])
        for item in done.erased:
            del self._vectors[item]
        return done

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Index again what was hidden because of `sources`; vectors were kept."""
        yield from ()
        self._add(self.shelf.regrant(sources))

    def close(self) -> None:
        """Delete the collection."""
        self.index.close()

    def _line(self, surface: Surface) -> Item:
        options = self._options
        return verbatim(surface, options.dates, provenance=options.provenance, store="chunks")

    def _add(self, items: Sequence[Item]) -> None:
        seen = [item for item in items if not item.hidden]
        if seen:
            self.index.put(
                [item.id for item in seen],
                [self._vectors[item.id] for item in seen],
                [item.scope for item in seen],
            )

    def _nearest(self, query: Vector, open_to: dict[str, Item], scope: str) -> list[Ranked]:
        found = self.index.search(query, frozenset((scope, GLOBAL)))
        ranked = self._exactly(query, [each for each in found if each in open_to])
        return ranked[: self._options.top_k]

    def _exactly(self, query: Vector, found: Sequence[str]) -> list[Ranked]:
        distances = cosine_distances(query, [self._vectors[each] for each in found])
        items = self.shelf.by_id
        ranked = [Ranked(items[each], far) for each, far in zip(found, distances, strict=True)]
        return sorted(ranked, key=lambda each: (each.distance, _order(each.item)))

    def _by_time(self, shown: Sequence[Shown]) -> tuple[Shown, ...]:
        items = self.shelf.by_id
        return tuple(sorted(shown, key=lambda line: _order(items[line.item])))


def _order(item: Item) -> tuple[int, list[tuple[int, str]]]:
    return event_order(item.time, item.id)
