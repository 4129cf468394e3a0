"""How outcomes, harm and worth are told: in the terminal and in the report."""

from pathlib import Path
from typing import Any

import pytest

from runs.conduct import harm_table, outcomes_table
from runs.report.bars import OUTCOME_COLOURS, outcome_pieces
from runs.report.conduct import harm_grid, outcome_bars, outcomes_grid, worth_grid
from runs.worth import best_table, number_text, split_ratio, worth_table
from scoring.outcomes import OUTCOMES
from tests.runs.conftest import Memtrial


def row(memory: str, **more: Any) -> dict[str, Any]:
    counts = {"fresh": 3, "stale": 0, "asked": 1, **more.pop("outcomes", {})}
    n = sum(counts.values())
    outcomes = {
        name: {"n": counts.get(name, 0), "share": counts.get(name, 0) / n} for name in OUTCOMES
    }
    told = {
        "memory": memory,
        "arm": memory,
        "n_dependent": n,
        "tsr_dependent": counts["fresh"] / n,
        "outcomes": outcomes,
        "answered_without_act": 0,
        "quoted_not_acted": 0,
        "smh": None,
        "smh_p_holm": None,
    }
    return {**told, **more}


HARM = {
    "smh": 0.25,
    "smh_ci": [0.05, 0.5],
    "smh_pairs": 12,
    "smh_clusters": 6,
    "corrupted_used": 2,
    "n_corrupted_used": 8,
    "corrupted_used_rate": 0.25,
    "reverified": 0,
    "n_reverified": 0,
    "reverified_rate": None,
}


def test_outcomes_are_told_with_counts_and_shares() -> None:
    rows = [row("none", outcomes={"fresh": 0, "refused": 3}), row("facts", quoted_not_acted=1)]
    table = outcomes_table(rows)
    assert table.columns == ("memory", "n dep.", "fresh", "asked", "refused")
    assert table.rows == [
        ["none", "4", "-", "1 (0.25)", "3 (0.75)"],
        ["facts", "4", "3 (0.75)", "1 (0.25)", "-"],
    ]
    assert "1 decisions named a right value" in " ".join(table.notes)
    cells = outcomes_grid(rows).rows[0]
    assert [(cell.text, cell.small) for cell in cells] == [
        ("none", ""), ("4", ""), ("–", ""), ("1", "0.25"), ("3", "0.75"),
    ]  # fmt: skip


def test_every_outcome_has_a_colour_of_its_own() -> None:
    assert sorted(OUTCOME_COLOURS) == sorted(OUTCOMES)
    assert len(set(OUTCOME_COLOURS.values())) == len(OUTCOMES)
    counts: dict[str, int] = {**dict.fromkeys(OUTCOMES, 0), "error": 1, "fresh": 2}
    parts = outcome_pieces("facts", counts, 3)
    assert [(part.cause, part.n) for part in parts] == [("fresh", 2), ("error", 1)]


def test_the_bars_tell_their_numbers() -> None:
    plot = outcome_bars([row("facts")])
    assert plot is not None
    assert "facts fresh 3 of 4; facts asked 1 of 4" in plot.svg
    nothing = {name: {"n": 0, "share": None} for name in OUTCOMES}
    assert outcome_bars([row("facts") | {"outcomes": nothing, "n_dependent": 0}]) is None


@pytest.mark.parametrize("p", [None, 0.0312])
def test_harm_is_told_of_corrupted_rows_only(p: float | None) -> None:
    rows = [row("none"), row("facts", **HARM, smh_p_holm=p)]
    table = harm_table(rows)
    assert table is not None
    line = ["facts", "12", "+0.25 [+0.05, +0.50]", "2/8 (0.25)", "-"]
    assert table.rows == [line + ([] if p is None else ["0.031"])]
    assert harm_table(rows[:1]) is None
    assert harm_grid(rows[:1]) is None
    grid = harm_grid(rows)
    assert grid is not None
    assert [cell.text for cell in grid.rows[0]][:4] == ["facts", "+0.25", "12", "0.25"]


WORTH = {
    "tsr_gain": 0.5,
    "episode_cost": 0.002,
    "camu": 1234.5,
    "camu_ci": [900.0, 2000.4],
    "break_even": 0.00081,
    "break_even_ci": [0.0005, 0.0011],
    "cost_per_success": 0.004,
    "cost_per_success_ci": None,
    "distraction": 0.1,
    "distraction_ci": [0.0, 0.2],
    "evidence": "external",
}


def test_worth_is_told_for_a_thousand_and_what_has_no_value_as_such() -> None:
    nothing = {name: None if name != "evidence" else "external" for name in WORTH}
    rows = [row("none", **nothing), row("facts", **WORTH)]
    table = worth_table(rows)
    assert table is not None
    assert table.rows[1] == [
        "facts",
        "0.75",
        "+0.50",
        "+0.10",
        "2.00",
        "1,234 [900, 2,000]",
        "0.810 [0.500, 1.10]",
        "4.00 [n/a]",
    ]
    assert table.rows[0][2:] == ["-", "-", "-", "n/a", "n/a", "n/a"]
    assert worth_table(rows[:1]) is None
    grid = worth_grid(rows)
    assert grid is not None
    assert (grid.rows[1][4].text, grid.rows[1][4].small) == ("1,234", "[900, 2,000]")
    assert split_ratio(rows[0], "camu") == ("n/a", "")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (1234.5, "1,234"), (999.6, "1,000"), (75.04, "75.0"), (1.005, "1.00"),
        (0.000171, "0.000171"), (-0.0512, "-0.0512"), (9.999, "10.00"),
    ],
)  # fmt: skip
def test_numbers_have_three_figures_and_no_exponent(value: float, text: str) -> None:
    assert number_text(value) == text


def test_the_best_memory_is_told_beside_replay() -> None:
    told = {
        "run": "r", "model": None, "corruption": "none", "domain": "d1", "best": ["facts", "hybrid"],
        "camu": 500.0, "replay": "replay", "replay_camu": None, "times_camu": None,
        "episode_tokens": 100.0, "replay_episode_tokens": 400.0, "times_tokens": 4.0,
    }  # fmt: skip
    labels = {"facts": "facts/pattern", "hybrid": "hybrid"}
    table = best_table([told, {**told, "domain": "d2", "best": [], "camu": 0.0}], labels)
    assert table is not None
    assert table.rows == [
        ["d1", "facts/pattern, hybrid", "500", "n/a", "n/a", "100", "400"],
        ["d2", "-", "0", "n/a", "n/a", "100", "400"],
    ]
    assert best_table([], labels) is None


def test_a_run_is_told_with_outcomes_and_worth(memtrial: Memtrial, small_run: Path) -> None:
    out = memtrial("compare", small_run).out
    assert "What dependent decisions came to" in out
    assert "What a success costs and is worth" in out
    assert "Stale-memory harm" not in out
    found = memtrial("compare", small_run, "--json").json
    for each in found["conduct"]:
        assert sum(outcome["n"] for outcome in each["outcomes"].values()) == each["n_dependent"]
        assert each["outcomes"]["fresh"]["share"] == pytest.approx(each["tsr_dependent"])
    memtrial("report", small_run, "--html", "out.html")
    page = Path("out.html").read_text(encoding="utf-8")
    assert "What each decision came to" in page
    assert "What a success costs and is worth" in page
