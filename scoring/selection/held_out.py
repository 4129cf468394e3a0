"""What a subset says of a model that had no part in choosing it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.selection.matrix import Floats, Ints, Matrix
from scoring.selection.measures import correlation, standings
from scoring.selection.selectors import Problem, Selector
from simulator.events import Json

DRAWS = 100
"""Subsets drawn a held-out model, for a selector that draws and looks at passes."""


@dataclass(frozen=True)
class HeldOut:
    """Each model judged by subsets chosen without it; every array has shape (M,).

    Attributes:
        models: Their names.
        rate: Pass rate on the subset, the mean over draws.
        rank: Rank among all models on the subset, 1 the lowest, the mean over draws.
        rank_error: |rank on the subset − rank on everything| / (M − 1), the mean over draws.
        pass_error: |pass rate on the subset − on everything|, the mean over draws.
        high_risk: How much of a high-risk model it is taken for, the mean over draws of its
            weight on the subset, at most that on everything.
        full_rate: Pass rate on everything.
        full_rank: Rank on everything.
        high: Number of high-risk models.
        spearman: ρ over models of these pass rates and those on everything, the mean over draws.
    """

    models: tuple[str, ...]
    rate: Floats
    rank: Floats
    rank_error: Floats
    pass_error: Floats
    high_risk: Floats
    full_rate: Floats
    full_rank: Floats
    high: int
    spearman: float

    def told(self) -> dict[str, Json]:
        """Return it as JSON: means, the worst model, and a row a model."""
        worst = int(np.argmax(self.rank_error))
        return {
            "rank_error": float(self.rank_error.mean()),
            "pass_error": float(self.pass_error.mean()),
            "high_risk": float(self.high_risk.sum() / self.high),
            "spearman": self.spearman,
            "worst_rank_error": float(self.rank_error[worst]),
            "worst_model": self.models[worst],
            "worst_pass_error": float(self.pass_error.max()),
            "models": [self._row(at) for at in range(len(self.models))],
        }

    def _row(self, at: int) -> dict[str, Json]:
        named = ("rate", "full_rate", "pass_error", "rank", "full_rank", "rank_error")
        values = {name: float(getattr(self, name)[at]) for name in named}
        return {"model": self.models[at], **values}


def held_out(problem: Problem, selector: Selector, seed: int, draws: int = DRAWS) -> HeldOut | None:
    """Judge every model by subsets that are chosen from the others' passes.

    None where fewer than three models are there: one alone has no ranking to choose by.
    """
    matrix = problem.matrix
    if len(matrix.models) < 3:
        return None
    ranks, high = standings(matrix.counts[None, :], matrix.high)
    counts, rows, size = [], [], 0
    for model, subsets in enumerate(_subsets_without_each(problem, selector, seed, draws)):
        size = subsets.shape[1]
        if not size:
            return None
        passes = matrix.passed[:, subsets].sum(axis=2, dtype=np.int64).T
        counts.append(passes[:, model])
        rates = counts[-1] / size
        rows.append(_judged(matrix, model, passes, rates, ranks[0, model], high[0, model]))
    rank, rank_error, pass_error, found = np.array(rows).T
    own, _ = standings(np.stack(counts, axis=1), matrix.high)
    return HeldOut(
        models=matrix.models,
        rate=np.mean(counts, axis=1) / size,
        rank=rank,
        rank_error=rank_error,
        pass_error=pass_error,
        high_risk=found,
        full_rate=matrix.rates,
        full_rank=ranks[0],
        high=matrix.high,
        spearman=float(correlation(own, ranks[0]).mean()),
    )


def _subsets_without_each(
    problem: Problem, selector: Selector, seed: int, draws: int
) -> Iterator[Ints]:
    """Yield for each model the subsets that are chosen without it."""
    matrix = problem.matrix
    if not selector.labels:
        yield from [selector.subsets(problem, seed, draws)] * len(matrix.models)
        return
    for model in range(len(matrix.models)):
        others = Problem(matrix.without(model), problem.size, problem.weights)
        yield selector.subsets(others, seed, draws)


def _judged(
    matrix: Matrix, model: int, passes: Ints, rates: Floats, rank: float, high: float
) -> tuple[float, float, float, float]:
    """Return rank, its error, the error of the rate, and the high-risk weight that is found."""
    ranks, weights = standings(passes, matrix.high)
    return (
        float(ranks[:, model].mean()),
        float(np.abs(ranks[:, model] - rank).mean() / (len(matrix.models) - 1)),
        float(np.abs(rates - matrix.rates[model]).mean()),
        float(np.minimum(weights[:, model], high).mean()),
    )
