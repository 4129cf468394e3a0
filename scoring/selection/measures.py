"""Measures of a subset: does it keep the ranking, the risks, and the models that fail most?

Everything is computed for many subsets at once, from counts of passes, so exactly.
"""

from dataclasses import dataclass

import numpy as np

from scoring.selection.matrix import Floats, Ints, Matrix


@dataclass(frozen=True)
class Weights:
    """Weights of Ψ = α·ρ + β·cov + γ·hr (MemRiskBench: all 1).

    Attributes:
        rank: α, of the rank correlation.
        coverage: β, of the share of risks covered.
        high_risk: γ, of the share of high-risk models found.
    """

    rank: float = 1.0
    coverage: float = 1.0
    high_risk: float = 1.0


@dataclass(frozen=True)
class Measured:
    """Measures of B subsets, each of shape (B,).

    Attributes:
        psi: Ψ.
        spearman: Rank correlation of the models' pass rates on the subset and on everything.
        coverage: Share of the risks that the subset holds.
        coverage_tiers: Share of the pairs of risk and tier.
        high_risk: Share of the high-risk models that are high-risk by the subset, too.
        fail_coverage: Share of the pairs of model and risk with a failure that keep one.
    """

    psi: Floats
    spearman: Floats
    coverage: Floats
    coverage_tiers: Floats
    high_risk: Floats
    fail_coverage: Floats


def standings(counts: Ints, high: int) -> tuple[Floats, Floats]:
    """Return ranks and high-risk weights of models from rows of pass counts, shape (C, M).

    Ranks rise with the count; equal counts share the mean of their ranks. The weights of a row
    add up to `high`: 1 for each model below the cut, equal fractions for those tied at it.
    """
    rows, models = counts.shape
    span = int(counts.max(initial=0)) + 1
    flat = (counts + np.arange(rows)[:, None] * span).ravel()
    alike = np.bincount(flat, minlength=rows * span).reshape(rows, span)
    below = np.cumsum(alike, axis=1) - alike
    under = np.take_along_axis(below, counts, axis=1)
    tied = np.take_along_axis(alike, counts, axis=1)
    ranks = under + (tied + 1) / 2
    return ranks, np.clip((high - under) / tied, 0.0, 1.0)


def correlation(ranks: Floats, reference: Floats) -> Floats:
    """Return Pearson's r of each row of ranks with the reference ranks: Spearman's ρ.

    Where one of the two is constant there is no ranking, and ρ is 0.
    """
    rows = ranks - ranks.mean(axis=1, keepdims=True)
    whole = reference - reference.mean()
    norms = np.sqrt((rows**2).sum(axis=1) * (whole**2).sum())
    # Ranks are multiples of a half, so a constant row has a norm of exactly 0.
    found: Floats = np.divide(rows @ whole, norms, out=np.zeros(len(rows)), where=norms > 0)
    return found


def spearman(first: Floats, second: Floats) -> float:
    """Return Spearman's ρ of two vectors; 0 where one of them is constant."""
    from scipy.stats import rankdata

    ranks: Floats = np.asarray(rankdata(first), dtype=np.float64)
    return float(correlation(ranks[None, :], np.asarray(rankdata(second), dtype=np.float64))[0])


class Objective:
    """Ψ of subsets of one matrix.

    Attributes:
        matrix: The matrix.
        weights: α, β and γ.
        bound: No subset has a larger Ψ.
    """

    def __init__(self, matrix: Matrix, weights: Weights = Weights()) -> None:
        self.matrix = matrix
        self.weights = weights
        ranks, high = standings(matrix.counts[None, :], matrix.high)
        self._ranks, self._high = ranks[0], high[0]
        ranked = float(np.ptp(ranks) > 0)
        self.bound = weights.rank * ranked + weights.coverage + weights.high_risk
        self._passes = np.ascontiguousarray(matrix.passed.T.astype(np.int64))
        self._risks = np.eye(len(matrix.risk_names), dtype=bool)[matrix.risk_codes]

    def adding(self, chosen: Ints, candidates: Ints) -> Floats:
        """Return Ψ of `chosen` with each of the candidates added, shape (len(candidates),)."""
        counts = self._passes[chosen].sum(axis=0) + self._passes[candidates]
        covered = self._risks[chosen].any(axis=0) | self._risks[candidates]
        ranked, found = self._kept(counts)
        return self._psi(ranked, covered.mean(axis=1), found)

    def value(self, subset: Ints) -> float:
        """Return Ψ of one subset."""
        return float(self.measure(subset[None, :]).psi[0])

    def measure(self, subsets: Ints) -> Measured:
        """Return every measure of subsets of one size, shape (B, k)."""
        matrix = self.matrix
        ranked, found = self._kept(self._passes[subsets].sum(axis=1))
        coverage = _covered(matrix.risk_codes[subsets], len(matrix.risk_names))
        tiers = _covered(matrix.stratum_codes[subsets], len(matrix.stratum_names))
        fails = self._fail_coverage(subsets)
        psi = self._psi(ranked, coverage, found)
        return Measured(psi, ranked, coverage, tiers, found, fails)

    def _kept(self, counts: Ints) -> tuple[Floats, Floats]:
        ranks, high = standings(counts, self.matrix.high)
        found = np.minimum(high, self._high).sum(axis=1) / self.matrix.high
        return correlation(ranks, self._ranks), found

    def _psi(self, ranked: Floats, coverage: Floats, found: Floats) -> Floats:
        weights = self.weights
        return weights.rank * ranked + weights.coverage * coverage + weights.high_risk * found

    def _fail_coverage(self, subsets: Ints) -> Floats:
        kept, whole = np.zeros(len(subsets)), 0
        for risk in range(len(self.matrix.risk_names)):
            failed = ~self.matrix.passed & self._risks[:, risk]
            whole += int(failed.any(axis=1).sum())
            kept += failed[:, subsets].any(axis=2).sum(axis=0)
        return kept / whole if whole else np.ones(len(subsets))


def _covered(codes: Ints, labels: int) -> Floats:
    """Return the share of labels that each row of codes holds."""
    rows = len(codes)
    seen = np.zeros((rows, labels), dtype=bool)
    seen[np.arange(rows)[:, None], codes] = True
    found: Floats = seen.mean(axis=1)
    return found
