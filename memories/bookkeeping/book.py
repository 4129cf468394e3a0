"""The book: entries on a shelf, and the links by which one ends another.

A status follows from what is visible: a constraint whose lifting sentence was withdrawn binds
again, for nothing that the sentence said may be used.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from memories.bookkeeping.entries import Entry, Status, Style
from memories.bookkeeping.notices import named_things
from memories.shelf import Shelf
from simulator.effects.memory import Ask, Item
from simulator.events import GLOBAL


@dataclass(frozen=True)
class Link:
    """That an entry ended others.

    Attributes:
        by: Id of the entry that ended them.
        of: Their ids.
        status: What became of them.
    """

    by: str
    of: tuple[str, ...]
    status: Status


class Book:
    """Every entry with its status; which is shown where is for the ledger to say."""

    def __init__(self, style: Style) -> None:
        self.shelf = Shelf()
        self._style = style
        self._entries: dict[str, Entry] = {}
        self._links: dict[str, Link] = {}
        self._standing: dict[str, list[Entry]] = {}

    def write(self, entry: Entry, ends: tuple[str, ...] = (), status: Status = "lifted") -> None:
        """Keep an entry, and note which others it ended."""
        if self.shelf.put(self._style.item(entry, "open")) is None:
            return
        self._entries[entry.id] = entry
        self._standing.clear()
        if ends:
            self._links[entry.id] = Link(entry.id, ends, status)

    def standing(self, scope: str) -> list[Entry]:
        """Return the open entries that a sentence of a scope may end, newest first."""
        if scope not in self._standing:
            ended = self._ended(scope)
            self._standing[scope] = [
                self._entries[item.id]
                for item in reversed(list(self.shelf))
                if not item.hidden and item.id not in ended and item.scope in (scope, GLOBAL)
            ]
        return self._standing[scope]

    def visible(self, ask: Ask) -> list[tuple[Entry, Status, Item]]:
        """Return what may answer `ask`, newest first, with status and line."""
        ended = self._ended(ask.scope)
        found = []
        for item in reversed(self.shelf.visible(ask)):
            status = ended[item.id].status if item.id in ended else "open"
            found.append((self._entries[item.id], status, self._shown(item, status)))
        return found

    def closed(self, scope: str) -> frozenset[str]:
        """Return the ids of things that a notice in force for a scope withdrew or deleted."""
        return frozenset(
            thing
            for notice in self.standing(scope)
            if notice.change in ("withdrawn", "deleted")
            for thing in named_things(notice.text)
        )

    def holdings(self) -> Iterator[Item]:
        """Yield every entry's item as it stands; a superseded one names what took its place."""
        ended = {scope: self._ended(scope) for scope in {item.scope for item in self.shelf}}
        for item in self.shelf:
            link = ended[item.scope].get(item.id)
            if link is None:
                yield item
                continue
            shown = self._shown(item, link.status)
            superseded = link.status == "superseded"
            yield shown.model_copy(update={"replaced_by": link.by}) if superseded else shown

    def shelf_changed(self) -> None:
        """Let go of the entries whose items were erased from the shelf; others may stand again."""
        self._standing.clear()
        self._entries = {name: each for name, each in self._entries.items() if name in self.shelf}
        self._links = {name: each for name, each in self._links.items() if name in self.shelf}

    def _ended(self, scope: str) -> dict[str, Link]:
        """Return the visible entries that one visible in a scope ended; the newest end counts."""
        shown = self.shelf.by_id
        return {
            name: link
            for link in self._links.values()
            if not shown[link.by].hidden and shown[link.by].scope in (scope, GLOBAL)
            for name in link.of
            if name in shown and not shown[name].hidden
        }

    def _shown(self, item: Item, status: Status) -> Item:
        if status == "open":
            return item
        return self._style.item(self._entries[item.id], status)
