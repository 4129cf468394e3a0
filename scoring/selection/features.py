"""The feature vector of an episode, and the selector that looks at nothing else.

Twelve features. MemRiskBench names seven; five are ours. Two are of the reference models'
passes, ten are static: known of an episode before anybody has run it.
"""

from collections.abc import Collection

import numpy as np

from scoring.selection.matrix import Floats, Ints, Matrix

GROUPS: dict[str, tuple[str, ...]] = {
    "difficulty": ("tier", "length", "sessions", "distance", "tokens"),
    "discrimination": ("spread",),
    "failure density": ("failures",),
    "complexity": ("risk_types", "calls", "constraints", "decisions", "revisions"),
}
"""The groups that MemRiskBench names, and their features."""

FEATURES = tuple(name for names in GROUPS.values() for name in names)
OURS = frozenset({"sessions", "distance", "tokens", "decisions", "revisions"})
"""Features that MemRiskBench does not name."""

FROM_PASSES = frozenset({"spread", "failures"})
STATIC = tuple(name for name in FEATURES if name not in FROM_PASSES)
"""Features that need no model."""


def spread(matrix: Matrix) -> Floats:
    """Return the standard deviation of the passes over models, shape (E,): discrimination."""
    rates = matrix.item_rates
    found: Floats = np.sqrt(rates * (1 - rates))
    return found


def columns(matrix: Matrix) -> dict[str, Floats]:
    """Return those of the twelve features that the matrix has, in the order of `FEATURES`."""
    of_passes = {"spread": spread(matrix), "failures": 1 - matrix.item_rates}
    known = {**matrix.features, **of_passes}
    return {name: known[name] for name in FEATURES if name in known}


def static_columns(matrix: Matrix) -> dict[str, Floats]:
    """Return the static features that the matrix has."""
    return {name: matrix.features[name] for name in STATIC if name in matrix.features}


def standardised(found: dict[str, Floats]) -> Floats:
    """Return features with mean 0 and deviation 1, shape (E, F).

    Constant ones are left out; where all are, every episode is the same point.
    """
    kept = [values for values in found.values() if np.ptp(values) > 0]
    if not kept:
        return np.zeros((len(next(iter(found.values()))), 1))
    return np.stack([(values - values.mean()) / values.std() for values in kept], axis=1)


def scores(matrix: Matrix, without: Collection[str] = ()) -> Floats:
    """Return a score an episode in [0, 1]: the mean over groups of the mean of their features.

    Each feature is scaled to [0, 1] over the episodes; a constant one is 0. Groups named in
    `without` are left out, which is what an ablation does.
    """
    found = columns(matrix)
    groups = [
        np.mean([_scaled(found[name]) for name in names if name in found], axis=0)
        for group, names in GROUPS.items()
        if group not in without and any(name in found for name in names)
    ]
    return np.mean(groups, axis=0) if groups else np.zeros(len(matrix.episodes))


def _scaled(values: Floats) -> Floats:
    width = np.ptp(values)
    return (values - values.min()) / width if width > 0 else np.zeros(len(values))


def by_features(matrix: Matrix, size: int, without: Collection[str] = ()) -> Ints:
    """Return the greedy subset on mean score + share of risks covered.

    It never asks what the subset does to the ranking.
    """
    score = scores(matrix, without)
    risks = matrix.risk_codes
    covered = np.zeros(len(matrix.risk_names), dtype=bool)
    free = np.ones(len(score), dtype=bool)
    for _ in range(size):
        gains = score / size + ~covered[risks] / len(covered)
        best = int(np.argmax(np.where(free, gains, -np.inf)))
        free[best], covered[risks[best]] = False, True
    return np.flatnonzero(~free)
