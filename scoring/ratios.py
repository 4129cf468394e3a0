"""Ratios of means over clusters: what a memory is worth, and what a success costs.

Each ratio has its 95 % interval by the bootstrap of `statistics`: whole clusters are drawn, for
both arms at once, and the ratio is worked out anew. A draw in which it has no value (a difference
of costs that is not positive, say) might lie anywhere, so each such draw moves both ends of the
interval outwards; where more than 2.5 % of the draws have none, there is no interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.statistics import LEVEL, SEED, Floats, Interval, draws

TAIL = (1 - LEVEL) / 2
_SAME = 1e-9


@dataclass(frozen=True)
class Ledger:
    """What one arm achieved and spent, by cluster.

    Attributes:
        sums: Cluster to its dependent successes, dependent decisions, cost (USD) and episodes.
    """

    sums: Mapping[str, tuple[float, float, float, float]]

    def table(self, clusters: Sequence[str]) -> Floats:
        """Return the sums of these clusters, shape (clusters, 4)."""
        return np.array([self.sums[name] for name in clusters], dtype=np.float64)


@dataclass(frozen=True)
class Means:
    """Means of an arm, or of many draws of it at once; NaN where there is none.

    Attributes:
        success: Success rate of dependent decisions.
        cost: USD an episode.
    """

    success: Floats
    cost: Floats


def means(sums: Floats) -> Means:
    """Return the means of sums, shape (…, 4)."""
    return Means(_divided(sums[..., 0], sums[..., 1]), _divided(sums[..., 2], sums[..., 3]))


def _divided(one: Floats, other: Floats) -> Floats:
    """Divide where the divisor is positive; NaN elsewhere."""
    fits = other > 0
    quotient: Floats = np.where(fits, one / np.where(fits, other, 1.0), np.nan)
    return quotient


@dataclass(frozen=True)
class Estimate:
    """A ratio.

    Attributes:
        value: The ratio; None where it has no value.
        interval: Its 95 % interval; None without a value, with a single cluster, and where more
            than 2.5 % of the draws have no value.
        undefined: Share of the draws that have none; None where nothing was drawn.
    """

    value: float | None
    interval: Interval | None = None
    undefined: float | None = None


NOTHING = Estimate(None)


def _extra_cost(arm: Means, none: Means) -> Floats:
    """Return what an episode costs more; NaN where that is not positive."""
    more = arm.cost - none.cost
    # Sums of floats differ in their last bits where the amounts are the same.
    extra: Floats = np.where(more > _SAME * none.cost, more, np.nan)
    return extra


def utility(arm: Means, none: Means) -> Floats:
    """Return CAMU: success gained over no memory, for each USD that an episode costs more."""
    return _divided(arm.success - none.success, _extra_cost(arm, none))


def break_even(arm: Means, none: Means) -> Floats:
    """Return the USD that a success must be worth for the memory to pay for itself."""
    return _divided(_extra_cost(arm, none), arm.success - none.success)


def success_price(arm: Means, none: Means) -> Floats:
    """Return USD an episode for each success at a dependent decision, without a baseline."""
    return _divided(arm.cost, arm.success)


RATIOS = {"camu": utility, "break_even": break_even, "cost_per_success": success_price}
"""Name of the column to the function of an arm's means and those of its baseline."""


def estimates(arm: Ledger, none: Ledger, seed: int = SEED) -> dict[str, Estimate]:
    """Return each of `RATIOS`, with its interval over the clusters that both arms have."""
    values = points(arm, none)
    shared = sorted(arm.sums.keys() & none.sums.keys())
    if len(shared) < 2:
        return {name: Estimate(value) for name, value in values.items()}
    tables = [each.table(shared) for each in (arm, none)]
    blocks = [[means(counts @ table) for table in tables] for counts in draws(len(shared), seed)]
    drawn = {
        name: np.concatenate([ratio(*block) for block in blocks]) for name, ratio in RATIOS.items()
    }
    return {name: estimate(value, drawn[name]) for name, value in values.items()}


def points(arm: Ledger, none: Ledger) -> dict[str, float | None]:
    """Return each of `RATIOS` without an interval; None where it has no value."""
    whole = [means(_total(each)) for each in (arm, none)]
    found = {name: float(ratio(*whole)) for name, ratio in RATIOS.items()}
    return {name: None if np.isnan(value) else value for name, value in found.items()}


def _total(ledger: Ledger) -> Floats:
    total: Floats = ledger.table(sorted(ledger.sums)).sum(axis=0)
    return total


def estimate(value: float | None, drawn: Floats) -> Estimate:
    """Return a ratio with the interval that its draws give; NaN is a draw without a value."""
    known = np.sort(drawn[~np.isnan(drawn)])
    missing = len(drawn) - len(known)
    undefined = missing / len(drawn)
    if value is None:
        return Estimate(None, None, undefined)
    if undefined > TAIL:
        return Estimate(value, None, undefined)
    # Were all missing draws beyond one end, that end would be this quantile of the others.
    tail = (TAIL * len(drawn) - missing) / len(known)
    low, high = np.quantile(known, [tail, 1 - tail])
    return Estimate(value, Interval(float(low), float(high)), undefined)
