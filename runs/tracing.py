"""What a trace says of each decision of a trial, from the log alone."""

import difflib
from collections.abc import Sequence
from pathlib import Path

from scoring.admissibility import inadmissible
from scoring.causes import Cause, causes
from scoring.checks import CheckResult, evaluate
from scoring.decisions import CallRecord, DecisionRecord, decisions
from scoring.judge.opinions import Judged, open_opinions
from scoring.keys import Check, EitherCheck, NeverSaysCheck, QuotesCheck, SaysCheck
from scoring.matching import find
from scoring.quoting import find_quotation
from scoring.risks.judged import risked
from scoring.run import Run, Trial, load_run
from scoring.scorers import SCORER
from scoring.verdicts import Misuse, Verdict, judge_all
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.times import show_time

_ALIKE = 200
"""Trials among which a name that looks alike is sought."""

_LISTED = 8
"""Trials that are named when several fit, or none."""


def find_trial(run: Run, name: str) -> str:
    """Return the id of the one trial whose id is `name` or contains all its parts.

    Parts are separated by spaces, so `facts hard-3` finds the trial of that memory and arc.

    Raises:
        InputError: when none or several fit, with the nearest ones or some of those that do.
    """
    if name in run.sealed:
        return name
    fitting = [trial for trial in run.sealed if all(part in trial for part in name.split())]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise InputError(f"{len(fitting)} trials fit {name!r}, such as{_listed(fitting)}")
    if name in run.unfinished:
        raise InputError(f"trial {name!r} was begun and not finished")
    raise InputError(f"no trial fits {name!r}; this run has{_listed(_nearest(name, run.sealed))}")


def _nearest(name: str, trials: Sequence[str]) -> list[str]:
    """Return the trials that hold most parts of a name, or else look most like it."""
    parts = name.split()
    held = {trial: sum(part in trial for part in parts) for trial in trials}
    most = max(held.values(), default=0)
    if most:
        return [trial for trial in trials if held[trial] == most]
    # To look for what is alike takes long, and a run may have many trials.
    return difflib.get_close_matches(name, trials[:_ALIKE], n=3) or list(trials)


def _listed(trials: Sequence[str]) -> str:
    more = len(trials) - _LISTED
    lines = [*trials[:_LISTED], *([f"and {more} more"] if more > 0 else [])]
    return "".join(f"\n  {line}" for line in lines) or " none"


def trace_trial(folder: Path, name: str) -> Json:
    """Return what happened in one trial, decision by decision.

    Raises:
        InputError: when there is no such run or trial.
    """
    with load_run(folder) as run:
        trial = run.trial(find_trial(run, name))
        records = decisions(trial)
        found = judge_all(trial, records)
        why = causes(trial, records, found)
        with open_opinions(run) as opinions:
            judged = {} if opinions is None else opinions.of(trial.name)
        return {
            "trial": trial.name,
            "scorer": SCORER,
            "arm": trial.opened["options"],
            "identities": trial.opened["identities"],
            "decisions": [
                _decision(trial, each, why.get(each.probe.id), judged.get(each.probe.id))
                | {"risk": _risk(trial, each, records)}
                for each in found
            ],
        }


def _decision(trial: Trial, verdict: Verdict, cause: Cause | None, judged: Judged | None) -> Json:
    record, probe = verdict.record, verdict.probe
    written = {event.id: event for event in trial.events}
    return {
        "id": record.id,
        "probe": probe.id,
        "kind": probe.kind,
        "dependent": probe.dependent,
        "verdict": verdict.skipped or ("passed" if verdict.success else "failed"),
        "why": verdict.why,
        "cause": cause and cause.as_json(),
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
        "judge": judged and {"opinion": judged.opinion, "reply": judged.reply},
        "positions": [record.first, record.last],
    }


def _risk(trial: Trial, verdict: Verdict, records: Sequence[DecisionRecord]) -> Json:
    of_risk = risked(trial, verdict, records)
    return of_risk and of_risk.told()


def _misuse(misuse: Misuse, text: str) -> Json:
    """Return a misuse with the places of the text that assert it, as `explain` gives them."""
    said = misuse.where == "text"
    return {**vars(misuse), "occurrences": _occurrences(misuse.value, text) if said else []}


def _check(check: Check, result: CheckResult, record: DecisionRecord) -> Json:
    told: dict[str, Json] = {"check": check.check, "passed": result.passed, "reason": result.reason}
    if isinstance(check, EitherCheck):
        told["of"] = [_check(each, evaluate(each, record), record) for each in check.of]
    if isinstance(check, QuotesCheck):
        quoted = find_quotation(check, record)
        told["typographic"] = quoted is not None and quoted.typographic
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
