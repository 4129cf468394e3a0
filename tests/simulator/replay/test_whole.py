"""Replay: the recorded trial again, event for event, without a model or an embedder."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simulator.effects.prompts import Prompt
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.parts import Backends, make_agent, make_environment, make_memory
from simulator.engine.sinks import LogSink
from simulator.engine.trial import Trial, genesis, trial_id
from simulator.events import Script
from simulator.events.faults import Fault
from simulator.log.rows import Row, chain_hash, hashed_fields
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest
from simulator.models.rendering import RENDERERS, render_plain
from simulator.replay import Diverged, RecordedSources, ReplaySink, replay_trial

MODULE = '''
"""Parts that are anything but deterministic, and that can be taken away."""

import os

import numpy as np

from simulator.agents.actions import Answer
from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import Block, Forgetting, Item, Shown
from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.effects.steps import Complete, Embed

gone = False
asked = []
replies = []
vectors = None
extra_embeds = extra_calls = 0


class Backend:
    Options = Options
    deterministic = scripted = False
    renderer = "plain"
    dimension = 4

    def __init__(self, options):
        assert not gone, "a replay opened a back end"

    def identity(self):
        return {"name": type(self).__name__}

    def close(self):
        pass


class Model(Backend):
    def complete(self, request):
        asked.append(request.rendered)
        reply = replies.pop(0) if replies else f'answer("{os.urandom(8).hex()}")'
        if isinstance(reply, Exception):
            raise reply
        return Completion(text=reply, finish="stop", usage=Usage(input=9, cached=3, output=5))


class Embedder(Backend):
    def embed(self, texts):
        asked.append(texts)
        if vectors is not None:
            raise vectors
        return [np.frombuffer(os.urandom(16), dtype="<u4") / 2**32 for _ in texts]


class Memory:
    Options = Options
    habit = "accumulates"
    embedder = "replay_parts:Embedder"

    def __init__(self, options, setup):
        self.items = {}

    def absorb(self, transcript):
        found = yield Embed(tuple(surface.text for surface in transcript))
        for _ in range(extra_embeds):
            yield Embed(("more",))
        for surface, vector in zip(transcript, found):
            # What is kept depends on the last bits of the vector.
            text = f"{surface.text} {vector[0] * 0.1:.9f}"
            self.items[surface.id] = Item(
                id=surface.id, text=text, sources=frozenset([surface.id]), time=surface.time
            )

    def read(self, ask):
        lines = sorted(self.items.values(), key=lambda item: item.text)
        yield from ()
        return Block(
            items=tuple(Shown(item=i.id, text=i.text, sources=tuple(i.sources)) for i in lines)
        )

    def forget(self, sources, how, reach="lineage"):
        yield from ()
        return Forgetting()

    def regrant(self, sources):
        yield from ()

    def holdings(self):
        return self.items.values()

    def close(self):
        pass


class Insistent:
    """Asks the same thing twice, and again whatever happens."""

    Options = Options
    oracle = False

    def __init__(self, options):
        pass

    def act(self, desk):
        heard = []
        for _ in range(2 + extra_calls):
            try:
                said = yield Complete(Prompt(instructions="Say a letter.", request="Go."), 5)
                heard.append(said.text)
            except Exception as fault:
                heard.append(str(fault))
        return Answer(" then ".join(heard))


class Room:
    tools = (
        Tool(
            name="knock",
            description="To knock.",
            parameters={"type": "object", "properties": {}, "required": []},
            read_only=False,
        ),
    )
    instructions = "You are at a door."
    examples = ()

    def check_world(self, world):
        pass

    def call(self, world, tool, arguments, now):
        change = {"op": "replace", "path": "/knocks", "value": world["knocks"] + 1}
        return ToolOutcome(ok=True, text="knocked", changes=(change,))
'''
STORY = {
    "arc": "arc",
    "environment": "replay_parts:Room",
    "world": {"knocks": 0},
    "episodes": [
        {
            "id": "e1",
            "events": [
                {"kind": "message", "id": "m", "at": 1, "text": "The word is plum."},
                {"kind": "compaction", "id": "c", "at": 2},
                {"kind": "message", "id": "n", "at": 3, "text": "The word is pear."},
            ],
        },
        {"id": "e2", "events": [{"kind": "decision", "id": "d", "at": 9000, "request": "Knock."}]},
        {"id": "e3", "events": [{"kind": "decision", "id": "d", "at": 99000, "request": "Again."}]},
    ],
}
TRIAL = trial_id("arc", "arm", 0)
SCRIPT = Script.model_validate(STORY)


def make_arm(agent: str = "scaffold") -> Arm:
    def part(name: str) -> PartSpec:
        return PartSpec(name=name, options={})

    return Arm(
        id="arm",
        memory=part("replay_parts:Memory"),
        model=part("replay_parts:Model"),
        embedder=part("replay_parts:Embedder"),
        agent=part(agent),
        token_budget=None,
    )


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "replay_parts.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("MEMTRIAL_ENVIRONMENTS", "replay_parts:Room")
    yield importlib.import_module("replay_parts")
    sys.modules.pop("replay_parts")


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as log:
        yield log


def record(log: EventLog, parts: Any, arm: Arm) -> list[Row]:
    """Play live into the log, then take the back ends away."""
    sink = LogSink(log, TRIAL, genesis(SCRIPT, arm))
    memory = make_memory(arm, TRIAL)
    Trial(
        SCRIPT,
        arm,
        0,
        environment=make_environment(SCRIPT.environment),
        memory=memory,
        agent=make_agent(arm),
        sources=Backends().sources(arm),
        sink=sink,
    ).play()
    sink.finish()
    parts.gone = True
    parts.asked.clear()
    return list(log.rows(TRIAL))


def replay(log: EventLog, arm: Arm) -> int:
    return replay_trial(log, TRIAL, SCRIPT, arm, 0)


def bodies(rows: list[Row], kind: str) -> list[Any]:
    return [json.loads(row.body) for row in rows if row.kind == kind]


def test_a_trial_that_no_second_run_would_repeat_replays_without_a_call(
    log: EventLog, parts: Any
) -> None:
    arm = make_arm()
    parts.replies.append("knock()")
    rows = record(log, parts, arm)
    kinds = {row.kind for row in rows}
    assert kinds >= {"embedding", "completion", "tool_call", "world_change", "memory_read"}
    assert replay(log, arm) == len(rows)
    assert parts.asked == []


def test_det_h16_the_same_prompt_twice_replays_both_answers_in_order(
    log: EventLog, parts: Any
) -> None:
    arm = make_arm("replay_parts:Insistent")
    parts.replies.extend(["A", "B", "C", "D"])
    rows = record(log, parts, arm)
    first, second = bodies(rows, "completion")[:2]
    assert first["rendered"] == second["rendered"]
    assert [body["text"] for body in bodies(rows, "answer")] == ["A then B", "C then D"]
    assert replay(log, arm) == len(rows)
    assert parts.asked == []


def test_a_failed_call_replays_as_the_same_fault(log: EventLog, parts: Any) -> None:
    arm = make_arm("replay_parts:Insistent")
    crash = RuntimeError(f"lost {object()!r}")
    parts.replies.extend(["A", crash, Fault("model", "overflow", "too long", "raw"), "\ud800"])
    rows = record(log, parts, arm)
    answers = [body["text"] for body in bodies(rows, "answer")]
    assert answers[0] == "A then model crash: RuntimeError: lost <object object at 0x…>"
    assert answers[1].startswith("model overflow: too long then model crash: UnicodeEncodeError")
    assert len(bodies(rows, "call_failed")) == 3
    assert replay(log, arm) == len(rows)
    assert parts.asked == []


def test_a_failed_embedding_replays_to_the_same_early_end(log: EventLog, parts: Any) -> None:
    arm = make_arm()
    parts.vectors = OSError("no disk")
    rows = record(log, parts, arm)
    assert [body["fatal"] for body in bodies(rows, "error")] == [False, True]
    assert bodies(rows, "trial_closed") == [{"complete": False}]
    assert replay(log, arm) == len(rows)


def test_one_changed_character_of_the_template_stops_at_the_first_completion(
    log: EventLog, parts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = make_arm()
    rows = record(log, parts, arm)
    first = next(row for row in rows if row.kind == "completion")
    monkeypatch.setitem(RENDERERS, "plain", lambda prompt: render_plain(prompt) + " ")
    with pytest.raises(Diverged) as caught:
        replay(log, arm)
    diverged = caught.value
    assert (diverged.trial, diverged.position) == (TRIAL, first.position)
    assert diverged.recorded == first
    assert diverged.replayed is not None
    assert diverged.replayed.kind == "completion" and diverged.replayed.hash != first.hash
    sent = json.loads(diverged.replayed.body)["rendered"]
    recorded = log.text(json.loads(first.body)["rendered"])
    assert diverged.texts[sent].decode() == recorded + " "


def test_another_script_or_seed_stops_at_the_first_event(log: EventLog, parts: Any) -> None:
    arm = make_arm()
    record(log, parts, arm)
    with pytest.raises(Diverged) as caught:
        replay_trial(log, TRIAL, SCRIPT, arm, 1)
    assert caught.value.position == 0
    changed = Script.model_validate(STORY | {"world": {"knocks": 1}})
    with pytest.raises(Diverged) as caught:
        replay_trial(log, TRIAL, changed, arm, 0)
    assert caught.value.position == 0


def copied(rows: list[Row], arm: Arm, source: EventLog) -> EventLog:
    """A log of its own with these rows."""
    keys = {key for row in rows for key in json.loads(row.blobs)}
    other = EventLog.create(":memory:")
    other.write_trial(TRIAL, genesis(SCRIPT, arm), rows, {key: source.blob(key) for key in keys})
    return other


def test_a_log_with_fewer_events_stops_where_it_ends(log: EventLog, parts: Any) -> None:
    arm = make_arm()
    rows = record(log, parts, arm)
    with copied(rows[:-1], arm, log) as short, pytest.raises(Diverged) as caught:
        replay(short, arm)
    assert (caught.value.position, caught.value.recorded) == (len(rows) - 1, None)
    assert caught.value.replayed == rows[-1]


def test_a_log_with_more_events_stops_where_the_replay_ends(log: EventLog, parts: Any) -> None:
    arm = make_arm()
    rows = record(log, parts, arm)
    last = rows[-1]
    more = replace(last, position=len(rows), id=f"#{len(rows)}")
    more = replace(more, hash=chain_hash(last.hash, hashed_fields(more)))
    with copied([*rows, more], arm, log) as long, pytest.raises(Diverged) as caught:
        replay(long, arm)
    assert (caught.value.position, caught.value.recorded) == (len(rows), more)
    assert caught.value.replayed is None


def test_a_stream_that_was_begun_and_never_written_diverges(log: EventLog, parts: Any) -> None:
    arm = make_arm()
    log.begin(TRIAL, genesis(SCRIPT, arm))
    with pytest.raises(Diverged) as caught:
        replay(log, arm)
    assert (caught.value.position, caught.value.recorded) == (0, None)


def test_a_call_that_was_never_recorded_does_not_fall_through(log: EventLog, parts: Any) -> None:
    arm = make_arm("replay_parts:Insistent")
    rows = record(log, parts, arm)
    parts.extra_calls = 1  # asks once more than was recorded, and swallows every exception
    with pytest.raises(Diverged):
        replay(log, arm)
    parts.extra_calls, parts.extra_embeds = 0, 1
    with pytest.raises(Diverged) as caught:
        replay(log, arm)
    second = [row.position for row in rows if row.kind == "memory_change"][0]
    assert caught.value.position == second
    assert parts.asked == []


def test_recorded_sources_end_where_the_record_ends(log: EventLog, parts: Any) -> None:
    parts.replies.extend(["A", "B"])
    record(log, parts, make_arm("replay_parts:Insistent"))
    sources = RecordedSources(log, TRIAL, ReplaySink(TRIAL, log.rows(TRIAL)))
    assert sources.identities["agent_model"]["name"] == "Model"
    assert sources.paid is False
    request = CompletionRequest(Prompt(instructions="", request=""), "", "", 1, 0)
    texts = [sources.complete("agent_model", request).text for _ in range(4)]
    assert texts[:2] == ["A", "B"]
    with pytest.raises(Diverged) as caught:
        sources.complete("agent_model", request)
    assert caught.value.replayed is None
    assert [len(sources.embed(["x"])) for _ in range(4)] == [1, 1, 2, 2]
    with pytest.raises(Diverged):
        sources.embed(["x"])


def test_replay_needs_no_model_library() -> None:
    program = (
        "import sys\n"
        "names = ('llama_cpp', 'sentence_transformers', 'torch', 'openai', 'chromadb')\n"
        "sys.modules.update(dict.fromkeys(names))\n"
        "import simulator.replay\n"
        "assert not [name for name in names if sys.modules[name] is not None]\n"
    )
    checkout = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": checkout}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
