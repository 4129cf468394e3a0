"""Exact statistics of counts: intervals of one rate, and tests of two with a correction."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from scoring.statistics import LEVEL, Interval, holm


@dataclass(frozen=True)
class Count:
    """So many of n passed."""

    passed: int
    n: int

    @property
    def rate(self) -> float | None:
        """The share that passed; None of nothing."""
        return self.passed / self.n if self.n else None


def clopper_pearson(count: Count, level: float = LEVEL) -> Interval | None:
    """Return the exact two-sided interval of a rate (Clopper and Pearson 1934); None of nothing."""
    from scipy.stats import beta

    if not count.n:
        return None
    tail, failed = (1 - level) / 2, count.n - count.passed
    low = float(beta.ppf(tail, count.passed, failed + 1)) if count.passed else 0.0
    high = float(beta.ppf(1 - tail, count.passed + 1, failed)) if failed else 1.0
    return Interval(low, high)


@lru_cache(maxsize=10_000)
def fisher(first: Count, second: Count) -> float:
    """Return the two-sided p of Fisher's exact test that two rates are the same.

    Two-sided by summing every table that is no likelier than the one seen, as SciPy and R do.
    """
    from scipy.stats import fisher_exact

    rows = [[each.passed, each.n - each.passed] for each in (first, second)]
    return float(fisher_exact(rows).pvalue)


@dataclass(frozen=True)
class Tested:
    """Two models compared within one group.

    Attributes:
        group: What both did, such as a risk.
        first: Name of a model.
        second: Name of another one.
        p: Two-sided p of Fisher's exact test.
        adjusted: The same after Holm's correction over all pairs of all groups.
    """

    group: str
    first: str
    second: str
    p: float
    adjusted: float


def all_pairs(groups: Mapping[str, Mapping[str, Count]]) -> list[Tested]:
    """Test every pair of models within every group; Holm's family is all of these tests.

    `groups` goes from a group to its models and their counts. Fisher's test treats episodes as
    independent and models as unpaired; `scoring.statistics` has the paired tests over clusters.
    """
    pairs = [
        (group, first, second, fisher(counts[first], counts[second]))
        for group, counts in groups.items()
        for first, second in combinations(counts, 2)
    ]
    adjusted = holm([p for *_, p in pairs])
    return [Tested(*pair, each) for pair, each in zip(pairs, adjusted, strict=True)]
