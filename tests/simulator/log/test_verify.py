import json
import shutil
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.means.owner import owner
from simulator.events.canonical import canonical_json, sha256_bytes
from simulator.events.recorded import Said
from simulator.log.errors import LogDamaged
from simulator.log.findings import LogFault, Verification
from simulator.log.packing import pack
from simulator.log.rows import RUN_STREAM, Row, chain_hash
from simulator.log.store import EventLog
from simulator.log.verify import verify
from tests.simulator.log.story import (
    GENESIS,
    TEXTS,
    TRIAL,
    after,
    chained,
    events,
    finished_run,
    first_use,
    key,
    number_of,
    places,
    trial_rows,
    write,
)

LAST = len(events(TRIAL)) - 1


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "events.db").write_bytes(finished_run())
    return tmp_path / "events.db"


def test_an_untouched_log_has_no_fault(path: Path) -> None:
    found = verify(path)
    with EventLog.open(path) as log:
        assert found == Verification(
            ok=True,
            events=3 + 3 * len(events(TRIAL)),
            root=log.root(),
            heads=log.heads(),
            faults=(),
            unlisted=0,
            unfinished=(),
        )


def test_verifying_leaves_the_file_byte_equal(path: Path) -> None:
    before = path.read_bytes()
    verify(path)
    assert path.read_bytes() == before


def test_an_unfinished_trial_is_no_fault(path: Path) -> None:
    with EventLog.open(path, write=True) as log:
        log.append("shop/x/0", chained(log.begin("shop/x/0", GENESIS), events("a/b/0")[1:3]), {})
        log.begin("shop/y/0", GENESIS)
    found = verify(path)
    assert found.ok and found.unfinished == ("shop/x/0", "shop/y/0")


def test_a_log_that_is_being_written_verifies(path: Path) -> None:
    before = verify(path)
    with EventLog.open(path, write=True) as log:
        with log._transaction():
            log._begin("shop/x/0", GENESIS, 1)
            assert verify(path) == before
        assert verify(path).unfinished == ("shop/x/0",)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(TEXT, TEXT, st.integers(0, 2**63 - 1), TEXT, TEXT, st.binary()), min_size=1)
)
def test_whatever_is_written_is_read_back_and_verifies(
    made: list[tuple[str, str, int, str, str, bytes]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.db"
        with EventLog.create(path) as log:
            previous, rows, blobs = log.begin("\x00é", {"any": made[0][0]}), [], {}
            for position, (name, kind, time, scope, text, data) in enumerate(made):
                blobs[sha256_bytes(data)] = data
                used = canonical_json([sha256_bytes(data)])
                fields = (position, name, kind, time, scope, "[]", canonical_json(text), used)
                previous = chain_hash(previous, fields)
                rows.append(Row(*fields, previous))
            log.append("\x00é", rows, blobs)
            log.seal("\x00é")
            assert list(log.rows("\x00é")) == rows
            assert {name: log.blob(name) for name in blobs} == blobs
        assert verify(path).ok


def test_a_run_without_a_root_yet_is_no_fault(tmp_path: Path) -> None:
    with EventLog.create(tmp_path / "events.db") as log:
        log.begin(RUN_STREAM, {})
        write(log, TRIAL)
    assert verify(tmp_path / "events.db").ok


def test_a_second_attempt_is_no_fault_and_a_lost_first_one_is(path: Path) -> None:
    with EventLog.open(path, write=True) as log:
        log.begin(TRIAL, GENESIS, attempt=2)
        log.append(TRIAL, trial_rows(TRIAL)[:1], {}, attempt=2)
    assert verify(path).ok
    db = owner(path)
    db.execute("UPDATE streams SET attempt = 3 WHERE attempt = 2")
    db.close()
    assert verify(path).faults == (
        LogFault(trial=TRIAL, position=None, what="attempt 2 is missing"),
    )


# One statement of an owner, and where it must be found


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DELETE FROM events WHERE stream = :s AND position = 4", [(TRIAL, 4)]),
        ("DELETE FROM events WHERE stream = :s AND position BETWEEN 4 AND 6", [(TRIAL, 4)]),
        ("DELETE FROM events WHERE stream = :s AND position = 0", [(TRIAL, 0)]),
        (f"DELETE FROM events WHERE stream = :s AND position = {LAST}", [(TRIAL, LAST)]),
        ("DELETE FROM events WHERE stream = :s", [(TRIAL, 0)]),
        ("UPDATE events SET time = time + 1 WHERE stream = :s AND position = 3", [(TRIAL, 3)]),
        ("UPDATE events SET hash = 'x' WHERE stream = :s AND position = 3", [(TRIAL, 3)]),
        (f"UPDATE events SET hash = 'x' WHERE stream = :s AND position = {LAST}", [(TRIAL, LAST)]),
        (f"UPDATE events SET body = '[' WHERE stream = :s AND position = {LAST}", [(TRIAL, LAST)]),
        ("UPDATE events SET position = -1 WHERE stream = :s AND position = 0", [(TRIAL, -1), (TRIAL, 0)]),
        ("UPDATE heads SET head = 'x' WHERE stream = :s", [(TRIAL, None)]),
        ("UPDATE heads SET events = 7 WHERE stream = :s", [(TRIAL, None)]),
        ("UPDATE streams SET genesis = genesis || ' ' WHERE id = :s", [(TRIAL, None)]),
        ("UPDATE streams SET hash = 'x' WHERE id = :s", [(TRIAL, None)]),
        ("UPDATE streams SET attempt = 2 WHERE id = :s", [(TRIAL, None)]),
        ("DELETE FROM heads WHERE stream = :s", [(RUN_STREAM, 2)]),
        ("DROP TABLE heads", [(None, None)]),
        ("UPDATE events SET body = body || ' ' WHERE kind = 'root'", [(RUN_STREAM, 2)]),
        ("UPDATE events SET kind = 'boot' WHERE kind = 'root'", [(RUN_STREAM, 2)]),
    ],
)  # fmt: skip
def test_one_change_is_found_where_it_is(
    path: Path, sql: str, expected: list[tuple[str | None, int | None]]
) -> None:
    assert places(after(path, sql)) == expected


