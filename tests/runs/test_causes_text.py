"""What `compare` and `trace` print about causes."""

from pathlib import Path
from typing import Any

from runs.why import causes_table
from scoring.causes import CAUSES
from scoring.causes.contract import Cause
from scoring.causes.counts import count
from tests.runs.conftest import Memtrial

HEADING = "Why dependent decisions failed"


def test_compare_tables_causes_by_arm_below_the_comparison(
    memtrial: Memtrial, small_run: Path
) -> None:
    """Without a memory every dependent decision fails, and nothing was ever written."""
    found = memtrial("compare", small_run, "--json").json["causes"]
    none, facts = found
    assert (none["memory"], facts["memory"]) == ("none", "facts")
    n = none["n_dependent"]
    assert none["causes"]["never written"] == {"n": n, "share": 1.0} and n > 0
    assert facts["failed_dependent"] == 0
    lines = memtrial("compare", small_run).out.splitlines()
    at = lines.index(HEADING)
    assert [line.split() for line in lines[at + 1 : at + 4]] == [
        ["memory", "failed", "never", "written"],
        ["none", f"{n}/{n}", str(n), "(1.00)"],
        ["facts/pattern", f"0/{n}", "-"],
    ]


def test_causes_are_by_arm_whatever_the_rows_are_grouped_by(
    memtrial: Memtrial, small_run: Path
) -> None:
    by_tier = memtrial("compare", small_run, "--by", "tier", "--json").json
    assert by_tier["causes"] == memtrial("compare", small_run, "--json").json["causes"]
    pooled = [row["failed_dependent"] for row in by_tier["rows"]]
    assert sum(pooled) == sum(row["failed_dependent"] for row in by_tier["causes"])


def test_a_run_without_failures_has_no_table(memtrial: Memtrial, tmp_path: Path) -> None:
    suite = tmp_path / "easy.toml"
    suite.write_text(
        'name = "easy"\nmemories = ["facts"]\nmodels = ["last"]\n[[scenarios]]\n'
        'generate = "ladder"\nseed = 3\narcs = 1\ntiers = ["easy"]\n',
        encoding="utf-8",
    )
    assert memtrial("run", suite, "--out", "run").status == 0
    assert HEADING not in memtrial("compare", "run").out


def test_two_runs_of_one_arm_have_a_row_each(
    memtrial: Memtrial, small: Path, small_run: Path
) -> None:
    assert memtrial("run", small, "--out", "again").status == 0
    lines = memtrial("compare", small_run, "again").out.splitlines()
    rows = lines[lines.index(HEADING) + 2 :][:4]
    labels = [" ".join(line.split()[:3]) for line in rows]
    assert labels == ["none · run", "facts/pattern · run", "none · again", "facts/pattern · again"]


def test_trace_has_the_cause_beside_each_failure_and_nowhere_else(
    memtrial: Memtrial, small_run: Path
) -> None:
    found = memtrial("trace", small_run, "none hard", "--json").json["decisions"]
    out = memtrial("trace", small_run, "none hard").out.splitlines()
    failed = [each for each in found if each["cause"] is not None]
    assert failed and len(failed) < len(found)
    for each in found:
        line = next(n for n, text in enumerate(out) if text.startswith(f"{each['id']}  "))
        if each["cause"] is None:
            assert not out[line + 1].startswith("  cause")
            continue
        assert each["verdict"] == "failed" and each["dependent"]
        cause = each["cause"]
        assert out[line + 1] == f"  cause: never written: {cause['reason']}"
        assert out[line + 2] == f"    evidence: events {', '.join(cause['events'])}"
        assert set(cause["events"]) and cause["compaction"] >= 1


def test_the_notes_tell_compactions_and_values_that_were_missing_beside() -> None:
    lost = [Cause(CAUSES[1], "", compaction=n) for n in (3, 2, 3)]
    stale = Cause(CAUSES[4], "", also=lost[0])
    row: dict[str, Any] = {"arm": "a", "memory": "summary", "implementation": "standard"}
    table = causes_table([{**row, "n_dependent": 9, **count([*lost, stale])}])
    assert table.columns == ("memory", "failed", "lost at compaction", "stale copy used")
    assert table.rows == [["summary", "4/9", "3 (0.75)", "1 (0.25)"]]
    assert table.notes[1:] == (
        "summary: lost 1 at compaction 2, 2 at compaction 3.",
        "summary: beside a copy that was used, the right value was lost at compaction 1.",
    )
