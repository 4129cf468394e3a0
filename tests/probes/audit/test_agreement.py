"""Agreement and kappa against values worked out by hand."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.audit.agreement import agree, compare
from probes.audit.sheet import LABELS
from simulator.events.errors import InputError

P, V, F = LABELS
JUDGED = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1)


def both(pairs: list[tuple[str, str]]) -> tuple[dict[str, str], dict[str, str]]:
    first = {str(number): one for number, (one, _) in enumerate(pairs)}
    return first, {str(number): other for number, (_, other) in enumerate(pairs)}


def test_by_hand() -> None:
    # 50 rows: the classic table 20, 5 / 10, 15 has agreement 0.7, chance 0.5, kappa 0.4.
    pairs = [(P, P)] * 20 + [(P, F)] * 5 + [(F, P)] * 10 + [(F, F)] * 15
    first, second = both(pairs)
    found = compare("a", first, "b", second, {})
    assert (found.n, found.only_one) == (50, 0)
    assert found.agreement == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.confusion == ((20, 0, 5), (0, 0, 0), (10, 0, 15))
    assert found.kappa_ci is not None
    low, high = found.agreement_ci
    # The normal approximation of 35 of 50: 0.7 ± 1.96 · sqrt(0.21 / 50).
    assert low == pytest.approx(0.573, abs=0.02)
    assert high == pytest.approx(0.827, abs=0.02)
    assert found.kappa_ci[0] < 0.4 < found.kappa_ci[1]
    assert found.weighted is None


def test_full_agreement_has_an_exact_bound_and_no_interval_of_kappa() -> None:
    first, second = both([(P, P)] * 10 + [(V, V)] * 10)
    found = compare("a", first, "b", second, {})
    assert (found.agreement, found.kappa, found.kappa_ci) == (1.0, 1.0, None)
    assert found.agreement_ci == pytest.approx((0.025 ** (1 / 20), 1.0))


def test_kappa_is_undefined_where_one_label_is_all_there_is() -> None:
    first, second = both([(P, P)] * 4)
    assert compare("a", first, "b", second, {}).kappa is None


def test_rows_that_only_one_labelled_are_counted() -> None:
    found = compare("a", {"1": P, "2": P}, "b", {"2": P, "3": F, "4": F}, {})
    assert (found.n, found.only_one) == (1, 3)
    with pytest.raises(InputError, match="a and b share no labelled row"):
        compare("a", {"1": P}, "b", {"2": P}, {})


def test_templates_are_what_is_resampled() -> None:
    pairs = [(P, P)] * 20 + [(P, F)] * 20 + [(F, F)] * 20
    first, second = both(pairs)
    alone = compare("a", first, "b", second, {})
    few = {str(row): {"cluster": str(row // 20), "weight": 1.0} for row in range(60)}
    clustered = compare("a", first, "b", second, few)
    assert clustered.agreement_ci[0] < alone.agreement_ci[0]
    assert clustered.agreement_ci[1] > alone.agreement_ci[1]


def test_weights_undo_the_stratification() -> None:
    # One row stands for 9 decisions and agrees, one stands for 1 and does not.
    key = {"1": {"cluster": "x", "weight": 9.0}, "2": {"cluster": "y", "weight": 1.0}}
    found = compare("a", {"1": P, "2": P}, "b", {"1": P, "2": F}, key)
    assert found.agreement == 0.5
    assert found.weighted == pytest.approx(0.9)


@given(JUDGED)
def test_agreement_does_not_depend_on_who_comes_first(pairs: list[tuple[str, str]]) -> None:
    first, second = both(pairs)
    one, other = compare("a", first, "b", second, {}), compare("b", second, "a", first, {})
    assert one.agreement == other.agreement
    assert one.kappa == pytest.approx(other.kappa)
    assert one.agreement_ci == pytest.approx(other.agreement_ci)
    if one.kappa is not None:
        assert -1 <= one.kappa <= 1


def test_with_the_key_both_are_compared_with_the_scorer(tmp_path: Path) -> None:
    rows = {str(n): {"label": P, "cluster": str(n), "weight": 1.0} for n in range(4)}
    (tmp_path / "k.json").write_text(json.dumps({"rows": rows}))
    (tmp_path / "a.csv").write_text("id,label\n0,pass\n1,pass\n2,fail\n3,pass\n")
    (tmp_path / "b.csv").write_text("id,label\n0,pass\n1,fail\n2,fail\n3,\n")
    a, b, key = (tmp_path / name for name in ("a.csv", "b.csv", "k.json"))
    assert [(each.first, each.second, each.n) for each in agree(a, b)] == [("a.csv", "b.csv", 3)]
    found = agree(a, b, key)
    assert [(each.first, each.second) for each in found] == [
        ("a.csv", "b.csv"),
        ("a.csv", "scorer"),
        ("b.csv", "scorer"),
    ]
    assert [each.agreement for each in found] == pytest.approx([2 / 3, 3 / 4, 1 / 3])
    (alone,) = agree(a, key)
    assert (alone.second, alone.agreement, alone.weighted) == ("scorer", 0.75, 0.75)
