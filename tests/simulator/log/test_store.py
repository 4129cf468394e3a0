import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from simulator.events.canonical import NotStorable
from simulator.events.errors import InputError
from simulator.events.recorded import Answered
from simulator.log import reader, store
from simulator.log.errors import LogDamaged, LogRefused
from simulator.log.rows import RUN_STREAM, chain_hash
from simulator.log.store import EventLog, Measure, Stream
from simulator.log.verify import verify
from tests.simulator.log.story import (
    GENESIS,
    TEXTS,
    TRIALS,
    VECTOR,
    chained,
    contents,
    events,
    key,
    trial_rows,
    write,
    write_run,
)


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as made:
        yield made


def answers(count: int) -> list[Answered]:
    return [Answered(decision="day1/ask", text=f"answer {number}") for number in range(count)]


def test_what_is_written_is_read_back(log: EventLog) -> None:
    head = write(log, TRIALS[0])
    rows = trial_rows(TRIALS[0])
    assert list(log.rows(TRIALS[0])) == rows
    assert list(log.rows(TRIALS[0], start=5)) == rows[5:]
    assert list(log.rows(TRIALS[0], start=len(rows))) == []
    assert head == rows[-1].hash
    assert log.genesis(TRIALS[0]) == GENESIS
    assert log.text(key(TEXTS["block"])) == TEXTS["block"]
    assert log.blob(hashlib.sha256(VECTOR).hexdigest()) == VECTOR


def test_the_chain_is_what_its_description_says() -> None:
    fields = (0, "é/1", "said", 12, "global", "[]", "{}", "[]")
    encoded = b"".join(
        len(part).to_bytes(8, "big") + part
        for part in (b"0", "é/1".encode(), b"said", b"12", b"global", b"[]", b"{}", b"[]")
    )
    assert chain_hash("ab", fields) == hashlib.sha256(b"ab" + encoded).hexdigest()


def test_a_stream_is_begun_with_its_first_events_and_sealed_with_its_last(log: EventLog) -> None:
    trial = TRIALS[0]
    rows = trial_rows(trial)
    assert log.write_trial(trial, GENESIS, rows[:5], contents(trial), seal=False) == rows[4].hash
    assert log.streams() == [Stream(trial, 1, False, 5)]
    with pytest.raises(LogRefused, match="the stream goes on at 5"):
        log.append(trial, rows[6:], contents(trial), seal=True)
    assert log.streams() == [Stream(trial, 1, False, 5)]
    log.append(trial, rows[5:], contents(trial), seal=True)
    assert log.heads() == {trial: rows[-1].hash}


def test_a_stream_is_read_page_by_page(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "READ_ROWS", 3)
    rows = chained(log.begin("a", GENESIS), answers(9))
    log.append("a", rows, {})
    for start in range(10):
        assert list(log.rows("a", start)) == rows[start:]


