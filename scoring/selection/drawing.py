"""Baselines that draw: k of all episodes, of each risk, or of those in the middle range."""

import numpy as np

from scoring.selection.matrix import Ints, Matrix

LOW, HIGH = 3, 7
"""The middle range: pass rates from 30 to 70 %, in tenths, so that the ends are exact."""


def at_random(episodes: int, size: int, draws: int, rng: np.random.Generator) -> Ints:
    """Return `draws` subsets of `size` of so many episodes, shape (draws, size)."""
    order = np.argsort(rng.random((draws, episodes)), axis=1, kind="stable")
    return np.sort(order[:, :size], axis=1)


def by_risk(matrix: Matrix, size: int, draws: int, rng: np.random.Generator) -> Ints:
    """Return subsets with as large a share of each risk as all episodes have.

    What rounding leaves over goes to the risks of the largest remainders, equal ones by lot.
    """
    risks = len(matrix.risk_names)
    members = np.bincount(matrix.risk_codes, minlength=risks)
    exact = members * size
    least, rest = np.divmod(exact, len(matrix.episodes))
    keys = rng.random((draws, len(matrix.episodes)))
    lots = rng.random((draws, risks))
    found = np.empty((draws, size), dtype=np.int64)
    own = [np.flatnonzero(matrix.risk_codes == risk) for risk in range(risks)]
    for draw in range(draws):
        order = np.lexsort((lots[draw], -rest))
        sizes = least.copy()
        sizes[order[: size - int(least.sum())]] += 1
        chosen = [
            own[risk][np.argsort(keys[draw, own[risk]], kind="stable")[: sizes[risk]]]
            for risk in range(risks)
        ]
        found[draw] = np.sort(np.concatenate(chosen))
    return found


def in_middle_range(matrix: Matrix) -> Ints:
    """Return the episodes that 30 to 70 % of the models pass (Ndzomga 2026, Mid-Range filter)."""
    passes = matrix.passed.sum(axis=0) * 10
    models = len(matrix.models)
    return np.flatnonzero((passes >= LOW * models) & (passes <= HIGH * models))


def of_middle_range(matrix: Matrix, size: int, draws: int, rng: np.random.Generator) -> Ints:
    """Return subsets of the middle range; where it has too few, with those nearest to it."""
    inside = in_middle_range(matrix)
    if len(inside) <= size:
        far = np.abs(matrix.item_rates - 0.5)
        far[inside] = -1.0
        nearest = np.argsort(far, kind="stable")[:size]
        return np.tile(np.sort(nearest), (draws, 1))
    return inside[at_random(len(inside), size, draws, rng)]
