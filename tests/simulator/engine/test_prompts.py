"""Prompts: arms differ in the memory block alone, and what is recorded is what was sent."""

from typing import Any

import pytest

from simulator.effects.memory import Block
from simulator.effects.prompts import Prompt
from simulator.effects.steps import Complete
from simulator.events import canonical_json
from simulator.events.canonical import sha256_text

SECTIONS = ("instructions", "tools", "examples", "block", "context", "request", "steps")
STORY = [{"id": "m", "at": 1, "text": "The float is 50."}]
LATER = [
    {"id": "n", "at": 5000, "text": "Morning."},
    {"kind": "decision", "id": "d", "at": 6000, "request": "What is\nthe float?"},
]


def silent(memory: Any, ask: Any) -> Any:
    yield from ()
    return Block()


def test_at_the_first_decision_two_arms_differ_in_block_bytes_only(lab: Any) -> None:
    script = lab.script(STORY, LATER)
    full = lab.play(script, ['answer("50")'])
    none = lab.play(script, ['answer("?")'], memory=lab.Memory(read=silent), id="other")
    with_block, without = (played.one("completion").body for played in (full, none))
    assert [name for name in SECTIONS if with_block[name] != without[name]] == ["block"]
    assert full.text(with_block["block"]) == "From earlier sessions:\nThe float is 50."
    assert none.text(without["block"]) == ""
    block = "## Memory\nFrom earlier sessions:\nThe float is 50.\n\n"
    assert full.text(with_block["rendered"]).replace(block, "") == none.text(without["rendered"])
    assert full.text(with_block["rendered"]).count(block) == 1
    assert (with_block["seed"], with_block["step"]) == (without["seed"], without["step"])


def test_each_section_is_recorded_as_it_was_sent(lab: Any) -> None:
    played = lab.play(lab.script(STORY, LATER), ['answer("50")'])
    body, (request,) = played.one("completion").body, played.model.requests
    texts = {name: played.text(body[name]) for name in SECTIONS}
    assert texts["instructions"] == "You mind the till."
    assert texts["tools"].splitlines() == [tool.signature for tool in lab.Till.tools]
    assert texts["examples"] == "Request: Add 7.\nAction: add(amount=7)"
    assert texts["request"] == "What is\nthe float?"
    assert texts["context"] == canonical_json([s.model_dump() for s in request.prompt.context])
    assert texts["steps"] == "[]"
    assert played.text(body["rendered"]) == request.rendered
    assert all(body[name] == sha256_text(texts[name]) for name in SECTIONS)
    blobs = [body[name] for name in (*SECTIONS, "rendered")]
    assert played.one("completion").row.blobs == canonical_json(blobs)


def test_the_request_is_not_repeated_in_the_context(lab: Any) -> None:
    (request,) = lab.play(lab.script(STORY, LATER), ['answer("50")']).model.requests
    assert [surface.id for surface in request.prompt.context] == ["e2/n"]
    assert request.rendered.count("What is the float?") == 1


def test_steps_stand_under_the_request_and_belong_to_one_decision_only(lab: Any) -> None:
    again = {"kind": "decision", "id": "again", "at": 6000, "causes": ["d"]}
    replies = ["look()", 'answer("50")', 'answer("yes")']
    _, second, third = lab.play(lab.script([*LATER, again]), replies).model.requests
    assert second.rendered.endswith(
        "\n\n## Request\nWhat is the float?\nAction: look()\nResult: the sum is 0\nAction:"
    )
    assert [surface.text for surface in second.prompt.context] == ["Morning."]
    assert third.prompt.steps == ()
    lines = ["Morning.", "What is\nthe float?", "look()", "the sum is 0", "50"]
    assert [surface.text for surface in third.prompt.context] == lines


def test_the_limits_and_usage_of_a_call_are_recorded(lab: Any) -> None:
    played = lab.play(lab.script(LATER), ['answer("50")'])
    body = played.one("completion").body
    assert (body["purpose"], body["role"], body["max_tokens"]) == ("act", "agent_model", 96)
    assert body["usage"] == {"input": 10, "cached": 0, "output": 1, "reasoning": 0}
    assert (body["text"], body["finish"]) == ('answer("50")', "stop")


def test_the_previous_prompt_of_the_same_role_is_what_may_be_cached(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield Complete(Prompt(instructions="Summarise.", request=str(len(memory.calls))), 9)

    cut = {"kind": "compaction", "id": "c", "at": 5500}
    asked: list[Any] = []

    def memory_model(request: Any) -> str:
        asked.append(request)
        return "so far"

    played = lab.play(
        lab.script([*LATER, cut]),
        ["look()", 'answer("50")'],
        memory=lab.Memory(absorb=absorb),
        memory_replies=memory_model,
    )
    first, second = played.model.requests
    assert (first.previous, second.previous) == ("", first.rendered)
    assert [request.previous for request in asked] == ["", asked[0].rendered]
    roles = [(e.body["role"], e.body["step"]) for e in played.all("completion")]
    assert roles == [
        ("memory_model", 0),
        ("agent_model", 1),
        ("agent_model", 2),
        ("memory_model", 3),
    ]


@pytest.mark.parametrize(
    ("change", "same"),
    [({}, True), ({"id": "other"}, True), ({"seed": 1}, False)],
)
def test_a_calls_seed_is_of_arc_trial_seed_and_step_never_of_the_arm(
    lab: Any, change: dict[str, Any], same: bool
) -> None:
    def seeds(**settings: Any) -> list[int]:
        played = lab.play(lab.script(LATER), ["look()", 'answer("50")'], **settings)
        return [event.body["seed"] for event in played.all("completion")]

    first = seeds()
    assert len(set(first)) == 2
    assert all(0 <= seed < 2**63 for seed in first)
    assert (seeds(**change) == first) is same
