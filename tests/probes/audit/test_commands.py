"""`memtrial audit` through the command line."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from runs.cli import app

MAP = "prompt=q,required=must,forbidden=never,group=kind"


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, ["audit", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    entries = [
        {"q": "When do we meet?", "must": "Thursday", "never": ["Friday"], "kind": "days"},
        {"q": "What is it?", "must": "$60", "never": ["$45", "$"], "kind": "money"},
    ]
    path.write_text("\n".join(map(json.dumps, entries)), "utf-8")
    return path


def test_any_set_has_the_keys_of_the_contract(questions: Path) -> None:
    found = json.loads(run("jsonl", questions, "--map", MAP, "--json").stdout)
    assert (found["queries"], found["forbidden_phrases"]) == (2, 3)
    assert found["inadmissible"]["by_track"] == {"days": 0, "money": 1}
    for text in ("plain", "rejecting", "plain_and_rejecting"):
        for place in (found["constructed"], *found["constructed"]["by_track"].values()):
            assert {"legacy", "corrected", "corrected_query_aware"} <= place[text].keys()
    for control in ("filler", "laundering", "late_cue"):
        assert all(len(found[control][name]) == 2 for name in ("legacy", "corrected"))


def test_the_table_names_every_part(questions: Path) -> None:
    shown = run("jsonl", questions, "--map", MAP).stdout
    for part in (
        "2 queries of 2 templates, 3 forbidden phrases",
        "rejecting",
        "plain_and_rejecting",
        "filler, 319 words",
        "laundering, 40 carriers",
        "next_sentence",
        "token_f1",
        "conditional",
        "check code and measure nothing",
    ):
        assert part in shown


def test_a_missing_field_is_the_users_mistake(questions: Path) -> None:
    arguments = ["audit", "jsonl", str(questions), "--map", MAP.replace("=must", "=musts")]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("memtrial: ") and "did you mean 'must'" in line


@pytest.mark.data
def test_statebench_through_the_command(files: list[Path]) -> None:
    found = json.loads(run("statebench", *files, "--json").stdout)
    assert (found["timelines"], found["queries"]) == (1257, 1500)
    shown = run("statebench", files[-1]).stdout
    assert "20 of 251" in shown


def test_a_sheet_is_drawn_filled_and_compared(run_folder: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    made = json.loads(run("sample", run_folder, "--n", "9", "--out", sheet, "--json").stdout)
    assert made["rows"] == 9
    key = Path(made["key"])
    labels = {row: each["label"] for row, each in json.loads(key.read_text())["rows"].items()}
    filled = tmp_path / "filled.csv"
    filled.write_text("id,label\n" + "".join(f"{i},{label}\n" for i, label in labels.items()))
    found = json.loads(run("agree", filled, key, "--json").stdout)
    assert found["rows"][0]["agreement"] == 1.0
    shown = run("agree", filled, filled, "--key", key).stdout
    assert shown.count("scorer") == 2
    assert "9 rows" in run("sample", run_folder, "--n", "9", "--out", tmp_path / "t.csv").stdout
