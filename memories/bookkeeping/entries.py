"""Entries: what is kept word for word, and what has become of it."""

from dataclasses import dataclass
from typing import Literal

from memories.bookkeeping.notices import Change
from memories.lines import dated
from simulator.effects.memory import Item
from simulator.events import Surface

EntryKind = Literal[
    "constraint", "obligation", "quotation", "notice", "correction", "lift", "report"
]
Status = Literal["open", "lifted", "fulfilled", "superseded"]


@dataclass(frozen=True)
class Entry:
    """One sentence that binds, asks, announces, corrects, or ends another entry.

    Attributes:
        id: Id of its item: the event's id and the number of the sentence in it.
        kind: What the sentence does. A `lift` ends a constraint or calls something off, a `report`
            says that something was done.
        text: The sentence word for word, with the one before it where it points back to that.
        source: Id of the event that said it.
        role: Role of who said it.
        time: When, simulated ms.
        scope: Whose information it is.
        change: What a notice announces, None for all others.
    """

    id: str
    kind: EntryKind
    text: str
    source: str
    role: str
    time: int
    scope: str
    change: Change | None = None


def entry(
    surface: Surface, number: int, kind: EntryKind, text: str, change: Change | None = None
) -> Entry:
    """Return the entry that a sentence of a surface makes."""
    return Entry(
        id=f"{surface.id}:{number}",
        kind=kind,
        text=text,
        source=surface.id,
        role=surface.role,
        time=surface.time,
        scope=surface.scope,
        change=change,
    )


@dataclass(frozen=True)
class Style:
    """How lines look.

    Attributes:
        dates: Whether a line begins with the date of what it was said by.
        provenance: Whether a line says whose words it has.
    """

    dates: bool = True
    provenance: bool = True

    def item(self, entry: Entry, status: Status) -> Item:
        """Return an entry as a line shows it, its status before its words."""
        label = entry.kind if status == "open" else f"{status} {entry.kind}"
        by = f" by {entry.role}" if self.provenance and entry.kind != "notice" else ""
        return Item(
            id=entry.id,
            text=dated(f"{label}{by}: {entry.text}", entry.time, self.dates),
            sources=frozenset((entry.source,)),
            saw=frozenset((entry.source,)),
            time=entry.time,
            scope=entry.scope,
            role=entry.role,
            store="entries",
        )
