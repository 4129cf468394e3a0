"""Do intervals cover what they should, and how often is pure noise called a difference?

Run with `python -m benchmarks.calibration`. Studies are simulated with known truths at several
numbers of clusters; prints the share of 95 % intervals that hold the truth, and the share of
studies in which at least one of all pairs of six equal arms is called different, by the sign-flip
test and, for comparison, by percentile-bootstrap p-values, each with Holm's correction.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from statistics import NormalDist

import numpy as np

from scoring.statistics import (
    SEED,
    Clusters,
    Floats,
    Interval,
    draws,
    holm,
    mean_interval,
    sign_flip,
)

CLUSTERS = (5, 10, 20, 100)
ARMS = 6
DECISIONS = 2
RHO = 0.3
STUDIES = 2_000


def played(stream: np.random.Generator, rates: Sequence[float], clusters: int) -> Floats:
    """Return successes by arm and cluster, shape (arms, clusters), of `DECISIONS` each.

    Decisions of a cluster are correlated by `RHO` on the normal scale, under one arm and across
    arms: some arcs are hard for everybody.
    """
    limits = np.array([NormalDist().inv_cdf(rate) for rate in rates])[:, None, None]
    shared = sqrt(RHO) * stream.standard_normal(clusters)[None, :, None]
    own = sqrt(1 - RHO) * stream.standard_normal((len(rates), clusters, DECISIONS))
    sums: Floats = (shared + own < limits).sum(axis=2).astype(np.float64)
    return sums


def of_size(sums: Floats) -> Clusters:
    """Return cluster sums with their sizes."""
    return Clusters(sums, np.full(len(sums), float(DECISIONS)))


def rate_coverage(rate: float, clusters: int, studies: int, seed: int = SEED) -> float:
    """Return the share of intervals of a rate that hold it."""
    stream = np.random.default_rng([seed, clusters])
    found = [
        mean_interval(of_size(played(stream, [rate], clusters)[0]), 0.0, 1.0)
        for _ in range(studies)
    ]
    return _share(found, rate)


def difference_coverage(
    first: float, second: float, clusters: int, studies: int, seed: int = SEED
) -> float:
    """Return the share of intervals of a paired difference that hold it."""
    stream = np.random.default_rng([seed, clusters])
    found = []
    for _ in range(studies):
        one, other = played(stream, [first, second], clusters)
        found.append(mean_interval(of_size(one - other), -1.0, 1.0))
    return _share(found, first - second)


def _share(found: Sequence[Interval], truth: float) -> float:
    held = [each.low - 1e-9 <= truth <= each.high + 1e-9 for each in found]
    return sum(held) / len(held)


def bootstrap_p(sums: Floats) -> float:
    """Return the p that a percentile bootstrap gives: twice the smaller tail beyond 0."""
    means = np.concatenate([counts @ sums for counts in draws(len(sums), SEED)])
    return min(1.0, 2 * float(min(np.mean(means <= 0), np.mean(means >= 0))))


def family_wise_error(
    test: Callable[[Floats], float], clusters: int, studies: int, seed: int = SEED
) -> float:
    """Return the share of studies of equal arms in which some pair has an adjusted p below 0.05."""
    stream = np.random.default_rng([seed, clusters])
    wrong = 0
    for _ in range(studies):
        arms = played(stream, [0.6] * ARMS, clusters)
        ps = [test(one - other) for one, other in combinations(arms, 2)]
        wrong += min(holm(ps)) < 0.05
    return wrong / studies


def main() -> None:
    """Measure and print a table of Markdown."""
    print("| clusters | rate 0.6 | rate 0.9 | difference 0.2 | sign-flip FWER | bootstrap FWER |")
    print("| --- | --- | --- | --- | --- | --- |")
    for clusters in CLUSTERS:
        found = (
            rate_coverage(0.6, clusters, STUDIES),
            rate_coverage(0.9, clusters, STUDIES),
            difference_coverage(0.6, 0.4, clusters, STUDIES),
            family_wise_error(sign_flip, clusters, STUDIES // 4),
            family_wise_error(bootstrap_p, clusters, STUDIES // 4),
        )
        print(f"| {clusters} | {' | '.join(f'{each:.3f}' for each in found)} |", flush=True)


if __name__ == "__main__":
    main()
