"""Injected records: the memory is given them by themselves, and nobody else ever sees them."""

from typing import Any

import pytest

from simulator.events import Script
from simulator.events.faults import Fault
from simulator.events.graph import graph_faults

TOLD = {"id": "m", "at": 1, "text": "The code is 9."}
RECORD = {
    "kind": "injected",
    "id": "x",
    "at": 2,
    "title": "old list, 1969-12-01",
    "text": "It is 8.",
}
DECISION = {"kind": "decision", "id": "d", "at": 1000}


def test_a_record_is_absorbed_alone_after_its_session(lab: Any) -> None:
    played = lab.play(lab.script([TOLD, RECORD, DECISION], [DECISION]), ['answer("9")'] * 2)
    assert played.memory.absorbed[0][:2] == ("e1/m", "e1/d")
    assert played.memory.absorbed[1] == ("e1/x",)
    first, second = (request.prompt for request in played.model.requests)
    assert [each.text for each in first.context] == ["The code is 9."]
    assert second.context == () and "Document old list, 1969-12-01: It is 8." in second.block
    whys = [event.body["why"] for event in played.all("boundary")]
    assert whys == ["session_end", "injected", "session_end"]


def test_it_is_recorded_where_the_memory_gets_it(lab: Any) -> None:
    played = lab.play(lab.script([TOLD, RECORD, DECISION]), ['answer("9")'])
    said = next(event for event in played.all("said") if event.id == "e1/x")
    boundary = played.all("boundary")[1]
    change = played.all("memory_change")[1]
    assert said.body["source"] == "injected" and said.time >= 1000
    assert (boundary.body["transcript"], boundary.causes) == (["e1/x"], ["e1/x"])
    assert [each["id"] for each in change.body["written"]] == ["e1/x"]
    places = [event.row.position for event in (said, boundary, change)]
    assert places == list(range(places[0], places[0] + 3))
    assert places[0] == played.all("memory_change")[0].row.position + 1


def test_several_come_one_after_another_in_playing_order(lab: Any) -> None:
    later = RECORD | {"id": "w", "at": 5}
    played = lab.play(lab.script([later, RECORD, TOLD]))
    assert played.memory.absorbed == [("e1/m",), ("e1/x",), ("e1/w",)]


def test_a_forced_cut_leaves_it_alone(lab: Any) -> None:
    cut = {"kind": "compaction", "id": "c", "at": 500}
    played = lab.play(lab.script([TOLD, RECORD, cut, DECISION]), ['answer("9")'])
    assert played.memory.absorbed == [("e1/m",), ("e1/d", played.one("answer").id), ("e1/x",)]


def test_a_memory_that_fails_on_it_ends_the_trial(lab: Any) -> None:
    def absorb(self: Any, transcript: Any) -> Any:
        yield from ()
        if transcript and transcript[0].id == "e1/x":
            raise Fault("memory", "crash", "too much")

    played = lab.play(lab.script([TOLD, RECORD], [DECISION]), memory=lab.Memory(absorb=absorb))
    (error,) = played.all("error")
    assert error.body["fatal"] and error.body["culprit"] == "memory"
    assert played.all("decision") == []


@pytest.mark.parametrize("kind", ["message", "decision"])
def test_nothing_in_its_session_can_wait_for_it(kind: str) -> None:
    waiting = {"id": "y", "kind": kind, "at": 3, "causes": ["x"], "text": "So.", "request": "Go?"}
    waiting.pop("request" if kind == "message" else "text")
    episode = {"id": "e1", "events": [TOLD | {"kind": "message"}, RECORD, waiting]}
    script = Script.model_validate(
        {"arc": "a", "environment": "conversation", "world": {}, "episodes": [episode]}
    )
    (fault,) = graph_faults(script.episodes[0])
    assert (fault.event, fault.field) == ("y", "causes")
    assert "'x' is injected after the session" in fault.message
