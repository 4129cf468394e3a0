"""`verify` on a real run folder: any changed byte is found, and its event is named."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.means.owner import owner
from simulator.log.verify import LogFault, verify
from tests.acceptance import stage

EVENT_COLUMNS = ("position", "id", "kind", "time", "scope", "causes", "body", "blobs", "hash")
STREAM_COLUMNS = (("streams", "genesis"), ("streams", "hash"), ("heads", "head"))
BLOB_COLUMNS = ("hash", "stored", "stored_hash", "size")


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    memories: list[stage.Memory] = [{"name": "none"}, {"name": "retrieval"}]
    path = stage.suite(folder, arcs=1, models=["last"], memories=memories)
    stage.play(path, folder / "run")
    assert verify(folder / "run" / "events.db").ok
    return folder / "run"


@pytest.fixture
def opened(small_run: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The log of a copy of the run, without the triggers that its owner can always drop."""
    shutil.copytree(small_run, tmp_path / "run")
    with closing(owner(tmp_path / "run" / "events.db")) as db:
        yield db


def other(value: Any, random: Random) -> Any:
    """Return a value that differs in one character, byte or unit."""
    if isinstance(value, int):
        return value + 1
    at = random.randrange(len(value))
    if isinstance(value, bytes):
        return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
    return value[:at] + ("x" if value[at] != "x" else "y") + value[at + 1 :]


def faults(folder: Path) -> tuple[LogFault, ...]:
    found = verify(folder / "run" / "events.db")
    assert found.ok is not bool(found.faults)
    return found.faults


@pytest.mark.parametrize("column", EVENT_COLUMNS)
@pytest.mark.parametrize("seed", range(3))
def test_a_changed_event_is_named(
    opened: sqlite3.Connection, tmp_path: Path, column: str, seed: int
) -> None:
    random = Random(f"{column} {seed}")
    rows = opened.execute(
        "SELECT stream, position, trial FROM events JOIN streams ON streams.id = stream"
        " ORDER BY stream, position"
    ).fetchall()
    stream, position, trial = random.choice(rows)
    place = (stream, position)
    if column == "position":  # the end of a stream is the only place that is free
        last = opened.execute("SELECT max(position) FROM events WHERE stream = ?", (stream,))
        place = (stream, position := last.fetchone()[0])
    where = "WHERE stream = ? AND position = ?"
    (value,) = opened.execute(f"SELECT {column} FROM events {where}", place).fetchone()
    opened.execute(f"UPDATE events SET {column} = ? {where}", (other(value, random), *place))
    assert (trial, position) in {(fault.trial, fault.position) for fault in faults(tmp_path)}


@pytest.mark.parametrize(("table", "column"), STREAM_COLUMNS)
def test_a_changed_seal_or_beginning_is_named(
    opened: sqlite3.Connection, tmp_path: Path, table: str, column: str
) -> None:
    random = Random(f"{table} {column}")
    key = "id" if table == "streams" else "stream"
    stream, trial = random.choice(opened.execute("SELECT id, trial FROM streams").fetchall())
    sql = f"SELECT {column} FROM {table} WHERE {key} = ?"
    (value,) = opened.execute(sql, (stream,)).fetchone()
    opened.execute(
        f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (other(value, random), stream)
    )
    assert trial in {fault.trial for fault in faults(tmp_path)}


@pytest.mark.parametrize("column", BLOB_COLUMNS)
@pytest.mark.parametrize("seed", range(3))
def test_a_changed_content_is_named_with_its_event(
    opened: sqlite3.Connection, tmp_path: Path, column: str, seed: int
) -> None:
    random = Random(f"{column} {seed}")
    blobs = opened.execute("SELECT number, hash FROM blobs ORDER BY number").fetchall()
    number, key = random.choice(blobs)
    (value,) = opened.execute(f"SELECT {column} FROM blobs WHERE number = ?", (number,)).fetchone()
    opened.execute(
        f"UPDATE blobs SET {column} = ? WHERE number = ?", (other(value, random), number)
    )
    users = opened.execute(
        "SELECT trial, position FROM events JOIN streams ON streams.id = stream"
        " WHERE instr(events.blobs, ?)",
        (key,),
    ).fetchall()
    named = {(fault.trial, fault.position) for fault in faults(tmp_path)}
    assert named & set(users), "one of the events that refer to the content is named"


def test_the_command_names_the_event_and_fails(opened: sqlite3.Connection, tmp_path: Path) -> None:
    opened.execute("UPDATE events SET time = time + 1 WHERE stream = 3 AND position = 7")
    (trial,) = opened.execute("SELECT trial FROM streams WHERE id = 3").fetchone()
    opened.close()
    done = stage.memtrial("verify", tmp_path / "run", "--json", env=os.environ, cwd=tmp_path)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["ok"]) == (1, False)
    assert [(fault["trial"], fault["position"]) for fault in answer["faults"]] == [(trial, 7)]
