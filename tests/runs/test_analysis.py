"""Analyses on the command line: declared before the first trial, asked later, shown as tables."""

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runs.analysis import (
    controls_table,
    hypotheses_table,
    p_text,
    seeds_table,
    stability_table,
)
from runs.notebook import clusters_needed
from scoring.run import load_run
from tests.runs.conftest import Memtrial

Refused = Callable[..., str]

SUITE = """name = "declared"
models = ["last"]
memories = ["none", "facts"]

[[scenarios]]
generate = "ladder"
arcs = 1
tiers = ["easy"]

[[scenarios]]
generate = "ladder"
seed = 2
arcs = 1
tiers = ["easy"]

[analysis]
families = []
confirm_seed = 2

[[analysis.hypotheses]]
name = "facts help"
direction = "higher"
first = {memory = "facts"}
second = {memory = "none"}
"""


@pytest.fixture
def run(memtrial: Memtrial, tmp_path: Path) -> Path:
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    memtrial("run", "suite.toml", "--out", "run")
    return tmp_path / "run"


def test_the_analysis_is_recorded_before_the_first_trial_and_answered(
    memtrial: Memtrial, run: Path
) -> None:
    with load_run(run) as opened:
        declared = opened.declared
        rows = list(opened.log.rows("@run"))
    assert [row.kind for row in rows] == ["manifest", "analysis", "root"]
    assert declared["confirm_seed"] == 2
    assert declared["hypotheses"][0]["direction"] == "higher"
    found = memtrial("compare", run, "--json").json
    (row,) = found["hypotheses"]
    # One easy arc of each seed: facts read all of it, and scripted readers are not tested.
    assert (row["status"], row["difference"], row["p"]) == ("declared", 1.0, None)
    assert row["confirmation"]["difference"] == 1.0
    told = memtrial("compare", run).out
    assert "Hypotheses" in told
    assert "facts help" in told
    assert "+1.00 [" in told
    assert memtrial("verify", run).status == 0


def test_a_file_asked_later_is_exploratory_and_a_wrong_one_is_refused(
    memtrial: Memtrial, refused: Refused, run: Path, tmp_path: Path
) -> None:
    asked = tmp_path / "asked.toml"
    asked.write_text(SUITE.replace('"higher"', '"two-sided"'), encoding="utf-8")
    rows = memtrial("compare", run, "--analysis", asked, "--json").json["hypotheses"]
    assert [(row["status"], row["direction"]) for row in rows] == [
        ("declared", "higher"),
        ("exploratory", "two-sided"),
    ]
    assert (
        "Exploratory: asked after the first trial"
        in memtrial("compare", run, "--analysis", asked).out
    )
    same = memtrial("compare", run, "--analysis", tmp_path / "suite.toml", "--json").json
    assert [row["status"] for row in same["hypotheses"]] == ["declared"]

    asked.write_text(SUITE.replace('{memory = "none"}', '{memory = "nine"}'), encoding="utf-8")
    message = refused("compare", run, "--analysis", asked)
    assert message.startswith(f"{asked}:24: analysis.hypotheses.0.second.memory: unknown memory")
    assert "did you mean 'none'?" in message
    asked.write_text("[analysis]\nbye = []\n", encoding="utf-8")
    message = refused("compare", run, "--analysis", asked)
    assert message.startswith(f"{asked}:2: analysis.bye: ")
    assert "did you mean 'by'?" in message
    asked.write_text("name = 'x'\n", encoding="utf-8")
    assert "this file has no [analysis]" in refused("compare", run, "--analysis", asked)
    assert "there is no such file" in refused("compare", run, "--analysis", tmp_path / "none")


def test_a_changed_analysis_cannot_slip_into_a_run_that_goes_on(
    refused: Refused, run: Path, tmp_path: Path
) -> None:
    (tmp_path / "suite.toml").write_text(SUITE.replace('"higher"', '"lower"'), encoding="utf-8")
    message = refused("run", "suite.toml", "--out", run, "--resume")
    assert "suite.analysis.hypotheses" in message


