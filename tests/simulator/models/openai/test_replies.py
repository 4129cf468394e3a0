"""What each kind of answer becomes, over a real connection to a scripted endpoint."""

import json

import pytest

from simulator.agents.actions import Answer, Call, Refusal, parse_action
from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.port import CallFault
from tests.simulator.models.openai.served import (
    ACT,
    TELL,
    USAGE,
    Reply,
    Server,
    ask,
    called,
    completion,
    opened,
    said,
)

USED = Usage(input=100, output=10)
WHOLE = '{"order": "O-1", "amount": "$5.00"}'


def complete(reply: Reply, prompt: object = ACT, **options: Json) -> Completion:
    with Server([reply]) as server, opened(server, **options) as model:
        return model.complete(ask(prompt))  # type: ignore[arg-type]


def fault(reply: Reply, prompt: object = ACT, **options: Json) -> CallFault:
    with pytest.raises(CallFault) as caught:
        complete(reply, prompt, **options)
    assert caught.value.culprit == "model"
    return caught.value


def used(found: CallFault) -> list[Usage | None]:
    assert found.service is not None
    return [attempt.usage for attempt in found.service.attempts]


def test_a_tool_call_becomes_the_written_form() -> None:
    found = complete(called(("refund_order", WHOLE)))
    assert parse_action(found.text) == Call("refund_order", {"order": "O-1", "amount": "$5.00"})
    assert (found.finish, found.usage) == ("stop", USED)
    assert found.service is not None and found.service.attempts == ()
    assert (found.service.model, found.service.fingerprint) == ("m-2026-01-01", "fp_7")


def test_the_values_of_a_call_come_through_exactly() -> None:
    odd = {"order": '"\n\\ é 😀 ‮', "amount": 2**63, "more": [None, True, 0.1, {"a": "0012"}]}
    found = complete(called(("refund_order", json.dumps(odd))))
    assert parse_action(found.text) == Call("refund_order", odd)


def test_the_functions_that_end_a_turn_become_outcomes() -> None:
    assert parse_action(complete(called(("answer", '{"text": "Do\\"ne"}'))).text) == Answer('Do"ne')
    assert parse_action(complete(called(("refuse", '{"text": ""}'))).text) == Refusal("")


def test_a_refusal_is_the_models_refusal() -> None:
    assert parse_action(complete(said(None, refusal="I can't.")).text) == Refusal("I can't.")
    assert complete(said(None, refusal="I can't."), TELL).text == "I can't."


def test_words_are_an_answer_where_the_model_may_choose() -> None:
    assert parse_action(complete(said("Done."), tool_choice="auto").text) == Answer("Done.")
    assert complete(said("Done.")).text == "Done."  # it had to call something, and did not
    written = 'refund_order(order="O-1", amount="$5.00")'
    assert complete(said(written), tools="text", tool_choice="auto").text == written
    assert complete(said("35,000"), TELL, tool_choice="auto").text == "35,000"


@pytest.mark.parametrize("content", [None, ""])
def test_nothing_said_is_an_empty_text(content: str | None) -> None:
    for choice in ("auto", "required"):
        found = complete(said(content), tool_choice=choice)
        assert (found.text, found.finish, found.usage) == ("", "stop", USED)


BROKEN = [
    '{"order": "C:\\new',  # cut off, and no escape
    "",
    "null",
    "[]",
    '"O-1"',
    '{"order": NaN}',
    '{"order": 1e999}',
    '{"order": "\\ud800"}',
    '{"order": 1, "order": 2}',
    '{"or der": 1}',
    '{"": 1}',
    "{}{}",
    '{"order": ' + "[" * 10_000 + "]" * 10_000 + "}",
    '{"order": ' + "[" * 21 + "]" * 21 + "}",
    '{"order": "' + "x" * 1_000_000 + '"}',
]


@pytest.mark.parametrize("arguments", BROKEN, ids=range(len(BROKEN)))
def test_a_call_that_cannot_be_read_is_unparsable_and_its_text_is_kept_h23(arguments: str) -> None:
    found = complete(called(("refund_order", arguments)))
    with pytest.raises(Fault, match="unparsable"):
        parse_action(found.text)
    assert found.usage == USED
    if len(arguments) < 1000 and found.text.startswith("["):
        assert json.loads(found.text)[0]["function"]["arguments"] == arguments