def test_added_events_are_found(path: Path) -> None:
    extra = chained(trial_rows(TRIAL)[-1].hash, [Said(source="m", role="user", text="x")], LAST + 1)
    db = owner(path)
    fields = tuple(getattr(extra[0], name) for name in extra[0].__slots__)
    insert = f"INSERT INTO events VALUES ({number_of(db)}, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    db.execute(insert, fields)
    db.close()
    assert places(verify(path)) == [(TRIAL, LAST + 1)]


def test_det_h17_reordered_events_are_found(path: Path) -> None:
    swap = "UPDATE events SET position = {} WHERE stream = :s AND position = {}"
    found = after(path, swap.format(100, 4), swap.format(4, 5), swap.format(5, 100))
    assert places(found)[:2] == [(TRIAL, 4), (TRIAL, 5)]
    assert {trial for trial, _ in places(found)} == {TRIAL}


def test_an_event_moved_to_another_stream_is_found(path: Path) -> None:
    found = after(path, "UPDATE events SET stream = 99 WHERE stream = :s AND position = 4")
    assert places(found) == [(TRIAL, 4), (None, None)]
    assert "stream 99" in found.faults[1].what


def test_two_swapped_streams_are_found(path: Path) -> None:
    found = after(
        path,
        "UPDATE events SET stream = 100 WHERE stream = 2",
        "UPDATE events SET stream = 2 WHERE stream = 3",
        "UPDATE events SET stream = 3 WHERE stream = 100",
    )
    assert {(trial, 0) for trial in ("shop/replay/0", "shop/facts/0")} <= set(places(found))


def test_a_stream_that_was_removed_is_found(path: Path) -> None:
    found = after(
        path,
        "DELETE FROM events WHERE stream = :s",
        "DELETE FROM heads WHERE stream = :s",
        "DELETE FROM streams WHERE id = :s",
    )
    assert places(found) == [(None, None), (RUN_STREAM, 2)]
    assert found.faults[0].what == "the log has had 4 streams, and holds 3"
    assert found.faults[1].what == "the root over 3 trials is not the root of the 2 here"


def test_a_stream_that_was_rewritten_whole_shows_in_the_root(path: Path) -> None:
    db = owner(path)
    rows = trial_rows(TRIAL)
    previous = rows[3].hash
    for row in rows[4:]:
        body = row.body.replace("gold", "lead")
        fields = (
            row.position, row.id, row.kind, row.time, row.scope, row.causes, body, row.blobs,
        )  # fmt: skip
        previous = chain_hash(previous, fields)
        db.execute(
            f"UPDATE events SET body = ?, hash = ? WHERE stream = {number_of(db)} AND position = ?",
            (body, previous, row.position),
        )
    db.execute(f"UPDATE heads SET head = ? WHERE stream = {number_of(db)}", (previous,))
    db.close()
    assert places(verify(path)) == [(RUN_STREAM, 2)]


def test_a_renamed_trial_is_found(path: Path) -> None:
    found = after(path, "UPDATE streams SET trial = 'shop/gone/0' WHERE id = :s")
    assert places(found) == [("shop/gone/0", None), (RUN_STREAM, 2)]


# Contents


@pytest.mark.parametrize("content", [TEXTS["block"], "only in shop/none/0"])
@pytest.mark.parametrize(
    "change",
    [
        "stored = x'00'",
        "stored = CAST(stored || x'00' AS BLOB)",
        "stored_hash = 'x'",
        "size = size + 1",
        "size = -1",
        "size = 4611686018427387904",
    ],
)
def test_a_changed_content_is_found_at_the_first_event_that_uses_it(
    path: Path, content: str, change: str
) -> None:
    found = after(path, f"UPDATE blobs SET {change} WHERE hash = '{key(content)}'")
    assert places(found) == [first_use(key(content))]
    assert key(content) in found.faults[0].what


