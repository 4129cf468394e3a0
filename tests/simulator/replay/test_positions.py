"""Where a trial can be forked: where something begins and nothing is under way."""

import json
from collections.abc import Iterator

import pytest

from simulator.events import Script
from simulator.events.errors import InputError
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.replay.positions import decision_at, find_position, settle
from tests.simulator.replay.forking import base_arm, bodies, part, place, record


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as log:
        yield log


@pytest.fixture
def rows(log: EventLog) -> list[Row]:
    return record(log, base_arm())


def settled(rows: list[Row]) -> dict[str, str]:
    """Event to the event that a fork at it is taken before."""
    return {row.id: rows[settle(rows, row.position)].id for row in rows}


def test_inside_of_a_decision_is_its_opening(rows: list[Row]) -> None:
    found = settled(rows)
    last = next(row for row in rows if row.kind == "answer")
    inside = rows[place(rows, "e1/d1") : last.position + 1]
    # What is said meanwhile is inside of it too.
    assert [row.kind for row in inside] == [
        "decision",
        "memory_read",
        "completion",
        "said",
        "answer",
    ]
    assert {found[row.id] for row in inside} == {"e1/d1"}


def test_inside_of_a_boundary_is_the_boundary(rows: list[Row]) -> None:
    found = settled(rows)
    first = next(row for row in rows if row.kind == "boundary")
    inside = rows[first.position : first.position + 4]
    assert [row.kind for row in inside] == ["boundary", "embedding", "completion", "memory_change"]
    assert {found[row.id] for row in inside} == {first.id}
    assert found["e1/m3"] == "e1/m3"


def test_before_the_first_session_is_its_start_and_behind_the_last_event_its_end(
    rows: list[Row],
) -> None:
    found = settled(rows)
    assert (found["#0"], found["#1"]) == ("#1", "#1")
    ends = [row for row in rows if row.kind == "boundary"]
    assert found[rows[-1].id] == ends[-1].id


def test_a_notice_lasts_until_the_memory_has_heard_it(rows: list[Row]) -> None:
    found = settled(rows)
    notice = place(rows, "e2/w1")
    assert rows[notice + 1].kind == "memory_change"
    assert found[rows[notice + 1].id] == "e2/w1"
    assert found["e2/m1"] == "e2/m1"


def test_a_notice_that_no_memory_hears_is_over_at_once(log: EventLog) -> None:
    rows = record(log, base_arm(forgetting="off"))
    assert settled(rows)["e2/m1"] == "e2/m1"
    assert "withdrawn" not in {body["why"] for body in bodies(rows, "memory_change")}


def test_a_failed_boundary_is_over_with_its_error(log: EventLog) -> None:
    rows = record(log, base_arm(memory=part("Notes", breaks="absorb")))
    found = settled(rows)
    error = next(row for row in rows if row.kind == "error")
    assert rows[settle(rows, error.position)].kind == "boundary"
    assert found["e1/m3"] == "e1/m3"


def test_a_decision_inside_of_a_boundary_is_no_place(log: EventLog) -> None:
    """The memory writes for 300 ms and more; the decision opens meanwhile and waits for it."""
    events = [
        {"kind": "message", "id": "m1", "at": 1000, "text": "The gate is green."},
        {"kind": "compaction", "id": "c1", "at": 1000, "causes": ["m1"]},
        {"kind": "decision", "id": "d1", "at": 1100, "request": "Which colour?"},
    ]
    story = {"environment": "conversation", "episodes": [{"id": "e1", "events": events}]}
    script = Script.model_validate({"arc": "busy", **story})
    rows = record(log, base_arm(), script)
    kinds = [row.kind for row in rows[3:9]]
    assert kinds == [
        "boundary",
        "embedding",
        "completion",
        "decision",
        "memory_change",
        "memory_read",
    ]
    assert settle(rows, place(rows, "e1/d1")) == 3
    assert decision_at(rows, place(rows, "e1/d1")) == "e1/d1"
    # The boundary has ended, and the decision goes on: its beginning lies inside the boundary.
    assert settle(rows, place(rows, "e1/d1") + 2) == 3


def test_the_decision_of_each_position(rows: list[Row]) -> None:
    found = [decision_at(rows, row.position) for row in rows]
    for row in rows:
        if row.kind in ("decision", "answer"):
            expected = row.id if row.kind == "decision" else json.loads(row.body)["decision"]
            assert found[row.position] == expected
        elif row.kind in ("session_started", "boundary", "trial_closed"):
            assert found[row.position] is None
    assert found[place(rows, "e1/m4")] == "e1/d1"


def test_positions_are_numbers_or_ids(rows: list[Row]) -> None:
    assert find_position(rows, "5") == find_position(rows, "#5") == 5
    assert find_position(rows, "e1/d1") == place(rows, "e1/d1")
    cut = next(row for row in rows if row.kind == "boundary")
    assert find_position(rows, "e1/c1") == cut.position
    for wrong in ("99999", "-1", "e9/x", "", "¹"):
        with pytest.raises(InputError, match="^at: the trial has no "):
            find_position(rows, wrong)
