"""Success at equal spend, on rows made by hand."""

from typing import Any

from runs.kept import kept_table, spend_table
from scoring.grouping import ARM_FACTORS
from scoring.kept import spend_rows
from scoring.write_recall import Planted, recall_columns


def row(memory: str, budget: int | None, tokens: float, tsr: float, **more: Any) -> dict[str, Any]:
    size = "unbudgeted" if budget is None else str(budget)
    made: dict[str, Any] = dict.fromkeys(ARM_FACTORS)
    made |= {"run": "r", "arm": f"{memory}+last+{size}"}
    made |= {"memory": memory, "token_budget": budget, "model": "last"}
    return {**made, "episode_tokens": tokens, "tsr_dependent": tsr, **more}


ROWS = [
    row("none", 256, 10, 0.0),
    row("none", 512, 10, 0.0),
    row("replay", None, 900, 0.9),
    row("replay", 256, 300, 0.2),
    row("replay", 512, 700, 0.6),
    row("facts", 256, 100, 0.7),
    row("facts", 512, 140, 0.8),
    row("summary", 256, 50, 0.1),
]


def test_each_arm_stands_with_the_largest_block_that_a_level_pays_for() -> None:
    found = [
        (each["level"], each["memory"], each["token_budget"], each["tsr_dependent"])
        for each in spend_rows(ROWS)
    ]
    # Levels: (300 + 100) / 2 at 256 tokens, (700 + 140) / 2 at 512. No memory, the unbudgeted
    # control and the arm of one size stay out of it.
    assert found == [
        (200.0, "replay", None, None),
        (200.0, "facts", 512, 0.8),
        (420.0, "replay", 256, 0.2),
        (420.0, "facts", 512, 0.8),
    ]


def test_without_several_budgets_there_is_nothing_to_match() -> None:
    assert spend_rows([each for each in ROWS if each["token_budget"] != 512]) == []
    assert spend_table([]) is None


def test_arms_of_other_options_are_other_arms() -> None:
    other = [{**each, "arm": f"{each['arm']}+by=x"} for each in ROWS if each["memory"] == "facts"]
    names = {each["arm"] for each in spend_rows([*ROWS, *other])}
    assert names == {"replay+last", "facts+last", "facts+last+by=x"}


def test_the_table_of_spend() -> None:
    table = spend_table(spend_rows(ROWS))
    assert table is not None
    assert table.columns == ("memory", "≤ 200 tok/ep", "≤ 420 tok/ep")
    assert table.rows == [["replay", "-", "0.20 (256)"], ["facts", "0.80 (512)", "0.80 (512)"]]


def test_the_table_of_what_was_held() -> None:
    facts = [Planted((True, False), 1, "early", True), Planted((True,), 1, "late", False)]
    rows = [
        row(name, 256, 120.4, 0.5, block_tokens=used, block_fill=fill, **recall_columns(facts[:n]))
        for name, used, fill, n in (("facts", 63.7, 0.249, 2), ("none", None, None, 1))
    ]
    table = kept_table(rows)
    assert table is not None
    assert table.rows == [
        ["facts", "2", "1.00", "0.50", "1.00", "-", "0.00", "64", "0.25", "120"],
        ["none", "1", "1.00", "0.00", "1.00", "-", "-", "-", "-", "120"],
    ]
    assert any("different numbers of facts" in note for note in table.notes)
    assert kept_table([{**each, "n_write_recall": 0} for each in rows]) is None
