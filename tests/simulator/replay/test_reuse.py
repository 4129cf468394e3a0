"""Reuse: equal calls of equal parts get the recorded answers, everything else is asked."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.effects.steps import Vector
from simulator.engine.sources import ModelRole
from simulator.engine.turning import Turn
from simulator.events import Json, canonical_json
from simulator.events.canonical import sha256_bytes, sha256_text
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest
from simulator.replay.reuse import ReusingSources
from tests.simulator.replay.test_whole import make_arm

IDENTITIES: dict[str, Json] = {"agent_model": {"name": "x"}, "embedder": {"name": "e"}}
REQUEST = CompletionRequest(Prompt(instructions="", request=""), "the prompt", "", 5, 7)


class Live:
    """Says that it was asked."""

    paid = True

    def __init__(self, identities: dict[str, Json]) -> None:
        self.identities = identities
        self.embedded: list[str] = []

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        return said("live")

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.embedded.extend(texts)
        return [np.zeros(1, dtype="<f4") for _ in texts]


def said(text: str) -> Completion:
    return Completion(text=text, finish="stop", usage=Usage(input=10, cached=4, output=2))


def row(position: int, kind: str, body: Json) -> Row:
    return Row(position, f"#{position}", kind, 0, "global", "[]", canonical_json(body), "[]", "")


def call(position: int, text: str) -> Row:
    nothing = sha256_text("")
    parts = ("instructions", "tools", "examples", "block", "context", "request", "steps")
    body = {
        "purpose": "act",
        "role": "agent_model",
        "step": position,
        **dict.fromkeys(parts, nothing),
        "rendered": sha256_text("the prompt"),
        "max_tokens": 5,
        "seed": 7,
        "text": text,
        "finish": "stop",
        "usage": said("").usage.model_dump(),
    }
    return row(position, "completion", body)


OPENED = row(
    0,
    "trial_opened",
    {
        "arc": "a",
        "arm": "m",
        "seed": 0,
        "script": sha256_text(""),
        "options": make_arm("scaffold").describe(),
        "identities": IDENTITIES,
        "oracle": False,
    },
)


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as log:
        yield log


def sources(
    log: EventLog, *rows: Row, turns: Sequence[Turn] = (), **identities: Json
) -> ReusingSources:
    return ReusingSources(Live(IDENTITIES | identities), log, [OPENED, *rows], turns)


def test_h16_the_same_call_twice_gets_both_answers_and_then_a_live_one(log: EventLog) -> None:
    reusing = sources(log, call(1, "A"), call(2, "B"))
    texts = [reusing.complete("agent_model", REQUEST).text for _ in range(3)]
    assert texts == ["A", "B", "live"]
    assert (reusing.reused, reusing.asked, reusing.paid) == ([12, 12, None], 1, True)


@pytest.mark.parametrize(
    "other",
    [{"rendered": "the prompt "}, {"max_tokens": 6}, {"seed": 8}],
)
def test_h16_another_prompt_limit_or_seed_is_another_call(
    log: EventLog, other: dict[str, Json]
) -> None:
    reusing = sources(log, call(1, "A"))
    assert reusing.complete("agent_model", replace(REQUEST, **other)).text == "live"
    assert reusing.complete("agent_model", REQUEST).text == "A"


def test_h16_another_role_or_identity_is_another_call(log: EventLog) -> None:
    reusing = sources(log, call(1, "A"), memory_model={"name": "x"})
    assert reusing.complete("memory_model", REQUEST).text == "live"
    other = sources(log, call(1, "A"), agent_model={"name": "x", "sha256": "0"})
    assert other.complete("agent_model", REQUEST).text == "live"


def test_behind_a_turning_point_the_parents_other_model_had_answered(log: EventLog) -> None:
    turn = Turn(
        position=2,
        parent="p",
        before="",
        arm="a",
        options={},
        identities={"agent_model": {"name": "y"}},
    )
    reusing = sources(log, call(1, "A"), call(2, "B"), turns=[turn], agent_model={"name": "y"})
    assert reusing.complete("agent_model", REQUEST).text == "B"
    assert reusing.complete("agent_model", REQUEST).text == "live"


def test_a_used_prompt_keeps_the_usage_it_had(log: EventLog) -> None:
    assert sources(log, call(1, "A")).complete("agent_model", REQUEST) == said("A")


def test_known_texts_keep_their_vectors_and_the_others_are_embedded_once(log: EventLog) -> None:
    vector = np.array([0.1], dtype="<f4")
    key = sha256_bytes(vector.tobytes())
    texts = [sha256_text("one two")]
    body = {"purpose": "read", "texts": texts, "vectors": [key], "tokens": 2}
    row_ = row(1, "embedding", body)
    log.begin("t", {})
    log.append("t", [], {key: vector.tobytes()})
    live = Live(IDENTITIES)
    reusing = ReusingSources(live, log, [OPENED, row_], ())
    found = reusing.embed(["new", "one two", "newer"])
    assert [list(each) for each in found] == [[0.0], [np.float32(0.1)], [0.0]]
    assert live.embedded == ["new", "newer"]
    assert [list(each) for each in reusing.embed(["one two"])] == [[np.float32(0.1)]]
    assert (reusing.reused, reusing.asked) == ([2, 2], 1)
    other = sources(log, row_, embedder={"name": "f"})
    assert list(other.embed(["one two"])[0]) == [0.0]
    assert json.loads(OPENED.body)["identities"] == IDENTITIES