def test_a_fork_makes_no_statement_of_its_parents(memtrial: Memtrial, run: Path) -> None:
    with load_run(run) as opened:
        trial = next(each for each in opened.sealed if "facts" in each)
        at = next(e.position for e in opened.trial(trial).events if e.kind == "decision")
    done = memtrial("fork", run, trial, "--at", str(at), "--token-budget", "64", "--out", "fork")
    assert done.status == 0
    with load_run(run.parent / "fork") as opened:
        assert opened.declared["hypotheses"] == []


ROW: dict[str, Any] = {
    "run": "r",
    "kind": "own",
    "status": "declared",
    "name": "h",
    "first_memory": "facts/pattern",
    "second_memory": "none",
    "model": "llama-cpp",
    "where": {},
    "cell": {},
    "metric": "tsr_dependent",
    "direction": "higher",
    "difference": 0.25,
    "difference_ci": [0.1, 0.4],
    "clusters": 12,
    "p": 0.0004,
    "p_holm": 0.012,
    "verdict": "shown",
    "confirmed": None,
    "power": None,
    "clusters_needed": None,
}


def test_a_table_of_hypotheses_shows_what_says_something() -> None:
    table = hypotheses_table([ROW])
    assert table is not None
    assert dict(zip(table.columns, table.rows[0], strict=True)) == {
        "hypothesis": "h",
        "says": "first higher",
        "difference [95 %]": "+0.25 [+0.10, +0.40]",
        "clusters": "12",
        "p": "<0.001",
        "p Holm": "0.012",
        "verdict": "shown",
        "status": "declared",
    }
    more = [
        {
            **ROW,
            "second_memory": "replay",
            "cell": {"tier": "hard"},
            "where": {"domain": ["a", "b"]},
        },
        {**ROW, "confirmed": True, "power": 0.9, "clusters_needed": None, "model": "other"},
    ]
    table = hypotheses_table([ROW, *more])
    assert table is not None
    assert {"first", "against", "cell", "model", "confirmed", "needs"} <= set(table.columns)
    assert table.rows[1][table.columns.index("cell")] == "a/b hard"
    assert table.rows[2][table.columns.index("needs")] == "> 1000"
    assert hypotheses_table([{**ROW, "kind": "default", "p": None}]) is None
    untested = hypotheses_table([{**ROW, "p": None, "p_holm": None, "verdict": None}])
    assert untested is not None
    assert not {"p", "p Holm"} & set(untested.columns)
    assert untested.rows[0][untested.columns.index("verdict")] == "-"


def test_long_tables_say_what_they_leave_out() -> None:
    table = hypotheses_table([{**ROW, "name": f"h{n}"} for n in range(230)])
    assert table is not None
    assert len(table.rows) == 200
    assert "30 more rows; --json has them all." in table.notes


def test_the_other_tables_say_what_does_not_apply() -> None:
    seeds: dict[str, Any] = {
        "arm": "a",
        "cell": {},
        "deterministic": False,
        "tsr_by_trial_seed": {"1": 0.5, "2": 0.75},
        "trial_gap": 0.25,
        "noise_floor": 0.2,
        "tsr_by_generation_seed": {},
        "generation_gap": None,
    }
    same = {**seeds, "deterministic": True, "trial_gap": None, "noise_floor": None}
    made = {"tsr_by_generation_seed": {"7": 1.0, "8": 0.5}, "generation_gap": 0.5}
    table = seeds_table([seeds, same, {**same, **made}])
    assert table is not None
    assert table.rows == [
        ["a", "1: 0.50 2: 0.75", "0.25", "0.20", "-", "n/a"],
        ["a", "deterministic", "n/a", "n/a", "7: 1.00 8: 0.50", "0.50"],
    ]
    assert seeds_table([same]) is None
    orders = {"mean_tau": 1 / 3, "least_tau": -1.0, "same_order": 0.5}
    premiums = [{"memory": "facts", "premium": 0.1, "lowest": -0.05, "highest": 0.25}]
    stable = stability_table({"models": ["a", "b"], "premiums": premiums, "orders": orders})
    assert stable.rows == [["facts", "+0.10", "-0.05 to +0.25"]]
    assert stable.notes[1].endswith("+0.33, least -1.00; the same in 50% of pairs of models.")
    assert controls_table([{"evidence": "scripted", "passed": True}]) is None
    assert controls_table([{"evidence": "external", "passed": None}]) is None
    assert [p_text(p) for p in (None, 0.00099, 0.05, 1.0)] == ["-", "<0.001", "0.050", "1.000"]


