"""What the file itself refuses, whoever writes to it and with whatever SQL."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.events.canonical import sha256_bytes
from tests.simulator.log.story import finished_run

TABLES = ("meta", "streams", "events", "blobs", "heads", "measurements")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    (tmp_path / "events.db").write_bytes(finished_run())
    connection = sqlite3.connect(tmp_path / "events.db", isolation_level=None)
    yield connection
    connection.close()


def everything(db: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}


def refused(db: sqlite3.Connection, sql: str, why: str) -> None:
    before = everything(db)
    with pytest.raises(sqlite3.IntegrityError, match=why):
        db.execute(sql)
    assert everything(db) == before


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_updated_or_deleted(db: sqlite3.Connection, table: str) -> None:
    column = db.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
    refused(db, f"UPDATE {table} SET {column} = {column}", f"{table}: append-only, no UPDATE")
    refused(db, f"UPDATE OR REPLACE {table} SET {column} = {column}", "append-only")
    refused(db, f"DELETE FROM {table}", f"{table}: append-only, no DELETE")


@pytest.mark.parametrize("table", ["meta", "streams", "events", "heads", "measurements"])
@pytest.mark.parametrize("verb", ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE", "REPLACE"])
def test_log_h18_no_row_is_replaced(db: sqlite3.Connection, table: str, verb: str) -> None:
    refused(db, f"{verb} INTO {table} SELECT * FROM {table}", f"{table}: ")


def test_no_row_is_replaced_by_its_hidden_number(db: sqlite3.Connection) -> None:
    """A new key with an old rowid would delete the old row and fire no delete trigger."""
    for table in TABLES:
        keys = db.execute(f"SELECT count(*) FROM pragma_table_info('{table}') WHERE pk").fetchone()
        hidden = db.execute(f"SELECT * FROM {table}").description
        try:
            names = [name for name, *_ in db.execute(f"SELECT rowid, * FROM {table}").description]
        except sqlite3.OperationalError:
            continue  # without a rowid
        assert keys == (1,) and names[0] == hidden[0][0], "the rowid must be the declared key"


def test_a_stream_takes_no_gap_and_no_stranger(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO streams VALUES (5, 'new', 1, '{}', 'x')")
    values = "'#1', 'said', 0, 'global', '[]', '{}', '[]', 'x'"
    refused(db, f"INSERT INTO events VALUES (5, 1, {values})", "leaves a gap")
    refused(db, f"INSERT INTO events VALUES (5, -1, {values})", "leaves a gap")
    refused(db, f"INSERT INTO events VALUES (9, 0, {values})", "the stream does not exist")
    refused(db, f"INSERT INTO events VALUES (2, 18, {values})", "the stream is sealed")
    refused(db, "INSERT INTO heads VALUES (5, 0, 'x')", "another number of events")
    db.execute(f"INSERT INTO events VALUES (5, 0, {values})")
    refused(db, "INSERT INTO heads VALUES (5, 2, 'x')", "another number of events")
    refused(db, "INSERT INTO heads VALUES (5, 1, 'y')", "another hash")
    refused(db, "INSERT INTO heads VALUES (9, 1, 'x')", "the stream does not exist")
    refused(db, "INSERT INTO measurements VALUES (9, 0, 'us', 1)", "the stream does not exist")
    refused(db, "INSERT INTO streams VALUES (7, 'more', 1, '{}', 'x')", "the id exists or leaves")
    refused(db, "INSERT INTO streams VALUES (6, 'new', 3, '{}', 'x')", "the attempt exists or")


@pytest.mark.parametrize("value", ["NULL", "1.5", "x'00'"])
def test_a_column_takes_its_type_only(db: sqlite3.Connection, value: str) -> None:
    db.execute("INSERT INTO streams VALUES (5, 'new', 1, '{}', 'x')")
    row = f"(5, 0, '#0', 'said', {value}, 'global', '[]', '{{}}', '[]', 'x')"
    refused(db, f"INSERT INTO events VALUES {row}", "time|INTEGER")


@pytest.mark.parametrize("verb", ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_an_equal_content_is_ignored_and_another_refused(db: sqlite3.Connection, verb: str) -> None:
    before = everything(db)
    db.execute(f"{verb} INTO blobs SELECT * FROM blobs")
    db.execute(f"{verb} INTO blobs SELECT number + 100, hash, stored, 'x', 1 FROM blobs")
    assert everything(db) == before
    other = f"{verb} INTO blobs SELECT number, hash, x'00', stored_hash, size FROM blobs"
    refused(db, other, "the hash exists with other bytes")
    stranger = f"{verb} INTO blobs VALUES (1, '{sha256_bytes(b'new')}', x'00', 'x', 3)"
    refused(db, stranger, "the number exists or leaves a gap")
    unnumbered = f"{verb} INTO blobs (hash, stored, stored_hash, size) VALUES ('n', x'00', 'x', 3)"
    refused(db, unnumbered, "the number exists or leaves a gap")


def test_no_guard_needs_a_pragma(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA recursive_triggers = off")
    db.execute("PRAGMA foreign_keys = off")
    refused(db, "INSERT OR REPLACE INTO events SELECT * FROM events", "events: ")
    refused(db, "INSERT OR REPLACE INTO streams SELECT * FROM streams", "streams: ")
