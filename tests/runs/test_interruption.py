"""An interrupted run: status 130, no traceback, a log that verifies and says what is missing."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from runs.plan import plan
from simulator.log.errors import LogRefused
from tests.runs.conftest import SMALL, Memtrial

LARGE = SMALL.replace("arcs = 1", "arcs = 40").replace('"none", "facts"', '"none"')

# A runner of tests may have been started with interruptions ignored, which children inherit.
CODE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from runs.cli import main
main()
"""


@pytest.fixture(params=[1, 2])
def interrupted(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a run of 80 trials that was interrupted when some were done."""
    (tmp_path / "large.toml").write_text(LARGE, encoding="utf-8")
    command = [sys.executable, "-P", "-c", CODE, "run", "large.toml", "--out", "run"]
    with subprocess.Popen(
        [*command, "--workers", str(request.param)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stderr.readline() == "trials: 1 of 80\n"
        os.kill(process.pid, signal.SIGINT)
        told = process.stderr.read().splitlines()
        assert process.stdout.read() == ""
    assert process.returncode == 130
    assert told[-1] == "memtrial: interrupted; what was finished is recorded"
    assert all(line.startswith("trials: ") for line in told[:-1])
    return tmp_path / "run"


def test_an_interrupted_run_is_whole_as_far_as_it_goes(
    interrupted: Path, memtrial: Memtrial
) -> None:
    names = {trial.id for trial in plan("large.toml").trials}
    verified = memtrial("verify", interrupted, "--json")
    assert (verified.status, verified.json["ok"], verified.json["faults"]) == (0, True, [])
    done, missing = set(verified.json["heads"]), set(verified.json["unfinished"])
    assert 1 <= len(done) < 80
    assert done | missing == names
    assert not done & missing

    text = memtrial("verify", interrupted).out
    assert f"{min(missing)}: unfinished" in text
    assert f"and {len(missing) - 10} more unfinished" in text or len(missing) <= 10
    assert f"{len(done)} trials, " in text

    compared = memtrial("compare", interrupted)
    assert compared.status == 0
    assert f"Interrupted: {len(missing)} trials of the plan are not finished" in compared.out
    told = memtrial("compare", interrupted, "--json").json
    assert set(told["unfinished"]) == missing
    assert sum(row["trials"] for row in told["rows"]) == len(done)
    assert memtrial("replay", interrupted, "--json").json["trials"] == len(done)
    again = memtrial("run", "large.toml", "--out", interrupted)
    assert (again.status, "if it is this one, go on with --resume" in again.err) == (2, True)


def test_a_killed_run_leaves_no_worker_behind(tmp_path: Path, memtrial: Memtrial) -> None:
    (tmp_path / "large.toml").write_text(LARGE, encoding="utf-8")
    command = [sys.executable, "-P", "-c", CODE, "run", "large.toml", "--out", "run"]
    with subprocess.Popen(
        [*command, "--workers", "2"], stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "trials: 1 of 80\n"
        process.kill()
        # The workers hold the pipe too: it ends only when the last of them has.
        process.communicate(timeout=60)
    verified = memtrial("verify", tmp_path / "run", "--json").json
    assert verified["ok"] and 1 <= len(verified["heads"]) < 80


def test_a_shard_that_is_done_misses_nothing(memtrial: Memtrial, small: Path) -> None:
    sizes = []
    for part in ("1/3", "2/3", "3/3"):
        out = f"run-{part[0]}"
        sizes.append(memtrial("run", small, "--out", out, "--shard", part, "--json").json["trials"])
        assert memtrial("verify", out, "--json").json["unfinished"] == []
        assert "Interrupted" not in memtrial("compare", out).out
    assert sizes == [2, 1, 1]


def test_an_interruption_before_the_first_trial_leaves_a_run_without_trials(
    memtrial: Memtrial, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*anything: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("runs.runner.play", interrupt)
    done = memtrial("run", small, "--out", "run")
    assert (done.status, done.out) == (130, "")
    assert done.err == "memtrial: interrupted; what was finished is recorded\n"
    found = memtrial("verify", "run", "--json").json
    assert (found["ok"], len(found["unfinished"]), found["heads"]) == (True, 4, {})
    assert memtrial("compare", "run").status == 0


def test_a_failure_in_the_middle_of_writing_is_told(
    memtrial: Memtrial, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*anything: object, **more: object) -> None:
        raise LogRefused("events.db: nothing was written: database or disk is full")

    monkeypatch.setattr("runs.runner.play", full)
    done = memtrial("run", small, "--out", "run")
    assert (done.status, done.out) == (1, "")
    assert done.err == "memtrial: events.db: nothing was written: database or disk is full\n"


def test_a_damaged_log_is_told_and_not_shown(
    memtrial: Memtrial, small: Path, tmp_path: Path
) -> None:
    assert memtrial("run", small, "--out", "run").status == 0
    with sqlite3.connect(tmp_path / "run" / "events.db") as db:
        db.execute("DROP TRIGGER blobs_no_update")
        db.execute("UPDATE blobs SET stored = x'00'")
    db.close()
    verified = memtrial("verify", "run")
    assert (verified.status, verified.err) == (1, "")
    done = memtrial("trace", "run", "facts hard")
    assert (done.status, done.out) == (1, "")
    assert "`memtrial verify` says what is wrong and where" in done.err
    assert json.loads(memtrial("verify", "run", "--json").out)["ok"] is False


@pytest.mark.parametrize("command", ["compare", "costs", "report", "trace"])
def test_a_changed_event_is_never_scored(
    memtrial: Memtrial, small_run: Path, tmp_path: Path, command: str
) -> None:
    folder = tmp_path / "forged"
    shutil.copytree(small_run, folder)
    with sqlite3.connect(folder / "events.db") as database:
        database.execute("DROP TRIGGER events_no_update")
        trial, position = database.execute(
            "SELECT trial, position FROM events JOIN streams ON streams.id = stream "
            "WHERE kind = 'answer' LIMIT 1"
        ).fetchone()
        database.execute(
            "UPDATE events SET body = '{' WHERE position = ? AND stream = "
            "(SELECT id FROM streams WHERE trial = ?)",
            (position, trial),
        )
    database.close()
    told = memtrial(command, folder, *([trial] if command == "trace" else []))
    assert told.status == 1
    assert f"{trial} event {position} was changed after the run" in told.err
    assert "Traceback" not in told.err
