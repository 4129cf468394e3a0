"""Hard probes by what became of their value: the rows of `--by history` against single decisions."""

from collections import Counter
from pathlib import Path

from runs.plan import plan
from runs.runner import run_plan
from scoring.compare import compare, score_runs
from scoring.run import load_run

SUITE = """
name = "histories"
models = ["last"]
memories = ["none", "facts"]

[[scenarios]]
generate = "ladder"
environment = "support"
seed = 7
arcs = 5
tiers = ["easy", "hard"]
"""


def test_rows_part_hard_probes_by_history(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE)
    run_plan(plan(str(tmp_path / "suite.toml")), tmp_path / "run", report=lambda done, of: None)
    run = load_run(tmp_path / "run")
    asked: Counter[tuple[str, str | None]] = Counter()
    right: Counter[tuple[str, str | None]] = Counter()
    for _, trial in score_runs([run]).trials:
        histories = {probe.id: probe.history for probe in run.key(trial.arc).probes}
        memory = trial.arm.partition("-")[0].partition("+")[0]
        for each in trial.observed:
            if each.dependent:
                asked[memory, histories[each.probe]] += 1
                right[memory, histories[each.probe]] += each.success
    rows = compare([run], ["memory", "history"])["rows"]
    told = {
        (row["memory"], row["history"]): (row["n_dependent"], row["tsr_dependent"])
        for row in rows
        if row["n_dependent"]
    }
    assert told == {name: (n, right[name] / n) for name, n in asked.items()}
    assert {history for _, history in told} == {
        None,
        "revised",
        "revised_twice",
        "returned",
        "late_report",
        "past_mention",
    }


def test_rows_name_a_history_only_where_they_are_grouped_by_it(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE.replace("arcs = 5", "arcs = 1"))
    run_plan(plan(str(tmp_path / "suite.toml")), tmp_path / "run", report=lambda done, of: None)
    rows = compare([load_run(tmp_path / "run")], ["memory"])["rows"]
    assert all("history" not in row for row in rows)
