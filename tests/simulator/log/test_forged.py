"""Damage that goes beyond a changed byte, and the limits of what is told about it."""

import sqlite3
from pathlib import Path

import pytest

from simulator.events.canonical import canonical_json
from simulator.events.recorded import MemoryRead, RootSealed
from simulator.log import findings
from simulator.log.findings import Verification
from simulator.log.rows import RUN_STREAM, chain_hash
from simulator.log.store import EventLog
from simulator.log.verify import verify
from tests.simulator.log.story import (
    GENESIS,
    TRIAL,
    after,
    chained,
    events,
    finished_run,
    key,
    places,
)

LAST = len(events(TRIAL)) - 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "events.db").write_bytes(finished_run())
    return tmp_path / "events.db"


def forged(path: Path, body: str, blobs: str, kind: str = "root") -> Verification:
    with EventLog.create(path) as log:
        start = log.begin(RUN_STREAM, {})
        fields = (0, "#0", kind, 0, "global", "[]", body, blobs)
        number = log._stream(RUN_STREAM, 1)
        log._db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, *fields, chain_hash(start, fields)),
        )
    return verify(path)


@pytest.mark.parametrize("body", ["{", "[]", '{"root": 1}', "[" * 100_000])
def test_a_forged_root_event_is_a_fault_and_no_crash(tmp_path: Path, body: str) -> None:
    found = forged(tmp_path / "events.db", body, "[]")
    assert places(found) == [(RUN_STREAM, 0)]
    assert found.faults[0].what == "the root event cannot be read"


@pytest.mark.parametrize("blobs", ["[", "{}", "[1]", "[" * 100_000])
def test_a_forged_list_of_contents_is_a_fault_and_no_crash(tmp_path: Path, blobs: str) -> None:
    found = forged(tmp_path / "events.db", "{}", blobs, "said")
    assert [fault.what for fault in found.faults] == ["its list of contents cannot be read"]


def test_the_scope_of_the_root_event_may_stand_in_its_body(tmp_path: Path) -> None:
    empty = canonical_json([])
    body = RootSealed(root=key(empty), trials=0).model_dump(mode="json")
    assert "scope" in body
    assert forged(tmp_path / "events.db", canonical_json(body), "[]").ok


def test_a_column_of_another_type_is_a_fault_and_no_crash(path: Path) -> None:
    loosen = "UPDATE sqlite_master SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'events'"
    after(path, "PRAGMA writable_schema = on", loosen)
    found = after(path, "UPDATE events SET blobs = x'5b5d' WHERE stream = :s AND position = 4")
    assert (TRIAL, 4) in places(found)
    assert {trial for trial, _ in places(found)} == {TRIAL}


@pytest.mark.parametrize(
    ("table", "change", "kind"),
    [
        ("blobs", "UPDATE blobs SET stored = 'text' WHERE number = 1", "content"),
        ("streams", "UPDATE streams SET trial = x'00' WHERE id = 2", "stream"),
        ("heads", "UPDATE heads SET head = x'00' WHERE stream = 2", "stream"),
    ],
)
def test_no_column_of_another_type_is_a_crash(
    path: Path, table: str, change: str, kind: str
) -> None:
    loosen = f"UPDATE sqlite_master SET sql = replace(sql, 'STRICT', '') WHERE name = '{table}'"
    after(path, "PRAGMA writable_schema = on", loosen)
    whats = [fault.what for fault in after(path, change).faults]
    assert f"a column of a {kind} has another type" in whats


def test_a_tree_that_is_out_of_order_ends(path: Path) -> None:
    """Stepping from key to key through such a tree can lead back to where it was."""
    db = sqlite3.connect(path)
    root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'heads'").fetchone()[0]
    size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    data = bytearray(path.read_bytes())
    page = (root - 1) * size
    second_cell = page + int.from_bytes(data[page + 10 : page + 12], "big")
    assert data[second_cell + 1] == 2  # the number of the second stream
    data[second_cell + 1] = 6
    path.write_bytes(data)
    whats = [fault.what for fault in verify(path).faults]
    assert any("out of order" in what for what in whats)
    assert "heads of stream 6, which does not exist" in whats


def test_faults_beyond_the_limit_are_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "MAX_LISTED", 5)
    found = after(path, "UPDATE events SET scope = 'other'")
    assert len(found.faults) == 5 and not found.ok
    assert found.unlisted == found.events - 5


def test_memory_of_successive_changes_stays_small(path: Path) -> None:
    found = after(path, "UPDATE events SET body = '{}' WHERE stream = :s")
    assert places(found) == [(TRIAL, position) for position in range(LAST + 1)]


def test_many_events_of_one_stream_are_read_a_row_at_a_time(tmp_path: Path) -> None:
    block = key("block")
    reads = [MemoryRead(query="q", budget=None, block=block, tokens=1, items=())] * 2_000
    with EventLog.create(tmp_path / "events.db") as log:
        log.append("a", chained(log.begin("a", GENESIS), reads), {block: b"block"})
    found = verify(tmp_path / "events.db")
    assert found.ok and found.events == 2_000
