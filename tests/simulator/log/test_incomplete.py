"""A file copied out of a log that is being written is told from one that is whole."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.events.errors import InputError
from simulator.log import files
from simulator.log.files import lacks_journal
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.log.verify import INCOMPLETE, verify
from tests.simulator.log.story import (
    GENESIS,
    TRIALS,
    append_hundred,
    finished_run,
    trial_rows,
    write,
    write_run,
)


def begun(path: Path) -> EventLog:
    """Create a log whose run goes on: one trial is finished, no root is sealed."""
    log = EventLog.create(path)
    log.begin(RUN_STREAM, {"suite": "tiny"})
    write(log, TRIALS[0])
    return log


def checkpoint(path: Path) -> None:
    """Carry the journal over into the file, as SQLite does by itself every 1,000 pages."""
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[0] == 0
    db.close()


def whats(path: Path) -> list[str]:
    return [fault.what for fault in verify(path).faults]


@pytest.fixture
def bare_copy(tmp_path: Path) -> Path:
    """The file alone, of a log in use whose second trial is still in the journal."""
    with begun(tmp_path / "live.db") as log:
        checkpoint(tmp_path / "live.db")
        write(log, TRIALS[1])
        shutil.copy(tmp_path / "live.db", tmp_path / "copy.db")
        assert len(log.heads()) == 2
    return tmp_path / "copy.db"


def test_a_bare_copy_of_a_live_log_is_incomplete_whoever_looks_and_how_often(
    bare_copy: Path,
) -> None:
    for _ in range(2):
        assert whats(bare_copy) == [INCOMPLETE]
        with EventLog.open(bare_copy) as log:
            assert log.incomplete
            assert list(log.heads()) == [TRIALS[0]]  # what it lacks, nothing else would tell
    assert [path.name for path in bare_copy.parent.glob("copy.db*")] == ["copy.db"]


def test_the_live_log_itself_is_complete(tmp_path: Path) -> None:
    with begun(tmp_path / "live.db") as log:
        assert verify(tmp_path / "live.db").ok and not log.incomplete
        checkpoint(tmp_path / "live.db")
        assert verify(tmp_path / "live.db").ok and not log.incomplete


def test_a_bare_copy_made_before_anything_left_the_journal_is_no_log(tmp_path: Path) -> None:
    with begun(tmp_path / "live.db"):
        shutil.copy(tmp_path / "live.db", tmp_path / "copy.db")
    for write_too in (False, True):
        with pytest.raises(InputError, match="this is no MemTrial log without its journal"):
            EventLog.open(tmp_path / "copy.db", write_too)


def test_the_index_of_the_journal_is_no_journal(bare_copy: Path) -> None:
    (bare_copy.parent / "copy.db-shm").write_bytes(bytes(32768))
    assert whats(bare_copy) == [INCOMPLETE]


def test_a_copy_with_its_journal_is_complete(tmp_path: Path) -> None:
    with begun(tmp_path / "live.db"):
        shutil.copy(tmp_path / "live.db", tmp_path / "copy.db")
        shutil.copy(tmp_path / "live.db-wal", tmp_path / "copy.db-wal")
    assert verify(tmp_path / "copy.db").ok


def test_a_closed_log_is_complete_though_no_root_is_sealed(tmp_path: Path) -> None:
    begun(tmp_path / "events.db").close()
    assert [path.name for path in tmp_path.iterdir()] == ["events.db"]
    shutil.copy(tmp_path / "events.db", tmp_path / "copy.db")
    assert verify(tmp_path / "copy.db").ok
    with EventLog.open(tmp_path / "copy.db", write=True) as log:
        write(log, TRIALS[1])
        assert lacks_journal(tmp_path / "copy.db") is False
    with EventLog.open(tmp_path / "copy.db") as log:
        assert not log.incomplete
        assert list(log.heads()) == sorted(TRIALS[:2])


def test_a_finished_run_is_complete_whatever_wrote_it(tmp_path: Path) -> None:
    """Earlier versions left the mark of a log in use in every file."""
    path = tmp_path / "events.db"
    path.write_bytes(finished_run())
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    assert lacks_journal(path) and verify(path).ok
    with EventLog.open(path) as log:
        assert not log.incomplete


def test_a_log_stays_marked_until_its_last_writer_closes(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    first = begun(path)
    with EventLog.open(path, write=True) as second:
        first.close()
        shutil.copy(path, tmp_path / "copy.db")
        write(second, TRIALS[1])
    assert lacks_journal(tmp_path / "copy.db")
    assert not lacks_journal(path) and not (tmp_path / "events.db-wal").exists()


def test_a_reader_at_work_keeps_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    log, reader = begun(path), sqlite3.connect(path, isolation_level=None)
    checkpoint(path)
    write(log, TRIALS[1])
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM events").fetchone()
    log.close()
    shutil.copy(path, tmp_path / "copy.db")
    assert (tmp_path / "events.db-wal").stat().st_size > 0 and verify(path).ok
    assert whats(tmp_path / "copy.db") == [INCOMPLETE]
    reader.close()


KILLED = """
import os, signal, sys
from tests.simulator.log.test_incomplete import TRIALS, begun, write
from pathlib import Path

