"""Answers from records: in order, never from anywhere else."""

import pytest

from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.port import CompletionRequest
from simulator.models.recorded import RecordedModel, RecordEnded
from simulator.models.rendering import render_plain

PROMPT = Prompt(instructions="Help.", request="Why?")
REQUEST = CompletionRequest(PROMPT, render_plain(PROMPT), "", max_tokens=8, seed=5)
USAGE = {"input": 4, "cached": 1, "output": 2, "reasoning": 0}


def said(text: str) -> dict[str, Json]:
    return {"text": text, "finish": "stop", "usage": USAGE}


FAILED: dict[str, Json] = {
    "culprit": "model",
    "fault": "overflow",
    "message": "too long",
    "detail": "",
}


def test_the_same_prompt_twice_gets_each_answer_in_turn_h16() -> None:
    model = RecordedModel([said("A"), said("B")])
    usage = Usage(input=4, cached=1, output=2)
    assert model.complete(REQUEST) == Completion(text="A", finish="stop", usage=usage)
    assert model.complete(REQUEST).text == "B"
    assert model.calls == 2


def test_a_missing_record_is_an_error_and_no_live_call_h16() -> None:
    model = RecordedModel([said("A")])
    model.complete(REQUEST)
    with pytest.raises(RecordEnded):
        model.complete(REQUEST)
    assert model.calls == 1


def test_a_recorded_failure_fails_again() -> None:
    model = RecordedModel([FAILED, said("after")])
    with pytest.raises(Fault) as caught:
        model.complete(REQUEST)
    assert (caught.value.culprit, caught.value.fault) == ("model", "overflow")
    assert model.complete(REQUEST).text == "after"
