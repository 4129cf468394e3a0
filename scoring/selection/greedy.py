"""Greedy forward selection on Ψ, swaps that improve it, and minima that both keep.

Ψ is full long before a subset is, so most steps are ties. Of equal episodes the one is taken of
whose risk and tier the smallest share is chosen, then the first by name: by name alone a subset
would be filled up from the beginning of the list.
"""

from collections.abc import Callable

import numpy as np

from scoring.selection.matrix import Bools, Ints, Matrix
from scoring.selection.measures import Objective

Allowed = Callable[[Ints, int], Bools]
"""Given what is chosen and how many are still to come: which episodes may be added next."""

_GAIN = 1e-9
"""Less than this is rounding and no improvement."""


def greedy(objective: Objective, size: int, allowed: Allowed | None = None) -> Ints:
    """Return `size` episodes, each the one that raises Ψ most when it was added."""
    chosen = np.zeros(0, dtype=np.int64)
    for left in range(size, 0, -1):
        candidates = _candidates(objective.matrix, chosen, left, allowed)
        best, _ = _best(objective, chosen, candidates)
        chosen = np.append(chosen, best)
    return np.sort(chosen)


def improve(objective: Objective, subset: Ints, allowed: Allowed | None = None) -> Ints:
    """Return the subset after swaps of one episode for the best other one, until none helps."""
    value, tried = objective.value(subset), 0
    while tried < len(subset) and value < objective.bound - _GAIN:
        tried += 1
        # The one that comes in goes to the end, so the first is always the longest untried.
        found, better = _swap(objective, subset, allowed)
        if found > value + _GAIN:
            value, tried = found, 0
        else:
            better = np.roll(subset, -1)
        subset = better
    return np.sort(subset)


def greedy_swap(objective: Objective, size: int, allowed: Allowed | None = None) -> Ints:
    """Return the greedy subset after improving swaps; never worse than the greedy one."""
    return improve(objective, greedy(objective, size, allowed), allowed)


def _swap(objective: Objective, subset: Ints, allowed: Allowed | None) -> tuple[float, Ints]:
    """Return the best subset with another episode for the first, and its Ψ; -inf without any."""
    first, rest = subset[0], subset[1:]
    candidates = _candidates(objective.matrix, rest, 1, allowed)
    candidates = candidates[candidates != first]
    if not len(candidates):
        return -np.inf, subset
    best, value = _best(objective, rest, candidates)
    return value, np.append(rest, best)


def _best(objective: Objective, chosen: Ints, candidates: Ints) -> tuple[int, float]:
    values = objective.adding(chosen, candidates)
    equal = candidates[values >= values.max() - _GAIN]
    share = objective.matrix.stratum_shares(chosen)[equal]
    return int(equal[np.argmin(share)]), float(values.max())


def _candidates(matrix: Matrix, chosen: Ints, left: int, allowed: Allowed | None) -> Ints:
    free = np.ones(len(matrix.episodes), dtype=bool)
    free[chosen] = False
    if allowed is not None:
        free &= allowed(chosen, left)
    return np.flatnonzero(free)


class Minima:
    """At least so many episodes of each risk, and of each risk and tier, in k episodes.

    A risk gets at least ⌊k / risks⌋, a pair of risk and tier ⌊k / pairs⌋, each at most what
    there is of it; where pairs and risks together ask for more than k, pairs ask for fewer.
    """

    def __init__(self, matrix: Matrix, size: int) -> None:
        self._risk, self._stratum = matrix.risk_codes, matrix.stratum_codes
        self._risks, self._strata = len(matrix.risk_names), len(matrix.stratum_names)
        places = {name: place for place, name in enumerate(matrix.risk_names)}
        self._owner = np.array([places[risk] for risk, _ in matrix.stratum_names])
        in_risk = np.bincount(self._risk, minlength=self._risks)
        in_stratum = np.bincount(self._stratum, minlength=self._strata)
        self.of_risk: Ints = np.minimum(in_risk, size // self._risks)
        for least in range(size // self._strata, -1, -1):
            self.of_stratum: Ints = np.minimum(in_stratum, least)
            if self._needs(self.of_risk, self.of_stratum).sum() <= size:
                break

    def __call__(self, chosen: Ints, left: int) -> Bools:
        """Return the episodes that may come next, so that the rest can still meet all minima."""
        of_risk = self.of_risk - np.bincount(self._risk[chosen], minlength=self._risks)
        of_stratum = self.of_stratum - np.bincount(self._stratum[chosen], minlength=self._strata)
        needs = self._needs(of_risk, of_stratum)
        if left > needs.sum():
            return np.ones(len(self._risk), dtype=bool)
        wanted = np.maximum(of_stratum, 0)
        listed = np.bincount(self._owner, weights=wanted, minlength=self._risks)
        after = np.maximum(of_risk[self._owner] - 1, listed[self._owner] - (of_stratum > 0))
        helps = np.maximum(after, 0) < needs[self._owner]
        found: Bools = helps[self._stratum]
        return found

    def _needs(self, of_risk: Ints, of_stratum: Ints) -> Ints:
        """Return how many episodes of each risk are still needed."""
        wanted = np.bincount(
            self._owner, weights=np.maximum(of_stratum, 0), minlength=self._risks
        ).astype(np.int64)
        return np.maximum(np.maximum(of_risk, wanted), 0)
