"""Names for events that hold across trials, and what of an event is compared under them.

A scripted event is known by its authored id. A recorded one has only its position, which drifts
as soon as trials part; so it is known by what caused it, its kind, and which one of these it is:
`ask/d1 > tool_call 2 > tool_return`. Whatever names a position is put in these terms before two
events are compared. What differs by construction is left out: hashes and positions, the opening
(arm, options, identities), seeds, and counters that run through a trial. Times are compared apart:
an event that only came later differs in nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scoring.run import Event, Trial
from simulator.events import Json

What = Literal["changed", "instead", "only_a", "only_b", "order"]
"""How two trials part.

`changed`: the same event with other content. `instead`: each has an event there that the other
never has. `only_a`, `only_b`: one has an event that the other never has. `order`: both have both
events, in another order.
"""

_OPENING = "trial_opened"
_COUNTED = {
    # Context and steps hold ids and times; the rendered prompt tells what the model was shown.
    "completion": ("step", "seed", "context", "steps"),
    "call_failed": ("step",),
    "tool_call": ("call",),
    "tool_return": ("call",),
    "world_change": ("call",),
}
_POSITION = re.compile(r"#\d+")


@dataclass(frozen=True)
class Keyed:
    """An event under a name that holds across trials.

    Attributes:
        key: The name.
        event: The event.
        told: What is compared of it.
    """

    key: str
    event: Event
    told: dict[str, Json]


@dataclass(frozen=True)
class Parting:
    """The first place at which two trials differ.

    Attributes:
        what: How they differ there.
        a: The first trial's event, or None where it has none.
        b: The other's event, or None where it has none.
    """

    what: What
    a: Keyed | None
    b: Keyed | None


def keys(events: Sequence[Event]) -> dict[str, str]:
    """Return event id to the name under which the event is compared."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for event in events:
        key = event.id
        if _POSITION.fullmatch(event.id):
            stem = _stem(event, found)
            counts[stem] += 1
            key = stem if counts[stem] == 1 else f"{stem} {counts[stem]}"
        found[event.id] = key
    return found


def _stem(event: Event, found: Mapping[str, str]) -> str:
    kind = event.kind
    if "purpose" in event.body:
        kind = f"{event.body['purpose']} {kind}"
    if kind == "session_started":
        kind = f"session {event.body['episode']}"
    return " > ".join([*(found.get(cause, cause) for cause in event.causes[:1]), kind])


def keyed(trial: Trial) -> list[Keyed]:
    """Return a trial's events as they are compared, the opening left out."""
    names = keys(trial.events)
    return [
        Keyed(names[event.id], event, _told(event, names))
        for event in trial.events
        if event.kind != _OPENING
    ]


def first_parting(a: Sequence[Keyed], b: Sequence[Keyed]) -> Parting | None:
    """Return where two trials first differ, or None when they nowhere do."""
    for one, other in zip(a, b, strict=False):
        if one.key != other.key:
            return _parting(one, other, {each.key for each in a}, {each.key for each in b})
        if one.told != other.told:
            return Parting("changed", one, other)
    if len(a) == len(b):
        return None
    shorter = min(len(a), len(b))
    return Parting("only_a", a[shorter], None) if len(a) > shorter else _only_b(b[shorter])


def _parting(one: Keyed, other: Keyed, in_a: set[str], in_b: set[str]) -> Parting:
    if one.key in in_b and other.key in in_a:
        return Parting("order", one, other)
    if one.key in in_b:
        return _only_b(other)
    return Parting("only_a", one, None) if other.key in in_a else Parting("instead", one, other)


def _only_b(event: Keyed) -> Parting:
    return Parting("only_b", None, event)


def fields(one: Mapping[str, Json], other: Mapping[str, Json]) -> Iterator[tuple[str, Json, Json]]:
    """Yield name and both values of every field in which two events differ."""
    for name in {**one, **other}:
        if one.get(name) != other.get(name):
            yield name, one.get(name), other.get(name)


def _told(event: Event, names: Mapping[str, str]) -> dict[str, Json]:
    body = {k: v for k, v in event.body.items() if k not in _COUNTED.get(event.kind, ())}
    put = _PUT.get(event.kind)
    if put is not None:
        body |= put(body, names)
    causes = [names.get(cause, cause) for cause in event.causes]
    return {"kind": event.kind, "scope": event.scope, "causes": causes, **body}


def _listed(ids: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(name, name) for name in ids]


def item_name(item: str, names: Mapping[str, str]) -> str:
    """Return an item's id with the position that it begins with, if any, put as a name."""
    begins = _POSITION.match(item)
    if begins is None:
        return item
    return names.get(begins.group(), begins.group()) + item[begins.end() :]


def _item(item: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Json]:
    put = dict(item)
    for field in ("sources", "saw"):
        if field in put:
            put[field] = _listed(put[field], names)
    for field in ("id", "item", "replaced_by"):
        if put.get(field) is not None:
            put[field] = item_name(put[field], names)
    return put


def _items(items: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[Json]:
    return [_item(item, names) for item in items]


_PUT: dict[str, Any] = {
    "said": lambda body, names: {"sources": _listed(body["sources"], names)},
    "boundary": lambda body, names: {
        "transcript": _listed(body["transcript"], names),
        "asked": None,  # a time, and times are compared apart
    },
    "memory_read": lambda body, names: {"items": _items(body["items"], names)},
    "memory_change": lambda body, names: {
        "written": _items(body["written"], names),
        "gone": [item_name(name, names) for name in body["gone"]],
    },
}
