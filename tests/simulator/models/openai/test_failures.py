"""Failures of an endpoint: what is asked again, what it costs, and who is to blame."""

from collections.abc import Sequence

import pytest

from simulator.effects.prompts import Attempt, Completion, Usage
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.port import CallFault
from tests.simulator.models.openai.served import (
    TELL,
    FakeWall,
    Reply,
    Server,
    ask,
    failed,
    opened,
    said,
)

KEY = "sk-planted-0f3a99e1"
SILENT, RESET = Reply(silent=True), Reply(said().body, cut=20)


def complete(replies: Sequence[Reply], wall: FakeWall | None = None, **options: Json) -> Completion:
    with Server(list(replies)) as server, opened(server, wall, **options) as model:
        found = model.complete(ask(TELL))
        assert len(server.requests) == len(replies)
        return found


def attempts(found: Completion) -> tuple[Attempt, ...]:
    assert found.service is not None
    return found.service.attempts


def fault(replies: Sequence[Reply], wall: FakeWall | None = None, **options: Json) -> CallFault:
    with Server(list(replies)) as server, opened(server, wall, **options) as model:
        with pytest.raises(CallFault) as caught:
            model.complete(ask(TELL))
        assert len(server.requests) == len(replies)
        return caught.value


def test_a_rate_limit_is_waited_out_as_the_endpoint_asks() -> None:
    wall = FakeWall()
    limited = failed(429, "Slow down.", headers={"Retry-After": "7"})
    found = complete([limited, limited, said()], wall)
    assert wall.slept == [7000, 7000]
    slow = Attempt(status=429, message="HTTP 429: Slow down.", usage=None, waited=7000)
    assert attempts(found) == (slow, slow)
    assert (found.text, found.usage) == ("Hi", Usage(input=100, output=10))


def test_an_error_that_passes_is_recorded_with_what_it_used() -> None:
    wall = FakeWall()
    reported: Json = {
        "prompt_tokens": 40,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 8},
    }
    found = complete([failed(500, "Oops.", reported), failed(503), said()], wall)
    first, second = attempts(found)
    assert first.usage == Usage(input=40, cached=8, output=3)
    assert second.usage is None
    assert [first.waited, second.waited] == wall.slept
    assert 250 <= wall.slept[0] <= 500 <= wall.slept[1] <= 1000


def test_a_timeout_and_a_reset_are_asked_again() -> None:
    found = complete([SILENT, RESET, said()], timeout_s=0.2)
    first, second = attempts(found)
    assert (first.status, first.message) == (None, "no answer within 0.2 s")
    assert second.status is None and second.message.startswith("the connection failed (")
    assert found.text == "Hi"


def test_the_waits_of_a_call_are_the_same_each_time() -> None:
    def waits() -> list[int]:
        wall = FakeWall()
        complete([failed(500), failed(500), failed(500), said()], wall)
        return wall.slept

    assert waits() == waits()


def test_when_no_request_is_left_the_call_crashed() -> None:
    found = fault([failed(503, "Busy."), RESET, failed(502)], max_retries=2)
    assert found.fault == "crash"
    assert found.message == "no completion after 3 requests: HTTP 502: no"
    assert found.service is not None
    assert [each.status for each in found.service.attempts] == [503, None, 502]
    assert [each.waited > 0 for each in found.service.attempts] == [True, True, False]


def test_no_retry_is_no_retry() -> None:
    wall = FakeWall()
    assert fault([failed(500)], wall, max_retries=0).fault == "crash"
    assert wall.slept == []


def test_a_wait_that_is_too_long_ends_the_call() -> None:
    wall = FakeWall()
    found = fault([failed(429, headers={"Retry-After": "3600"})], wall, max_wait_s=60)
    assert (found.fault, wall.slept) == ("crash", [])


