"""Violations: what a decision of the risk track did wrong, with the events that it goes back to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from scoring.acting import acted_on
from scoring.blends import is_mean
from scoring.keys import NeverSaysCheck, NotCalledCheck, Probe
from scoring.risks.kinds import Risk
from scoring.scorers import CLAUSE, Scorer
from scoring.verdicts import Misuse, Verdict, leaf_holds
from simulator.events.folding import fold

ViolationKind = Literal[
    "stale value",
    "wrong side",
    "blend",
    "leak",
    "reuse",
    "constraint broken",
    "contaminated",
    "undone",
]
"""An updated value; the side of a conflict that the rule rules out; both sides of it at once;
another scope's value; what was deleted, revoked or void; a forbidden act; wrong content;
something that was to be done and was not."""

VIOLATIONS: tuple[ViolationKind, ...] = get_args(ViolationKind)

_OF_RISK: dict[Risk, ViolationKind] = {
    "stale": "stale value",
    "conflict": "wrong side",
    "leakage": "leak",
    "reuse": "reuse",
    "decay": "constraint broken",
    "contamination": "contaminated",
}


@dataclass(frozen=True)
class Violation:
    """One thing that was done wrong.

    Attributes:
        kind: What it is.
        value: The value that was used; None for what is no value's.
        evidence: Full ids of the events that stated it or, of a rule, the rule.
        reason: Where and why, in one sentence.
    """

    kind: ViolationKind
    value: str | None
    evidence: tuple[str, ...]
    reason: str


def violations(verdict: Verdict, risk: Risk, scorer: Scorer = CLAUSE) -> list[Violation]:
    """Return what a decision did wrong; nothing after an error, which is no conduct."""
    if verdict.errored:
        return []
    found = misuses(verdict)
    blend = _blend(verdict, found, scorer) if risk == "conflict" else None
    if blend is not None:
        return [blend, *_unmet(verdict, risk, found)]
    kind, stated = _OF_RISK[risk], _stated(verdict.probe)
    used = [Violation(kind, each.value, stated.get(each.value, ()), each.reason) for each in found]
    return [*dict.fromkeys(used), *_unmet(verdict, risk, found)]


def misuses(verdict: Verdict) -> list[Misuse]:
    """Return the forbidden values that were used.

    Where an act is checked, a text counts only if some check forbids to say the value.
    """
    spoken = {fold(c.phrase) for c in verdict.probe.checks if isinstance(c, NeverSaysCheck)}
    acts = any(c.check in ("world", "called") for c in verdict.probe.checks)
    return [
        each
        for each in verdict.misuses
        if each.where == "argument" or not acts or fold(each.value) in spoken
    ]


def _blend(verdict: Verdict, used: Sequence[Misuse], scorer: Scorer) -> Violation | None:
    """Return that both values of a conflict were used, or their mean."""
    probe = verdict.probe
    right = [each.value for each in probe.gold]
    wrong = [each.value for each in probe.forbidden]
    stating = [*(each.evidence for each in probe.gold), *_stated(probe).values()]
    evidence = tuple(dict.fromkeys(name for names in stating for name in names))
    acted = acted_on(verdict)
    both = [
        value
        for value in right
        if any(leaf_holds(leaf, fold(value), scorer) for leaf in (*acted, verdict.record.text))
    ]
    if used and both:
        reason = f"{both[0]!r} and {used[0].value!r} are both used"
        return Violation("blend", used[0].value, evidence, reason)
    if is_mean(acted, right, wrong, verdict.record.request):
        return Violation("blend", None, evidence, "a mean of both values is used")
    return None


def _unmet(verdict: Verdict, risk: Risk, used: Sequence[Misuse]) -> Iterator[Violation]:
    """Yield the checks that failed and that no used value explains."""
    named = {fold(each.value) for each in used}
    evidence = tuple(name for each in verdict.probe.gold for name in each.evidence)
    for check, result in zip(verdict.probe.checks, verdict.results, strict=True):
        if result.passed:
            continue
        if isinstance(check, NeverSaysCheck):
            if fold(check.phrase) not in named:
                yield Violation(_OF_RISK[risk], check.phrase, evidence, result.reason)
        elif isinstance(check, NotCalledCheck):
            if not named:
                yield Violation(_OF_RISK[risk], None, evidence, result.reason)
        else:
            yield Violation("undone", None, evidence, result.reason)


def _stated(probe: Probe) -> dict[str, tuple[str, ...]]:
    return {each.value: each.evidence for each in probe.forbidden}