def test_a_missing_content_is_found_once(path: Path) -> None:
    found = after(path, f"DELETE FROM blobs WHERE hash = '{key(TEXTS['block'])}'")
    assert places(found) == [first_use(key(TEXTS["block"]))]
    assert found.faults[0].what == f"content {key(TEXTS['block'])}: it is missing"


def test_another_content_with_fitting_stored_hash_is_found(path: Path) -> None:
    other = pack(b"other" * 18)
    db = owner(path)
    db.execute(
        "UPDATE blobs SET stored = ?, stored_hash = ?, size = 90 WHERE hash = ?",
        (other, sha256_bytes(other), key(TEXTS["tools"])),
    )
    db.close()
    found = verify(path)
    assert places(found) == [first_use(key(TEXTS["tools"]))]
    assert "named by" in found.faults[0].what


def test_a_content_that_no_event_uses_is_found_too(path: Path) -> None:
    with EventLog.open(path, write=True) as log:
        log.begin("shop/x/0", GENESIS)
        log.append("shop/x/0", [], {key("spare"): b"spare"})
    found = after(path, f"UPDATE blobs SET size = 1 WHERE hash = '{key('spare')}'")
    assert places(found) == [(None, None)]


def test_the_result_is_json(path: Path) -> None:
    found = json.loads(verify(path).model_dump_json())
    assert {"ok", "events", "root", "heads", "faults"} <= set(found)


def test_a_copy_verifies(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "copy.db")
    assert verify(tmp_path / "copy.db") == verify(path)


def test_damage_met_while_reading_is_an_error_of_its_own(path: Path) -> None:
    after(path, "DELETE FROM blobs")
    with EventLog.open(path) as log, pytest.raises(LogDamaged):
        log.text(key(TEXTS["block"]))


# What keeps the log append-only


def whats(path: Path) -> list[str]:
    return [fault.what for fault in verify(path).faults]


def changed(path: Path, *statements: str) -> list[str]:
    """Return what is found after statements of somebody who makes nothing again."""
    db = sqlite3.connect(path, isolation_level=None)
    for sql in statements:
        db.execute(sql)
    db.close()
    return whats(path)


def test_a_dropped_trigger_is_found(path: Path) -> None:
    assert changed(path, "DROP TRIGGER events_no_update") == [
        "of the log's schema is missing: trigger events_no_update"
    ]
    assert changed(path, "DROP TRIGGER events_no_delete", "DROP TRIGGER blobs_append") == [
        "of the log's schema is missing: trigger events_no_update, and 2 more"
    ]


def test_a_trigger_that_refuses_nothing_is_found(path: Path) -> None:
    nothing = "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END"
    assert changed(path, "DROP TRIGGER events_no_update", nothing) == [
        "of the log's schema is changed: trigger events_no_update"
    ]


def test_a_trigger_of_somebody_else_is_found(path: Path) -> None:
    extra = "CREATE TRIGGER mine BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"
    assert changed(path, extra) == ["of the log's schema is not MemTrial's: trigger mine"]


def test_a_view_that_shows_something_else_is_found(path: Path) -> None:
    other = "CREATE VIEW answers AS SELECT 'gold' AS text"
    assert changed(path, "DROP VIEW answers", other) == [
        "of the log's schema is changed: view answers"
    ]


def test_a_user_s_own_view_and_index_are_no_fault(path: Path) -> None:
    view = "CREATE VIEW mine AS SELECT * FROM events"
    assert changed(path, view, "CREATE INDEX by_kind ON events (kind)") == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE meta SET value = 'other' WHERE key = 'migration-1'",
        "INSERT INTO meta VALUES ('migration-x', 'tables')",
        "INSERT INTO meta VALUES ('note', 'mine')",
    ],
)
def test_changed_notes_on_the_format_are_found(path: Path, sql: str) -> None:
    db = owner(path)
    db.execute(sql)
    db.close()
    assert whats(path) == ["the notes on the format and its migrations were changed"]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE blobs SET number = 1000 WHERE number = 2",
        "UPDATE blobs SET number = -5 WHERE number = 2",
        "UPDATE blobs SET number = 0 WHERE number = (SELECT max(number) FROM blobs)",
    ],
)
def test_renumbered_contents_are_found(path: Path, sql: str) -> None:
    (what,) = [fault.what for fault in after(path, sql).faults]
    assert "contents are not numbered from 1 to" in what


def test_a_stream_below_one_is_found(path: Path) -> None:
    db = owner(path)
    for table, column in (("streams", "id"), ("events", "stream"), ("heads", "stream")):
        db.execute(f"UPDATE {table} SET {column} = 0 WHERE {column} = 2")
    db.close()
    assert whats(path) == ["a stream has the number 0"]
