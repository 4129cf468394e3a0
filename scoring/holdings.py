"""What a memory held over time, rebuilt from the log alone.

Every boundary and every notice of the platform leaves one `memory_change`: the items that are new
or changed, and the ids of those that are gone. From these follow what was held at any position
and what became of each item. Whether a vanished item was replaced or evicted, no memory says; it
is read off the pedigree: **replaced** when an item written by the same change contains one of its
sources, **evicted** when none does. What a notice takes away is **erased**.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scoring.run import Event
from simulator.events.errors import shown
from simulator.log.errors import LogDamaged

What = Literal[
    "written", "rewritten", "replaced", "reinstated", "hidden", "restored", "evicted", "erased"
]
"""What happened to an item.

`written`: it is new. `rewritten`: text or pedigree changed under its id. `replaced`: another item
stands for it, be it gone or kept as history. `reinstated`: nothing stands for it any more.
`hidden`, `restored`: withheld, and given back again. `evicted`: gone, and nothing that was written
then carries what it said. `erased`: gone at a notice of the platform.
"""


@dataclass(frozen=True)
class Held:
    """One item as a change recorded it.

    Attributes:
        id: Name of the item in its memory.
        text: The text as a block would show it.
        sources: Ids of the events that it contains, sorted.
        saw: Ids of the events that were in the input when it was made, sorted.
        scope: Whose information it is.
        role: Role of the surface it came from.
        hidden: True while it is held but never given back.
        replaced_by: Id of the item that stands for it while it is kept as history, or None.
        store: The kind of store that it is in, where it contains something forgotten, or None.
    """

    id: str
    text: str
    sources: tuple[str, ...]
    saw: tuple[str, ...] = ()
    scope: str = "global"
    role: str = "system"
    hidden: bool = False
    replaced_by: str | None = None
    store: str | None = None


@dataclass(frozen=True)
class Step:
    """One thing that happened to an item.

    Attributes:
        position: Position of the `memory_change`.
        event: Id of the `memory_change`.
        cause: Id of the boundary or of the notice that led to it; "" where none is recorded.
        why: `absorb`, `withdrawn`, `deleted`, `granted`, `rebuild`, or `fault` for what a failed
            one left.
        what: What happened.
        by: Ids of the items that stand for it now: after `replaced`, or rebuilt after `erased`.
        item: The item as it was left; of one that is gone, as it was last held.
        held: False when it is gone.
    """

    position: int
    event: str
    cause: str
    why: str
    what: What
    item: Held
    by: tuple[str, ...] = ()
    held: bool = True


History = tuple[Step, ...]


def histories(events: Iterable[Event], until: int | None = None) -> dict[str, History]:
    """Return item id to what happened to it, in order, items in the order of their first writing.

    Args:
        events: A trial's events, in order.
        until: Last position that counts; None counts all.

    Raises:
        LogDamaged: when an item goes that was not held.
    """
    found: dict[str, list[Step]] = {}
    held: dict[str, Held] = {}
    for event in events:
        if until is not None and event.position > until:
            break
        if event.kind == "memory_change":
            for step in _steps(event, held):
                found.setdefault(step.item.id, []).append(step)
    return {name: tuple(steps) for name, steps in found.items()}


def held_after(history: History) -> Held | None:
    """Return an item as its history leaves it, or None when it is gone."""
    return history[-1].item if history and history[-1].held else None


def held_at(events: Iterable[Event], position: int) -> dict[str, Held]:
    """Return everything held, hidden or not, after the event at `position`, by item id."""
    found = ((name, held_after(past)) for name, past in histories(events, position).items())
    return {name: item for name, item in found if item is not None}


def _steps(change: Event, held: dict[str, Held]) -> Iterator[Step]:
    """Yield what a change did and bring `held` up to date with it."""
    written = [_held(each) for each in change.body["written"]]
    successors = [item for item in written if _says_more(held.get(item.id), item)]

    def step(what: What, item: Held, by: tuple[str, ...] = (), held: bool = True) -> Step:
        cause = change.causes[0] if change.causes else ""
        why = str(change.body["why"])
        return Step(change.position, change.id, cause, why, what, item, by, held)

    for name in change.body["gone"]:
        if name not in held:
            raise LogDamaged(f"event {change.position} lets go of {shown(name)}, which is not held")
        lost = held.pop(name)
        by = tuple(each.id for each in successors if set(each.sources) & set(lost.sources))
        yield step(_lost(change.body["why"], by), lost, by, held=False)
    for item in written:
        for what in _changes(held.get(item.id), item):
            yield step(what, item, _stands_for(item) if what == "replaced" else ())
        held[item.id] = item


def _held(recorded: Mapping[str, Any]) -> Held:
    lists = {name: tuple(recorded[name]) for name in ("sources", "saw")}
    return Held(**{**recorded, **lists})


def _says_more(before: Held | None, after: Held) -> bool:
    """Tell whether a change wrote content, and did not only hide or restore it."""
    return before is None or (before.text, before.sources) != (after.text, after.sources)


def _lost(why: str, by: tuple[str, ...]) -> What:
    if why in ("withdrawn", "deleted"):
        return "erased"
    return "replaced" if by else "evicted"


def _changes(before: Held | None, after: Held) -> Iterator[What]:
    if before is None:
        yield "written"
    elif _content(before) != _content(after):
        yield "rewritten"
    was_hidden = before is not None and before.hidden
    if was_hidden != after.hidden:
        yield "hidden" if after.hidden else "restored"
    was_replaced = before.replaced_by if before else None
    if after.replaced_by not in (None, was_replaced):
        yield "replaced"
    if was_replaced and after.replaced_by is None and not after.hidden:
        yield "reinstated"  # one that is hidden stands aside, whoever stood for it


def _content(item: Held) -> tuple[object, ...]:
    return item.text, item.sources, item.saw, item.scope, item.role


def _stands_for(item: Held) -> tuple[str, ...]:
    return () if item.replaced_by is None else (item.replaced_by,)
