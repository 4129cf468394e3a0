"""What a subset says of a model that had no part in choosing it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.selection.matrix import Floats, Ints
from scoring.selection.measures import correlation, standings
from scoring.selection.selectors import Problem, Selector
from simulator.events import Json

DRAWS = 100
"""Subsets of each held-out model, for a selector that draws."""


@dataclass(frozen=True)
class HeldOut:
    """Each model judged by subsets chosen without it, D of them.

    Attributes:
        models: Their names.
        rate: Pass rate of each model on its subsets, shape (M, D).
        rank: Rank among all models on them, 1 the lowest, shape (M, D).
        high_risk: How much of a high-risk model it is taken for and is, shape (M, D).
        full_rate: Pass rate on everything, shape (M,).
        full_rank: Rank on everything, shape (M,).
        high: Number of high-risk models.
        spearman: ρ over models of these pass rates and those on everything, the mean over draws.
    """

    models: tuple[str, ...]
    rate: Floats
    rank: Floats
    high_risk: Floats
    full_rate: Floats
    full_rank: Floats
    high: int
    spearman: float

    @property
    def rank_error(self) -> Floats:
        """|rank on the subset − rank on everything| / (M − 1), shape (M, D)."""
        found: Floats = np.abs(self.rank - self.full_rank[:, None]) / (len(self.models) - 1)
        return found

    @property
    def pass_error(self) -> Floats:
        """|pass rate on the subset − on everything|, shape (M, D)."""
        found: Floats = np.abs(self.rate - self.full_rate[:, None])
        return found

    def told(self) -> dict[str, Json]:
        """Return it as JSON: means over draws, of all models, of the worst one, and of each."""
        of_models = self.rank_error.mean(axis=1)
        return {
            "rank_error": float(of_models.mean()),
            "pass_error": float(self.pass_error.mean()),
            "high_risk": float(self.high_risk.mean(axis=1).sum() / self.high),
            "spearman": self.spearman,
            "worst_rank_error": float(self.rank_error.max(axis=0).mean()),
            "worst_pass_error": float(self.pass_error.max(axis=0).mean()),
            "worst_model": self.models[int(np.argmax(of_models))],
            "models": [self._row(at) for at in range(len(self.models))],
        }

    def _row(self, at: int) -> dict[str, Json]:
        full = {name: float(getattr(self, name)[at]) for name in ("full_rate", "full_rank")}
        names = ("rate", "pass_error", "rank", "rank_error")
        means = {name: float(getattr(self, name)[at].mean()) for name in names}
        return {"model": self.models[at], **full, **means}


def held_out(problem: Problem, selector: Selector, seed: int, draws: int = DRAWS) -> HeldOut | None:
    """Judge every model by subsets that are chosen from the others' passes.

    None where fewer than three models are there, one alone having no ranking to choose by, and
    where the subset of some of them is empty.
    """
    matrix = problem.matrix
    if len(matrix.models) < 3:
        return None
    counts, ranks, high, sizes = [], [], [], []
    for model, subsets in enumerate(subsets_without_each(problem, selector, seed, draws)):
        passes = matrix.passed[:, subsets].sum(axis=2, dtype=np.int64).T
        ranked, weights = standings(passes, matrix.high)
        counts.append(passes[:, model])
        ranks.append(ranked[:, model])
        high.append(weights[:, model])
        sizes.append(subsets.shape[1])
    if not all(sizes):
        return None
    full_rank, full_high = standings(matrix.counts[None, :], matrix.high)
    rates = np.array(counts) / np.array(sizes)[:, None]
    return HeldOut(
        models=matrix.models,
        rate=rates,
        rank=np.array(ranks),
        high_risk=np.minimum(high, full_high.T),
        full_rate=matrix.rates,
        full_rank=full_rank[0],
        high=matrix.high,
        spearman=_correlation(rates, full_rank[0]),
    )


def _correlation(rates: Floats, full: Floats) -> float:
    """Return the mean ρ of rows of rates, shape (M, D), with the ranks on everything."""
    _, places = np.unique(rates, return_inverse=True)
    ranks, _ = standings(places.reshape(rates.shape).T, 1)
    return float(correlation(ranks, full).mean())


def subsets_without_each(
    problem: Problem, selector: Selector, seed: int, draws: int
) -> Iterator[Ints]:
    """Yield for each model the subsets that are chosen without it, shape (draws, k)."""
    matrix = problem.matrix
    if not selector.labels:
        yield from [selector.subsets(problem, seed, draws)] * len(matrix.models)
        return
    for model in range(len(matrix.models)):
        others = Problem(matrix.without(model), problem.size, problem.weights)
        yield selector.subsets(others, seed, draws)
