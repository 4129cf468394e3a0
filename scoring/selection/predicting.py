"""Discrimination of an episode predicted from its static features, before anybody has run it.

The prediction is held out twice: a risk is predicted from the other risks, and what it is held
against comes from other models than those that it was learned from.
"""

import numpy as np

from scoring.selection.features import spread, standardised, static_columns
from scoring.selection.matrix import Bools, Floats, Matrix
from scoring.selection.measures import spearman
from simulator.events import Json

PENALTY = 1.0
"""Of the ridge regression, on standardised features."""


def predicted_discrimination(matrix: Matrix) -> dict[str, Json]:
    """Return how well static features rank episodes by discrimination, risk by risk.

    Models are dealt into halves by pass rate, every other one; each half is learned from once and
    held against once. `spearman` is the mean over risks and halves, None with a `why` where there
    is nothing to learn from.
    """
    known = static_columns(matrix)
    why = _missing(matrix, known)
    if why is not None:
        return {"spearman": None, "by_risk": None, "features": list(known), "why": why}
    points = standardised(known)
    order = np.lexsort((np.arange(len(matrix.models)), matrix.counts))
    halves = [spread(matrix.only(order[start::2].tolist())) for start in (0, 1)]
    by_risk = {
        risk: float(
            np.mean([_held_out(points, matrix.risk_codes == code, *h) for h in _ways(halves)])
        )
        for code, risk in enumerate(matrix.risk_names)
        if np.sum(matrix.risk_codes == code) >= 2
    }
    mean = float(np.mean(list(by_risk.values())))
    return {"spearman": mean, "by_risk": by_risk, "features": list(known), "why": None}


def _ways(halves: list[Floats]) -> list[tuple[Floats, Floats]]:
    return [(halves[0], halves[1]), (halves[1], halves[0])]


def _missing(matrix: Matrix, known: dict[str, Floats]) -> str | None:
    if not any(np.ptp(values) > 0 for values in known.values()):
        return "no static feature differs between episodes"
    if len(matrix.models) < 4:
        return "two halves of the models need four models"
    counts = np.bincount(matrix.risk_codes)
    if len(counts) < 2 or not (counts >= 2).any():
        return "a risk can only be held out of several, with at least two episodes"
    return None


def _held_out(points: Floats, held: Bools, learned: Floats, truth: Floats) -> float:
    """Return ρ on the episodes that were held out; 0 where prediction or truth is constant."""
    weights = ridge(points[~held], learned[~held])
    return spearman(np.round(points[held] @ weights, 9), np.round(truth[held], 9))


def ridge(points: Floats, values: Floats) -> Floats:
    """Return the weights of a ridge regression of centred values on features."""
    centred = points - points.mean(axis=0)
    inner = centred.T @ centred + PENALTY * np.eye(points.shape[1])
    found: Floats = np.linalg.solve(inner, centred.T @ (values - values.mean()))
    return found
