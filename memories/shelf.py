"""The shelf: where a memory keeps its items, and the one place where it forgets them.

Withdrawn and deleted event ids are remembered, so that a copy of a forgotten event that is
absorbed later (it was still in the working context) does not come back.
"""

from collections.abc import Iterable, Iterator, Mapping

from simulator.effects.memory import Ask, Forgetting, Gone, Item, Reach
from simulator.effects.steps import Steps
from simulator.events import GLOBAL


class _Bans:
    """Ids of events that may not be used: by direct records, and by digests as well."""

    def __init__(self) -> None:
        self._direct: frozenset[str] = frozenset()
        self._through: frozenset[str] = frozenset()

    def add(self, sources: frozenset[str], reach: Reach) -> None:
        self._direct |= sources
        if reach == "lineage":
            self._through |= sources

    def lift(self, sources: frozenset[str]) -> None:
        self._direct -= sources
        self._through -= sources

    def of(self, derived: bool) -> frozenset[str]:
        """Return what a digest, or a direct record, may not be from."""
        return self._through if derived else self._direct


class Shelf:
    """Items by id, in the order in which they were first put there."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._withdrawn = _Bans()
        self._deleted = _Bans()

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: str) -> bool:
        return item in self._items

    @property
    def by_id(self) -> Mapping[str, Item]:
        """The items by their id."""
        return self._items

    def put(self, item: Item) -> Item | None:
        """Keep an item, hidden when a source is withdrawn; return None when one is deleted."""
        if not item.sources.isdisjoint(self._deleted.of(item.derived)):
            return None
        kept = self._marked(item)
        self._items[item.id] = kept
        return kept

    def drop(self, items: Iterable[str]) -> None:
        """Stop keeping these items."""
        for each in items:
            del self._items[each]

    def usable(self, source: str, derived: bool = False) -> bool:
        """Tell whether what this event said may be used, by a direct record or by a digest."""
        bans = (self._withdrawn, self._deleted)
        return all(source not in each.of(derived) for each in bans)

    def visible(self, ask: Ask) -> list[Item]:
        """Return the items that may answer `ask`: not hidden and of its scope or `global`."""
        scopes = (ask.scope, GLOBAL)
        return [item for item in self if not item.hidden and item.scope in scopes]

    def forget(self, sources: frozenset[str], how: Gone, reach: Reach = "lineage") -> Forgetting:
        """Hide or erase the items that contain one of `sources`; digests with `lineage` only."""
        reached = (item for item in self if reach == "lineage" or not item.derived)
        meant = [item for item in reached if item.sources & sources]
        if how == "deleted":
            self._deleted.add(sources, reach)
            self.drop(item.id for item in meant)
            return Forgetting(erased=tuple(item.id for item in meant))
        self._withdrawn.add(sources, reach)
        return Forgetting(hidden=tuple(item.id for item in self._remark(meant)))

    def regrant(self, sources: frozenset[str]) -> list[Item]:
        """Show again what was hidden because of `sources` alone; return those items."""
        self._withdrawn.lift(sources)
        return self._remark([item for item in self if item.sources & sources])

    def _remark(self, items: Iterable[Item]) -> list[Item]:
        changed = []
        for item in items:
            marked = self._marked(item)
            if marked is not item:
                self._items[item.id] = marked
                changed.append(marked)
        return changed

    def _marked(self, item: Item) -> Item:
        hidden = not item.sources.isdisjoint(self._withdrawn.of(item.derived))
        return item if hidden == item.hidden else item.model_copy(update={"hidden": hidden})


class Shelved:
    """Base of the memories that keep everything on a shelf."""

    def __init__(self) -> None:
        self.shelf = Shelf()

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Hide or erase the items that contain one of `sources`; digests with `lineage` only."""
        yield from ()
        return self.shelf.forget(sources, how, reach)

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Show again what was hidden because of `sources`."""
        yield from ()
        self.shelf.regrant(sources)

    def holdings(self) -> Iterable[Item]:
        """Yield every item, hidden or not, in the order in which they came."""
        return iter(self.shelf)

    def close(self) -> None:
        """Nothing is held outside Python's heap."""


def repeats(item: Item, ask: Ask) -> bool:
    """Tell whether the working context already shows all that an item was made from."""
    return item.sources <= ask.shown
