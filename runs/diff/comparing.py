"""Compares trials: each with the first one."""

from collections.abc import Sequence
from dataclasses import asdict
from difflib import unified_diff
from itertools import takewhile
from typing import Any

from runs.diff.alignment import Keyed, Parting, fields, first_parting
from runs.diff.blocks import ItemPair, pair_items
from runs.diff.causes import Causes, listed
from runs.diff.decisions import ACTED, PARTS, Side, differing, first_differing, rows
from runs.telling import mention
from simulator.events import Json


def compare(sides: Sequence[Side]) -> Json:
    """Return how trials differ, each from the first one."""
    first, *others = sides
    return {
        "trials": [_described(side) for side in sides],
        "comparisons": [_compared(first, other) for other in others],
    }


def _described(side: Side) -> dict[str, Json]:
    opened = side.trial.opened
    return {
        "run": side.folder,
        "trial": side.trial.name,
        "arc": side.trial.arc,
        "seed": side.trial.seed,
        "script": opened["script"],
        "arm": opened["options"],
        "events": len(side.trial.events),
    }


def _compared(a: Side, b: Side) -> dict[str, Json]:
    parting = first_parting(a.keyed, b.keyed)
    found = rows(a, b)
    return {
        "run": b.folder,
        "trial": b.trial.name,
        "same": parting is None,
        "given": _given(a, b),
        "events": _counts(a, b),
        "first": parting and _parted(a, b, parting),
        "decision": _decided(a, b, first_differing(found, PARTS)),
        "acted": _decided(a, b, first_differing(found, ACTED)),
        "decisions": found,
    }


def _given(a: Side, b: Side) -> list[dict[str, Json]]:
    """Return in what the trials were set up differently: seed, script, settings of the arm."""
    one, other = _settings(a), _settings(b)
    return [{"setting": name, "a": x, "b": y} for name, x, y in fields(one, other)]


def _settings(side: Side) -> dict[str, Json]:
    opened = side.trial.opened
    return {"seed": opened["seed"], "script": opened["script"], **opened["options"]}


def _counts(a: Side, b: Side) -> dict[str, int]:
    one, other = ({each.key: each for each in side.keyed} for side in (a, b))
    both = [(one[key], other[key]) for key in one if key in other]
    same = [pair for pair in both if pair[0].told == pair[1].told]
    return {
        "same": len(same),
        "changed": len(both) - len(same),
        "only_a": len(one) - len(both),
        "only_b": len(other) - len(both),
        "at_another_time": sum(x.event.time != y.event.time for x, y in both),
    }


def _parted(a: Side, b: Side, parting: Parting) -> dict[str, Json]:
    """Return the two events, in what they differ, and what led to each."""
    one, other = parting.a, parting.b
    written = [listed(each.event if each else None) for each in (one, other)]
    paired = pair_items(written[0], written[1], (a.names, b.names))
    pairs = [pair for pair in paired if pair.what != "same"]
    alike = one is not None and other is not None and one.key == other.key
    told = fields(one.told, other.told) if alike and one and other else ()
    return {
        "what": parting.what,
        "a": _event(a, one),
        "b": _event(b, other),
        "fields": [{"field": name, "a": x, "b": y} for name, x, y in told],
        "items": [asdict(pair) for pair in pairs],
        "prompt": _unified(*(_rendered(side, each) for side, each in ((a, one), (b, other)))),
        "causes": {
            "a": Causes(a.trial, a.past, one.event.id, _of(pairs, 0)).chain() if one else [],
            "b": Causes(b.trial, b.past, other.event.id, _of(pairs, 1)).chain() if other else [],
        },
    }


def _event(side: Side, found: Keyed | None) -> dict[str, Json] | None:
    return None if found is None else {"key": found.key, **mention(side.trial, found.event.id)}


def _rendered(side: Side, found: Keyed | None) -> str:
    """Return the prompt of a completion, whoever asked for it."""
    if found is None or found.event.kind != "completion":
        return ""
    return side.trial.text(found.event.body["rendered"])


def _of(pairs: Sequence[ItemPair], side: int) -> list[dict[str, Any]]:
    return [item for pair in pairs if (item := (pair.a, pair.b)[side]) is not None]


def _decided(a: Side, b: Side, row: dict[str, Any] | None) -> dict[str, Json] | None:
    """Return what a decision was shown in both, and what led to what was done."""
    if row is None:
        return None
    decision = row["id"]
    items = [_block(side, decision) for side in (a, b)]
    pairs = pair_items(items[0], items[1], (a.names, b.names))
    differ = [pair for pair in pairs if pair.what != "same"]
    context = _context(a, b, decision)
    return {
        "id": decision,
        "parts": differing(row),
        "a": row["a"],
        "b": row["b"],
        "items": [asdict(pair) for pair in pairs],
        "context": {"only_a": _mentioned(a, context[0]), "only_b": _mentioned(b, context[1])},
        "prompt": _unified(a.prompt(decision) or "", b.prompt(decision) or ""),
        "causes": {
            "a": _led(a, b, row, _of(differ, 0), context[0]),
            "b": _led(b, a, row, _of(differ, 1), context[1]),
        },
    }


def _block(side: Side, decision: str) -> list[dict[str, Any]]:
    record = side.records.get(decision)
    return [] if record is None else list(record.items)


def _context(a: Side, b: Side, decision: str) -> tuple[list[str], list[str]]:
    """Return the surfaces of the session, by id, that only one of the two was shown."""
    shown = [
        {(side.names.get(each.id), each.text): each.id for each in record.context} if record else {}
        for side in (a, b)
        for record in [side.records.get(decision)]
    ]
    one, other = shown
    return (
        [name for key, name in one.items() if key not in other],
        [name for key, name in other.items() if key not in one],
    )


def _mentioned(side: Side, names: Sequence[str]) -> list[Json]:
    return [mention(side.trial, name) for name in names]


def _led(
    side: Side,
    other: Side,
    row: dict[str, Any],
    items: Sequence[dict[str, Any]],
    context: Sequence[str],
) -> list[dict[str, Json]]:
    """Return what led to the first thing that a decision did or was shown differently."""
    end = _end(side, other, row["id"], differing(row))
    return [] if end is None else Causes(side.trial, side.past, end, items, context).chain()


def _end(side: Side, other: Side, decision: str, parts: Sequence[str]) -> str | None:
    record = side.records.get(decision)
    if record is None or record.last < 0:
        return None
    end = side.trial.events[record.last].id
    if "action" in parts:
        mine, theirs = (each.part(decision, "action") or [] for each in (side, other))
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(mine, theirs, strict=False))
        )
        return side.trial.events[record.calls[same].position].id if same < len(mine) else end
    if "outcome" in parts:
        return end
    shown = side.completions.get(decision) if "prompt" in parts else side.reads.get(decision)
    return end if shown is None else shown.id


def _unified(one: str, other: str) -> list[str]:
    lines = unified_diff(one.splitlines(), other.splitlines(), "a", "b", lineterm="", n=2)
    return list(lines)
