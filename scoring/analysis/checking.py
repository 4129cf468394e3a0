"""Whether an analysis fits what is played: every arm, metric and value that it names exists."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.analysis.declared import (
    ARM_KEYS,
    METRICS,
    WHERE_KEYS,
    Analysis,
    Hypothesis,
    Side,
    Value,
    Values,
)
from scoring.analysis.pairing import Arms, pairs, stands, values_of
from scoring.keys import Key
from simulator.events.errors import InputError, nearest, shown


@dataclass(frozen=True)
class Known:
    """What an analysis can be about.

    Attributes:
        decisions: Factor of `where` to the values that it takes among what is played.
        seeds: Generation seeds of the arcs; None among them for arcs that were not generated.
        metrics: Metrics that can be told.
    """

    decisions: Mapping[str, frozenset[Value]]
    seeds: frozenset[int | None]
    metrics: frozenset[str] = frozenset(METRICS)


def check_analysis(analysis: Analysis, arms: Arms, known: Known) -> None:
    """Check an analysis against the arms and the decisions of what is played.

    Raises:
        InputError: with the field below `analysis`, for an unknown metric, factor or value with
            the nearest known one, for a hypothesis that compares no two arms, and for a seed of
            confirmation that no arc, or every arc, was generated with.
    """
    for number, hypothesis in enumerate(analysis.hypotheses):
        _check_hypothesis(hypothesis, arms, known, f"analysis.hypotheses.{number}")
    if analysis.confirm_seed is not None:
        _check_seed(analysis.confirm_seed, known.seeds)


def known_of(keys: Iterable[Key]) -> Known:
    """Return what the decisions of these keys can be asked about."""
    read = list(keys)
    found: dict[str, set[Value]] = {name: set() for name in WHERE_KEYS}
    for key in read:
        found["arc"].add(key.arc)
        found["corruption"].add(key.corruption)
        found["tier"].update({key.tier} if key.tier else set())
        for probe in key.probes:
            found["domain"].add(probe.domain or key.domain)
            found["cluster"].add(probe.cluster or key.cluster)
            found["probe_kind"].add(probe.kind)
    decisions = {name: frozenset(values) for name, values in found.items()}
    return Known(decisions, frozenset(key.generation_seed for key in read))


def _check_hypothesis(hypothesis: Hypothesis, arms: Arms, known: Known, place: str) -> None:
    _known(hypothesis.metric, known.metrics, "metric", f"{place}.metric")
    _check_side(hypothesis.first, arms, f"{place}.first")
    _check_side(hypothesis.second, arms, f"{place}.second")
    for key, values in hypothesis.where.items():
        _known(key, WHERE_KEYS, "factor of decisions", f"{place}.where.{key}")
        for value in _listed(values):
            _known(value, known.decisions[key], key, f"{place}.where.{key}")
    if not pairs(hypothesis, arms):
        raise InputError(
            "compares no two arms: those of both sides differ in more than the memory and what "
            "the hypothesis names",
            field=place,
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
    if value not in names:
        hint = nearest(str(value), map(str, names))
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
