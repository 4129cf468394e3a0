"""Run folders: what is refused to be written into, and what is refused to be read."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runs.cli import app
from simulator.log.schema import SCHEMA_VERSION
from tests.runs.conftest import SMALL, Memtrial
from tests.runs.test_command_contract import commands

Refused = Callable[..., str]

READERS: list[list[str]] = [
    ["verify"],
    ["replay"],
    ["compare"],
    ["costs"],
    ["score"],
    ["audit sample"],
    ["report"],
    ["trace", "none"],
    ["backup", "copy.db"],
    ["diff", "none easy", "none hard"],
    ["ask"],
    ["select"],
    ["fork", "none easy", "--at", "1", "--token-budget", "9", "--out", "forked"],
]
IDS = [each[0] for each in READERS]


def call(command: list[str], run: Path) -> list[str | Path]:
    return [*command[0].split(), run, *command[1:]]


def test_a_run_is_never_written_over(refused: Refused, small: Path, small_run: Path) -> None:
    before = (small_run / "events.db").read_bytes()
    message = refused("run", small, "--out", small_run)
    assert message == (
        f"{small_run}: the folder holds a run of suite 'small'; if it is this one, go on with "
        "--resume; else choose another with --out, or remove it"
    )
    small.write_text(SMALL.replace('"small"', '"large"'), encoding="utf-8")
    assert "a run of suite 'small'; choose another" in refused("run", small, "--out", small_run)
    assert (small_run / "events.db").read_bytes() == before


def test_only_an_empty_folder_is_written_into(
    refused: Refused, memtrial: Memtrial, small: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert refused("run", small, "--out", "file") == "file: this is a file; a run needs a folder"
    assert "Not a directory" in refused("run", small, "--out", "file/below")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("x", encoding="utf-8")
    assert "full: the folder is not empty" in refused("run", small, "--out", "full")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "events.db").write_bytes(b"x" * 4096)
    assert "other/events.db: this is no MemTrial log" in refused("run", small, "--out", "other")
    (tmp_path / "empty").mkdir()
    assert memtrial("run", small, "--out", "empty").status == 0


@pytest.mark.parametrize("command", READERS, ids=IDS)
def test_a_folder_that_is_no_run_is_refused(
    refused: Refused, tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name in ("empty", "nowhere"):
        message = refused(*call(command, Path(name)))
        assert message == f"{name}: this folder is no run: it has no events.db"
    assert refused(*call(command, Path("file"))) == "file: this is no MemTrial log"
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "events.db").write_text("no database " * 500, encoding="utf-8")
    assert refused(*call(command, Path("text"))) == "text/events.db: this is no MemTrial log"


@pytest.mark.parametrize("command", [*READERS, ["run"]], ids=[*IDS, "run"])
def test_a_log_of_a_newer_schema_is_refused_with_both_versions(
    refused: Refused, small: Path, small_run: Path, tmp_path: Path, command: list[str]
) -> None:
    shutil.copytree(small_run, tmp_path / "newer")
    with sqlite3.connect(tmp_path / "newer" / "events.db") as db:
        db.execute("INSERT INTO meta (key, value) VALUES ('migration-99', 'tomorrow')")
    db.close()
    newer = Path("newer")
    arguments = ["run", small, "--out", newer] if command == ["run"] else call(command, newer)
    message = refused(*arguments)
    assert message.startswith("newer/events.db: the log has schema 99, this version of MemTrial ")
    assert f"reads up to {SCHEMA_VERSION}" in message


def test_every_command_that_reads_a_run_is_among_those_tested() -> None:
    import typer.main

    readers = [
        name
        for name, command in commands(typer.main.get_command(app)).items()
        if any(parameter.name in ("run", "runs") for parameter in command.params)
    ]
    assert sorted(readers) == sorted(IDS)


@pytest.mark.parametrize("command", READERS[1:], ids=IDS[1:])
def test_a_changed_frozen_script_is_named(
    memtrial: Memtrial, small_run: Path, tmp_path: Path, command: list[str]
) -> None:
    shutil.copytree(small_run, tmp_path / "changed")
    for path in (tmp_path / "changed").glob("*/*.json"):
        path.write_text(path.read_text("utf-8").replace("O-", "Q-"), encoding="utf-8")
    arguments = call(command, Path("changed"))
    if command[0] == "trace":
        arguments[2] = "none easy"
    done = memtrial(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "the frozen copy was changed after the run" in done.err


def test_the_same_run_cannot_be_compared_with_itself(refused: Refused, small_run: Path) -> None:
    assert refused("compare", small_run, small_run) == "the same run is named twice"


def test_an_unknown_trial_gets_the_nearest_ones(refused: Refused, small_run: Path) -> None:
    run = small_run
    facts = "facts-pattern+last+96"
    assert refused("trace", run, "none") == (
        "2 trials fit 'none', such as\n"
        "  ladder-support-easy-3-001/none+last+96/0\n"
        "  ladder-support-hard-3-001/none+last+96/0"
    )
    assert refused("trace", run, "fcats hard") == (
        f"no trial fits 'fcats hard'; this run has\n  ladder-support-hard-3-001/{facts}/0\n"
        "  ladder-support-hard-3-001/none+last+96/0"
    )
    assert f"\n  ladder-support-hard-3-001/{facts}/0" in refused(
        "trace", run, f"laddr-hard-3-001/{facts}/0"
    )
    assert refused("trace", run, "???").count("\n") == 4


def test_a_trial_is_named_by_any_parts_that_no_other_has(
    memtrial: Memtrial, small_run: Path
) -> None:
    done = memtrial("trace", small_run, "facts hard")
    assert done.out.startswith("trial ladder-support-hard-3-001/facts-pattern+last+96/0\n")


def test_outputs_that_cannot_be_written_are_named(
    refused: Refused, small_run: Path, tmp_path: Path
) -> None:
    assert "is a folder" in refused("report", small_run, "--html", tmp_path)
    nowhere = tmp_path / "nowhere" / "report.html"
    assert str(nowhere) in refused("report", small_run, "--html", nowhere)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert "file" in refused("generate", "ladder", "--out", "file")
    assert "file/x" in refused("generate", "ladder", "--out", "file/x")


def test_wrong_prices_and_factors_are_named(
    refused: Refused, small_run: Path, tmp_path: Path
) -> None:
    assert "no price is known" in refused("costs", small_run, "--as", "gpt-nothing")
    assert "nowhere.toml" in refused("costs", small_run, "--prices", "nowhere.toml")
    assert refused("compare", small_run, "--by", "memroy") == (
        "by: unknown factor 'memroy'; did you mean 'memory'?"
    )
    assert "unknown factor ''" in refused("compare", small_run, "--by", "")


def test_a_reader_that_goes_away_is_no_error(small_run: Path) -> None:
    command = [sys.executable, "-c", "from runs.cli import main; main()", "trace", small_run]
    with subprocess.Popen(
        [*map(str, command), "facts hard", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1