def test_a_stream_that_leads_back_is_not_read_for_ever(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(log, TRIALS[0])
    monkeypatch.setattr(reader, "READ_ROWS", 1)
    first = log._all("SELECT * FROM events")[0][1:]
    monkeypatch.setattr(log, "_stream", lambda trial, attempt: 1)
    monkeypatch.setattr(log, "_all", lambda sql, *values: [first])
    with pytest.raises(LogDamaged, match="out of order"):
        list(log.rows(TRIALS[0]))


def test_appending_in_pieces_equals_writing_at_once(log: EventLog) -> None:
    rows = trial_rows(TRIALS[0])
    log.begin(TRIALS[0], GENESIS)
    for row in rows:
        needed = {name: contents(TRIALS[0])[name] for name in json.loads(row.blobs)}
        log.append(TRIALS[0], [row], needed)
    assert log.seal(TRIALS[0]) == rows[-1].hash
    assert list(log.rows(TRIALS[0])) == rows


def test_streams_and_heads(log: EventLog) -> None:
    log.begin(RUN_STREAM, {})
    head = write(log, "shop/b/0")
    log.begin("shop/a/0", GENESIS)
    assert log.streams() == [
        Stream(RUN_STREAM, 1, False, 0),
        Stream("shop/a/0", 1, False, 0),
        Stream("shop/b/0", 1, True, len(events("shop/b/0"))),
    ]
    assert log.heads() == {"shop/b/0": head}
    expected = hashlib.sha256(f'[["shop/b/0","{head}"]]'.encode()).hexdigest()
    assert log.root() == expected


def test_events_of_a_kind_are_counted_over_all_streams(log: EventLog) -> None:
    for trial in TRIALS:
        write(log, trial)
    assert (log.count("memory_read"), log.count("answer"), log.count("none")) == (6, 3, 0)


def test_the_run_stream_is_no_head_even_when_sealed(log: EventLog) -> None:
    log.append(RUN_STREAM, chained(log.begin(RUN_STREAM, {}), answers(1)), {})
    log.seal(RUN_STREAM)
    assert log.heads() == {}


def test_of_several_attempts_the_last_sealed_one_counts(log: EventLog) -> None:
    start = log.begin("a", GENESIS)
    log.append("a", chained(start, answers(1)), {})
    first = log.seal("a")
    assert log.begin("a", GENESIS, attempt=2) == start  # equal attempts have equal heads
    log.append("a", chained(start, answers(2)), {}, attempt=2)
    assert log.heads() == {"a": first}
    second = log.seal("a", attempt=2)
    assert log.heads() == {"a": second}
    assert [len(list(log.rows("a", attempt=number))) for number in (1, 2)] == [1, 2]


def test_attempts_are_counted_from_one_without_a_gap(log: EventLog) -> None:
    for wrong in (0, 2):
        with pytest.raises(LogRefused, match="the attempt exists or leaves a gap"):
            log.begin("a", GENESIS, attempt=wrong)
    log.begin("a", GENESIS)
    with pytest.raises(LogRefused, match="the attempt exists or leaves a gap"):
        log.begin("a", GENESIS)


def test_the_order_of_trials_is_in_no_hash(tmp_path: Path) -> None:
    roots = []
    for name, trials in (("a.db", TRIALS), ("b.db", TRIALS[::-1])):
        write_run(tmp_path / name, trials)
        roots.append(verify(tmp_path / name).root)
    assert roots[0] == roots[1]


def test_det_h17_wall_clock_is_in_no_hash() -> None:
    """Two runs at different hours: equal hash. Two events swapped or one changed: another."""
    heads = []
    for said, microseconds in (
        (answers(2), 5),
        (answers(2), 999),
        (answers(2)[::-1], 5),
        ([Answered(decision="day1/ask", text="answer O"), answers(2)[1]], 5),
    ):
        with EventLog.create(":memory:") as log:
            rows = chained(log.begin("a", GENESIS), said)
            log.append("a", rows, {}, measures=[Measure(0, "wall_us", microseconds)])
            heads.append(log.seal("a"))
    assert heads[0] == heads[1]
    assert len(set(heads)) == 3


def test_measurements(log: EventLog) -> None:
    write(log, TRIALS[0])
    log.measure(TRIALS[0], [Measure(8, "wall_us", 2**63 - 1), Measure(0, "wall_us", 3)])
    assert log.measures(TRIALS[0]) == [Measure(0, "wall_us", 3), Measure(8, "wall_us", 2**63 - 1)]
    with pytest.raises(LogRefused, match="it has been measured"):
        log.measure(TRIALS[0], [Measure(9, "wall_us", 1), Measure(8, "wall_us", 1)])
    assert len(log.measures(TRIALS[0])) == 2


# What is refused, and that nothing is left of it


def test_a_row_that_does_not_continue_the_stream_is_refused(log: EventLog) -> None:
    rows = chained(log.begin("a", GENESIS), answers(4))
    log.append("a", rows[:2], {})
    for wrong, why in (
        (rows[:1], "the stream goes on at 2"),
        (rows[3:], "the stream goes on at 2"),
        ([replace(rows[2], scope="other")], "does not continue the chain"),
        ([rows[2], replace(rows[3], hash="0" * 64)], "event 3: its hash does not continue"),
        (chained("0" * 64, answers(1), 2), "does not continue the chain"),
    ):
        with pytest.raises(LogRefused, match=why):
            log.append("a", wrong, {})
        assert list(log.rows("a")) == rows[:2]


def test_a_content_that_is_not_there_is_refused(log: EventLog) -> None:
    log.begin(TRIALS[0], GENESIS)
    some = dict(list(contents(TRIALS[0]).items())[:-1])
    with pytest.raises(LogRefused, match="is not in the log"):
        log.append(TRIALS[0], trial_rows(TRIALS[0]), some)
    assert log.streams() == [Stream(TRIALS[0], 1, False, 0)]
    # The refused write stored no content either, and is not remembered to have done so.
    with pytest.raises(LogRefused, match="is not in the log"):
        log.append(TRIALS[0], trial_rows(TRIALS[0]), {})
    log.append(TRIALS[0], trial_rows(TRIALS[0]), contents(TRIALS[0]))


def test_a_content_under_a_wrong_hash_is_refused(log: EventLog) -> None:
    log.begin("a", GENESIS)
    with pytest.raises(LogRefused, match="does not have the hash"):
        log.append("a", [], {key("x"): b"y"})
    with pytest.raises(LogDamaged, match="no content has the hash"):
        log.blob(key("x"))


def test_nothing_follows_a_seal(log: EventLog) -> None:
    rows = chained(log.begin("a", GENESIS), answers(2))
    log.append("a", rows[:1], {})
    log.seal("a")
    with pytest.raises(LogRefused, match="sealed"):
        log.append("a", rows[1:], {})
    with pytest.raises(LogRefused, match="sealed"):
        log.seal("a")


def test_an_empty_stream_is_not_sealed(log: EventLog) -> None:
    log.begin("a", GENESIS)
    with pytest.raises(LogRefused, match="no events"):
        log.seal("a")


def test_a_trial_is_written_whole_or_not_at_all(log: EventLog) -> None:
    rows = trial_rows(TRIALS[0])
    broken = [*rows[:-1], replace(rows[-1], time=1)]
    with pytest.raises(LogRefused):
        log.write_trial(TRIALS[0], GENESIS, broken, contents(TRIALS[0]))
    assert log.streams() == []
    write(log, TRIALS[0])


@pytest.mark.parametrize("name", ["", "@other", "@"])
def test_no_trial_has_a_reserved_name(log: EventLog, name: str) -> None:
    with pytest.raises(LogRefused, match="is no name of a trial"):
        log.begin(name, GENESIS)


def test_what_has_no_exact_form_is_refused(log: EventLog) -> None:
    for bad in (float("nan"), float("inf"), "\ud800"):
        with pytest.raises(NotStorable):
            log.begin("a", {"value": bad})
    start = log.begin("a", GENESIS)
    row = chained(start, answers(1))[0]
    late = (0, row.id, row.kind, 2**63, row.scope, row.causes, row.body, row.blobs)
    with pytest.raises(LogRefused, match="cannot be stored exactly"):
        log.append("a", [replace(row, time=2**63, hash=chain_hash(start, late))], {})
    with pytest.raises(LogRefused, match="cannot be stored exactly"):
        log.append("a", [replace(row, scope="\ud800")], {})
    assert list(log.rows("a")) == []


def test_an_unknown_trial_is_named_with_the_nearest(log: EventLog) -> None:
    write(log, "shop/replay/0")
    with pytest.raises(InputError, match="did you mean 'shop/replay/0'"):
        list(log.rows("shop/repaly/0"))
    with pytest.raises(InputError, match="attempt 2"):
        log.genesis("shop/replay/0", attempt=2)


def test_a_damaged_content_is_an_error_when_read(log: EventLog) -> None:
    with pytest.raises(LogDamaged, match="no content has the hash"):
        log.text("0" * 64)
    write(log, TRIALS[0])
    with pytest.raises(LogDamaged, match="is no text"):
        log.text(hashlib.sha256(VECTOR).hexdigest())
    log._db.execute("DROP TRIGGER blobs_no_update")
    log._db.execute("UPDATE blobs SET stored = x'ff00' WHERE number = 1")
    with pytest.raises(LogDamaged, match="cannot be decompressed"):
        log.text(key(TEXTS["instructions"]))


def test_a_content_is_stored_once_whatever_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    with EventLog.create(path) as log:
        write(log, TRIALS[0])
    with EventLog.open(path, write=True) as other:
        write(other, TRIALS[1])
        count = other._db.execute("SELECT count(*) FROM blobs").fetchone()[0]
    assert count == len(contents(TRIALS[0]) | contents(TRIALS[1]))


def test_the_memory_of_known_contents_is_bounded(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_KNOWN", 4)
    for trial in TRIALS:
        write(log, trial)
    assert len(log._known) <= 4 + len(contents(TRIALS[0]))


def test_a_full_disk_is_a_clear_error_and_the_log_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    write_run(path)
    with EventLog.open(path, write=True) as log:
        pages = log._db.execute("PRAGMA page_count").fetchone()[0]
        log._db.execute(f"PRAGMA max_page_count = {pages}")
        before = log.streams()
        with pytest.raises(LogRefused, match="disk is full"):
            for number in range(100):
                write(log, f"shop/more/{number}")
        log._db.execute("PRAGMA max_page_count = 1000000")
        written = [stream for stream in log.streams() if stream not in before]
        assert all(stream.sealed for stream in written)
        write(log, "shop/last/0")
    assert not [fault for fault in verify(path).faults if fault.trial != RUN_STREAM]


def test_closing_twice_is_harmless_and_a_closed_log_refuses(log: EventLog) -> None:
    log.close()
    log.close()
    with pytest.raises((LogRefused, sqlite3.ProgrammingError)):
        log.begin("a", GENESIS)
