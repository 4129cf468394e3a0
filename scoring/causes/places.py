"""Places: where a decision was shown a value, and whether only copies of something forgotten did."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from scoring.causes.past import Past
from scoring.decisions import DecisionRecord
from simulator.events.folding import fold
from simulator.models.rendering import one_line

Where = Literal["block", "session", "request", "tool result"]

Path = Literal["record", "derived item", "agent's copy", "session", "world"]
"""How a value outlived the notice that its source is over.

`record`: the source itself, word for word. `derived item`: an item that was made from the source,
such as a fact or a digest. `agent's copy`: an item made from what the agent said or called
after it had been shown the value. `session`: such a text in the working context. `world`: a tool
gave back what the agent had written there.
"""


@dataclass(frozen=True)
class Place:
    """One place that shows a value.

    Attributes:
        where: The part of what the decision was shown.
        name: Id of the item in the block, or of the event elsewhere.
        text: What it says.
        sources: Ids of the events that it is made of.
        saw: Ids of the events that were in the input when it was made.
    """

    where: Where
    name: str
    text: str
    sources: tuple[str, ...]
    saw: tuple[str, ...] = ()


def places(past: Past, record: DecisionRecord, value: str) -> list[Place]:
    """Return where a decision was shown a value before it used it: block first, then session."""
    sought = fold(value)
    return [each for each in _shown(past, record, sought) if past.holds(each.text, sought)]


def _shown(past: Past, record: DecisionRecord, value: str) -> Iterator[Place]:
    read = past.read(record)
    for item in record.items:
        made = None if read is None else past.item(item["item"], read.position)
        sources = tuple(item["sources"])
        yield Place("block", item["item"], item["text"], sources, made.saw if made else ())
    for surface in record.context:
        yield Place("session", surface.id, surface.text, (surface.id,))
    yield Place("request", record.id, record.request, (record.id,))
    for event in past.acts(record):
        text = past.heard[event.id].text
        if event.kind == "tool_call" and past.holds(text, value):
            return  # what a call comes to after this may only echo the agent
        if event.kind == "tool_return":
            yield Place("tool result", event.id, text, (event.id,))


def derivations(past: Past, record: DecisionRecord, value: str) -> dict[str, Path]:
    """Return the name of each place that shows a value, with its path from what was forgotten.

    Empty unless every place that shows the value goes back to events whose use is over, and none
    is such an event itself: the same value from a permitted source is no copy.
    """
    over = past.forgotten(record.first)
    sought = fold(value)
    stated = {e for e in over if e in past.heard and past.holds(past.heard[e].text, sought)}
    if not stated:
        return {}
    copies = _copies(past, record, value, stated)
    paths: dict[str, Path] = {}
    for each in places(past, record, value):
        path = _path(past, each, stated, copies)
        if path is None or path == "record":
            return {}
        paths[each.name] = path
    return paths


def _copies(past: Past, until: DecisionRecord, value: str, stated: set[str]) -> set[str]:
    """Return the agent's acts before a decision that carry on what `stated` said."""
    sought = fold(value)
    copies: set[str] = set()
    for record in past.records:
        if not 0 <= record.first < until.first:
            continue
        told = any(
            _path(past, each, stated, copies) is not None for each in places(past, record, value)
        )
        if told:
            copies.update(e.id for e in past.acts(record) if past.holds(_text(past, e.id), sought))
    return copies


def _text(past: Past, event: str) -> str:
    return past.heard[event].text


def _path(past: Past, place: Place, stated: set[str], copies: set[str]) -> Path | None:
    """Return the path from forgotten events to a place; None where there is none."""
    if place.where == "request":
        return None
    if place.where == "tool result":
        return "world" if _written(past, copies) else None
    if place.where == "session":
        if place.name in stated:
            return "record"
        return "session" if place.name in copies else None
    if stated & {*place.sources, *place.saw}:
        return "record" if _repeats(past, place) else "derived item"
    return "agent's copy" if copies & {*place.sources, *place.saw} else None


def _written(past: Past, copies: set[str]) -> bool:
    return any(past.heard[each].event.kind == "tool_call" for each in copies)


def _repeats(past: Past, place: Place) -> bool:
    """Return whether an item repeats its one source word for word, behind a date or a role."""
    if len(place.sources) != 1 or place.sources[0] not in past.heard:
        return False
    return place.text.endswith(one_line(_text(past, place.sources[0])))


def block_items(shown: Iterable[Place]) -> tuple[str, ...]:
    """Return the names of the places that are items of the block."""
    return tuple(each.name for each in shown if each.where == "block")
