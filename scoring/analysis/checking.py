"""Whether an analysis fits what is played: every arm, metric and value that it names exists."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scoring.analysis.declared import (
    ARM_KEYS,
    CLEAN,
    METRICS,
    OF_USE,
    WHERE_KEYS,
    Analysis,
    Hypothesis,
    Side,
    Value,
    Values,
)
from scoring.analysis.pairing import Arms, family_hypotheses, pairs, stands, values_of
from scoring.keys import Key, Probe
from simulator.events.errors import InputError, nearest, shown


class Asked(NamedTuple):
    """One decision that an analysis can be about.

    Attributes:
        dependent: Whether an earlier session is needed.
        factors: Factor of `where` to its value; None where it has none.
        binds: Whether something that was planted is honoured or broken by it.
    """

    dependent: bool
    factors: Mapping[str, Value | None]
    binds: bool = False


class _About(NamedTuple):
    """The decisions that a metric is about: which, and how that is said of one."""

    holds: Callable[[Asked], bool]
    said: str


_DEPENDENT = _About(lambda each: each.dependent, "needs an earlier session")
_ABOUT = {
    "tsr_independent": _About(lambda each: not each.dependent, "does without an earlier session"),
    "compliance": _About(lambda each: each.binds, "is about what was planted and still binds"),
}
"""Of each metric; the others are about those that need an earlier session."""


@dataclass(frozen=True)
class Known:
    """What an analysis can be about.

    Attributes:
        decisions: Everything that is asked in what is played.
        seeds: Generation seeds of the arcs; None among them for arcs that were not generated.
        metrics: Metrics that can be told.
    """

    decisions: Sequence[Asked]
    seeds: frozenset[int | None]
    metrics: frozenset[str] = frozenset(METRICS)

    @cached_property
    def values(self) -> dict[str, set[Value]]:
        """Factor of `where` to the values that it takes."""
        found: dict[str, set[Value]] = {name: set() for name in WHERE_KEYS}
        for each in self.decisions:
            for name, value in each.factors.items():
                if value is not None:
                    found[name].add(value)
        return found


def check_analysis(analysis: Analysis, arms: Arms, known: Known) -> None:
    """Check an analysis against the arms and the decisions of what is played.

    Raises:
        InputError: with the field below `analysis`, for an unknown metric, factor or value with
            the nearest known one, for a hypothesis that compares no two arms or is about no
            decision, for a family that was asked for and holds no arm against another, and for a
            seed of confirmation that no arc, or every arc, was generated with.
    """
    for number, hypothesis in enumerate(analysis.hypotheses):
        place = f"analysis.hypotheses.{number}"
        _check_hypothesis(hypothesis, arms, known, place)
        _check_decisions(hypothesis, analysis, known, place)
    _check_families(analysis, arms)
    if analysis.confirm_seed is not None:
        _check_seed(analysis.confirm_seed, known.seeds)


def known_of(keys: Iterable[Key]) -> Known:
    """Return what the decisions of these keys can be asked about."""
    read = list(keys)
    decisions = [
        Asked(probe.dependent, _factors(key, probe), _binds(key, probe))
        for key in read
        for probe in key.probes
    ]
    return Known(decisions, frozenset(key.generation_seed for key in read))


def _binds(key: Key, probe: Probe) -> bool:
    planting = probe.planting
    return key.counterpart is None and planting is not None and not planting.lifted


def _factors(key: Key, probe: Probe) -> dict[str, Value | None]:
    return {
        "domain": probe.domain or key.domain,
        "tier": key.tier,
        "corruption": key.corruption,
        "probe_kind": probe.kind,
        "cluster": probe.cluster or key.cluster,
        "arc": key.arc,
    }


def _check_hypothesis(hypothesis: Hypothesis, arms: Arms, known: Known, place: str) -> None:
    _known(hypothesis.metric, known.metrics, "metric", f"{place}.metric")
    _check_side(hypothesis.first, arms, f"{place}.first")
    _check_side(hypothesis.second, arms, f"{place}.second")
    for key, values in hypothesis.where.items():
        _known(key, WHERE_KEYS, "factor of decisions", f"{place}.where.{key}")
        for value in _listed(values):
            _known(value, known.values[key], key, f"{place}.where.{key}")
    found = pairs(hypothesis, arms)
    if not found:
        raise InputError(_uncompared(hypothesis, arms), field=place)
    if any((other, one) in found for one, other in found):
        message = "the same arms stand on both sides; name what tells the two sides apart"
        raise InputError(message, field=place)
    if hypothesis.metric in OF_USE and all(_without(pair, arms) for pair in found):
        message = (
            f"{hypothesis.metric!r} needs two memories: `none` gives nothing back that could be "
            "used; known for it: stale_used, tsr_dependent, tsr_independent"
        )
        raise InputError(message, field=f"{place}.metric")


def _uncompared(hypothesis: Hypothesis, arms: Arms) -> str:
    sides = (hypothesis.first, hypothesis.second)
    first, second = (
        {arm for arm, options in arms.items() if stands(side, arm, options)} for side in sides
    )
    if first == second:
        return "compares no two arms: both sides name the same"
    return (
        "compares no two arms: those of both sides differ in more than the memory and what the "
        "hypothesis names"
    )


def _without(pair: tuple[str, str], arms: Arms) -> bool:
    return any(arms[arm].get("memory") == "none" for arm in pair)


def _check_decisions(hypothesis: Hypothesis, analysis: Analysis, known: Known, place: str) -> None:
    """Raise when nothing that is asked is what the hypothesis is about."""
    where = {name: _listed(values) for name, values in hypothesis.where.items()}
    if "corruption" not in {*where, *analysis.by}:
        where["corruption"] = (CLEAN,)
    chosen = [
        each
        for each in known.decisions
        if all(each.factors[name] in values for name, values in where.items())
    ]
    if not chosen:
        raise InputError(
            "no decision is all of this at once (without a corruption only clean arcs count)",
            field=f"{place}.where",
        )
    about = _ABOUT.get(hypothesis.metric, _DEPENDENT)
    if not any(map(about.holds, chosen)):
        message = f"no decision that it covers {about.said}"
        raise InputError(message, field=f"{place}.metric")


def _check_families(analysis: Analysis, arms: Arms) -> None:
    """Raise for a family that was asked for, which the default ones are not, and is empty."""
    if "families" not in analysis.model_fields_set:
        return
    for number, family in enumerate(analysis.families):
        if not any(pairs(each, arms) for each in family_hypotheses(family, arms)):
            second = "`none`" if family == "none" else "the unbudgeted `replay` control"
            raise InputError(
                f"the family {family!r} is empty: no other memory can be held against {second} "
                "under one model",
                field=f"analysis.families.{number}",
            )


def _check_side(side: Side, arms: Arms, place: str) -> None:
    for key, value in side.items():
        _known(key, ARM_KEYS, "factor of arms", f"{place}.{key}")
        known = {
            each
            for arm, options in arms.items()
            for each in values_of(arm, options, key)
            if each is not None
        }
        _known(value, known, key, f"{place}.{key}")
    if not any(stands(side, arm, options) for arm, options in arms.items()):
        raise InputError("no arm of the suite is all of this at once", field=place)


def _known(value: Value, known: Iterable[Value], what: str, place: str) -> None:
    names = list(known)
    if value in names:
        return
    twin = next((name for name in names if str(name) == str(value)), None)
    if twin is None:
        hint = nearest(str(value), map(str, names))
    else:
        hint = f"; write {twin}" + (", a number" if isinstance(twin, int) else " in quotes")
    raise InputError(f"unknown {what} {shown(value)}{hint}", field=place)


def _listed(values: Values) -> tuple[Value, ...]:
    return values if isinstance(values, tuple) else (values,)


def _check_seed(seed: int, found: frozenset[int | None]) -> None:
    field = "analysis.confirm_seed"
    if seed not in found:
        known = nearest(str(seed), (str(each) for each in found if each is not None))
        raise InputError(f"no arc was generated with seed {seed}{known}", field=field)
    if len(found) < 2:
        raise InputError("every arc has this seed, so there is nothing to confirm", field=field)
