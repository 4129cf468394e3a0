"""Statistics over clusters: bootstrap intervals, sign-flip tests, Holm's correction.

Arcs of one template are no independent evidence, so whole clusters are resampled and flipped,
never single decisions. Everything is seeded: the same data gives the same numbers.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
LEVEL = 0.95
SEED = 20_250_301
EXACT_CLUSTERS = 16
"""Up to this many clusters that differ, all 2^k sign patterns are enumerated."""
_BLOCK = 2_000_000
_EPSILON = 1e-9

Floats = NDArray[np.float64]
K = TypeVar("K", bound=Hashable)


class Interval(NamedTuple):
    """A two-sided interval, both ends included."""

    low: float
    high: float


class Unit(NamedTuple):
    """One measured decision: the cluster that it belongs to and its value."""

    cluster: Hashable
    value: float


@dataclass(frozen=True)
class Clusters:
    """Values summed by cluster, in a fixed order of clusters.

    Attributes:
        sums: Sum of the values of each cluster, shape (k,).
        sizes: Number of values in each cluster, shape (k,).
    """

    sums: Floats
    sizes: Floats

    @property
    def mean(self) -> float:
        """Mean over all values."""
        return float(self.sums.sum() / self.sizes.sum())


def clustered(units: Iterable[Unit]) -> Clusters:
    """Sum units by cluster; clusters stand in the order of their names."""
    sums: dict[Hashable, float] = defaultdict(float)
    sizes: dict[Hashable, int] = defaultdict(int)
    for unit in units:
        sums[unit.cluster] += unit.value
        sizes[unit.cluster] += 1
    order = sorted(sums, key=repr)
    return Clusters(
        np.array([sums[name] for name in order], dtype=np.float64),
        np.array([sizes[name] for name in order], dtype=np.float64),
    )


def rate_interval(units: Iterable[Unit], seed: int = SEED) -> Interval | None:
    """Return the 95 % interval of the mean of values in [0, 1]; None without units."""
    data = clustered(units)
    return mean_interval(data, 0.0, 1.0, seed) if len(data.sums) else None


def mean_interval(data: Clusters, low: float, high: float, seed: int = SEED) -> Interval:
    """Return the 95 % interval of a mean of values between `low` and `high`, over clusters.

    Whole clusters are resampled (percentile bootstrap). Where all clusters agree, as at a rate
    of 0 or 1, resampling cannot move the mean, and the exact bound is given instead.
    """
    of_cluster = data.sums / data.sizes
    if np.ptp(of_cluster) == 0:
        return agreeing_bound(float(of_cluster[0]), len(of_cluster), low, high)
    means = np.concatenate(
        [(counts @ data.sums) / (counts @ data.sizes) for counts in draws(len(data.sums), seed)]
    )
    tail = (1 - LEVEL) / 2
    bottom, top = np.quantile(means, [tail, 1 - tail])
    return Interval(float(bottom), float(top))


def agreeing_bound(mean: float, clusters: int, low: float, high: float) -> Interval:
    """Return the interval where all k clusters have the same mean.

    By Clopper and Pearson at most the share q = 1 − 0.025^(1/k) of clusters may differ, and
    these may have any mean between `low` and `high`. At a rate of 0 or 1 this is their interval.
    """
    q = 1 - ((1 - LEVEL) / 2) ** (1 / clusters)
    return Interval(mean - q * (mean - low), mean + q * (high - mean))


def draws(clusters: int, seed: int) -> Iterator[Floats]:
    """Yield how often each resample draws each cluster, in blocks of shape (rows, clusters).

    The draws depend on the number of clusters and the seed only, so that contrasts over the
    same clusters share them.
    """
    stream = np.random.default_rng(seed)
    weights = np.full(clusters, 1 / clusters)
    left = RESAMPLES
    while left:
        rows = min(left, max(1, _BLOCK // clusters))
        yield stream.multinomial(clusters, weights, size=rows).astype(np.float64)
        left -= rows


@dataclass(frozen=True)
class Paired:
    """The difference between two arms on the instances that both have.

    Attributes:
        difference: Mean of (first − second) over the shared instances.
        interval: Its 95 % interval over clusters.
        p: Two-sided sign-flip p over clusters.
        pairs: Number of shared instances.
        clusters: Number of clusters that they belong to.
        dropped: Number of instances that only one of the two has.
    """

    difference: float
    interval: Interval
    p: float
    pairs: int
    clusters: int
    dropped: int

    @property
    def tie(self) -> bool:
        """True unless the interval lies on one side of 0 and the test tells the two apart."""
        return self.p >= 1 - LEVEL or self.interval.low <= 0 <= self.interval.high


def paired(first: Mapping[K, Unit], second: Mapping[K, Unit], seed: int = SEED) -> Paired | None:
    """Compare two arms instance by instance; None when they share none.

    Each mapping goes from an instance, such as (arc, probe, seed), to its unit, a value in
    [0, 1].
    """
    shared = [name for name in first if name in second]
    if not shared:
        return None
    data = clustered(
        Unit(first[name].cluster, first[name].value - second[name].value) for name in shared
    )
    return Paired(
        difference=data.mean,
        interval=mean_interval(data, -1.0, 1.0, seed),
        p=sign_flip(data.sums, seed),
        pairs=len(shared),
        clusters=len(data.sums),
        dropped=len(first) + len(second) - 2 * len(shared),
    )


def sign_flip(sums: Floats, seed: int = SEED) -> float:
    """Return the two-sided p that clusters' differences are as likely to be negative as positive.

    Exact over all sign patterns for up to 16 clusters that differ; else by `RESAMPLES` random
    patterns, p = (1 + c) / (B + 1).
    """
    moving = np.asarray(sums, dtype=np.float64)
    moving = moving[moving != 0]
    if not len(moving):
        return 1.0
    observed = abs(moving.sum()) - _EPSILON  # sums of floats may differ in their last bits
    if len(moving) <= EXACT_CLUSTERS:
        return float(np.mean(np.abs(_all_signs(len(moving)) @ moving) >= observed))
    as_large = sum(
        int(np.sum(np.abs(signs @ moving) >= observed))
        for signs in _random_signs(len(moving), seed)
    )
    return (1 + as_large) / (RESAMPLES + 1)


def _all_signs(clusters: int) -> Floats:
    patterns = np.arange(2**clusters)[:, None]
    return np.where((patterns >> np.arange(clusters)) & 1, 1.0, -1.0)


def _random_signs(clusters: int, seed: int) -> Iterator[Floats]:
    stream = np.random.default_rng(seed)
    left = RESAMPLES
    while left:
        rows = min(left, max(1, _BLOCK // clusters))
        coins = stream.integers(0, 2, size=(rows, clusters)).astype(np.float64)
        yield coins * 2 - 1
        left -= rows


def holm(ps: Sequence[float]) -> list[float]:
    """Return Holm–Bonferroni adjusted p-values, in the order given."""
    adjusted = [1.0] * len(ps)
    running = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda at: ps[at])):
        running = max(running, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = running
    return adjusted


def smallest_p(clusters: int) -> float:
    """Return the smallest two-sided p that a sign-flip test over k clusters can give."""
    if clusters <= EXACT_CLUSTERS:
        return float(min(1.0, 2.0 ** (1 - clusters)))
    return 1 / (RESAMPLES + 1)
