"""What a line of a block looks like."""

from simulator.effects.memory import Item, Shown
from simulator.events import Surface
from simulator.events.times import show_date
from simulator.models.rendering import one_line


def dated(text: str, time: int, dates: bool) -> str:
    """Return `text` on one line, behind its date when `dates` is true."""
    line = one_line(text)
    return f"[{show_date(time)}] {line}" if dates else line


def verbatim(
    surface: Surface,
    dates: bool,
    text: str | None = None,
    part: str = "",
    provenance: bool = True,
    store: str = "memory",
    derived: bool = False,
) -> Item:
    """Return an item that shows a surface, or a `text` cut from it, word for word.

    `part` tells the pieces of one surface apart; the item of a whole surface has the event's id.
    With `provenance` the line says whose words it has. `store` and `derived` are those of the item.
    """
    said = surface.text if text is None else text
    return Item(
        id=f"{surface.id}{part}",
        text=dated(f"{surface.role}: {said}" if provenance else said, surface.time, dates),
        sources=frozenset((surface.id,)),
        saw=frozenset((surface.id,)),
        time=surface.time,
        scope=surface.scope,
        role=surface.role,
        store=store,
        derived=derived,
    )


def show(item: Item, rank: int | None = None, distance: int | None = None) -> Shown:
    """Return the line of a block that gives an item back."""
    return Shown(
        item=item.id,
        text=item.text,
        sources=tuple(sorted(item.sources)),
        rank=rank,
        distance=distance,
    )
