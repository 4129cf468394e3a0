"""Where a trial can be forked: between events, while nothing is under way."""

import json
from collections.abc import Iterator, Sequence

from simulator.events.errors import InputError, nearest
from simulator.log.bodies import body_of
from simulator.log.rows import Row

OPENINGS = frozenset({"session_started", "said", "boundary", "decision"})
"""Kinds of the events that begin something; a fork is taken right before one of them."""

_ENDS = frozenset({"answer", "clarification", "refusal"})
_NOTICES = frozenset({"access_withdrawn", "access_granted", "document_deleted"})


def find_position(rows: Sequence[Row], at: str) -> int:
    """Return the position that `at` names: a number, or the id of an event.

    A scripted compaction is found by its own id, though the boundary it led to has another.

    Raises:
        InputError: when the trial has no such position or event, with the nearest that it has.
    """
    number = at.removeprefix("#")
    if number.isascii() and number.removeprefix("-").isdecimal():
        position = int(number)
        if not 0 <= position < len(rows):
            close = 0 if position < 0 else len(rows) - 1
            message = f"the trial has no position {position}; the nearest is {close}"
            raise InputError(message, field="at")
        return position
    found = happened(rows, at)
    if found is None:
        named = [row.id for row in rows if not row.id.startswith("#")]
        raise InputError(f"the trial has no event {at!r}{nearest(at, named)}", field="at")
    return found


def happened(rows: Sequence[Row], event: str) -> int | None:
    """Return the position at which an event happened, or None."""
    for row in rows:
        if row.id == event or (row.kind == "boundary" and event in json.loads(row.causes)):
            return row.position
    return None


def settle(rows: Sequence[Row], position: int) -> int:
    """Return the last place not after `position` where a fork can be taken, or else the first.

    Inside a decision, a boundary or a notice to the memory there is none: half of it would be
    the parent's and half the fork's.
    """
    places = list(_places(rows))
    return max((place for place in places if place <= position), default=places[0])


def decision_at(rows: Sequence[Row], position: int) -> str | None:
    """Return the decision that opens at `position`, or is under way there."""
    found = None
    for row in rows[: position + 1]:
        if row.kind == "decision":
            found = row.id
        elif _ended(row) == found and row.position < position:
            found = None
    return found


def _ended(row: Row) -> str | None:
    """Return the decision that ends with this event."""
    if row.kind in _ENDS or row.kind == "error":
        decision: str | None = body_of(row)["decision"]
        return decision
    return None


def _places(rows: Sequence[Row]) -> Iterator[int]:
    forgets = body_of(rows[0])["options"]["forgetting"] != "off"
    audited = {json.loads(row.causes)[0] for row in rows if row.kind == "residue_audit"}
    under_way: dict[str, str] = {}
    for row in rows:
        if row.kind in OPENINGS and not under_way:
            yield row.position
        if row.kind in ("decision", "boundary") or (forgets and _is_notice(row)):
            under_way[row.id] = row.causes
        elif row.kind in ("memory_change", "residue_audit"):
            # A notice may change a memory more than once; its audit comes last.
            cause = json.loads(row.causes)[0]
            if row.kind == "residue_audit" or cause not in audited:
                under_way.pop(cause, None)
        elif _ended(row) is not None:
            under_way.pop(str(_ended(row)), None)
        elif row.kind == "error":  # a boundary's, which has the same cause as the boundary
            under_way = {name: cause for name, cause in under_way.items() if cause != row.causes}


def _is_notice(row: Row) -> bool:
    return row.kind == "said" and body_of(row)["source"] in _NOTICES
