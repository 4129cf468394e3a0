"""What is sent: the rendered prompt, the tools, and the options that each reach the wire."""

import json
from pathlib import Path
from typing import Any

import pytest

from environments.workspace import Workspace
from simulator.agents.actions import Call, parse_action
from simulator.effects.prompts import Prompt
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.contract import check_model
from simulator.models.openai.back_end import OpenAI
from simulator.models.openai.options import OpenAIOptions
from simulator.models.openai.request import build_request
from simulator.models.rendering import render_plain
from tests.simulator.models.openai.served import (
    ACT,
    REFUND,
    TELL,
    FakeWall,
    Reply,
    Server,
    ask,
    called,
    completion,
    failed,
    opened,
    said,
)

TOLD: dict[str, Json] = {"model": "m"}


def sent(prompt: Prompt, seed: int = 7, **options: Json) -> dict[str, Any]:
    with Server([said()]) as server, opened(server, **options) as model:
        model.complete(ask(prompt, seed=seed))
        return server.requests[0]


def test_a_text_is_asked_for_with_the_rendered_prompt_alone() -> None:
    assert sent(TELL) == {
        "model": "m",
        "messages": [{"role": "user", "content": render_plain(TELL)}],
        "temperature": 0,
        "seed": 7,
        "max_tokens": 48,
    }


def test_the_written_form_offers_no_tools() -> None:
    assert sent(ACT, tools="text").keys() == sent(TELL).keys()


def test_native_tools_are_the_environments_and_those_that_end_a_turn() -> None:
    request = sent(ACT)
    assert [tool["function"]["name"] for tool in request["tools"]] == [
        "refund_order",
        "answer",
        "ask",
        "refuse",
    ]
    first = request["tools"][0]
    assert first["type"] == "function"
    assert first["function"]["parameters"] == REFUND.parameters
    assert first["function"]["description"] == REFUND.description
    assert (request["tool_choice"], request["parallel_tool_calls"]) == ("required", False)
    assert sent(ACT, tool_choice="auto")["tool_choice"] == "auto"
    assert sent(ACT, tool_choice="ask")["tool_choice"] == {
        "type": "function",
        "function": {"name": "ask"},
    }


def test_lists_of_objects_are_offered_whole_and_come_back_as_they_were_called() -> None:
    prompt = ACT.model_copy(update={"tools": Workspace.tools})
    claims = [{"text": "It ends.", "sources": ["DOC-1042"], "status": "flagged"}]
    report = {"claims": claims, "quotes": [], "pending": [{"text": "a", "reason": "b"}]}
    answer = called(("submit_report", json.dumps(report)))
    with Server([answer]) as server, opened(server) as model:
        found = model.complete(ask(prompt))
        (sent,) = server.requests
    assert parse_action(found.text) == Call("submit_report", report)
    offered = {each["function"]["name"]: each["function"] for each in sent["tools"]}
    (submit,) = [tool for tool in Workspace.tools if tool.name == "submit_report"]
    assert offered["submit_report"]["parameters"] == submit.parameters
    assert submit.parameters["properties"]["claims"]["items"]["type"] == "object"


def test_every_option_reaches_the_request() -> None:
    assert sent(TELL, temperature=0.7)["temperature"] == 0.7
    assert sent(TELL, reasoning_effort="low")["reasoning_effort"] == "low"
    limited = sent(TELL, output_limit="max_completion_tokens")
    assert limited["max_completion_tokens"] == 48 and "max_tokens" not in limited
    bare = sent(ACT, omit=["temperature", "seed", "parallel_tool_calls"])
    assert not {"temperature", "seed", "parallel_tool_calls"} & bare.keys()


def test_seeds_are_numbers_that_every_endpoint_takes() -> None:
    assert sent(TELL, seed=2**63 - 1)["seed"] == 2**31 - 1
    assert sent(TELL, seed=2**40 + 5)["seed"] == 5


def test_a_tool_that_is_none_of_them_is_refused_before_anything_is_sent() -> None:
    options = OpenAIOptions(model="m", tool_choice="refund_ordr")
    with pytest.raises(InputError, match="did you mean 'refund_order'"):
        build_request(options, ask(ACT))
    assert "tools" not in build_request(options, ask(TELL))  # a text needs no tool
    taken = ACT.model_copy(update={"tools": (REFUND.model_copy(update={"name": "answer"}),)})
    with pytest.raises(InputError, match="same name"):
        build_request(OpenAIOptions(model="m"), ask(taken))


def test_the_key_is_sent_as_the_header_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-planted-0f3a99e1")
    with Server([said()]) as server, opened(server, api_key_env="MY_KEY") as model:
        model.complete(ask(TELL))
    assert server.keys == ["Bearer sk-planted-0f3a99e1"]
    assert "sk-planted" not in str(server.requests)


def test_a_key_for_another_endpoint_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "sk-planted-0f3a99e1")
    with Server([said()]) as server, opened(server) as model:
        model.complete(ask(TELL))
    assert server.keys == ["Bearer none"]


def test_it_keeps_the_contract() -> None:
    def script(request: dict[str, Any], _: int) -> Reply:
        words = len(request["messages"][0]["content"].split())
        if words > 10_000:
            return failed(400, "x", code="context_length_exceeded")
        usage = {"prompt_tokens": words, "completion_tokens": 9}
        if "tools" in request:
            return called(("close_ticket", '{"ticket": "T-31"}'), usage=usage)
        return Reply(completion({"content": "It is open."}, usage=usage))

    with Server(script) as server:
        options = OpenAIOptions(model="m", base_url=server.url, api_key_env="")
        check_model(lambda: OpenAI(options, FakeWall()))


def test_a_limit_a_minute_is_kept_and_corrected_by_what_was_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    wall = FakeWall()
    with Server([said()] * 3) as server, opened(server, wall, tokens_per_minute=300) as model:
        for _ in range(2):
            model.complete(ask(TELL))  # about 60 tokens each are estimated, 110 used
        assert wall.slept == []
        model.complete(ask(TELL, max_tokens=72))
    assert wall.slept == [60_000]
