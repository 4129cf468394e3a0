import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.statistics import (
    RESAMPLES,
    SEED,
    Clusters,
    Direction,
    Unit,
    agreeing_bound,
    clustered,
    draws,
    holm,
    mean_interval,
    paired,
    rate_interval,
    sign_flip,
    signs_of,
    smallest_p,
)

RATES = [1.0, 0.0, 1.0, 1.0, 0.0]


def units(values: list[float], repeats: int = 1) -> list[Unit]:
    return [Unit(f"arc{at}", value) for at, value in enumerate(values) for _ in range(repeats)]


def test_the_interval_agrees_with_a_brute_force_bootstrap_under_the_same_draws() -> None:
    data = {"a": [1.0, 0.0, 0.0], "b": [1.0], "c": [0.0, 0.0], "d": [1.0, 1.0, 1.0, 0.0]}
    found = rate_interval(Unit(k, v) for k, vs in data.items() for v in vs)
    draws = np.random.default_rng(SEED).multinomial(4, [0.25] * 4, size=RESAMPLES)
    means = []
    for draw in draws:
        drawn = [v for times, vs in zip(draw, data.values(), strict=True) for v in vs * times]
        means.append(math.fsum(drawn) / len(drawn))
    means.sort()
    assert found is not None
    # The 2.5 % quantile of 10,000 sorted values lies between the 250th and the 251st.
    assert means[249] <= found.low <= means[250]
    assert means[9749] <= found.high <= means[9750]


def test_the_interval_agrees_with_scipy_on_unclustered_data() -> None:
    values = [float(at % 3 == 0) for at in range(60)]
    ours = rate_interval(units(values))
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, method="percentile", random_state=1
    ).confidence_interval
    assert ours is not None
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_ag_h07a_repeats_do_not_narrow_the_interval() -> None:
    once, often = rate_interval(units(RATES)), rate_interval(units(RATES, repeats=20))
    assert once is not None
    assert often is not None
    assert often == pytest.approx(once, abs=1e-12)
    assert once.low < 0.6 < once.high


def test_ag_h07d_the_same_seed_gives_the_identical_interval() -> None:
    first = rate_interval(units(RATES), seed=7)
    assert first == rate_interval(units(list(RATES)), seed=7)
    # The order in which units arrive is no matter either.
    assert first == rate_interval(units(RATES)[::-1], seed=7)


def test_ag_h07b_three_against_four_discordant_tasks_are_a_tie() -> None:
    first = {at: Unit(at, float(at < 3)) for at in range(20)}
    second = {at: Unit(at, float(3 <= at < 7)) for at in range(20)}
    found = paired(first, second)
    assert found is not None
    assert found.difference == pytest.approx(-1 / 20)
    assert found.p == 1.0  # |3 - 4| = 1 is the smallest sum that seven signs can have
    assert found.tie


@pytest.mark.parametrize(
    ("rate", "clusters", "low", "high"),
    [
        (0.0, 10, 0.0, 0.3085),
        (1.0, 10, 0.6915, 1.0),
        (0.0, 1, 0.0, 0.975),
        (1.0, 5, 0.4782, 1.0),
    ],
)
def test_clusters_that_all_agree_get_the_clopper_pearson_bound(
    rate: float, clusters: int, low: float, high: float
) -> None:
    found = rate_interval(units([rate] * clusters, repeats=3))
    assert found == pytest.approx((low, high), abs=5e-5)
    theirs = stats.binomtest(int(rate * clusters), clusters).proportion_ci(method="exact")
    assert agreeing_bound(rate, clusters, 0, 1) == pytest.approx((theirs.low, theirs.high))


def test_agreeing_clusters_between_the_ends_leave_room_on_both_sides() -> None:
    # q = 1 - 0.025^(1/2) = 0.84189: up to that share may lie at 0, or at 1.
    halves = [Unit(name, value) for name in "ab" for value in (0.0, 1.0)]
    assert rate_interval(halves) == pytest.approx((0.07906, 0.92094), abs=1e-5)
    # A single cluster says next to nothing.
    assert rate_interval(halves[:2]) == pytest.approx((0.0125, 0.9875))
    assert rate_interval([]) is None


def test_clusters_weigh_by_their_size() -> None:
    data = clustered([Unit("b", 1.0), Unit("a", 0.0), Unit("b", 1.0)])
    assert data.sums.tolist() == [0.0, 2.0]
    assert data.sizes.tolist() == [1.0, 2.0]
    assert data.mean == pytest.approx(2 / 3)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_the_exact_sign_flip_is_an_enumeration(values: list[int]) -> None:
    patterns = list(itertools.product((-1, 1), repeat=len(values)))
    sums = [abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in patterns]
    expected = sum(each >= abs(sum(values)) for each in sums) / len(patterns)
    assert sign_flip(np.array(values, dtype=np.float64)) == pytest.approx(expected)


@pytest.mark.parametrize("direction", ["two-sided", "higher", "lower"])
@given(values=st.lists(st.integers(-4, 4).filter(bool), min_size=2, max_size=9))
@settings(max_examples=25, deadline=None)
def test_the_exact_sign_flip_agrees_with_scipy(direction: Direction, values: list[int]) -> None:
    names = {"two-sided": "two-sided", "higher": "greater", "lower": "less"}
    theirs = stats.permutation_test(
        (np.array(values, dtype=float),),
        np.sum,
        permutation_type="samples",
        n_resamples=2**9,
        alternative=names[direction],
    )
    assert sign_flip(np.array(values, dtype=float), direction=direction) == pytest.approx(
        theirs.pvalue
    )


