"""Resume: what is recorded is never asked again, and what follows is appended to it."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.arm import Arm
from simulator.engine.parts import Backends, make_agent
from simulator.engine.trial import genesis
from simulator.events.faults import Fault
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.replay import Diverged, replay_begun, replay_trial, resume_trial
from tests.simulator.replay.test_whole import MODULE, SCRIPT, TRIAL, make_arm, record


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "replay_parts.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("MEMTRIAL_ENVIRONMENTS", "replay_parts:Room")
    yield importlib.import_module("replay_parts")
    sys.modules.pop("replay_parts")


def record_whole(parts: Any, arm: Arm, replies: list[Any]) -> tuple[list[Row], dict[str, bytes]]:
    """Return rows and contents of an unbroken trial; its model and embedder answer at random."""
    with EventLog.create(":memory:") as log:
        parts.replies.extend(replies)
        rows = record(log, parts, arm)
        contents = {key: log.blob(key) for row in rows for key in json.loads(row.blobs)}
    parts.gone = False
    return rows, contents


def cut(rows: list[Row], contents: dict[str, bytes], arm: Arm) -> EventLog:
    """Return a log that holds these rows of a trial that was begun."""
    log = EventLog.create(":memory:")
    log.write_trial(TRIAL, genesis(SCRIPT, arm), rows, contents, seal=False)
    return log


def resume(log: EventLog, arm: Arm) -> int:
    """Resume the trial and return how many events that added."""
    before = len(list(log.rows(TRIAL)))
    resume_trial(log, TRIAL, SCRIPT, arm, 0, make_agent(arm), Backends().sources(arm))
    return len(list(log.rows(TRIAL))) - before


def paid(rows: list[Row]) -> list[int]:
    """Return how many rows are recorded after each paid call, as a kill may leave them."""
    kinds = ("completion", "call_failed")
    return [row.position + 1 for row in rows if row.kind in kinds]


def test_a_trial_cut_off_after_any_call_keeps_it_and_asks_for_the_rest(parts: Any) -> None:
    arm = make_arm("replay_parts:Insistent")
    broken = Fault("model", "crash", "it went away")
    rows, contents = record_whole(parts, arm, ["A", broken, "C", "D"])
    ends = paid(rows)
    assert len(ends) == 4
    for done, end in enumerate(ends, start=1):
        parts.asked.clear()
        parts.replies.extend("WXYZ")
        with cut(rows[:end], contents, arm) as log:
            resume(log, arm)
            there = list(log.rows(TRIAL))
            assert there[:end] == rows[:end]
            prompts = [each for each in parts.asked if isinstance(each, str)]
            assert len(prompts) == 4 - done
            said = [json.loads(row.body) for row in there if row.kind == "answer"]
            heard = ["A", str(broken), "C", "D"][:done] + list("WXYZ")[: 4 - done]
            assert [each["text"] for each in said] == [
                " then ".join(heard[:2]),
                " then ".join(heard[2:]),
            ]
            assert log.heads().keys() == {TRIAL}
            assert replay_trial(log, TRIAL, SCRIPT, arm, 0) == len(there)
        parts.replies.clear()


def test_a_whole_record_without_a_seal_is_sealed(parts: Any) -> None:
    arm = make_arm()
    rows, contents = record_whole(parts, arm, ["knock()"])
    parts.asked.clear()
    with cut(rows, contents, arm) as log:
        assert resume(log, arm) == 0
        assert (list(log.rows(TRIAL)), log.heads()) == (rows, {TRIAL: rows[-1].hash})
    assert parts.asked == []


def test_a_stream_that_was_begun_and_holds_nothing_is_played(parts: Any) -> None:
    arm = make_arm()
    with EventLog.create(":memory:") as log:
        log.begin(TRIAL, genesis(SCRIPT, arm))
        parts.replies.append("knock()")
        added = resume(log, arm)
        assert added == len(list(log.rows(TRIAL)))
        assert replay_trial(log, TRIAL, SCRIPT, arm, 0) == added


def test_other_code_is_refused_before_anything_is_asked_or_added(parts: Any) -> None:
    arm = make_arm("replay_parts:Insistent")
    rows, contents = record_whole(parts, arm, ["A", "B"])
    parts.asked.clear()
    end = paid(rows)[1]
    with cut(rows[:end], contents, arm) as log:
        assert replay_begun(log, TRIAL, SCRIPT, arm, 0, make_agent(arm)) == end
        parts.extra_embeds = 1  # the memory embeds once more than it did
        for again in (replay_begun, resume_trial):
            live = [Backends().sources(arm)] if again is resume_trial else []
            with pytest.raises(Diverged) as caught:
                again(log, TRIAL, SCRIPT, arm, 0, make_agent(arm), *live)
            first = next(row for row in rows if row.kind == "memory_change")
            assert (caught.value.position, caught.value.recorded) == (first.position, first)
        assert list(log.rows(TRIAL)) == rows[:end] and log.heads() == {}
    assert parts.asked == []


def test_another_model_differs_in_the_first_event(
    parts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = make_arm()
    rows, contents = record_whole(parts, arm, ["knock()"])
    parts.asked.clear()
    monkeypatch.setattr(parts.Model, "identity", lambda self: {"name": "Other"})
    with cut(rows[: paid(rows)[0]], contents, arm) as log:
        with pytest.raises(Diverged) as caught:
            resume(log, arm)
        assert caught.value.position == 0
    assert parts.asked == []


def test_a_record_longer_than_the_trial_is_refused(parts: Any) -> None:
    arm = make_arm("replay_parts:Insistent")
    parts.extra_calls = 1
    rows, contents = record_whole(parts, arm, ["A", "B", "C"])
    parts.asked.clear()
    parts.extra_calls = 0
    with cut(rows[: paid(rows)[2]], contents, arm) as log:
        with pytest.raises(Diverged) as caught:
            resume(log, arm)
        assert caught.value.recorded == rows[paid(rows)[2] - 1]
        assert log.heads() == {}
    assert parts.asked == []