@pytest.mark.parametrize(
    "name", ["", "re fund", 'refund("x")', "answer", "answer(", "refund\n", "\ud800"]
)
def test_a_name_that_cannot_be_written_is_unparsable(name: str) -> None:
    found = complete(called((name, WHOLE)))
    with pytest.raises(Fault, match="unparsable"):
        parse_action(found.text)


def test_two_calls_are_never_one_action_h23() -> None:
    found = complete(called(("refund_order", WHOLE), ("answer", '{"text": "Done."}')))
    with pytest.raises(Fault, match="unparsable"):
        parse_action(found.text)
    names = [call["function"]["name"] for call in json.loads(found.text)]
    assert (names, found.usage) == (["refund_order", "answer"], USED)


@pytest.mark.parametrize("arguments", [{"order": "O-1"}, None, 7])
def test_arguments_that_are_no_text_are_unparsable(arguments: Json) -> None:
    call = {"type": "function", "function": {"name": "refund_order", "arguments": arguments}}
    for calls in ([call], [7], {"a": call}, "refund_order", [{"function": None}]):
        found = complete(said(None, tool_calls=calls))
        with pytest.raises(Fault, match="unparsable"):
            parse_action(found.text)


def test_a_cut_off_is_the_known_finish() -> None:
    text = complete(said("The budget is", "length"), TELL)
    assert (text.text, text.finish) == ("The budget is", "length")
    whole_by_chance = complete(called(("refund_order", WHOLE), finish="length"))
    assert whole_by_chance.finish == "length"
    with pytest.raises(Fault, match="unparsable"):
        parse_action(whole_by_chance.text)
    assert complete(said("Done", "length"), tool_choice="auto").text == "Done"


@pytest.mark.parametrize(
    ("reply", "kind", "message"),
    [
        (said("Half of", "content_filter"), "truncated", "content filter"),
        (said(None, "content_filter"), "truncated", "content filter"),
        (Reply(completion({}) | {"choices": []}), "empty", "no choice"),
        (Reply(completion({}) | {"choices": None}), "empty", "no choice"),
        (Reply({"usage": USAGE}), "empty", "no choice"),
        (Reply(completion({}) | {"choices": [1, 2]}), "invalid", "exactly one choice"),
        (Reply(completion({}) | {"choices": {"a": 1}}), "invalid", "exactly one choice"),
        (Reply(completion(None)), "invalid", "holds no message"),
        (said("Hi", "insufficient_system_resource"), "invalid", "'insufficient_system_resource'"),
        (said("Hi", None), "invalid", "finish reason None"),
        (Reply(completion({"content": [{"text": "Hi"}]})), "invalid", "no text"),
        (said("half \ud800"), "invalid", "lone surrogate"),
        (said(None, refusal="\ud800"), "invalid", "lone surrogate"),
    ],
)
def test_what_is_no_completion_is_a_fault_that_was_paid(
    reply: Reply, kind: str, message: str
) -> None:
    found = fault(reply, TELL)
    assert found.fault == kind and message in found.message
    assert used(found) == [USED]


def test_a_call_of_a_tool_that_was_not_offered_is_a_fault() -> None:
    assert fault(called(("refund_order", WHOLE)), TELL).fault == "invalid"
    assert fault(called(("refund_order", WHOLE)), ACT, tools="text").fault == "invalid"


@pytest.mark.parametrize(
    ("usage", "message"),
    [
        (None, "reports no usage"),
        (
            {
                "prompt_tokens": 5,
                "completion_tokens": 1,
                "prompt_tokens_details": {"cached_tokens": 6},
            },
            "6 cached of 5 input",
        ),
    ],
)
def test_usage_that_cannot_be_billed_is_a_fault_h24(usage: Json, message: str) -> None:
    found = fault(Reply(completion({"content": "Hi"}, usage=usage)))
    assert found.fault == "invalid" and message in found.message
    assert used(found) == [None]


@pytest.mark.parametrize("body", [b"<html>", b"", b"[1]", b'"Hi"', b"\xff", b"[" * 100_000])
def test_an_answer_that_is_no_json_object_is_a_fault(body: bytes) -> None:
    found = fault(Reply(body))
    assert found.fault == "invalid" and "no JSON" in found.message
    assert used(found) == [None]
