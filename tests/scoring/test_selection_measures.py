"""Measures of subsets against SciPy, loops and values worked out by hand."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.selection.matrix import Matrix
from scoring.selection.measures import Objective, Weights, spearman, standings
from scoring.selection.resampling import MEASURES
from simulator.events.errors import InputError
from tests.scoring.selection import matrices, matrix, worth


def test_0_9747_at_five_models_is_exactly_one_tie() -> None:
    one_tie = spearman(np.array([1, 2, 3, 4, 5.0]), np.array([1, 2, 3, 4, 4.0]))
    assert one_tie == pytest.approx(0.9747, abs=5e-5)
    # No ranking without a tie gives it: their ρ are 1 − 6·Σd²/120 of even Σd².
    orders = [1 - 6 * d / 120 for d in range(0, 41, 2)]
    assert min(abs(each - one_tie) for each in orders) > 0.02


def test_a_constant_vector_has_no_ranking() -> None:
    assert spearman(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0])) == 0.0
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5, 0.5])) == 0.0


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8), st.integers(1, 8))
def test_standings_are_ranks_and_shared_places(counts: list[int], high: int) -> None:
    high = min(high, len(counts))
    ranks, weights = standings(np.array([counts]), high)
    assert ranks[0] == pytest.approx(stats.rankdata(counts))
    assert weights.sum() == pytest.approx(high)
    for count, weight in zip(counts, weights[0], strict=True):
        below, tied = sum(c < count for c in counts), counts.count(count)
        assert weight == pytest.approx(min(1.0, max(0.0, (high - below) / tied)))


@given(matrices(), st.data())
def test_every_measure_is_what_loops_and_scipy_say(made: Matrix, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, len(made.episodes)))
    every = list(combinations(range(len(made.episodes)), size))
    subsets = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=4))
    measured = Objective(made).measure(np.array(subsets))
    for at, subset in enumerate(subsets):
        wanted = worth(made, subset)
        assert {name: getattr(measured, name)[at] for name in MEASURES} == pytest.approx(wanted)


def test_measures_by_hand() -> None:
    # Passes of everything: 5, 4, 3, 1, 1; the two last are at risk. Two risks, two tiers.
    made = matrix(["111110", "111100", "111000", "100000", "000001"], "aaabbb", "xyxyxy")
    measured = Objective(made).measure(np.array([[0, 3]]))
    # On e00 and e03: 2, 2, 1, 1, 0. One place is sure, the other shared by the third and fourth.
    assert measured.high_risk[0] == pytest.approx((1 + 0.5) / 2)
    assert measured.coverage[0] == 1.0
    assert measured.coverage_tiers[0] == 0.5
    # Failing pairs: m0 b; m1 b; m2 b; m3 a, b; m4 a, b. Kept: m2 b, m3 b, m4 a, b.
    assert measured.fail_coverage[0] == pytest.approx(4 / 7)
    assert measured.spearman[0] == pytest.approx(
        stats.spearmanr([2, 2, 1, 1, 0], [5, 4, 3, 1, 1])[0]
    )


def test_the_whole_benchmark_keeps_everything() -> None:
    made = matrix(["1100", "1000", "0000"], "abab")
    measured = Objective(made).measure(np.array([[0, 1, 2, 3]]))
    assert [float(getattr(measured, name)[0]) for name in MEASURES] == pytest.approx(
        [3, 1, 1, 1, 1, 1]
    )


def test_weights_are_those_of_the_three_parts() -> None:
    made = matrix(["110", "100", "000"], "aab")
    subset = np.array([0])
    measured = Objective(made).measure(subset[None])
    parts = [float(each[0]) for each in (measured.spearman, measured.coverage, measured.high_risk)]
    weighed = Objective(made, Weights(2.0, 3.0, 5.0)).value(subset)
    assert weighed == pytest.approx(2 * parts[0] + 3 * parts[1] + 5 * parts[2])


@pytest.mark.parametrize(
    ("models", "high"), [(2, 1), (3, 2), (5, 2), (6, 2), (7, 3), (10, 4), (30, 12)]
)
def test_high_risk_are_two_or_40_percent_and_never_all(models: int, high: int) -> None:
    assert matrix(["10"] * models).high == high


def test_all_equal_passes_give_numbers() -> None:
    for letter in "01":
        measured = Objective(matrix([letter * 4] * 3, "abab")).measure(np.array([[0, 1]]))
        values = {name: float(getattr(measured, name)[0]) for name in MEASURES}
        assert values["spearman"] == 0.0
        assert values["high_risk"] == pytest.approx(1.0)
        assert all(np.isfinite(value) for value in values.values())


def test_one_model_is_no_ranking() -> None:
    with pytest.raises(InputError, match="at least two reference models; here is 1"):
        matrix(["1010"])
