"""Answers from records: in order, never from anywhere else."""

import pytest

from simulator.effects.prompts import Attempt, Completion, Prompt, Service, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.port import CallFault, CompletionRequest
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


def test_how_an_endpoint_served_a_call_is_given_back_with_it() -> None:
    attempt = {"status": 500, "message": "no", "usage": USAGE, "waited": 20}
    served: dict[str, Json] = {
        "purpose": "act",
        "role": "agent_model",
        "step": 0,
        "model": "m-1",
        "fingerprint": "fp",
        "attempts": [attempt],
    }
    model = RecordedModel([said("A"), served, said("B"), served, FAILED, said("C")])
    usage = Usage(input=4, cached=1, output=2)
    service = Service(
        model="m-1",
        fingerprint="fp",
        attempts=(Attempt(status=500, message="no", usage=usage, waited=20),),
    )
    assert model.complete(REQUEST).service is None
    assert model.complete(REQUEST).service == service
    with pytest.raises(CallFault) as caught:
        model.complete(REQUEST)
    assert caught.value.service == service
    assert model.complete(REQUEST).service is None


def test_a_record_that_ends_after_a_service_has_ended() -> None:
    model = RecordedModel([{"model": "", "fingerprint": "", "attempts": []}])
    with pytest.raises(RecordEnded):
        model.complete(REQUEST)
