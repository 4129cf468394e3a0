"""Changes: which verdicts two versions of scorer or key give differently, and why."""

from collections.abc import Iterator

from scoring.checks import CheckResult
from scoring.compare import Version
from scoring.keys import Check
from scoring.metrics import Observed, Played
from scoring.run import Run
from scoring.verdicts import Mention, Verdict, verdicts
from simulator.events import Json, canonical_json


def changed(
    run: Run, one: Played, other: Played, before: Version, after: Version
) -> Iterator[dict[str, Json]]:
    """Yield an entry for every probe of one trial whose verdict or violations changed."""
    first = {each.probe: each for each in one.observed}
    second = {each.probe: each for each in other.observed}
    differ = [
        probe
        for probe in {**first, **second}
        if _told(first.get(probe)) != _told(second.get(probe))
    ]
    if not differ:
        return
    trial = run.trial(f"{one.arc}/{one.arm}/{one.seed}")
    old = {each.probe.id: each for each in verdicts(before.keyed(trial), before.scorer)}
    new = {each.probe.id: each for each in verdicts(after.keyed(trial), after.scorer)}
    for probe in differ:
        yield {
            "trial": trial.name,
            "arm": one.arm,
            "probe": probe,
            "probe_kind": (second.get(probe) or first[probe]).kind,
            "before": _told(first.get(probe)),
            "after": _told(second.get(probe)),
            "why": list(_why(old.get(probe), new.get(probe))),
        }


def _told(seen: Observed | None) -> dict[str, Json] | None:
    if seen is None:
        return None
    return {
        "verdict": seen.skipped or ("passed" if seen.success else "failed"),
        "violations": [
            [each.failure, each.value]
            for each in seen.mentions
            if seen.skipped is None and each.left_out is None and each.used
        ],
    }


def _why(old: Verdict | None, new: Verdict | None) -> Iterator[str]:
    if old is None or new is None:
        yield "the key has no such probe any more" if new is None else "the probe is new in the key"
        return
    told = [
        *_skipping(old, new),
        *_checks(_results(old), _results(new)),
        *_mentions(_by_value(old), _by_value(new)),
    ]
    parts = type(old.probe).model_fields
    fields = [name for name in parts if getattr(old.probe, name) != getattr(new.probe, name)]
    yield from told or [f"the key's probe changed in: {', '.join(fields)}"]


def _skipping(old: Verdict, new: Verdict) -> Iterator[str]:
    if (old.skipped, old.why) == (new.skipped, new.why):
        return
    for when, each in (("was", old), ("is", new)):
        yield f"{when} {each.skipped}: {each.why}" if each.skipped else f"{when} scored"


Results = dict[str, CheckResult]


def _results(verdict: Verdict) -> Results:
    """Return each check to its result; what phrases it forbids stands among the mentions."""
    pairs = zip(verdict.probe.checks, verdict.results, strict=True)
    return {_shown(check): result for check, result in pairs if check.check != "never_says"}


def _shown(check: Check) -> str:
    fields = check.model_dump(mode="json")
    return f"{fields.pop('check')} {canonical_json(fields)}"


def _checks(old: Results, new: Results) -> Iterator[str]:
    for check in {**old, **new}:
        one, other = old.get(check), new.get(check)
        if one is None and other is not None:
            yield f"is checked now: {check}: {other.reason}"
        elif other is None and one is not None:
            yield f"is checked no more: {check}: {one.reason}"
        elif one and other and one.passed is not other.passed:
            yield f"{check}: {one.reason} → {other.reason}"


Mentions = dict[tuple[str, str], Mention]


def _by_value(verdict: Verdict) -> Mentions:
    return {(each.failure, each.value): each for each in verdict.mentions}


def _mentions(old: Mentions, new: Mentions) -> Iterator[str]:
    for name in {**old, **new}:
        one, other = old.get(name), new.get(name)
        if _counts(one) is not _counts(other):
            yield f"{name[0]} {name[1]!r}: {_described(one)} → {_described(other)}"


def _counts(mention: Mention | None) -> bool:
    return mention is not None and mention.left_out is None and mention.used


def _described(mention: Mention | None) -> str:
    if mention is None:
        return "not forbidden"
    if mention.left_out is not None:
        return f"left out ({mention.left_out})"
    if mention.argument is not None:
        return f"used in {mention.argument}"
    return f"{mention.said.verdict}: {mention.said.reason}"
