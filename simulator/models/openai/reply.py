"""From the body of a chat completion to the text of a completion.

A tool call becomes the written form of an action, which agents read from every model. What is
not exactly one readable call is handed on as the JSON list of the calls as they came: no agent
reads that as an action, so it ends in the model's `unparsable` fault with the raw text kept.
"""

import json
from typing import Literal, NamedTuple, NoReturn

from simulator.events import Json, canonical_json
from simulator.events.faults import Fault, FaultKind
from simulator.models.openai.request import SPOKEN_ARGUMENT
from simulator.models.written import SPOKEN, write_call, write_spoken

_LONGEST_ARGUMENTS = 65_536  # characters; agents read no longer action
_FINISHES: dict[str, Literal["stop", "length"]] = {
    "stop": "stop",
    "tool_calls": "stop",
    "function_call": "stop",
    "length": "length",
}


class Asked(NamedTuple):
    """What the request asked for.

    Attributes:
        action: True when an action was asked for, False for a text.
        tools: True when tools were offered.
        words: True when words without a call are a final answer.
    """

    action: bool
    tools: bool
    words: bool


def read_reply(body: dict[str, Json], asked: Asked) -> tuple[str, Literal["stop", "length"]]:
    """Return the text of the completion and how it ended.

    Raises:
        Fault: culprit `model`: `empty` without a choice, `truncated` where a content filter
            withheld the completion, `invalid` for what the protocol does not allow.
    """
    choice = _one_choice(body)
    message = choice.get("message")
    if not isinstance(message, dict):
        _refuse("invalid", "the endpoint's choice holds no message", choice)
    finish = choice.get("finish_reason")
    if finish == "content_filter":
        why = "the endpoint's content filter withheld the completion"
        _refuse("truncated", why, message.get("content") or "")
    if not isinstance(finish, str) or finish not in _FINISHES:
        _refuse("invalid", f"the finish reason {finish!r} is not known", message)
    text = _text(message, asked, _FINISHES[finish])
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        _refuse("invalid", "the completion holds a lone surrogate", text)
    return text, _FINISHES[finish]


def _one_choice(body: dict[str, Json]) -> dict[str, Json]:
    choices = body.get("choices")
    if not choices:
        _refuse("empty", "the endpoint returned no choice", "")
    if not isinstance(choices, list) or len(choices) > 1 or not isinstance(choices[0], dict):
        _refuse("invalid", "the endpoint did not return exactly one choice", choices)
    return choices[0]


def _text(message: dict[str, Json], asked: Asked, finish: str) -> str:
    refusal, calls = message.get("refusal"), message.get("tool_calls")
    content = message.get("content") or ""
    if refusal and isinstance(refusal, str):
        return write_spoken("refuse", refusal) if asked.action else refusal
    if calls:
        if not asked.tools:
            _refuse("invalid", "a tool call came although no tool was offered", calls)
        return _action(calls, finish)
    if not isinstance(content, str):
        _refuse("invalid", "the endpoint's content is no text", content)
    whole = content and asked.words and finish == "stop"
    return write_spoken("answer", content) if whole else content


def _action(calls: Json, finish: str) -> str:
    """Return the written form of the one call, or all calls as they came."""
    try:
        (call,) = calls
        if finish == "length":
            raise ValueError("it is cut off")
        function = call["function"]
        return _written(function["name"], _arguments(function["arguments"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return json.dumps(calls)


def _written(name: str, arguments: dict[str, Json]) -> str:
    if name not in SPOKEN:
        return write_call(name, arguments)
    if arguments.keys() != {SPOKEN_ARGUMENT} or not isinstance(arguments[SPOKEN_ARGUMENT], str):
        raise ValueError(f"{name} takes one text")
    return write_spoken(name, arguments[SPOKEN_ARGUMENT])


def _arguments(text: str) -> dict[str, Json]:
    if len(text) > _LONGEST_ARGUMENTS:
        raise ValueError("they are too long")
    found = json.loads(text, object_pairs_hook=_unique)
    if not isinstance(found, dict):
        raise ValueError("they are no object")
    canonical_json(found)  # NaN, infinities and lone surrogates cannot be stored
    return found


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is given twice")
    return found


def _refuse(fault: FaultKind, message: str, raw: Json) -> NoReturn:
    detail = raw if isinstance(raw, str) else json.dumps(raw)
    raise Fault("model", fault, message, detail)
