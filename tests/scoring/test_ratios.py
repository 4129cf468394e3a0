"""Ratios of means: by hand, and by a bootstrap written out in full."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ratios import RATIOS, Ledger, estimate, estimates, points
from scoring.statistics import RESAMPLES, SEED

Sums = dict[str, tuple[float, float, float, float]]


def test_points_by_hand() -> None:
    """Worked example of `docs/metrics.md`."""
    # 6 of 8 decisions, $0.40 for 20 episodes; without memory 2 of 8 and $0.10.
    arm = Ledger({"a": (4, 4, 0.25, 10), "b": (2, 4, 0.15, 10)})
    none = Ledger({"a": (1, 4, 0.05, 10), "b": (1, 4, 0.05, 10)})
    found = points(arm, none)
    assert found["camu"] == pytest.approx((0.75 - 0.25) / (0.02 - 0.005))  # 33.3 a USD
    assert found["break_even"] == pytest.approx(0.03)
    assert found["cost_per_success"] == pytest.approx(0.02 / 0.75)


@pytest.mark.parametrize("cost", [0.1, 0.05])
def test_a_memory_that_costs_no_more_has_no_utility(cost: float) -> None:
    none = Ledger({name: (0, 2, 0.1, 5) for name in "abc"})
    arm = Ledger({name: (1, 2, cost, 5) for name in "abc"})
    found = estimates(arm, none)
    assert (found["camu"].value, found["camu"].interval) == (None, None)
    assert found["camu"].undefined == 1.0
    assert found["break_even"].value is None
    assert found["cost_per_success"].value == pytest.approx(cost / 5 / 0.5)


def test_sums_that_differ_in_their_last_bits_are_the_same_cost() -> None:
    arm = Ledger({"a": (1, 1, 0.1 + 0.2, 1), "b": (1, 1, 0.1, 1)})
    none = Ledger({"a": (0, 1, 0.3, 1), "b": (0, 1, 0.1, 1)})
    assert 0.1 + 0.2 > 0.3
    assert points(arm, none)["camu"] is None


def test_a_memory_that_gains_nothing_never_breaks_even_and_a_loss_is_a_negative_utility() -> None:
    none = Ledger({"a": (2, 2, 0.1, 5), "b": (1, 2, 0.1, 5)})
    same = Ledger({"a": (2, 2, 0.2, 5), "b": (1, 2, 0.2, 5)})
    worse = Ledger({"a": (1, 2, 0.2, 5), "b": (1, 2, 0.2, 5)})
    assert points(same, none)["camu"] == 0.0
    assert points(same, none)["break_even"] is None
    assert points(worse, none)["camu"] == pytest.approx(-0.25 / 0.02)
    assert points(worse, none)["break_even"] is None


def test_no_success_has_no_price() -> None:
    nothing = Ledger({"a": (0, 2, 0.1, 5), "b": (0, 2, 0.1, 5)})
    assert estimates(nothing, nothing)["cost_per_success"].value is None


def test_one_cluster_gives_no_interval() -> None:
    arm, none = Ledger({"a": (1, 2, 0.2, 5)}), Ledger({"a": (0, 2, 0.1, 5)})
    found = estimates(arm, none)["camu"]
    assert found.value == pytest.approx(0.5 / 0.02)
    assert (found.interval, found.undefined) == (None, None)


def test_draws_without_a_value_move_both_ends_outwards() -> None:
    drawn = np.arange(1000, dtype=np.float64)
    whole = estimate(500.0, drawn)
    assert whole.interval is not None
    assert whole.interval == pytest.approx((0.025 * 999, 0.975 * 999))
    holes = drawn.copy()
    holes[[500, 501, 502, 503, 504]] = math.nan
    some = estimate(500.0, holes)
    assert some.undefined == 0.005
    assert some.interval is not None
    # 25 draws may lie beyond each end, and 5 of them are the missing ones: 20 of 995 are left.
    known = np.delete(drawn, range(500, 505))
    assert some.interval == pytest.approx(tuple(np.quantile(known, [20 / 995, 975 / 995])))
    assert some.interval.low < whole.interval.low
    assert some.interval.high > whole.interval.high


def test_too_many_draws_without_a_value_leave_no_interval() -> None:
    drawn = np.arange(1000, dtype=np.float64)
    drawn[:25] = math.nan
    assert estimate(500.0, drawn).interval is not None
    drawn[:26] = math.nan
    found = estimate(500.0, drawn)
    assert (found.value, found.interval, found.undefined) == (500.0, None, 0.026)


def brute_force(arm: Sums, none: Sums) -> dict[str, list[float]]:
    """Draw clusters one by one, with the same stream, and work every ratio out in plain Python."""
    names = sorted(arm)
    stream = np.random.default_rng(SEED)
    weights = np.full(len(names), 1 / len(names))
    counts = stream.multinomial(len(names), weights, size=RESAMPLES)
    found: dict[str, list[float]] = {"camu": [], "break_even": [], "cost_per_success": []}
    for row in counts:
        drawn = [name for name, times in zip(names, row, strict=True) for _ in range(times)]
        success, cost = _means([arm[name] for name in drawn])
        floor, base = _means([none[name] for name in drawn])
        if cost > base * (1 + 1e-9):
            found["camu"].append((success - floor) / (cost - base))
            if success > floor:
                found["break_even"].append((cost - base) / (success - floor))
        if success:
            found["cost_per_success"].append(cost / success)
    return found


def _means(drawn: list[tuple[float, float, float, float]]) -> tuple[float, float]:
    successes, decisions, cost, episodes = (
        math.fsum(column) for column in zip(*drawn, strict=True)
    )
    return successes / decisions, cost / episodes


def test_intervals_agree_with_a_bootstrap_written_out() -> None:
    arm: Sums = {f"c{n}": (n % 3, 3, 0.02 + 0.001 * (n * n % 7), 5) for n in range(8)}
    none: Sums = {f"c{n}": (n % 4 == 0, 3, 0.015 + 0.001 * (n % 2), 5) for n in range(8)}
    found = estimates(Ledger(arm), Ledger(none))
    for name, values in brute_force(arm, none).items():
        missing = RESAMPLES - len(values)
        assert found[name].undefined == pytest.approx(missing / RESAMPLES)
        tail = (0.025 * RESAMPLES - missing) / len(values)
        interval = found[name].interval
        if missing / RESAMPLES > 0.025:
            assert interval is None
        else:
            assert interval is not None
            assert interval == pytest.approx(tuple(np.quantile(values, [tail, 1 - tail])))


LEDGERS = st.lists(
    st.tuples(st.integers(0, 4), st.just(4), st.floats(0.01, 1.0, allow_nan=False), st.just(5)),
    min_size=2,
    max_size=6,
)


@given(LEDGERS, LEDGERS)
def test_break_even_is_one_over_utility_and_intervals_hold_what_they_must(
    one: list[tuple[float, float, float, float]], other: list[tuple[float, float, float, float]]
) -> None:
    arm = Ledger({str(place): sums for place, sums in enumerate(one)})
    none = Ledger({str(place): sums for place, sums in enumerate(other)})
    found = points(arm, none)
    camu, value = found["camu"], found["break_even"]
    if camu is not None and camu > 0:
        assert value == pytest.approx(1 / camu)
    else:
        assert value is None
    assert set(found) == set(RATIOS)
