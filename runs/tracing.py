"""What a trace says of each decision of a trial, from the log alone."""

from pathlib import Path

from scoring.admissibility import inadmissible
from scoring.checks import CheckResult
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import Check, NeverSaysCheck, SaysCheck
from scoring.matching import find
from scoring.run import Run, Trial, load_run
from scoring.verdicts import Misuse, Verdict, verdicts
from simulator.events import Json
from simulator.events.errors import InputError, nearest
from simulator.events.times import show_time


def find_trial(run: Run, name: str) -> str:
    """Return the id of the one trial whose id is `name` or contains all its parts.

    Parts are separated by spaces, so `facts hard-3` finds the trial of that memory and arc.

    Raises:
        InputError: when none or several fit.
    """
    if name in run.sealed:
        return name
    fitting = [trial for trial in run.sealed if all(part in trial for part in name.split())]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise InputError(f"no trial is called {name!r}{nearest(name, run.sealed[:200])}")
    shown = ", ".join(fitting[:5])
    raise InputError(f"{len(fitting)} trials fit {name!r}, such as {shown}")


def trace_trial(folder: Path, name: str) -> Json:
    """Return what happened in one trial, decision by decision.

    Raises:
        InputError: when there is no such run or trial.
    """
    run = load_run(folder)
    trial = run.trial(find_trial(run, name))
    return {
        "trial": trial.name,
        "arm": trial.opened["options"],
        "identities": trial.opened["identities"],
        "decisions": [_decision(trial, verdict) for verdict in verdicts(trial)],
    }


def _decision(trial: Trial, verdict: Verdict) -> Json:
    record, probe = verdict.record, verdict.probe
    written = {event.id: event for event in trial.events}
    return {
        "id": record.id,
        "probe": probe.id,
        "kind": probe.kind,
        "dependent": probe.dependent,
        "verdict": verdict.skipped or ("passed" if verdict.success else "failed"),
        "why": verdict.why,
        "request": record.request,
        "context": [_line(each.time, each.role, each.text) for each in record.context],
        "block": [
            {
                "text": item["text"],
                "rank": item.get("rank"),
                "distance": item.get("distance"),
                "sources": [
                    {"id": source, "kind": written[source].kind if source in written else None}
                    for source in item["sources"]
                ],
            }
            for item in record.items
        ],
        "block_tokens": record.block_tokens,
        "calls": [_call(call) for call in record.calls],
        "outcome": record.outcome,
        "text": record.text,
        "error": record.error and vars(record.error),
        "gold": [vars(each) for each in verdict.gold],
        "misuses": [_misuse(each, record.text) for each in verdict.misuses],
        "checks": [
            _check(check, result, record)
            for check, result in zip(probe.checks, verdict.results, strict=True)
        ],
        "positions": [record.first, record.last],
    }


def _misuse(misuse: Misuse, text: str) -> Json:
    """Return a misuse with the places of the text that assert it, as `explain` gives them."""
    said = misuse.where == "text"
    return {**vars(misuse), "occurrences": _occurrences(misuse.value, text) if said else []}


def _check(check: Check, result: CheckResult, record: DecisionRecord) -> Json:
    told: dict[str, Json] = {"check": check.check, "passed": result.passed, "reason": result.reason}
    if isinstance(check, SaysCheck):
        told["occurrences"] = _occurrences(check.phrase, record.text, record.request)
    if isinstance(check, NeverSaysCheck):
        told["inadmissible"] = inadmissible(check.phrase)
        told["occurrences"] = _occurrences(check.phrase, record.text)
    return told


def _occurrences(phrase: str, text: str, prompt: str = "") -> list[Json]:
    return [each._asdict() for each in find(phrase, text, prompt).occurrences]


def _line(time: int, role: str, text: str) -> str:
    return f"[{show_time(time)}] {role}: {text}"


def _call(call: CallRecord) -> Json:
    return {
        "tool": call.tool,
        "arguments": call.arguments,
        "coerced": list(call.coerced),
        "ok": call.ok,
        "text": call.text,
        "position": call.position,
    }
