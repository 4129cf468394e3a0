"""Exact statistics against published and hand-worked values, and against SciPy."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.exact import Count, all_pairs, clopper_pearson, fisher

COUNTS = st.integers(1, 30).flatmap(
    lambda n: st.builds(Count, st.integers(0, n), st.just(n)),
)


def by_hand(first: Count, second: Count) -> float:
    """Add up every table of the same margins that is no likelier than the one seen."""
    passed = first.passed + second.passed

    def ways(at: int) -> int:
        return comb(first.n, at) * comb(second.n, passed - at)

    every = [ways(at) for at in range(passed + 1) if at <= first.n and passed - at <= second.n]
    return sum(each for each in every if each <= ways(first.passed)) / sum(every)


def test_memriskbench_leakage_1_of_24_against_10_of_24() -> None:
    p = fisher(Count(1, 24), Count(10, 24))
    assert p == pytest.approx(0.00439, abs=5e-6)
    assert 50 * p == pytest.approx(0.219, abs=5e-4)


def test_the_second_p_of_memriskbench_does_not_come_out_two_sided() -> None:
    # The paper says 0.049 against 1 of 24; whole counts give one below and one above it.
    assert fisher(Count(1, 24), Count(7, 24)) == pytest.approx(0.0479, abs=5e-5)
    assert fisher(Count(1, 24), Count(6, 24)) == pytest.approx(0.097, abs=5e-4)
    assert all(abs(fisher(Count(1, 24), Count(k, 24)) - 0.049) > 0.0005 for k in range(25))


@given(COUNTS, COUNTS)
def test_fisher_is_the_sum_over_tables_that_are_no_likelier(first: Count, second: Count) -> None:
    assert fisher(first, second) == pytest.approx(by_hand(first, second))
    assert fisher(first, second) == pytest.approx(fisher(second, first))


def test_holm_is_over_all_pairs_of_all_groups() -> None:
    same = Count(20, 24)
    leakage = {"a": Count(1, 24), "b": Count(10, 24), "c": same, "d": same, "e": same}
    groups = {"leakage": leakage} | {name: dict.fromkeys("abcde", same) for name in "wxyz"}
    found = all_pairs(groups)
    assert len(found) == 50
    # Only the three pairs of a with c, d and e are smaller, so 47 are left for a against b.
    (pair,) = [each for each in found if {each.first, each.second} == {"a", "b"} and each.p < 1]
    assert pair.adjusted == pytest.approx(47 * 0.00439, rel=1e-3)
    assert {each.p for each in found if each.group == "w"} == {1.0}


@given(COUNTS)
def test_the_interval_is_that_of_scipy(count: Count) -> None:
    theirs = stats.binomtest(count.passed, count.n).proportion_ci(method="exact")
    assert clopper_pearson(count) == pytest.approx((theirs.low, theirs.high))


def test_the_interval_by_hand_and_of_nothing() -> None:
    # Of n failures alone: 1 - 0.025^(1/n).
    assert clopper_pearson(Count(0, 24)) == pytest.approx((0.0, 1 - 0.025 ** (1 / 24)))
    assert clopper_pearson(Count(0, 0)) is None
    assert Count(0, 0).rate is None
