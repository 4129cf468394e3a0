"""The comparison table: what it pools, what it leaves out, and what it must say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.suite import read_suite
from runs.tables import WIDTH, Table, comparison_table, money_text, rate_interval_text, rate_text
from simulator.events import Json


def row(memory: str, tier: str | None = None, **more: Json) -> dict[str, Json]:
    """A row as `scoring.compare` makes it."""
    return {
        "run": "r",
        "arm": f"{memory}+last+96",
        "memory": memory,
        "implementation": "standard",
        "model": "last",
        "memory_model": None,
        "agent": "scaffold",
        "token_budget": 96,
        "domain": "support",
        "tier": tier,
        "n": 6,
        "n_dependent": 4,
        "n_independent": 2,
        "errors": 0,
        "errors_dependent": 0,
        "tsr_dependent": 0.75,
        "tsr_dependent_ci": [0.5, 1.0],
        "tsr_independent": 1.0,
        "use_rate_values": 0.5,
        "n_use_values": 2,
        "use_rate_all": None,
        "n_use_all": 0,
        "ignore_rate": None,
        "tokens": 900,
        "episodes": 9,
        "usd": "0",
        "usd_as_if": "0.00126",
        "evidence": "scripted",
        "unfinished": 0,
        "excluded": 0,
        "not_scorable": 0,
        **more,
    }


def cells(table: Table, heading: str) -> list[str]:
    return [line[table.columns.index(heading)] for line in table.rows]


def test_one_tier_has_the_interval_in_brackets_and_its_denominator() -> None:
    table = comparison_table([row("none"), row("facts", implementation="pattern")])
    assert table.columns == (
        *("memory", "n dep.", "TSR dep. [95 %]", "errors", "indep", "use", "tok/ep", "as-if"),
    )
    assert table.rows == [
        ["none", "4", "0.75 [0.50, 1.00]", "0", "1.00", "0.50", "100", "0.0013"],
        ["facts/pattern", "4", "0.75 [0.50, 1.00]", "0", "1.00", "0.50", "100", "0.0013"],
    ]
    assert table.text == ("memory",)
    assert table.title == "Comparison: run r, model last, domain support, budget 96"


def test_tiers_are_columns_and_the_rest_is_pooled_by_its_own_denominators() -> None:
    table = comparison_table(
        [
            row("facts", "easy", use_rate_values=0.5, n_use_values=2, tokens=900, episodes=9),
            row("none", "easy", use_rate_values=None, n_use_values=0),
            row("facts", "hard", use_rate_values=1.0, n_use_values=8, tokens=300, episodes=1),
            row("none", "hard", use_rate_values=None, n_use_values=0),
        ]
    )
    assert table.columns[:3] == ("memory", "easy n=4", "hard n=4")
    assert cells(table, "memory") == ["facts", "none"]
    assert cells(table, "easy n=4") == ["0.75 [0.50, 1.00]"] * 2
    assert cells(table, "use") == ["0.90", "-"]  # 1 of 2 and 8 of 8 are 9 of 10
    assert cells(table, "tok/ep") == ["120", "100"]  # 1,200 tokens in 10 sessions
    assert cells(table, "as-if") == ["0.0025"] * 2


def test_unequal_denominators_get_a_column_of_their_own() -> None:
    table = comparison_table([row("a", "easy"), row("b", "easy", n_dependent=3), row("a", "hard")])
    assert table.columns[1:5] == ("easy", "n easy", "hard", "n hard")
    assert cells(table, "n easy") == ["4", "3"]
    assert cells(table, "hard") == ["0.75 [0.50, 1.00]", "-"]


def test_order_is_the_rows_and_never_the_success() -> None:
    rows = [row("a", tsr_dependent=0.1), row("b", tsr_dependent=0.9), row("c", tsr_dependent=0.5)]
    assert cells(comparison_table(rows), "memory") == ["a", "b", "c"]


def test_factors_are_shown_only_where_they_vary() -> None:
    rows = [row("a", model="first", arm="a1"), row("a", model="last", arm="a2")]
    table = comparison_table(rows)
    assert table.columns[:2] == ("memory", "model")
    assert cells(table, "model") == ["first", "last"]
    assert table.text == ("memory", "model")
    assert "model" not in table.title


def test_the_unbudgeted_control_makes_no_column_of_budgets() -> None:
    rows = [row("replay", implementation="unbudgeted", token_budget=None), row("none")]
    table = comparison_table(rows)
    assert table.columns[:2] == ("memory", "n dep.")
    assert table.title == "Comparison: run r, model last, domain support, budget 96"
    rows.append(row("facts", token_budget=192))
    assert cells(comparison_table(rows), "budget") == ["unbudgeted", "96", "192"]


def test_what_rows_are_sorted_by_before_the_arm_stands_before_it() -> None:
    table = comparison_table([row("a", domain="mail"), row("a", domain="shop")])
    assert table.columns[:2] == ("domain", "memory")


def test_arms_that_differ_in_options_only_are_told_apart_by_their_ids() -> None:
    table = comparison_table([row("a", arm="a,top_k=4"), row("a", arm="a,top_k=8")])
    assert cells(table, "arm") == ["a,top_k=4", "a,top_k=8"]


def test_columns_that_are_null_everywhere_are_left_out() -> None:
    empty = dict.fromkeys(("tsr_independent", "use_rate_values", "tokens", "usd_as_if"))
    table = comparison_table([row("a", **empty)])
    assert table.columns == ("memory", "n dep.", "TSR dep. [95 %]", "errors")


def test_rows_of_another_grouping_need_no_memory_and_no_costs() -> None:
    rows: list[dict[str, Json]] = [
        {"probe_kind": kind, "n_dependent": 1, "tsr_dependent": 1.0, "tsr_dependent_ci": None}
        for kind in ("recall", "update")
    ]
    table = comparison_table(rows)
    assert table.columns == ("probe", "n dep.", "TSR dep. [95 %]")
    assert table.rows == [["recall", "1", "1.00"], ["update", "1", "1.00"]]


def test_no_rows_make_an_empty_table() -> None:
    table = comparison_table([])
    assert (table.rows, table.title) == ([], "Comparison")


def test_what_was_paid_is_a_column_as_soon_as_something_was() -> None:
    free = comparison_table([row("a"), row("b")])
    assert "USD" not in free.columns
    assert "Paid: 0 USD in every row." in free.notes
    paid = comparison_table([row("a"), row("b", usd="1.5"), row("c", usd=None)])
    assert cells(paid, "USD") == ["0", "1.50", "unpriced"]


def test_money_is_added_exactly() -> None:
    rows = [row("a", tier, usd="0.1") for tier in ("easy", "medium", "hard")]
    assert cells(comparison_table(rows), "USD") == ["0.3000"]


def test_what_does_not_fit_is_left_out_and_named() -> None:
    rows = [
        row("m" * 60, tier, ignore_rate=0.5, n_use_all=2) for tier in ("easy", "medium", "hard")
    ]
    table = comparison_table(rows)
    assert "as-if" not in table.columns and "errors" in table.columns
    note = next(note for note in table.notes if note.startswith("Left out"))
    assert note == "Left out for width: as-if, tok/ep, ignore, use; --json has every column."


def test_the_usual_table_of_six_memories_and_three_tiers_fits_a_terminal() -> None:
    suite = read_suite("quickstart")
    rows = [
        row(each.name, tier, **each.options, ignore_rate=0.5, n_use_all=2)
        for tier in ("easy", "medium", "hard")
        for each in suite.memories
    ]
    table = comparison_table(rows)
    assert len(table.rows) == 6 and "as-if" in table.columns
    lines = [table.columns, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    assert sum(widths) + 2 * (len(widths) - 1) <= WIDTH


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "no evidence about language models; no ranks, no tests"),
        ({}, "errors stay in the denominator"),
        ({"evidence": "oracle"}, "an oracle sees the key"),
        ({"evidence": "local model + scripted"}, "a local model"),
        ({"evidence": "local model + scripted"}, "scripted readers"),
        ({"unfinished": 2}, "2 trials were begun and not finished"),
        ({"excluded": 3, "not_scorable": 1}, "up to 3 excluded and 1 not scorable"),
        (
            {"errors": 2, "errors_dependent": 2, "tsr_dependent": 0.25},
            "a+last+96: 2 dependent decisions ended in an error; 0.50 of the 2 that had none",
        ),
    ],
)
def test_notes_say_what_must_not_be_overlooked(more: dict[str, Json], said: str) -> None:
    assert said in "\n".join(comparison_table([row("a", **more)]).notes)


@given(st.floats(0, 1))
def test_a_rate_shows_0_or_1_only_when_it_is(value: float) -> None:
    shown = rate_text(value)
    assert (shown == "1.00") is (value == 1) and (shown == "0.00") is (value == 0)
    assert shown is not None and abs(float(shown) - value) <= 0.010001


def test_texts_of_nothing_and_of_money() -> None:
    assert rate_text(None) is None
    assert rate_interval_text(0.5, None) == "0.50"
    assert [money_text(each) for each in (None, "0", "0.00000001", "0.1234567", "12.345")] == [
        *("unpriced", "0", "<0.0001", "0.1235", "12.34"),
    ]
