"""`memtrial backup`: one file that is a whole run, taken while the run may be going on."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.means.owner import owner
from runs.backup import back_up
from runs.plan import plan
from runs.runner import run_plan
from runs.verifying import verify_run
from scoring.run import load_run
from simulator.events.errors import InputError
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.log.verify import INCOMPLETE, verify
from tests.runs.conftest import SMALL, Memtrial

Refused = Callable[..., str]

LARGE = SMALL.replace("arcs = 1", "arcs = 10")


def quiet(done: int, of: int) -> None:
    pass


@pytest.fixture
def copy(memtrial: Memtrial, small_run: Path, tmp_path: Path) -> Path:
    assert memtrial("backup", small_run, "copy.db").status == 0
    return tmp_path / "copy.db"


def test_a_backup_is_one_file_and_says_its_root(
    memtrial: Memtrial, small_run: Path, tmp_path: Path
) -> None:
    done = memtrial("backup", small_run, "copy.db")
    with load_run(small_run) as run:
        assert done.out == f"backup: copy.db (4 trials)\nroot {run.log.root()}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


@pytest.mark.parametrize(
    "command",
    [
        ["verify", "{run}", "--json"],
        ["replay", "{run}", "--json"],
        ["costs", "{run}", "--json"],
        ["trace", "{run}", "facts hard", "--json"],
        ["compare", "{run}", "--json"],
        ["score", "{run}", "--json"],
    ],
    ids=lambda command: command[0],
)
def test_every_command_reads_a_backup_as_it_reads_the_run(
    memtrial: Memtrial, small_run: Path, tmp_path: Path, copy: Path, command: list[str]
) -> None:
    shutil.copytree(small_run, tmp_path / "elsewhere" / "copy.db")  # of the same name as the file
    read = [
        memtrial(*(str(where) if each == "{run}" else each for each in command))
        for where in (tmp_path / "elsewhere" / "copy.db", copy)
    ]
    assert [each.status for each in read] == [0, 0]
    assert read[0].json == read[1].json


def test_the_report_of_a_backup_is_the_run_s(
    memtrial: Memtrial, small_run: Path, tmp_path: Path, copy: Path
) -> None:
    assert memtrial("report", small_run, "--html", "run.html").status == 0
    assert memtrial("report", copy).out.startswith(f"report: {tmp_path / 'copy.html'}\n")
    assert (tmp_path / "copy.html").read_bytes() == (tmp_path / "run.html").read_bytes()


def test_a_backup_of_a_backup_is_a_run_too(memtrial: Memtrial, copy: Path, tmp_path: Path) -> None:
    assert memtrial("backup", copy, "again.db").status == 0
    assert verify(tmp_path / "again.db") == verify(copy)
    assert memtrial("compare", "again.db").status == 0


def test_a_backup_becomes_a_folder_again(memtrial: Memtrial, small_run: Path, copy: Path) -> None:
    (copy.parent / "back").mkdir()
    shutil.copy(copy, copy.parent / "back" / "events.db")
    assert memtrial("replay", "back").status == 0
    assert verify_run(copy.parent / "back") == verify_run(small_run)


def test_nothing_is_written_over(refused: Refused, small_run: Path, copy: Path) -> None:
    before = copy.read_bytes()
    message = refused("backup", small_run, "copy.db")
    assert message == "copy.db: the file exists; a backup is never written over one"
    assert copy.read_bytes() == before


@pytest.mark.parametrize("place", ["nowhere/copy.db", "file/copy.db"])
def test_a_place_that_is_not_there_is_named(
    refused: Refused, small_run: Path, tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").touch()
    assert refused("backup", small_run, place) == (
        f"{place}: there is no such folder to write it into"
    )


def test_what_an_earlier_one_left_is_no_obstacle(
    memtrial: Memtrial, small_run: Path, tmp_path: Path
) -> None:
    (tmp_path / "copy.db.part").write_bytes(b"half of it")
    (tmp_path / "copy.db.part-wal").write_bytes(b"more")
    assert memtrial("backup", small_run, "copy.db").status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


def test_a_run_that_lacks_a_key_has_no_backup(
    refused: Refused, small_run: Path, tmp_path: Path
) -> None:
    shutil.copytree(small_run, tmp_path / "run")
    lost = sorted((tmp_path / "run" / "keys").iterdir())[0]
    lost.unlink()
    assert refused("backup", "run", "copy.db") == (
        f"run/keys/{lost.name}: the run's frozen copy is missing"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_a_changed_content_of_a_backup_is_found(copy: Path) -> None:
    """Its scripts and keys are contents of the log, so their bytes are checked like all others."""
    db = owner(copy)
    with load_run(copy) as run:
        key = next(iter(run.manifest.arcs.values()))["key"]
    db.execute("UPDATE blobs SET size = size + 1 WHERE hash = ?", (key,))
    db.close()
    (fault,) = verify_run(copy).faults
    assert key in fault.what


@pytest.mark.parametrize("workers", [1, 2])
def test_backups_of_a_run_that_is_going_on_are_consistent(tmp_path: Path, workers: int) -> None:
    """Real writers append all the while; a bare copy made at the same time is never taken for one."""
    (tmp_path / "large.toml").write_text(LARGE, encoding="utf-8")
    code = "from runs.cli import main; main()"
    command = [sys.executable, "-P", "-c", code, "run", "large.toml", "--out", "run"]
    run, copies = tmp_path / "run", []
    with subprocess.Popen(
        [*command, "--workers", str(workers)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            done = int(line.removeprefix("trials: ").split()[0])
            if not 1 < done < 40:
                continue
            shutil.copy(run / "events.db", tmp_path / f"bare{done}.db")
            with EventLog.open(run / "events.db") as log:
                if any(each.trial == RUN_STREAM and each.sealed for each in log.streams()):
                    continue  # the run was over before the copy was: it may be whole
            back_up(run, tmp_path / f"copy{done}.db", quiet)
            copies.append(done)
    assert process.returncode == 0 and len(copies) >= 3
    whole = verify_run(run)
    assert whole.ok and len(whole.heads) == 40
    for done in copies:
        found = verify_run(tmp_path / f"copy{done}.db")
        assert found.ok, found.faults
        assert found.heads.items() <= whole.heads.items() and len(found.heads) >= done - workers
        assert recognised(tmp_path / f"bare{done}.db")
    # Where this test read the log while the run closed it, the journal had to stay.
    EventLog.open(run / "events.db", write=True).close()
    shutil.copy(run / "events.db", tmp_path / "closed.db")
    assert verify(tmp_path / "closed.db").ok


def recognised(bare: Path) -> bool:
    """Return whether a bare copy of a live log is told to be one.

    It may be torn, since it is copied while SQLite carries pages over; then that is told too.
    """
    try:
        return INCOMPLETE in [fault.what for fault in verify(bare).faults]
    except InputError as error:
        return error.message == "this is no MemTrial log without its journal"


def test_a_bare_copy_is_no_run_to_back_up_and_compare_warns(
    memtrial: Memtrial, small: Path, tmp_path: Path
) -> None:
    planned = plan(str(small))
    run_plan(planned, tmp_path / "run", part="1/2", report=quiet)
    shutil.copytree(tmp_path / "run", tmp_path / "live")
    unsealed(tmp_path / "live" / "events.db")
    with EventLog.open(tmp_path / "live" / "events.db", write=True):
        shutil.copytree(
            tmp_path / "live",
            tmp_path / "bare",
            ignore=shutil.ignore_patterns("*-wal", "*-shm", "*-journal"),
        )
    done = memtrial("backup", "bare", "copy.db")
    assert (done.status, done.err) == (2, f"memtrial: bare: {INCOMPLETE}\n")
    assert (
        "Warning: bare is an incomplete copy, see `memtrial verify`."
        in memtrial("compare", "bare").out
    )
    assert "bare is an incomplete copy" in memtrial("replay", "bare").err
    done = memtrial("verify", "bare", "--json")
    assert (done.status, done.json["ok"]) == (1, False)
    assert done.json["faults"] == [{"trial": None, "position": None, "what": INCOMPLETE}]
    assert "incomplete" not in memtrial("compare", "live").out
    assert memtrial("replay", "live", "--json").json["incomplete"] is False


def test_a_log_alone_cannot_go_on(memtrial: Memtrial, small: Path, tmp_path: Path) -> None:
    run_plan(plan(str(small)), tmp_path / "run", part="1/2", report=quiet)
    (tmp_path / "alone").mkdir()
    shutil.copyfile(tmp_path / "run" / "events.db", tmp_path / "alone" / "events.db")
    done = memtrial("run", small, "--resume", "--out", "alone")
    assert (done.status, done.out) == (2, "")
    assert "alone: its frozen scripts are missing" in done.err


def unsealed(path: Path) -> None:
    """Take the root away, as if the run were still going on."""
    db = owner(path)
    stream = "(SELECT id FROM streams WHERE trial = '@run')"
    db.execute(f"DELETE FROM heads WHERE stream = {stream}")
    db.execute(f"DELETE FROM events WHERE kind = 'root' AND stream = {stream}")
    db.close()


def test_a_full_disk_leaves_no_half_backup(
    memtrial: Memtrial, small_run: Path, tmp_path: Path
) -> None:
    code = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\n"
        "from runs.cli import main; main()"
    )
    command = [sys.executable, "-P", "-c", code, "backup", str(small_run), "copy.db"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "memtrial: copy.db.part: the copy was not made: " in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_json_of_verify_is_the_same_for_both(
    memtrial: Memtrial, small_run: Path, copy: Path
) -> None:
    both = [json.loads(memtrial("verify", each, "--json").out) for each in (small_run, copy)]
    assert both[0] == both[1] and both[0]["ok"]
    assert not os.access(copy.parent / "copy.db-wal", os.F_OK)
