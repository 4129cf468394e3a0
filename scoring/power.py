"""Power: with how many clusters would a difference be found? Answered by simulation.

A study is simulated as often as `STUDIES` says, tested as the real one would be (sign-flip over
clusters, Holm within the family), and the share in which the difference is found is its power.
Everything is seeded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from scoring.statistics import SEED, Clusters, Direction, Floats

LEVEL = 0.05
WANTED = 0.8
STUDIES = 500
PATTERNS = 999
"""Sign patterns of one simulated test, beyond the clusters whose patterns can be enumerated."""

MOST = 1_000
"""No more clusters than this are tried."""

_ENUMERATED = 10
_EPSILON = 1e-9

Draw = Callable[[np.random.Generator, int, int], list[Floats]]
"""(stream, clusters, studies) to the cluster sums of each contrast, shape (clusters, studies)."""


@dataclass(frozen=True)
class Needed:
    """How large a study has to be.

    Attributes:
        clusters: Smallest number with the wanted power; None when not even `MOST` reach it.
        power: Simulated power at that number, or at `MOST`.
    """

    clusters: int | None
    power: float


def observed(family: Sequence[Clusters]) -> Draw:
    """Return studies drawn from the clusters of a real one, with replacement.

    What was seen is taken for the truth. Contrasts over as many clusters are drawn together,
    since these are the same arcs, so that they stay as alike as they were.
    """

    def draw(stream: np.random.Generator, clusters: int, studies: int) -> list[Floats]:
        sizes = sorted({len(data.sums) for data in family})
        drawn = {size: stream.integers(0, size, size=(clusters, studies)) for size in sizes}
        return [data.sums[drawn[len(data.sums)]] for data in family]

    return draw


def assumed(p0: float, p1: float, rho: float, decisions: int = 1, family: int = 1) -> Draw:
    """Return studies of two arms with assumed rates, for a run that was not played yet.

    A decision succeeds when Φ(√ρ·u + √(1 − ρ)·e) lies below its arm's rate; u is standard normal
    and shared by all decisions of a cluster under both arms, e is each decision's own. So ρ is the
    correlation, on that scale, of two decisions of one cluster. All contrasts of the family have
    the same rates and are drawn for themselves.

    Args:
        p0: Success rate of the second arm.
        p1: Success rate of the first arm.
        rho: Correlation within a cluster, from 0 to 1.
        decisions: Decisions of a cluster.
        family: Contrasts that share Holm's correction.

    Raises:
        ValueError: for a rate or a correlation outside [0, 1], or a count below 1.
    """
    if not all(0 <= value <= 1 for value in (p0, p1, rho)) or min(decisions, family) < 1:
        raise ValueError("rates and correlation lie in [0, 1], counts are at least 1")

    def draw(stream: np.random.Generator, clusters: int, studies: int) -> list[Floats]:
        return [_assumed(stream, clusters, studies) for _ in range(family)]

    def _assumed(stream: np.random.Generator, clusters: int, studies: int) -> Floats:
        shared = np.sqrt(rho) * stream.standard_normal((clusters, studies))
        sums = np.zeros((clusters, studies))
        for _ in range(decisions):
            for rate, sign in ((p1, 1), (p0, -1)):
                own = np.sqrt(1 - rho) * stream.standard_normal((clusters, studies))
                sums += sign * (shared + own < _quantile(rate))
        return sums

    return draw


def _quantile(rate: float) -> float:
    """Return the standard normal quantile, −∞ at 0 and ∞ at 1."""
    return NormalDist().inv_cdf(rate) if 0 < rate < 1 else inf * (rate - 0.5)


def needed(draw: Draw, directions: Sequence[Direction], wanted: float = WANTED) -> list[Needed]:
    """Return for each contrast of a family the smallest number of clusters with enough power.

    `directions` has one entry a contrast. Power is simulated at each number that is tried, with
    a standard error of at most 0.022; numbers are found by bisection.
    """
    known: dict[int, list[float]] = {}

    def at(clusters: int) -> list[float]:
        if clusters not in known:
            known[clusters] = power(draw, clusters, directions)
        return known[clusters]

    return [_smallest(at, contrast, wanted) for contrast in range(len(directions))]


def _smallest(at: Callable[[int], list[float]], contrast: int, wanted: float) -> Needed:
    if at(MOST)[contrast] < wanted:
        return Needed(None, at(MOST)[contrast])
    below, enough = 1, MOST
    while enough - below > 1:
        middle = (below + enough) // 2
        reached = at(middle)[contrast] >= wanted
        below, enough = (below, middle) if reached else (middle, enough)
    return Needed(enough, at(enough)[contrast])


def power(
    draw: Draw, clusters: int, directions: Sequence[Direction], seed: int = SEED
) -> list[float]:
    """Return the power of each contrast of a family at a number of clusters.

    `directions` has one entry a contrast.
    """
    stream = np.random.default_rng([seed, clusters])
    sums = draw(stream, clusters, STUDIES)
    signs = _signs(clusters, stream)
    ps = np.array(
        [
            _ps(contrast, signs, direction)
            for contrast, direction in zip(sums, directions, strict=True)
        ]
    )
    found = _holm(ps) < LEVEL
    towards = [_shown(each, direction) for each, direction in zip(sums, directions, strict=True)]
    return [float(np.mean(row & right)) for row, right in zip(found, towards, strict=True)]


def _signs(clusters: int, stream: np.random.Generator) -> Floats:
    if clusters <= _ENUMERATED:
        patterns = np.arange(2**clusters)[:, None]
        return np.where((patterns >> np.arange(clusters)) & 1, 1.0, -1.0)
    tossed = stream.integers(0, 2, size=(PATTERNS, clusters)).astype(np.float64) * 2 - 1
    return np.concatenate([np.ones((1, clusters)), tossed])  # the observed one counts as one


def _ps(sums: Floats, signs: Floats, direction: Direction) -> Floats:
    """Return the p of every study, sums of shape (clusters, studies)."""
    flipped, seen = signs @ sums, sums.sum(axis=0)
    if direction == "two-sided":
        flipped, seen = np.abs(flipped), np.abs(seen)
    elif direction == "lower":
        flipped, seen = -flipped, -seen
    as_large: Floats = np.mean(flipped >= seen - _EPSILON, axis=0)
    return as_large


def _holm(ps: Floats) -> Floats:
    """Return Holm-adjusted p, family by study, for ps of the same shape."""
    order = np.argsort(ps, axis=0, kind="stable")
    steps = np.arange(len(ps), 0, -1)[:, None]
    raised = np.maximum.accumulate(np.take_along_axis(ps, order, axis=0) * steps, axis=0)
    adjusted = np.empty_like(ps)
    np.put_along_axis(adjusted, order, np.minimum(raised, 1.0), axis=0)
    return adjusted


def _shown(sums: Floats, direction: Direction) -> NDArray[np.bool_]:
    """Return which studies found the difference on the side where it is."""
    side = {"higher": 1.0, "lower": -1.0}.get(direction) or np.sign(sums.sum())
    right: NDArray[np.bool_] = sums.sum(axis=0) * side > 0
    return right
