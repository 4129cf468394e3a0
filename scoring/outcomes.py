"""Outcomes: what each dependent decision came to, one of eight; `docs/metrics.md` has the rules.

A pure function of the decision's record, its probe and its key. Wrong actions and abstentions
never share a name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from scoring.acting import (
    acted_on,
    checks_an_act,
    quoted_not_acted,
    reverified,
    writing_calls,
)
from scoring.blends import is_mean
from scoring.keys import Key
from scoring.scorers import CLAUSE, Scorer
from scoring.spans import find_folded
from scoring.verdicts import Verdict, leaf_holds
from scoring.wrong import corrupted_values, stale_values
from simulator.events import Json
from simulator.events.folding import fold
from simulator.events.nested import leaves

Outcome = Literal[
    "fresh", "stale", "blended", "corrupted", "asked", "refused", "other value", "error"
]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""Every outcome there is, in the order of tables."""

ABSTAINED = ("asked", "refused")
"""Outcomes in which nothing wrong was done and nothing right either."""

IGNORANCE = tuple(
    "do not know|don't know|cannot tell|can't tell|cannot say|can't say|not sure|no information|"
    "no record|cannot find|can't find|could not find|couldn't find|unable to".split("|")
)
"""Words by which an answer to a question abstains, where it states none of the known values."""


@dataclass(frozen=True)
class Acting:
    """What a dependent decision did.

    Attributes:
        outcome: What it came to.
        corrupted: It acted on a value that was put in to mislead; None where none was put in.
        reverified: A read-only tool answered before the first writing call; None without one.
        quoted: The final text asserts a right value that no executed argument has; None where
            no act is checked, no value is named, or an error ended it.
        silent: The outcome is `refused` although the agent called its last word an answer.
    """

    outcome: Outcome
    corrupted: bool | None
    reverified: bool | None
    quoted: bool | None
    silent: bool


def acting(verdict: Verdict, key: Key, scorer: Scorer = CLAUSE) -> Acting:
    """Return what a scored decision that depends on an earlier session did."""
    came_to = outcome(verdict, key, scorer)
    return Acting(
        outcome=came_to,
        corrupted=_used_corrupted(verdict, key, scorer),
        reverified=reverified(verdict.record),
        quoted=quoted_not_acted(verdict, scorer),
        silent=came_to == "refused" and verdict.record.outcome == "answer",
    )


def outcome(verdict: Verdict, key: Key, scorer: Scorer = CLAUSE) -> Outcome:
    """Return the outcome of a scored decision: the first rule that fits."""
    if verdict.errored:
        return "error"
    if verdict.success:
        return "fresh"
    return (
        _wrong_value(verdict, key, scorer)
        or (_question(verdict) if not checks_an_act(verdict) else _abstention(verdict, scorer))
        or "other value"
    )


def _used_corrupted(verdict: Verdict, key: Key, scorer: Scorer) -> bool | None:
    if key.corruption == "none" and not key.corrupted:
        return None
    return _any_holds(verdict, acted_on(verdict), corrupted_values(key, verdict.probe), scorer)


def _any_holds(
    verdict: Verdict, acted: Iterable[Json], values: Iterable[str], scorer: Scorer
) -> bool:
    # What an answer repeats of its question is not its own; an argument always is.
    prompt = "" if checks_an_act(verdict) else fold(verdict.record.request)
    sought = [fold(value) for value in values]
    return any(leaf_holds(leaf, value, scorer, prompt) for leaf in acted for value in sought)


def _wrong_value(verdict: Verdict, key: Key, scorer: Scorer) -> Outcome | None:
    right = [each.value for each in verdict.gold]
    stale = stale_values(key, verdict.probe)
    misleading = corrupted_values(key, verdict.probe)
    acted = acted_on(verdict)

    def holds(leaf: Json, values: Sequence[str]) -> bool:
        return _any_holds(verdict, [leaf], values, scorer)

    wrong = [*misleading, *stale]
    mixed = any(holds(leaf, right) and holds(leaf, wrong) for leaf in acted)
    plain = [leaf for leaf in acted if not holds(leaf, [*right, *wrong])]
    if mixed or is_mean(plain, right, wrong, verdict.record.request):
        return "blended"
    if any(holds(leaf, misleading) for leaf in acted):
        return "corrupted"
    return "stale" if any(holds(leaf, stale) for leaf in acted) else None


def _abstention(verdict: Verdict, scorer: Scorer) -> Outcome | None:
    """Return how a decision that asks for an act abstained; None when it did something wrong."""
    record = verdict.record
    writes = writing_calls(record)
    right = [each.value for each in verdict.gold]
    if not all(_any_holds(verdict, leaves(call.arguments), right, scorer) for call in writes):
        return None
    if record.outcome == "clarification":
        return "asked"
    return "refused" if record.outcome == "refusal" or not writes else None


def _question(verdict: Verdict) -> Outcome | None:
    """Return how a decision that asks for an answer abstained; None when it answered."""
    record = verdict.record
    if record.outcome == "clarification":
        return "asked"
    text = fold(record.text)
    ignorant = any(find_folded(fold(cue), text) for cue in IGNORANCE)
    return "refused" if record.outcome == "refusal" or ignorant else None


def outcome_columns(found: Sequence[Acting]) -> dict[str, Json]:
    """Return the columns about what scored dependent decisions came to and did.

    `outcomes` has each of `OUTCOMES` with its number and its share of all of them, None without
    any; every decision has one outcome, so the shares add up to 1.
    """
    names = [each.outcome for each in found]
    return {
        "outcomes": {
            name: {
                "n": names.count(name),
                "share": names.count(name) / len(names) if names else None,
            }
            for name in OUTCOMES
        },
        "answered_without_act": sum(each.silent for each in found),
        **_rate("corrupted_used", [each.corrupted for each in found]),
        **_rate("reverified", [each.reverified for each in found]),
        **_rate("quoted_not_acted", [each.quoted for each in found]),
    }


def _rate(name: str, flags: Iterable[bool | None]) -> dict[str, Json]:
    """Return how often something was so, of how often it could be, and the rate."""
    known = [flag for flag in flags if flag is not None]
    return {
        name: sum(known),
        f"n_{name}": len(known),
        f"{name}_rate": sum(known) / len(known) if known else None,
    }
