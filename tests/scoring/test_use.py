"""Use of gold values, split by how many are needed and by what stood beside them."""

from dataclasses import dataclass

from scoring.shown import Shown
from scoring.use import use, use_columns


@dataclass(frozen=True)
class Seen:
    """A decision: gold values that only the block held, used ones, and what the block held."""

    memory_values: int
    used_values: int
    memory_only: bool
    shown: Shown | None = None
    errored: bool = False


def seen(needed: int, held: int, used: int, sibling: bool = False, *ranks: int) -> Seen:
    return Seen(held, used, held == needed, Shown(needed, held == needed, ranks, sibling))


FOUND = [
    seen(1, 1, 1, False, 1),
    seen(1, 1, 0, True, 3),
    seen(1, 0, 0),
    seen(2, 2, 2, False, 1, 2),
    seen(2, 2, 1, True, 2, 3),
    seen(2, 1, 1, False, 1),
    Seen(1, 0, True, Shown(1, True, (1,), False), errored=True),
]
"""Worked example of `docs/metrics.md`."""


def test_rates_by_value_and_by_decision() -> None:
    columns = use_columns(FOUND)
    # Errors have ignored nothing: 7 values were held, 5 of them used.
    assert (columns["use_rate_values"], columns["n_use_values"]) == (5 / 7, 7)
    # Four blocks held everything; two decisions used all of it.
    assert (columns["use_rate_all"], columns["n_use_all"]) == (0.5, 4)
    assert columns["ignore_rate"] == 0.5


def test_split_by_the_number_of_values_needed() -> None:
    by = use_columns(FOUND)["use_by_needed"]
    assert list(by) == ["1", "2"]
    assert (by["1"]["use_rate_values"], by["1"]["n_use_values"]) == (0.5, 2)
    assert (by["1"]["ignore_rate"], by["1"]["n_use_all"]) == (0.5, 2)
    assert (by["2"]["use_rate_values"], by["2"]["n_use_values"]) == (0.8, 5)
    assert (by["2"]["ignore_rate"], by["2"]["n_use_all"]) == (0.5, 2)


def test_split_by_a_stale_sibling_in_the_block() -> None:
    by = use_columns(FOUND)["use_by_sibling"]
    assert (by["with"]["ignore_rate"], by["with"]["n_use_all"]) == (1.0, 2)
    assert (by["without"]["ignore_rate"], by["without"]["n_use_all"]) == (0.0, 2)
    assert by["without"]["n_use_values"] == 4


def test_how_often_the_block_held_gold_and_where() -> None:
    columns = use_columns(FOUND)
    # An error is in the denominator of what the memory gave back.
    assert (columns["gold_in_block"], columns["n_gold_in_block"]) == (5 / 7, 7)
    assert columns["gold_ranks"] == {"1": 4, "2": 2, "3": 2}
    assert (columns["gold_rank"], columns["n_gold_rank"]) == (14 / 8, 8)


def test_parts_add_up_to_the_whole() -> None:
    whole = use(FOUND)
    for name in ("use_by_needed", "use_by_sibling"):
        parts = use_columns(FOUND)[name].values()
        assert sum(part["n_use_values"] for part in parts) == whole.values
        assert sum(part["n_use_all"] for part in parts) == whole.complete


def test_nothing_has_no_rate() -> None:
    columns = use_columns([])
    assert columns["use_rate_values"] is None
    assert columns["gold_in_block"] is None
    assert columns["gold_rank"] is None
    assert columns["use_by_needed"] == {}
