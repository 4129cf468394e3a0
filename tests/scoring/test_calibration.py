"""Coverage of intervals and family-wise error, by simulation; docs/statistics.md has the figures."""

from math import sqrt

import numpy as np
import pytest

from benchmarks.calibration import (
    CLUSTERS,
    difference_coverage,
    family_wise_error,
    played,
    rate_coverage,
)
from scoring.statistics import Floats, sign_flip

STUDIES = {5: 200, 10: 200, 20: 200, 100: 100}

LEAST = {5: 0.80, 10: 0.87, 20: 0.89, 100: 0.88}
"""Percentile intervals over few clusters cover too little; these bounds are 3 standard errors of
`STUDIES` below what the benchmark measures with ten times as many or more."""


def limit(rate: float, studies: int) -> float:
    """Return what a share of this rate stays below in nearly all simulations of this size."""
    return rate + 3 * sqrt(rate * (1 - rate) / studies)


@pytest.mark.parametrize("clusters", CLUSTERS)
def test_intervals_cover_the_truth_as_often_as_the_docs_say(clusters: int) -> None:
    studies = STUDIES[clusters]
    found = (
        rate_coverage(0.6, clusters, studies, seed=11),
        difference_coverage(0.6, 0.4, clusters, studies, seed=12),
    )
    assert min(found) >= LEAST[clusters]
    assert max(found) <= limit(0.95, studies)  # nor are they so wide that they cover everything


@pytest.mark.parametrize("clusters", CLUSTERS)
def test_ag_h07c_noise_is_called_a_difference_in_at_most_five_per_cent(clusters: int) -> None:
    found = family_wise_error(sign_flip, clusters, STUDIES[clusters], seed=13)
    assert found <= limit(0.05, STUDIES[clusters])
    if clusters == 5:
        assert found == 0.0  # no p of five clusters can be below 2/32


def test_a_test_without_correction_would_be_caught_by_this_simulation() -> None:
    def uncorrected(sums: Floats) -> float:
        return sign_flip(sums) / 15  # undoes Holm's largest factor

    assert family_wise_error(uncorrected, 20, 200, seed=13) > limit(0.05, 200)


def test_the_simulated_arms_have_the_rates_that_they_should_have() -> None:
    sums = played(np.random.default_rng(5), [0.6, 0.9], 20_000)
    # 40,000 correlated decisions: a standard error below 0.004.
    assert sums.mean(axis=1) / 2 == pytest.approx([0.6, 0.9], abs=0.012)
    together = np.mean((sums[0] - sums[0].mean()) * (sums[1] - sums[1].mean()))
    assert together > 0.05  # hard arcs are hard for both
