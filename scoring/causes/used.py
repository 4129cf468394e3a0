"""Wrong values that were used although, or because, they were shown: stale and forgotten ones."""

from dataclasses import replace

from scoring.causes.contract import DERIVED, STALE, Cause, listed
from scoring.causes.past import Past
from scoring.causes.places import Place, block_items, derivations, places
from scoring.keys import wants_act
from scoring.scorers import Scorer
from scoring.verdicts import Verdict, in_arguments
from scoring.wrong import corrupted_values, superseded_values
from simulator.events.folding import fold


def copy_used(past: Past, verdict: Verdict, scorer: Scorer) -> Cause | None:
    """Return the cause of a decision that acted on a wrong value which it was shown."""
    used = [(v, places(past, verdict.record, v)) for v in _wrong(past, verdict, scorer)]
    shown = [(value, seen) for value, seen in used if seen]
    for value, seen in shown:
        paths = derivations(past, verdict.record, value)
        if paths:
            return _halved(past, verdict, _derived(past, verdict, value, seen, paths[seen[0].name]))
    return _halved(past, verdict, _stale(past, *shown[0])) if shown else None


_BROUGHT = {
    "lines": "; a retrieved line brought it back, no fact did",
    "facts": "; a fact says so, no retrieved line does",
    "both": "; a fact and a retrieved line say so",
}


def _halved(past: Past, verdict: Verdict, cause: Cause) -> Cause:
    """Return the cause with the half of a `hybrid` that showed the value; lines have a rank."""
    showing = [item for item in verdict.record.items if item["item"] in cause.items]
    if past.trial.opened["options"]["memory"] != "hybrid" or not showing:
        return cause
    ranked = {item.get("rank") is not None for item in showing}
    half = "both" if len(ranked) == 2 else "lines" if ranked == {True} else "facts"
    return replace(cause, half=half, reason=cause.reason + _BROUGHT[half])


def _wrong(past: Past, verdict: Verdict, scorer: Scorer) -> list[str]:
    """Return the values that were used and that the key calls wrong: see `docs/causes.md`."""
    found = [each.value for each in verdict.misuses]
    key, probe = past.trial.key, verdict.probe
    known = [*superseded_values(key, probe), *corrupted_values(key, probe)]
    found += [value for value in known if _uses(verdict, value, scorer)]
    return list(dict.fromkeys(found))


def _uses(verdict: Verdict, value: str, scorer: Scorer) -> bool:
    record = verdict.record
    if any(wants_act(check) for check in verdict.probe.checks):
        return in_arguments(record, fold(value), scorer)
    answer = fold(record.text) if record.outcome == "answer" else ""
    return scorer.asserts(fold(value), answer, fold(record.request))


def _derived(past: Past, verdict: Verdict, value: str, seen: list[Place], path: str) -> Cause:
    over = past.forgotten(verdict.record.first)
    sources = [e for e in over if e in past.heard and past.holds(past.heard[e].text, fold(value))]
    first = seen[0]
    return Cause(
        DERIVED,
        f"used {value!r}, shown by {first.name} in the {first.where} ({path}), although "
        f"{listed(sources)} was taken back by {listed([over[e] for e in sources])}",
        value=value,
        events=tuple(sources),
        items=block_items(seen),
        place=first.where,
        path=path,
        by=tuple(dict.fromkeys(over[each] for each in sources)),
    )


def _stale(past: Past, value: str, seen: list[Place]) -> Cause:
    first = seen[0]
    return Cause(
        STALE,
        f"used {value!r}, which {first.name} in the {first.where} shows",
        value=value,
        events=first.sources,
        items=block_items(seen),
        place=first.where,
    )
