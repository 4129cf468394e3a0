"""The order in which rules are asked for the cause of a failure; the first that fits decides.

What the agent did with what it was shown comes before what the memory failed to show: the act is
on record, and what it would have been otherwise is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from scoring.causes.contract import MODEL_ERROR, Cause
from scoring.causes.given import ignored, no_value, not_given
from scoring.causes.past import Past
from scoring.causes.used import copy_used
from scoring.decisions import DecisionRecord
from scoring.run import Trial
from scoring.scorers import CLAUSE, Scorer
from scoring.verdicts import Verdict


def failed(verdict: Verdict) -> bool:
    """Return whether a cause is due: a scored dependent decision that did not succeed."""
    return verdict.skipped is None and verdict.probe.dependent and not verdict.success


def causes(
    trial: Trial,
    records: Sequence[DecisionRecord],
    judged: Sequence[Verdict],
    scorer: Scorer = CLAUSE,
) -> dict[str, Cause]:
    """Return probe id to its cause, for every failed dependent decision and no other.

    Args:
        trial: The trial.
        records: Its decision records, all of them.
        judged: Verdicts on its probes.
        scorer: The rules that the verdicts were given by.
    """
    past = Past(trial, records)
    return {each.probe.id: _cause(past, each, scorer) for each in judged if failed(each)}


def _cause(past: Past, verdict: Verdict, scorer: Scorer) -> Cause:
    for rule in _RULES:
        found = rule(past, verdict, scorer)
        if found is not None:
            return found
    return ignored(past, verdict)


def _error(past: Past, verdict: Verdict, scorer: Scorer) -> Cause | None:
    if not verdict.errored:
        return None
    error = verdict.record.error
    if error is None:
        return Cause(
            "error: harness",
            "the log ends before this decision came to an outcome",
            culprit="harness",
        )
    return Cause(
        MODEL_ERROR if error.culprit == "model" else f"error: {error.culprit}",
        f"{error.culprit} {error.fault}: {error.message}",
        events=(past.trial.events[error.position].id,),
        culprit=error.culprit,
    )


def _copy_used(past: Past, verdict: Verdict, scorer: Scorer) -> Cause | None:
    found = copy_used(past, verdict, scorer)
    if found is None:
        return None
    missing = not_given(past, verdict, scorer)
    if missing is None:
        right = "; the right value was shown too" if verdict.gold else ""
        return replace(found, reason=found.reason + right)
    return replace(found, reason=f"{found.reason}; {missing.name}: {missing.reason}", also=missing)


Rule = Callable[[Past, Verdict, Scorer], Cause | None]

_RULES: tuple[Rule, ...] = (_error, _copy_used, no_value, not_given)
