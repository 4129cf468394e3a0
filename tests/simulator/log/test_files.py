import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils import Database

from simulator.events.errors import InputError
from simulator.log import files, schema
from simulator.log.errors import LogRefused
from simulator.log.store import EventLog
from simulator.log.verify import verify
from tests.simulator.log.story import (
    GENESIS,
    TRIALS,
    finished_run,
    trial_rows,
    write,
    write_run,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "events.db").write_bytes(finished_run())
    return tmp_path / "events.db"


def test_create_never_overwrites(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(InputError, match="the file exists; a log is never overwritten"):
        EventLog.create(path)
    assert path.read_bytes() == before


def test_create_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be created: No such file or directory"):
        EventLog.create(tmp_path / "nowhere" / "events.db")


def test_create_refuses_another_logs_journal(path: Path) -> None:
    with EventLog.open(path, write=True) as log:
        log.begin("late", GENESIS)
        shutil.copy(f"{path}-wal", path.with_name("new.db-wal"))
    with pytest.raises(InputError, match="new.db-wal of another log stands here"):
        EventLog.create(path.with_name("new.db"))


def test_create_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(db: Database) -> None:
        db.execute("CREATE TABLE half (done)")
        db.execute("no SQL")

    monkeypatch.setattr(schema, "MIGRATIONS", [broken])
    with pytest.raises(InputError, match="the log cannot be created"):
        EventLog.create(tmp_path / "events.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("write", [False, True])
def test_what_is_no_log_is_refused(tmp_path: Path, write: bool) -> None:
    text, empty, other = tmp_path / "a.txt", tmp_path / "empty.db", tmp_path / "other.db"
    text.write_text("a text that is longer than the header of a database " * 4)
    empty.touch()
    sqlite3.connect(other).execute("CREATE TABLE meta (key, value)").connection.close()
    for wrong, why in (
        (text, "this is no MemTrial log"),
        (empty, "this is no MemTrial log"),
        (other, "this is no MemTrial log"),
        (tmp_path, "this is a folder, not a MemTrial log"),
        (tmp_path / "missing.db", "there is no such log"),
        (text / "events.db", "the log cannot be read: Not a directory"),
        (tmp_path / ("n" * 300), "the log cannot be read: File name too long"),
    ):
        with pytest.raises(InputError, match=why) as caught:
            EventLog.open(wrong, write)
        assert caught.value.file == str(wrong)
        with pytest.raises(InputError, match=why):
            verify(wrong)
    assert not (tmp_path / "missing.db").exists()


def test_a_foreign_meta_table_is_no_log(tmp_path: Path) -> None:
    with Database(tmp_path / "other.db") as db:
        db["meta"].insert({"name": "x"})
    with pytest.raises(InputError, match="this is no MemTrial log"):
        EventLog.open(tmp_path / "other.db")


@pytest.mark.parametrize("write", [False, True])
def test_a_newer_schema_is_refused_naming_both_versions(path: Path, write: bool) -> None:
    with sqlite3.connect(path) as db:
        db.execute("INSERT INTO meta VALUES ('migration-41', 'later')")
    db.close()
    expected = f"schema 41, this version of MemTrial reads up to {schema.SCHEMA_VERSION}"
    with pytest.raises(InputError, match=expected):
        EventLog.open(path, write)


def test_an_older_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 2))
    with pytest.raises(InputError, match=r"SQLite 3\.38\.0 or newer is needed"):
        EventLog.open(path)


def test_a_log_opened_for_reading_cannot_be_written(path: Path) -> None:
    with EventLog.open(path) as log, pytest.raises(LogRefused, match="readonly"):
        log.begin("new", GENESIS)


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "q?x=1.db", "h#1.db", "ü.db"])
def test_any_file_name_works(tmp_path: Path, name: str) -> None:
    write_run(tmp_path / name)
    with EventLog.open(tmp_path / name) as log:
        assert len(log.heads()) == len(TRIALS)


def test_a_reader_sees_what_a_writer_has_written(path: Path) -> None:
    with EventLog.open(path) as reader, EventLog.open(path, write=True) as writer:
        head = write(writer, "shop/late/0")
        assert reader.heads()["shop/late/0"] == head
        assert list(reader.rows("shop/late/0")) == trial_rows("shop/late/0")


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A folder in which nothing can be made, seen as a user without special rights."""
    folder = Path(tempfile.mkdtemp())
    write_run(folder / "events.db")
    (folder / "events.db").chmod(0o444)
    folder.chmod(0o555)
    rights = os.geteuid()
    if rights == 0:
        os.seteuid(65534)
    yield folder
    if rights == 0:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_log_on_a_read_only_medium_is_read(read_only_folder: Path) -> None:
    with EventLog.open(read_only_folder / "events.db") as log:
        assert len(log.heads()) == len(TRIALS)
    assert verify(read_only_folder / "events.db").ok
    with pytest.raises(InputError, match="cannot be"):
        EventLog.create(read_only_folder / "new.db")


# Migrations


def test_an_older_log_is_lifted_by_a_writer_and_left_by_a_reader(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def notes(db: Database) -> None:
        db.create_table("notes", {"text": str}, strict=True)

    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, notes])
    newest = len(schema.MIGRATIONS)
    monkeypatch.setattr(files, "SCHEMA_VERSION", newest)
    with EventLog.open(path) as log:
        assert len(log.heads()) == len(TRIALS)
        assert schema.schema_version(log._db) == newest - 1
    for _ in range(2):  # the second time there is nothing to do
        with EventLog.open(path, write=True) as log:
            assert schema.schema_version(log._db) == newest
            assert log._db.execute("SELECT count(*) FROM notes").fetchone() == (0,)
            named = log._db.execute("SELECT * FROM meta ORDER BY key").fetchall()
    assert named == [
        ("format", "memtrial-log"),
        ("migration-1", "tables"),
        ("migration-2", "services"),
        ("migration-3", "openings"),
        ("migration-4", "forgetting"),
        ("migration-5", "notes"),
    ]
    assert verify(path).ok


def test_a_migration_that_fails_leaves_the_log_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(db: Database) -> None:
        db.execute("CREATE TABLE half (done)")
        db.execute("no SQL")

    monkeypatch.setattr(schema, "MIGRATIONS", [*schema.MIGRATIONS, broken])
    monkeypatch.setattr(files, "SCHEMA_VERSION", len(schema.MIGRATIONS))
    with pytest.raises(InputError, match="cannot be lifted to schema 5"):
        EventLog.open(path, write=True)
    monkeypatch.undo()
    with EventLog.open(path, write=True) as log:
        tables = log._db.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall()
        assert tables == []
    assert verify(path).ok
