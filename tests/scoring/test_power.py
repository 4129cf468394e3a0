import itertools
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from scoring.power import MOST, PATTERNS, assumed, needed, observed, power
from scoring.statistics import Clusters, holm, sign_flip


def of(sums: list[float]) -> Clusters:
    return Clusters(np.array(sums), np.ones(len(sums)))


def test_a_difference_in_every_cluster_needs_as_many_as_the_smallest_p_allows() -> None:
    # Every cluster says 1: p is 2/2^k, and 2/2^5 = 0.0625, 2/2^6 = 0.031.
    certain = assumed(0.0, 1.0, 0.0)
    assert power(certain, 5, ["two-sided"]) == [0.0]
    assert needed(certain, ["two-sided"])[0].clusters == 6
    # With a direction 1/2^5 = 0.031; in a family of three 3/2^5 = 0.094 and 3/2^6 = 0.047.
    assert needed(certain, ["higher"])[0].clusters == 5
    three = assumed(0.0, 1.0, 0.0, family=3)
    assert [each.clusters for each in needed(three, ["higher"] * 3)] == [6, 6, 6]


def test_no_difference_is_never_found_whatever_the_size() -> None:
    (found,) = needed(assumed(0.5, 0.5, 0.3), ["two-sided"])
    assert found.clusters is None
    assert found.power < 0.1
    (zero,) = needed(observed([of([0.0, 0.0, 0.0])]), ["two-sided"])
    assert (zero.clusters, zero.power) == (None, 0.0)


def test_one_decision_a_cluster_needs_what_the_sign_tests_power_says() -> None:
    # p1 = 0.9, p0 = 0.3, one decision a cluster, nothing shared: a cluster says +1 with 0.63,
    # -1 with 0.03, else 0. By hand: exact power of the two-sided sign test on what is not 0.
    up, down = 0.9 * 0.7, 0.1 * 0.3

    def exact(clusters: int) -> float:
        total = 0.0
        for won, lost in itertools.product(range(clusters + 1), repeat=2):
            if won + lost > clusters:
                continue
            moving, ways = won + lost, 1.0
            for k in range(lost):
                ways = ways * (clusters - won - k) / (k + 1)
            for k in range(won):
                ways = ways * (clusters - k) / (k + 1)
            chance = ways * up**won * down**lost * (1 - up - down) ** (clusters - moving)
            ps = [abs(2 * each - moving) >= abs(won - lost) for each in range(moving + 1)]
            binomial = [1.0]
            for k in range(moving):
                binomial.append(binomial[-1] * (moving - k) / (k + 1))
            p = sum(b for b, held in zip(binomial, ps, strict=True) if held) / 2**moving
            total += chance * (p < 0.05 and won > lost)
        return total

    for clusters in (8, 10, 20):
        (found,) = power(assumed(0.3, 0.9, 0.0), clusters, ["two-sided"])
        assert found == pytest.approx(exact(clusters), abs=4 * 0.022)
    (least,) = needed(assumed(0.3, 0.9, 0.0), ["two-sided"])
    assert least.clusters is not None
    assert exact(least.clusters) > 0.8 - 4 * 0.022
    assert exact(least.clusters - 2) < 0.8 + 4 * 0.022


def test_the_simulated_test_is_the_real_one() -> None:
    # With one study in which the clusters are what was observed, power is 0 or 1 as the real test
    # and Holm's correction decide.
    family = [[3.0, 2, 2, 1, 3, 2, 1], [1.0, -1, 2, 0, 1, 2, -1], [-1.0, -2, -1, -3, -2, -1, -2]]
    adjusted = holm([sign_flip(np.array(sums)) for sums in family])

    def draw(stream: np.random.Generator, clusters: int, studies: int) -> list[np.ndarray]:
        assert clusters == 7
        return [np.tile(np.array(sums)[:, None], studies) for sums in family]

    found = power(draw, 7, ["two-sided"] * 3)
    assert found == [float(p < 0.05) for p in adjusted]
    assert found == [1.0, 0.0, 1.0]
    # Sampled patterns: 12 clusters that all say 1 have the smallest p there is.
    (many,) = power(lambda s, k, n: [np.ones((k, n))], 12, ["higher"])
    assert many == 1.0
    assert 1 / (PATTERNS + 1) < 0.05


def test_the_assumed_rates_and_correlation_come_out() -> None:
    stream = np.random.default_rng(3)
    (sums,) = assumed(0.2, 1.0, 0.5, decisions=2)(stream, 200, 500)
    # The first arm is always right, so a cluster's sum is 2 - successes of the second.
    assert 1 - sums.mean() / 2 == pytest.approx(0.2, abs=0.01)
    limit = NormalDist().inv_cdf(0.2)
    both = multivariate_normal.cdf([limit, limit], cov=[[1, 0.5], [0.5, 1]])
    assert np.mean(sums == 0) == pytest.approx(both, abs=0.01)


def test_observed_clusters_are_drawn_together_where_they_are_the_same_arcs() -> None:
    one, other = of([0.0, 1.0, 2.0]), of([0.0, 10.0, 20.0])
    first, second = observed([one, other])(np.random.default_rng(1), 50, 4)
    assert (first * 10 == second).all()
    assert set(np.unique(first)) == {0.0, 1.0, 2.0}


def test_the_same_question_has_the_same_answer() -> None:
    data = observed([of([1.0, 0, 1, -1, 1, 1, 0, 1])])
    assert needed(data, ["two-sided"]) == needed(data, ["two-sided"])
    (found,) = needed(data, ["two-sided"])
    assert found.clusters is not None
    assert 8 < found.clusters < MOST
    assert found.power >= 0.8


@pytest.mark.parametrize("wrong", [{"p0": 1.2}, {"rho": -0.1}, {"decisions": 0}, {"family": 0}])
def test_what_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    good: dict[str, Any] = {"p0": 0.2, "p1": 0.4, "rho": 0.1}
    with pytest.raises(ValueError, match="lie in"):
        assumed(**{**good, **wrong})
