"""The shelf: where a memory keeps its items, and the one place where it forgets them.

Withdrawn and deleted event ids are remembered, so that a copy of a forgotten event that is
absorbed later (it was still in the working context) does not come back.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from simulator.effects.memory import Ask, Forgetting, Item
from simulator.effects.steps import Steps
from simulator.events import GLOBAL


class Shelf:
    """Items by id, in the order in which they were first put there."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._withdrawn: frozenset[str] = frozenset()
        self._deleted: frozenset[str] = frozenset()

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
        if self._deleted and item.sources & self._deleted:
            return None
        kept = self._marked(item)
        self._items[item.id] = kept
        return kept

    def drop(self, items: Iterable[str]) -> None:
        """Stop keeping these items."""
        for each in items:
            del self._items[each]

    def usable(self, source: str) -> bool:
        """Tell whether what this event said may be used."""
        return source not in self._withdrawn and source not in self._deleted

    def visible(self, ask: Ask) -> list[Item]:
        """Return the items that may answer `ask`: not hidden and of its scope or `global`."""
        scopes = (ask.scope, GLOBAL)
        return [item for item in self if not item.hidden and item.scope in scopes]

    def forget(self, sources: frozenset[str], how: Literal["withdrawn", "deleted"]) -> Forgetting:
        """Hide or erase every item that contains one of `sources`."""
        meant = [item for item in self if item.sources & sources]
        if how == "deleted":
            self._deleted |= sources
            self.drop(item.id for item in meant)
            return Forgetting(erased=tuple(item.id for item in meant))
        self._withdrawn |= sources
        return Forgetting(hidden=tuple(item.id for item in self._remark(meant)))

    def regrant(self, sources: frozenset[str]) -> list[Item]:
        """Show again what was hidden because of `sources` alone; return those items."""
        self._withdrawn -= sources
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
        hidden = bool(self._withdrawn and item.sources & self._withdrawn)
        return item if hidden == item.hidden else item.model_copy(update={"hidden": hidden})


class Shelved:
    """Base of the memories that keep everything on a shelf."""

    def __init__(self) -> None:
        self.shelf = Shelf()

    def forget(
        self, sources: frozenset[str], how: Literal["withdrawn", "deleted"]
    ) -> Steps[Forgetting]:
        """Hide or erase every item that contains one of `sources`."""
        yield from ()
        return self.shelf.forget(sources, how)

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
