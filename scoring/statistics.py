"""Statistics over clusters: bootstrap intervals, sign-flip tests, Holm's correction.

Arcs of one template are no independent evidence, so whole clusters are resampled and flipped,
never single decisions. Everything is seeded: the same data gives the same numbers.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
LEVEL = 0.95
SEED = 20_250_301
EXACT_CLUSTERS = 16
"""Up to this many clusters that differ, all 2^k sign patterns are enumerated."""
_BLOCK = 2_000_000
_EPSILON = 1e-9
_STEP = 64

Floats = NDArray[np.float64]
K = TypeVar("K", bound=Hashable)

Direction = Literal["higher", "lower", "two-sided"]
"""What a test looks for: differences above 0 only, below 0 only, or both."""


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
    if clusters * RESAMPLES <= _BLOCK:
        yield _kept_draws(clusters, seed)
        return
    stream = np.random.default_rng(seed)
    left = RESAMPLES
    while left:
        rows = min(left, max(1, _BLOCK // clusters))
        yield _drawn(stream, clusters, rows)
        left -= rows


@lru_cache(maxsize=8)
def _kept_draws(clusters: int, seed: int) -> Floats:
    """Return all draws at once, kept for the next contrast over as many clusters."""
    return _drawn(np.random.default_rng(seed), clusters, RESAMPLES)


def _drawn(stream: np.random.Generator, clusters: int, rows: int) -> Floats:
    weights = np.full(clusters, 1 / clusters)
    return stream.multinomial(clusters, weights, size=rows).astype(np.float64)


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
        data: The differences by cluster.
    """

    difference: float
    interval: Interval
    p: float
    pairs: int
    clusters: int
    dropped: int
    data: Clusters = field(repr=False, compare=False)

    @property
    def tie(self) -> bool:
        """True unless the interval lies on one side of 0 and the test tells the two apart."""
        return self.p >= 1 - LEVEL or self.interval.low <= 0 <= self.interval.high


def paired(
    first: Mapping[K, Unit],
    second: Mapping[K, Unit],
    seed: int = SEED,
    direction: Direction = "two-sided",
) -> Paired | None:
    """Compare two arms instance by instance; None when they share none.

    Each mapping goes from an instance, such as (arc, probe, seed), to its unit, a value in
    [0, 1]. The interval is two-sided whatever the direction of the test.
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
        p=sign_flip(data.sums, seed, direction),
        pairs=len(shared),
        clusters=len(data.sums),
        dropped=len(first) + len(second) - 2 * len(shared),
        data=data,
    )


def sign_flip(sums: Floats, seed: int = SEED, direction: Direction = "two-sided") -> float:
    """Return the p of a sign-flip test over clusters, whose differences are summed in `sums`.

    Under the hypothesis of no difference each cluster's sum is as likely to be negative as
    positive. Exact over all sign patterns for up to 16 clusters that differ; else by `RESAMPLES`
    random patterns, p = (1 + c) / (B + 1). With a direction the test is one-sided.
    """
    moving = np.asarray(sums, dtype=np.float64)
    moving = moving[moving != 0]
    if not len(moving):
        return 1.0
    # Sums of floats may differ in their last bits.
    observed = float(_towards(moving.sum(), direction)) - _EPSILON
    as_large = [
        int(np.sum(_towards(signs @ moving, direction) >= observed))
        for signs in signs_of(len(moving), seed)
    ]
    if len(moving) <= EXACT_CLUSTERS:
        return float(sum(as_large) / 2 ** len(moving))
    return (1 + sum(as_large)) / (RESAMPLES + 1)


def _towards(sums: Floats, direction: Direction) -> Floats:
    """Return how far sums lie in the direction that a test looks in."""
    if direction == "two-sided":
        return np.abs(sums)
    return sums if direction == "higher" else -sums


def signs_of(clusters: int, seed: int = SEED) -> Iterator[Floats]:
    """Yield sign patterns, ±1, in blocks of shape (rows, clusters).

    All 2^k for up to 16 clusters, else `RESAMPLES` random ones. Contrasts over as many clusters
    share them.
    """
    if clusters <= EXACT_CLUSTERS:
        yield _all_signs(clusters)
        return
    wide = -(-clusters // _STEP) * _STEP
    if wide * RESAMPLES <= _BLOCK:
        yield _kept_signs(wide, seed)[:, :clusters]
        return
    stream = np.random.default_rng(seed)
    left = RESAMPLES
    while left:
        rows = min(left, max(1, _BLOCK // clusters))
        yield _tossed(stream, clusters, rows)
        left -= rows


@lru_cache(maxsize=EXACT_CLUSTERS + 1)
def _all_signs(clusters: int) -> Floats:
    patterns = np.arange(2**clusters)[:, None]
    return np.where((patterns >> np.arange(clusters)) & 1, 1.0, -1.0)


@lru_cache(maxsize=4)
def _kept_signs(clusters: int, seed: int) -> Floats:
    return _tossed(np.random.default_rng(seed), clusters, RESAMPLES)


def _tossed(stream: np.random.Generator, clusters: int, rows: int) -> Floats:
    return stream.integers(0, 2, size=(rows, clusters)).astype(np.float64) * 2 - 1


def holm(ps: Sequence[float]) -> list[float]:
    """Return Holm–Bonferroni adjusted p-values, in the order given."""
    adjusted = [1.0] * len(ps)
    running = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda at: ps[at])):
        running = max(running, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = running
    return adjusted


def smallest_p(clusters: int, direction: Direction = "two-sided") -> float:
    """Return the smallest p that a sign-flip test over k clusters can give.

    That is 2/2^k, or 1/2^k with a direction.
    """
    if clusters <= EXACT_CLUSTERS:
        return float(min(1.0, (2.0 if direction == "two-sided" else 1.0) / 2**clusters))
    return 1 / (RESAMPLES + 1)
