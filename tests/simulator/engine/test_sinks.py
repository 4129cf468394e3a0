"""Sinks: when a live trial's rows reach the log."""

from collections.abc import Iterator
from typing import Any

import pytest

from simulator.agents.scaffold import Scaffold, ScaffoldOptions
from simulator.effects.prompts import Service
from simulator.engine.sinks import LogSink
from simulator.engine.sources import LiveSources
from simulator.engine.trial import Trial, genesis
from simulator.events.faults import Fault
from simulator.log.store import EventLog
from simulator.models.port import CallFault

TRIAL = "arc/arm/0"


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as log:
        yield log


def played(lab: Any, log: EventLog, scripted: bool, fails: int = 0) -> tuple[LogSink, list[int]]:
    """Play into the log; return how many rows it held whenever the model was asked.

    The first `fails` calls fail after requests to an endpoint.
    """
    held: list[int] = []

    def reply(request: Any) -> str:
        held.append(sum(stream.events for stream in log.streams()))
        if len(held) <= fails:
            raise CallFault("model", "crash", "it is down", service=Service())
        return "look()" if len(held) < 3 else 'answer("ok")'

    model = lab.Model(reply)
    model.scripted = scripted
    asked: list[Any] = [{"kind": "decision", "id": "d", "at": 1}]
    if fails:
        asked.append({"kind": "decision", "id": "again", "at": 2, "causes": ["d"]})
    script, arm = lab.script(asked), lab.arm()
    sink = LogSink(log, TRIAL, genesis(script, arm))
    Trial(
        script,
        arm,
        0,
        environment=lab.Till(),
        memory=lab.Memory(),
        agent=Scaffold(ScaffoldOptions()),
        sources=LiveSources({"agent_model": model}, None),
        sink=sink,
    ).play()
    return sink, held


def test_a_free_trial_is_written_at_its_end(lab: Any, log: EventLog) -> None:
    sink, held = played(lab, log, scripted=True)
    assert (held, log.streams()) == ([0, 0, 0], [])
    assert sink.finish() == 15
    (stream,) = log.streams()
    assert (stream.trial, stream.sealed, stream.events) == (TRIAL, True, 15)


def test_a_paid_completion_is_in_the_log_before_the_next_is_asked(lab: Any, log: EventLog) -> None:
    # Opened, session, decision, read and the completion; then call, return and completion.
    sink, held = played(lab, log, scripted=False)
    assert held == [0, 5, 8]
    (stream,) = log.streams()
    assert (stream.sealed, stream.events) == (False, 11)
    assert sink.finish() == 4  # answer, boundary, change, closed
    (stream,) = log.streams()
    assert (stream.sealed, stream.events) == (True, 15)


def test_a_failed_call_that_was_paid_is_in_the_log_too(lab: Any, log: EventLog) -> None:
    # Opened, session, decision, read, service and the failed call; then error, decision, read.
    _, held = played(lab, log, scripted=False, fails=1)
    assert held[:2] == [0, 6]
    kinds = [row.kind for row in log.rows(TRIAL)]
    assert kinds[4:7] == ["service", "call_failed", "error"]


def test_a_paid_call_that_failed_is_in_the_log_before_the_next_is_asked(
    lab: Any, log: EventLog
) -> None:
    kinds: list[list[str]] = []

    def reply(request: Any) -> str:
        stored = log.rows(TRIAL) if log.streams() else iter(())
        kinds.append([row.kind for row in stored])
        if len(kinds) == 1:
            raise Fault("model", "crash", "it went away")
        return 'answer("ok")'

    model = lab.Model(reply)
    model.scripted = False
    first, second = ({"kind": "decision", "id": f"d{at}", "at": at} for at in (1, 2))
    script, arm = lab.script([first, second | {"causes": ["d1"]}]), lab.arm()
    Trial(
        script,
        arm,
        0,
        environment=lab.Till(),
        memory=lab.Memory(),
        agent=Scaffold(ScaffoldOptions()),
        sources=LiveSources({"agent_model": model}, None),
        sink=LogSink(log, TRIAL, genesis(script, arm)),
    ).play()
    assert (kinds[0], kinds[1][-1]) == ([], "call_failed")


def test_a_sink_goes_on_after_what_was_begun(lab: Any, log: EventLog) -> None:
    direct = lab.play(lab.script([{"kind": "decision", "id": "d", "at": 1}]), ['answer("ok")'])
    start = genesis(lab.script([{"kind": "decision", "id": "d", "at": 1}]), lab.arm())
    log.write_trial(TRIAL, start, direct.rows[:4], direct.blobs, seal=False)
    sink = LogSink(log, TRIAL, start, begun=True)
    for row in direct.rows[4:]:
        sink.take(row)
    sink.finish()
    assert list(log.rows(TRIAL)) == direct.rows
    assert log.heads() == {TRIAL: direct.rows[-1].hash}


def test_both_ways_end_in_the_same_rows(lab: Any, log: EventLog) -> None:
    sink, _ = played(lab, log, scripted=False)
    sink.finish()
    script = lab.script([{"kind": "decision", "id": "d", "at": 1}])
    direct = lab.play(script, ["look()", "look()", 'answer("ok")'])
    # Only the model's identity tells the two apart, and with it every hash.
    assert [row.body for row in log.rows(TRIAL, 1)] == [row.body for row in direct.rows[1:]]
    assert {key: log.blob(key) for key in direct.blobs} == direct.blobs
