"""Replays, positions and forks of a trial that forgets through lineage."""

import json
from collections.abc import Iterator

import pytest

from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.replay.changes import ChangeMemory, Without
from simulator.replay.positions import settle
from simulator.replay.whole import replay_trial
from tests.simulator.replay.forking import (
    SCRIPT,
    TRIAL,
    base_arm,
    bodies,
    fork,
    part,
    place,
    record,
    replayed,
)

ARM = base_arm(forgetting="lineage")


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as log:
        yield log


@pytest.fixture
def rows(log: EventLog) -> list[Row]:
    return record(log, ARM)


def test_a_replay_comes_to_the_same_audits(log: EventLog, rows: list[Row]) -> None:
    assert replay_trial(log, TRIAL, SCRIPT, ARM, 0) == len(rows)
    first, second = bodies(rows, "residue_audit")
    assert (first["why"], second["why"]) == ("withdrawn", "granted")
    assert {each["holder"] for each in first["hidden"]} >= {"e1/m1"}
    assert first["residues"] == []


def test_a_notice_lasts_until_its_audit(rows: list[Row]) -> None:
    for name in ("e2/w1", "e2/g1"):
        audit = next(
            row for row in rows if row.kind == "residue_audit" and json.loads(row.causes) == [name]
        )
        start = place(rows, name)
        kinds = [row.kind for row in rows[start : audit.position + 1]]
        assert kinds == ["said", "memory_change", "residue_audit"]
        assert {settle(rows, at) for at in range(start, audit.position + 1)} == {start}
        assert settle(rows, audit.position + 1) > start


def test_a_new_memory_forgets_what_the_old_one_did(log: EventLog, rows: list[Row]) -> None:
    made = fork(log, "e2/d1", ChangeMemory(part("Notes", title="other")))
    before = made.rows[: place(made.rows, "e2/g1")]
    reads = [made.text(body["block"]) for body in bodies(before, "memory_read")]
    assert "plum-0012" in reads[0] and "plum-0012" not in reads[1]
    assert replayed(made, ARM) == len(made.rows)


def test_without_the_notice_nothing_is_forgotten(log: EventLog, rows: list[Row]) -> None:
    made = fork(log, "e2/w1", Without("e2/w1"))
    assert [body["why"] for body in bodies(made.rows, "residue_audit")] == ["granted"]
    reads = [made.text(body["block"]) for body in bodies(made.rows, "memory_read")]
    assert "plum-0012" in reads[1]
    assert replayed(made, ARM) == len(made.rows)