log = begun(Path(sys.argv[1]))
write(log, TRIALS[1])
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_run_is_complete_and_a_bare_copy_of_it_is_not(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    shutil.copy(path, tmp_path / "first.db")
    found = verify(path)
    assert found.ok and set(found.heads) == set(TRIALS[:2])
    checkpoint_by_a_writer(path)
    shutil.copy(path, tmp_path / "closed.db")
    assert verify(path).ok and verify(tmp_path / "closed.db").ok


def checkpoint_by_a_writer(path: Path) -> None:
    with EventLog.open(path, write=True) as log:
        log.begin("shop/more/0", GENESIS)


OPENING = """
import os, signal, sqlite3, sys
from simulator.log import files
from simulator.log.store import EventLog

class Killing(sqlite3.Connection):
    def execute(self, sql, *values):
        found = super().execute(sql, *values)
        if sql == sys.argv[2]:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

connect = sqlite3.connect
files.sqlite3.connect = lambda *a, **k: connect(*a, **k, factory=Killing)
EventLog.open(sys.argv[1], write=True).close()
"""


@pytest.mark.parametrize(
    "sql",
    [
        "PRAGMA journal_mode = WAL",
        "SELECT 1 FROM sqlite_master",
        "PRAGMA synchronous = NORMAL",
        "PRAGMA journal_mode = DELETE",
    ],
)
def test_a_writer_killed_while_it_opens_or_closes_leaves_a_complete_log(
    tmp_path: Path, sql: str
) -> None:
    path = tmp_path / "events.db"
    begun(path).close()
    before = verify(path)
    ended = subprocess.run([sys.executable, "-c", OPENING, str(path), sql], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert verify(path) == before and before.ok
    with EventLog.open(path, write=True) as log:
        write(log, TRIALS[1])
    assert verify(path).ok and [each.name for each in tmp_path.iterdir()] == ["events.db"]


def test_a_takeover_that_was_cut_short_is_undone_by_a_reader(tmp_path: Path) -> None:
    """The header's change is itself journalled; its journal is hot when the writer is killed."""
    path = tmp_path / "events.db"
    begun(path).close()
    whole = path.read_bytes()
    half = """
import os, signal, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN EXCLUSIVE")
db.execute("CREATE TABLE spill (x)")
db.executemany("INSERT INTO spill VALUES (?)", [("x" * 4000,)] * 50)
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", half, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert path.read_bytes() != whole and (tmp_path / "events.db-journal").stat().st_size > 0
    assert verify(path).ok
    assert path.read_bytes() == whole


def test_writers_may_come_and_go_at_once(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    EventLog.create(path).close()
    code = "import sys; from tests.simulator.log.story import append_hundred; append_hundred(*sys.argv[1:])"
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(path), f"shop/arm{number}/0"])
        for number in range(4)
    ]
    assert [writer.wait() for writer in writers] == [0] * 4
    append_hundred(str(path), "shop/last/0")
    found = verify(path)
    assert found.ok and found.events == 500 and not lacks_journal(path)


def test_log_h18_a_writer_waits_where_sqlite_refuses_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events.db"
    write_run(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # as a writer does while it takes the file over
    waits: list[float] = []

    def other_goes_on(seconds: float) -> None:
        waits.append(seconds)
        other.execute("ROLLBACK")

    monkeypatch.setattr(files, "sleep", other_goes_on)
    with EventLog.open(path, write=True):
        assert len(waits) == 1
    other.close()


def test_a_writer_that_cannot_take_the_file_over_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events.db"
    write_run(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN")
    db.execute("SELECT * FROM events").fetchone()
    monkeypatch.setattr(files, "BUSY_SECONDS", 0)
    with pytest.raises(InputError, match="the log cannot be written: database is locked"):
        EventLog.open(path, write=True)
    db.close()
    with EventLog.open(path) as log:
        assert list(log.rows(TRIALS[0])) == trial_rows(TRIALS[0])
