"""Every selector and baseline: what it chooses, by hand and by trying everything."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.selection import clustering, features
from scoring.selection.drawing import at_random, by_risk, in_middle_range, of_middle_range
from scoring.selection.irt import Irt, simulate
from scoring.selection.matrix import Matrix
from scoring.selection.selectors import (
    BASELINES,
    MID_RANGE_ALL,
    SELECTORS,
    Problem,
    check_size,
    selector,
    size_of,
)
from simulator.events.errors import InputError
from tests.scoring.selection import matrices, matrix

BY_NAME = {each.name: each for each in (*SELECTORS, MID_RANGE_ALL)}
RNG = np.random.default_rng


def chosen(name: str, made: Matrix, size: int) -> list[int]:
    (subset,) = BY_NAME[name].subsets(Problem(made, size), 0, 1)
    return [int(at) for at in subset]


@given(matrices(), st.integers(0, 3), st.data())
def test_every_selector_chooses_k_different_episodes(
    made: Matrix, seed: int, data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, len(made.episodes)))
    for each in SELECTORS:
        if each.missing(made) is None:
            subsets = each.subsets(Problem(made, size), seed, 3)
            assert subsets.shape == (3 if each.draws else 1, size)
            for subset in subsets:
                assert sorted(set(subset.tolist())) == subset.tolist()
                assert set(subset.tolist()) <= set(range(len(made.episodes)))


@pytest.mark.parametrize("name", list(BY_NAME))
def test_the_same_seed_gives_the_same_subsets(name: str) -> None:
    made, _ = simulate(Irt(episodes=30), 3)
    problem, each = Problem(made, 6), BY_NAME[name]
    first, again, other = (each.subsets(problem, seed, 20) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first == other).all() != each.draws


def test_the_baselines_are_those_of_the_paper_and_the_middle_range() -> None:
    assert [each.name for each in BASELINES] == [
        "random", "stratified", "difficulty", "disagreement", "k-medoids", "trace-features",
        "mid-range",
    ]  # fmt: skip


def test_random_draws_each_episode_equally_often() -> None:
    subsets = at_random(10, 3, 20_000, RNG(0))
    counts = np.bincount(subsets.ravel(), minlength=10) / 20_000
    assert counts == pytest.approx([0.3] * 10, abs=0.015)


def test_stratified_gives_each_risk_its_share_and_the_rest_by_lot() -> None:
    made = matrix(["10" * 15] * 2, "a" * 6 + "b" * 12 + "c" * 12)
    subsets = by_risk(made, 6, 600, RNG(0))
    # 6 of 30 are 1.2, 2.4, 2.4: the last place is of b or c, whose remainders are equal.
    shares = Counter(tuple(sorted(Counter(made.risks[e] for e in s).items())) for s in subsets)
    assert set(shares) == {
        (("a", 1), ("b", 3), ("c", 2)),
        (("a", 1), ("b", 2), ("c", 3)),
    }
    assert min(shares.values()) > 240
    within = np.bincount(subsets.ravel(), minlength=30)[:6] / 600
    assert within == pytest.approx([1 / 6] * 6, abs=0.06)


def test_difficulty_is_tier_and_then_length() -> None:
    known = {"tier": [0, 2, 1, 2, 0], "length": [9, 1, 9, 5, 9]}
    made = matrix(["11111", "00000"], features=known)
    assert chosen("difficulty", made, 1) == [3]
    assert chosen("difficulty", made, 3) == [1, 2, 3]
    assert BY_NAME["difficulty"].missing(matrix(["11", "00"])) is not None


def test_disagreement_takes_the_passes_nearest_to_a_half() -> None:
    made = matrix(["11110", "11100", "11000", "10000"])  # 4, 3, 2, 1, 0 of 4
    assert chosen("disagreement", made, 1) == [2]
    assert chosen("disagreement", made, 3) == [1, 2, 3]


def test_the_middle_range_is_closed_and_exact() -> None:
    rows = ["1" * at + "0" * (11 - at) for at in range(1, 11)]  # e00 passed by 10, e10 by 0 of 10
    made = matrix(rows)
    assert [round(10 * rate) for rate in made.item_rates] == list(range(10, -1, -1))
    assert in_middle_range(made).tolist() == [3, 4, 5, 6, 7]  # 70, 60, 50, 40, 30 %
    for subset in of_middle_range(made, 3, 50, RNG(0)):
        assert set(subset.tolist()) <= {3, 4, 5, 6, 7}
    assert chosen("mid-range-all", made, 3) == [3, 4, 5, 6, 7]


def test_too_small_a_middle_range_is_filled_with_the_nearest() -> None:
    made = matrix(["11110", "11100", "11000", "10000"])
    assert chosen("mid-range", made, 1) == [2]
    assert chosen("mid-range", made, 3) == [1, 2, 3]
    assert chosen("mid-range-all", matrix(["11", "11"]), 1) == []


POINTS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8, unique=True
)


@settings(max_examples=60)
@given(POINTS, st.data())
def test_no_swap_of_one_medoid_is_cheaper(
    listed: list[tuple[int, int]], data: st.DataObject
) -> None:
    points = np.array(listed, dtype=float)
    size = data.draw(st.integers(1, len(points)))
    apart = np.array([[np.hypot(*(p - q)) for q in points] for p in points])
    assert clustering.distances(points) == pytest.approx(apart)
    found = clustering.medoids(points, size)

    def cost(of: list[int]) -> float:
        return sum(float(min(apart[e, m] for m in of)) for e in range(len(points)))

    assert clustering.cost(apart, found) == pytest.approx(cost(found.tolist()))
    for place in range(size):
        for other in set(range(len(points))) - set(found.tolist()):
            swapped = [*found[:place].tolist(), other, *found[place + 1 :].tolist()]
            assert cost(swapped) >= cost(found.tolist()) - 1e-6


def test_clusters_that_are_plain_to_see_have_their_medoids() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    assert clustering.medoids(points, 2).tolist() == [1, 4]
    assert clustering.ward_medoids(points, 2).tolist() == [1, 4]
    best = min(
        combinations(range(6), 3),
        key=lambda of: sum(min(abs(p - points[m]) for m in of)[0] for p in points),
    )
    assert clustering.cost(clustering.distances(points), np.array(best)) == pytest.approx(
        clustering.cost(clustering.distances(points), clustering.medoids(points, 3))
    )


def test_equal_points_still_make_as_many_clusters() -> None:
    points = np.zeros((5, 1))
    assert len(set(clustering.medoids(points, 3).tolist())) == 3
    assert len(set(clustering.ward_medoids(points, 3).tolist())) == 3


def test_the_vector_has_twelve_features_of_which_seven_are_the_papers() -> None:
    assert len(features.FEATURES) == 12
    assert set(features.FEATURES) - features.OURS == {
        "tier", "length", "spread", "failures", "risk_types", "calls", "constraints",
    }  # fmt: skip
    made, _ = simulate(Irt(episodes=20), 0)
    assert list(features.columns(made)) == list(features.FEATURES)


def test_features_of_passes_by_hand() -> None:
    made = matrix(["1100", "1000", "1100", "1000"])
    assert features.spread(made).tolist() == [0.0, 0.5, 0.0, 0.0]
    assert features.columns(made)["failures"].tolist() == [0.0, 0.5, 1.0, 1.0]


def test_scores_by_hand() -> None:
    # Scaled: spread 0, 1, 0, 0; failures 0, .5, 1, 1; length 0, 0, .5, 1; calls constant, so 0.
    known = {"length": [1, 1, 2, 3], "calls": [4, 4, 4, 4]}
    made = matrix(["1100", "1000", "1100", "1000"], features=known)
    assert features.scores(made) == pytest.approx([0, 1.5 / 4, 1.5 / 4, 2 / 4])
    assert features.scores(made, ["discrimination"]) == pytest.approx([0, 0.5 / 3, 0.5, 2 / 3])
    assert features.scores(made, list(features.GROUPS)).tolist() == [0, 0, 0, 0]


@given(matrices(most=8), st.data())
def test_the_feature_selector_is_the_optimum_of_what_it_maximises(
    made: Matrix, data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, len(made.episodes)))
    score = features.scores(made)

    def value(subset: tuple[int, ...]) -> float:
        covered = {made.risks[e] for e in subset}
        return float(np.mean(score[list(subset)])) + len(covered) / len(made.risk_names)

    best = max(value(subset) for subset in combinations(range(len(made.episodes)), size))
    # A mean plus coverage is monotone submodular, and with one risk an episode a matroid: exact
    # wherever the gain of a risk, 1 / risks, exceeds every score's, 1 / size.
    found = value(tuple(features.by_features(made, size).tolist()))
    assert found <= best + 1e-9
    if size >= len(made.risk_names):
        assert found == pytest.approx(best)


def test_an_ablation_changes_what_is_chosen() -> None:
    made, _ = simulate(Irt(episodes=60), 5)
    whole = features.by_features(made, 12).tolist()
    for group in features.GROUPS:
        assert features.by_features(made, 12, [group]).tolist() != whole, group


@pytest.mark.parametrize(
    ("fraction", "episodes", "size"),
    [(0.2, 120, 24), (0.1, 120, 12), (0.3, 120, 36), (0.2, 36, 7), (0.01, 10, 1), (1.0, 7, 7)],
)
def test_k_is_the_rounded_fraction(fraction: float, episodes: int, size: int) -> None:
    assert size_of(fraction, episodes) == size


@pytest.mark.parametrize("fraction", [0.0, -0.1, 1.01, float("nan"), float("inf")])
def test_a_fraction_is_above_0_and_at_most_1(fraction: float) -> None:
    with pytest.raises(InputError, match="above 0 and at most 1"):
        size_of(fraction, 10)


def test_more_episodes_than_there_are_cannot_be_chosen() -> None:
    with pytest.raises(InputError, match="a subset of 5 episodes cannot be chosen of 4"):
        Problem(matrix(["1010", "0101"]), 5)
    with pytest.raises(InputError, match="a subset of 0 episodes"):
        check_size(0, 4)


def test_an_unknown_selector_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown selector 'balance'; did you mean 'balanced'"):
        selector("balance")