def test_nobody_listens() -> None:
    with Server([]) as server:
        pass
    with opened(server, max_retries=1) as model, pytest.raises(CallFault) as caught:
        model.complete(ask(TELL))
    assert caught.value.message.startswith("no completion after 2 requests: the connection failed")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failed(400, "x", code="context_length_exceeded"), "overflow"),
        (failed(400, "The prompt is too long: 9 tokens"), "overflow"),
        (failed(400, "exceeds the available context size", type="exceed_context_size_error"), "overflow"),
        (failed(413, "Maximum context length is 10 tokens"), "overflow"),
        (failed(400, "x", code="content_filter"), "truncated"),
        (failed(400, "x", code="content_policy_violation"), "truncated"),
        (failed(400, "What?"), "invalid"),
        (failed(403, "Flagged."), "invalid"),
        (failed(422, "x", param="messages[0].content"), "invalid"),
        (Reply({"error": {"code": 403, "message": "Flagged."}}), "invalid"),
        (Reply({"error": "Flagged."}), "invalid"),
        (Reply({"detail": "Flagged."}, 418), "invalid"),
        (Reply({"object": "error", "message": "Exceeds the context window"}, 400), "overflow"),
        (Reply(b"<html>", 404 + 1), "invalid"),
    ],
)  # fmt: skip
def test_what_the_endpoint_refuses_is_a_fault_and_not_asked_again(reply: Reply, kind: str) -> None:
    found = fault([reply])
    assert (found.culprit, found.fault) == ("model", kind)
    assert found.service is not None and len(found.service.attempts) == 1


def test_an_error_within_a_200_is_what_it_says() -> None:
    slow = Reply({"error": {"code": 429, "message": "Slow down."}})
    found = complete([slow, said()])
    assert attempts(found)[0].message == "HTTP 429: Slow down."


@pytest.mark.parametrize(
    ("reply", "field"),
    [
        (failed(401, "Bad key."), None),
        (failed(402, "Insufficient balance."), None),
        (failed(404, "No such model."), None),
        (failed(400, "x", code="model_not_found"), None),
        (failed(429, "x", code="insufficient_quota"), None),
        (failed(400, "Not with this model.", param="temperature"), "temperature"),
        (failed(400, "Unknown.", param="max_tokens"), "output_limit"),
        (failed(422, "Bad name.", param="tools[0].function.name"), "tools"),
    ],
)
def test_what_the_user_must_mend_is_said_to_the_user(reply: Reply, field: str | None) -> None:
    with Server([reply]) as server, opened(server) as model:
        with pytest.raises(InputError, match="refuses every call: HTTP") as caught:
            model.complete(ask(TELL))
    assert caught.value.field == field


ESCAPED = "".join(f"\\u{ord(character):04x}" for character in KEY)


@pytest.mark.parametrize("spelled", [KEY, ESCAPED])
@pytest.mark.parametrize("status", [200, 400, 401, 500])
def test_an_endpoint_that_echoes_the_key_cannot_put_it_anywhere(
    spelled: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    body = (
        '{"choices": [{"message": {"content": "KEY"}, "finish_reason": "stop"}], "model": "KEY",'
        ' "usage": {"prompt_tokens": 1, "completion_tokens": 1}, "system_fingerprint": "KEY",'
        ' "error": {"message": "Bearer KEY", "code": "KEY"}}'
    )
    reply = Reply(body.replace("KEY", spelled).encode(), status)
    with Server([reply]) as server, opened(server, api_key_env="MY_KEY", max_retries=0) as model:
        try:
            shown = repr(model.complete(ask(TELL)))
        except (CallFault, InputError) as error:
            shown = f"{error} {vars(error)}"
    assert server.keys == [f"Bearer {KEY}"]
    assert KEY not in shown and "[API key]" in shown


def test_a_closed_back_end_may_be_used_again() -> None:
    with Server([said(), said()]) as server, opened(server) as model:
        model.complete(ask(TELL))
        model.close()
        assert model.complete(ask(TELL)).text == "Hi"


def test_unstorable_words_of_an_error_are_written_out() -> None:
    found = fault([failed(400, "half \ud800")])
    assert found.message == "HTTP 400: half \\ud800"
    assert found.service is not None
    assert found.service.attempts[0].message == "HTTP 400: half \\ud800"
