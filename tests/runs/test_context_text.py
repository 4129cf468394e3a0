"""The context track on the command line: a task and its twins, played by readers of no judgement."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probes.counterparts import with_twins
from probes.scenario import read_scenario, write_scenario
from runs.context import COMPLIANCE_TITLE, FORGETTING_TITLE, INFERENCE, LOSS_TITLE
from tests.probes.tasks import TASK
from tests.runs.conftest import Memtrial

SUITE = """
name = "renewal"
token_budgets = [96]
models = ["parrot", "last"]
forgetting = ["off"]

[[memories]]
name = "replay"
implementation = "unbudgeted"

[[memories]]
name = "summary"

[[scenarios]]
files = ["arcs"]
"""


@pytest.fixture
def played(memtrial: Memtrial, tmp_path: Path) -> Path:
    task = tmp_path / "task.yaml"
    task.write_text(TASK)
    (tmp_path / "arcs").mkdir()
    for scenario in with_twins(read_scenario(task)):
        write_scenario(scenario, tmp_path / "arcs" / f"{scenario.script.arc}.yaml")
    (tmp_path / "suite.toml").write_text(SUITE)
    assert memtrial("run", "suite.toml", "--out", "out").status == 0
    return tmp_path / "out"


@pytest.fixture
def compared(memtrial: Memtrial, played: Path) -> dict[str, Any]:
    found: dict[str, Any] = memtrial("compare", played, "--json").json
    return found


def rows(found: dict[str, Any], table: str, model: str, **wanted: Any) -> list[dict[str, Any]]:
    return [
        row
        for row in found[table]
        if row["model"] == model and all(row[name] == value for name, value in wanted.items())
    ]


def test_a_parrot_complies_with_rules_and_repeats_what_is_closed(compared: dict[str, Any]) -> None:
    """It writes to nobody with the rule and without it, and repeats the price either way."""
    for memory in ("replay", "summary"):
        [rule] = rows(compared, "context", "parrot", memory=memory, probe_kind="constraint")
        assert (rule["compliance"], rule["twin_compliance"], rule["lift"]) == (1, 1, 0)
        [price] = rows(compared, "context", "parrot", memory=memory, probe_kind="revocation")
        assert (price["compliance"], price["twin_compliance"], price["lift"]) == (0, 0, 0)
        assert (price["task_success"], price["n_task"], price["not_diagnostic"]) == (0, 1, 0)
        assert (rule["not_diagnostic"], rule["tasks"]) == (1, 1)
    assert not [row for row in compared["context"] if row["probe_kind"] == "task"]


def test_in_a_twin_only_the_probe_that_it_is_about_counts(compared: dict[str, Any]) -> None:
    """Three probes of the task; of each twin one, which is in no rate but the twin's own."""
    for row in compared["rows"]:
        assert (row["trials"], row["n"]) == (3, 3)
        assert (row["n_compliance"], row["n_twins"], row["n_lift"]) == (2, 2, 2)
        assert row["n_dependent"] == row["n_independent"] == 0


def test_exposures_are_told_with_their_place_and_none_with_its_bound(
    compared: dict[str, Any],
) -> None:
    [answer] = rows(compared, "forgetting", "parrot", memory="replay", path="answer")
    assert (answer["exposures"], answer["exposure_upper95"]) == (1, None)
    [example] = answer["examples"]["exposures"]
    assert "$4.10" in example["text"] and example["trial"].startswith("renewal/replay")
    [silent] = rows(compared, "forgetting", "last", memory="replay", path="any")
    assert (silent["exposures"], silent["exposure_upper95"]) == (0, pytest.approx(0.95))
    assert silent["residues"] == 2  # the tool's result, then the line that replay made of it
    [row] = [r for r in compared["rows"] if r["model"] == "last" and r["memory"] == "replay"]
    assert (row["residues"], row["presentations"], row["exposures"]) == (2, 1, 0)
    assert row["exposure_upper95"] == pytest.approx(0.95)
    assert (row["collateral_loss"], row["retention"]) == (0, None)


def test_essentials_that_stand_in_the_context_survive(compared: dict[str, Any]) -> None:
    assert {(r["compactions"], r["survival"]) for r in compared["survival"]} == {(0, 1)}
    assert {r["probe_kind"] for r in compared["survival"]} == {None, "constraint"}


def test_a_phrasing_that_changes_nothing_is_illegible_unless_the_twins_comply_anyway(
    compared: dict[str, Any],
) -> None:
    found = {(r["model"], r["probe_kind"], r["phrasing"]): r for r in compared["phrasing"]}
    assert set(found) == {(model, "constraint", "order") for model in ("last", "parrot")}
    for row in found.values():
        assert (row["compliance"], row["twin_compliance"], row["illegible"]) == (1, 1, None)


def test_tasks_that_are_not_diagnostic_are_named(compared: dict[str, Any]) -> None:
    [row] = rows(compared, "not_diagnostic", "parrot", memory="replay", probe_kind="constraint")
    assert (row["not_diagnostic"], row["tasks"], row["names"]) == (1, 1, ["renewal"])


@pytest.mark.parametrize("factor", ["family", "compactions", "phrasing", "position"])
def test_rows_are_grouped_by_what_the_key_crosses(
    memtrial: Memtrial, played: Path, factor: str
) -> None:
    level = {"family": "renewal", "compactions": 0, "phrasing": "order", "position": "after"}
    found = memtrial("compare", played, "--by", f"memory,{factor}", "--json").json
    for table in ("rows", "context"):
        assert level[factor] in {row[factor] for row in found[table]}
    lines = memtrial("compare", played, "--by", f"{factor},arm").out.splitlines()
    heading = lines[lines.index(COMPLIANCE_TITLE) + 1].split()
    assert heading[:2] == ["memory", factor] or factor in ("family", "compactions")


def test_an_unknown_factor_is_told_with_the_nearest(
    refused: Callable[..., str], played: Path
) -> None:
    message = refused("compare", played, "--by", "famly")
    assert message == "by: unknown factor 'famly'; did you mean 'family'?"


def test_the_tables_are_printed_and_revocation_never_without_its_limit(
    memtrial: Memtrial, played: Path
) -> None:
    out = memtrial("compare", played).out
    for title in (COMPLIANCE_TITLE, FORGETTING_TITLE, LOSS_TITLE):
        table = out[out.index(title) :].partition("\n\n")[0]
        assert INFERENCE in table
    assert "Exposure in renewal/replay" in out
    assert "TSR" not in out  # nothing here depends on an earlier session


def test_the_report_has_the_same_tables(memtrial: Memtrial, played: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert memtrial("report", played, "--html", page).status == 0
    text = page.read_text()
    assert 'id="context"' in text and 'id="forgetting"' in text
    assert text.count(INFERENCE) == 3
    assert "Lift by kind of probe" in text


def test_other_runs_say_nothing_of_it(memtrial: Memtrial, small: Path, tmp_path: Path) -> None:
    assert memtrial("run", small, "--out", "out").status == 0
    found = memtrial("compare", "out", "--json").json
    for table in ("context", "forgetting", "survival", "phrasing", "not_diagnostic"):
        assert found[table] == []
    assert {row["compliance"] for row in found["rows"]} == {None}
    assert not {"n_compliance", "levels"} & {name for row in found["rows"] for name in row}
    assert COMPLIANCE_TITLE not in memtrial("compare", "out").out
    memtrial("report", "out", "--html", tmp_path / "page.html")
    assert 'id="context"' not in (tmp_path / "page.html").read_text()