def test_a_control_that_failed_says_what_follows() -> None:
    row = {
        "evidence": "local model",
        "model": "llama-cpp:smollm2",
        "tsr_dependent": 0.0,
        "tsr_dependent_ci": [0.0, 0.19],
        "right": 0,
        "wrong": 9,
        "did_not_act": 0,
        "model_error": 9,
        "other_error": 0,
        "tsr_independent": 0.08,
        "passed": False,
    }
    table = controls_table([row])
    assert table is not None
    assert table.rows == [
        ["llama-cpp:smollm2", "0.00 [0.00, 0.19]", "0", "9", "0", "9", "0", "0.08"]
        + ["no statement about memories follows"]
    ]


def test_a_study_can_be_planned_before_anything_is_played() -> None:
    # Every arc tells the two apart: 2/2^6 is the first p below 0.05, in a family of 3 3/2^6.
    assert clusters_needed(0.0, 1.0, 0.0) == 6
    assert clusters_needed(0.0, 1.0, 0.0, family=3, direction="higher") == 6
    assert clusters_needed(0.5, 0.5, 0.2) is None


def test_the_report_shows_the_analysis(memtrial: Memtrial, run: Path, tmp_path: Path) -> None:
    memtrial("report", run, "--html", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<h3>The analysis</h3>" in page
    assert "facts help" in page
    assert json.dumps("confirm_seed")[1:-1] in page


@pytest.mark.data
def test_the_public_rows_of_merit_answer_its_hypotheses(memtrial: Memtrial, tmp_path: Path) -> None:
    data = os.environ.get("MEMTRIAL_DATA")
    if not data:
        pytest.skip("MEMTRIAL_DATA does not say where the rows are")
    folder = Path(data) / "merit"
    files = [folder / f"d{number}-hard.csv" for number in (1, 2, 3)]
    pairs = {"summary": ("C3", "C2"), "facts": ("C4", "C2"), "hybrid": ("C5", "C4")}
    lines = ["[analysis]", "families = []"]
    for name, (first, second) in pairs.items():
        lines += ["[[analysis.hypotheses]]", f"name = '{name}'", "metric = 'tsr_dependent'"]
        lines += [f"first = {{memory = '{first}'}}", f"second = {{memory = '{second}'}}"]
    asked = tmp_path / "asked.toml"
    asked.write_text("\n".join(lines), encoding="utf-8")
    named = "arm=condition,cluster=@file+arc,instance=ep,dependent=dep,domain=@file"
    done = memtrial(
        "compare", "--table", *files, "--columns", named, "--control", "C1",
        "--analysis", asked, "--json",
    )  # fmt: skip
    won: dict[str, dict[tuple[str, ...], int]] = {}
    for file in files:
        for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()):
            if row["dep"] == "1":
                key = (file.stem, row["arc"], row["ep"])
                won.setdefault(row["condition"], {})[key] = int(row["success"])
    rows = {row["name"]: row for row in done.json["hypotheses"]}
    for name, (first, second) in pairs.items():
        row = rows[name]
        mean = sum(won[first][key] - won[second][key] for key in won[first]) / 60
        assert row["difference"] == pytest.approx(mean)
        assert (row["pairs"], row["clusters"], row["status"]) == (60, 30, "exploratory")
    assert [rows[name]["verdict"] for name in pairs] == ["higher", "higher", "lower"]

    asked.write_text(asked.read_text("utf-8").replace("tsr_dependent", "stale_used"), "utf-8")
    refused = memtrial("compare", "--table", *files, "--columns", named, "--analysis", asked)
    assert refused.status == 2
    assert "unknown metric 'stale_used'" in refused.err