def test_five_clusters_can_never_be_significant() -> None:
    assert sign_flip(np.ones(5)) == 2 / 32 == smallest_p(5)
    assert sign_flip(np.zeros(5)) == 1.0


def test_many_clusters_are_sampled_and_never_give_a_p_of_zero() -> None:
    assert sign_flip(np.ones(40)) == 1 / (RESAMPLES + 1) == smallest_p(40)
    # 20 clusters, 15 for and 5 against: the exact two-sided sign test gives 0.0414.
    mixed = np.array([1.0] * 15 + [-1.0] * 5)
    exact = stats.binomtest(5, 20).pvalue
    assert sign_flip(mixed) == pytest.approx(exact, abs=0.006)
    assert sign_flip(mixed) == sign_flip(mixed)


def test_pairs_are_shared_instances_and_the_rest_is_counted() -> None:
    first = {"i1": Unit("a", 1.0), "i2": Unit("a", 1.0), "i3": Unit("b", 0.0)}
    second = {"i2": Unit("a", 0.0), "i3": Unit("b", 0.0), "i4": Unit("b", 1.0)}
    found = paired(first, second)
    assert found is not None
    assert (found.difference, found.pairs, found.clusters, found.dropped) == (0.5, 2, 2, 2)
    assert paired({"i1": Unit("a", 1.0)}, {"i2": Unit("a", 1.0)}) is None


def test_holm_steps_down_and_stays_in_order() -> None:
    # Sorted: 0.01 × 4, 0.02 × 3, 0.03 × 2 = 0.06, 0.2 × 1; none below the one before it.
    assert holm([0.03, 0.2, 0.01, 0.02]) == pytest.approx([0.06, 0.2, 0.04, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_blocks_of_draws_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Clusters(np.arange(50.0), np.full(50, 60.0))
    whole = mean_interval(data, 0, 1)
    monkeypatch.setattr("scoring.statistics._BLOCK", 5_000)
    assert mean_interval(data, 0, 1) == whole


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8), st.sampled_from(["higher", "lower"]))
def test_a_one_sided_sign_flip_counts_one_side_only(
    values: list[int], direction: Direction
) -> None:
    patterns = list(itertools.product((-1, 1), repeat=len(values)))
    side = 1 if direction == "higher" else -1
    sums = [side * sum(s * v for s, v in zip(signs, values, strict=True)) for signs in patterns]
    expected = sum(each >= side * sum(values) for each in sums) / len(patterns)
    if not any(values):
        expected = 1.0  # nothing differs
    found = sign_flip(np.array(values, dtype=np.float64), direction=direction)
    assert found == pytest.approx(expected)


def test_a_direction_halves_the_smallest_p_of_five_clusters() -> None:
    assert sign_flip(np.ones(5), direction="higher") == 1 / 32 == smallest_p(5, "higher")
    assert sign_flip(np.ones(5), direction="lower") == 1.0
    assert smallest_p(5) == 0.0625
    # Sampled: every pattern lies at or below 40 ones, so the other side counts them all.
    assert sign_flip(np.ones(40), direction="lower") == 1.0
    assert sign_flip(np.ones(40), direction="higher") == 1 / (RESAMPLES + 1)


@pytest.mark.parametrize("clusters", [1, 16, 17, 64, 65, 200, 201, 700])
def test_sign_patterns_are_fair_and_as_many_as_promised(clusters: int) -> None:
    blocks = list(signs_of(clusters))
    rows = np.concatenate(blocks)
    assert rows.shape == (2**clusters if clusters <= 16 else RESAMPLES, clusters)
    assert set(np.unique(rows)) == {-1.0, 1.0}
    # The mean of n fair coins ±1 has a standard error of 1/√n.
    assert abs(rows.mean()) <= 5 / math.sqrt(rows.size)


def test_kept_draws_are_the_draws_of_the_seed_and_are_not_changed_by_use() -> None:
    first = np.concatenate(list(draws(7, SEED)))
    mean_interval(Clusters(np.arange(7.0), np.ones(7)), 0, 6)
    again = np.concatenate(list(draws(7, SEED)))
    fresh = np.random.default_rng(SEED).multinomial(7, [1 / 7] * 7, size=RESAMPLES)
    assert (first == again).all()
    assert (first == fresh).all()
    assert (first.sum(axis=1) == 7).all()


def test_holm_agrees_with_statsmodels() -> None:
    # Written down once: with statsmodels comes pandas, which sqlite-utils loads wherever it finds it.
    told = json.loads(Path(__file__).with_name("holm_statsmodels.json").read_text(encoding="utf-8"))
    assert len(told["families"]) == 46
    for family in told["families"]:
        assert holm(family["p"]) == pytest.approx(family["holm"], abs=1e-12)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8))
def test_holm_rejects_what_the_steps_of_the_paper_reject(thousandths: list[int]) -> None:
    # Holm 1979: in order of p, reject while p(i) <= level / (m - i); stop at the first that is not.
    ps = [each / 1000 for each in thousandths]
    for level in (0.01, 0.05, 0.2):
        rejected: set[int] = set()
        for step, at in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
            if ps[at] * (len(ps) - step) > level:
                break
            rejected.add(at)
        assert {at for at, p in enumerate(holm(ps)) if p <= level} == rejected
