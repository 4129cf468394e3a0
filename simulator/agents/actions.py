"""The written form of an action: `tool(arg="value", …)`, `answer("…")`, `ask("…")`, `refuse("…")`.

An argument is a JSON value. The form is what a small completion model fills in best, and a
grammar can be made for it. One action a completion: text after the closing bracket is refused.

What cannot be read exactly is a fault of the model, never an action with a hole in it: text
around the action, a second action, a cut-off text, an argument given twice, a value that is no
JSON (NaN and infinities included), a lone surrogate, nesting deeper than 20, more than 65,536
bytes. White space before and after the action and between its parts is ignored.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import NoReturn

from simulator.events import Json
from simulator.events.canonical import nested_deeper
from simulator.events.faults import Fault
from simulator.models.written import NAME, SPOKEN, write_call, write_spoken

MAX_BYTES = 65_536
MAX_DEPTH = 20


@dataclass(frozen=True)
class Call:
    """A tool call as the model wrote it."""

    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True)
class Answer:
    """A final answer."""

    text: str


@dataclass(frozen=True)
class Clarification:
    """A question to the user."""

    text: str


@dataclass(frozen=True)
class Refusal:
    """The agent declines."""

    text: str


Outcome = Answer | Clarification | Refusal
"""What ends a decision."""

_ENDS: dict[str, type[Answer] | type[Clarification] | type[Refusal]] = dict(
    zip(SPOKEN, (Answer, Clarification, Refusal), strict=True)
)
_WORDS: dict[type[object], str] = {cls: word for word, cls in _ENDS.items()}

_SPACE = r"[ \t\r\n]*"
_OPEN = re.compile(rf"({NAME}){_SPACE}\({_SPACE}")
_ARGUMENT = re.compile(rf"({NAME}){_SPACE}={_SPACE}")
_NEXT = re.compile(rf"{_SPACE}([,)]){_SPACE}")


def parse_action(text: str) -> Call | Outcome:
    """Read the one action that a completion holds, in time linear in its length.

    Raises:
        Fault: culprit `model`, `unparsable`, when the text is not exactly one action.
    """
    _check_size(text)
    text = text.strip()
    opening = _OPEN.match(text)
    if opening is None:
        _refuse("the text does not start with an action")
    _check_depth(text)
    name = opening[1]
    if name in _ENDS:
        return _ENDS[name](_read_spoken(text, opening.end(), name))
    return Call(name, _read_arguments(text, opening.end()))


def render_action(action: Call | Outcome) -> str:
    """Write an action so that `parse_action` reads the same one back.

    Raises:
        ValueError: when a name cannot be written, a value is no storable JSON, or the action is
            longer or deeper than one may be.
    """
    if isinstance(action, Call):
        text = write_call(action.tool, action.arguments)
    else:
        text = write_spoken(_WORDS[type(action)], action.text)
    if len(text.encode("utf-8")) > MAX_BYTES:
        raise ValueError(f"the action is longer than {MAX_BYTES} bytes")
    if nested_deeper(text, MAX_DEPTH):
        raise ValueError(f"a value of the action is nested deeper than {MAX_DEPTH}")
    return text


def _refuse(why: str) -> NoReturn:
    raise Fault("model", "unparsable", f"the action cannot be read: {why}")


def _check_size(text: str) -> None:
    if len(text) > MAX_BYTES:
        _refuse(f"it is longer than {MAX_BYTES} bytes")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        _refuse("it holds a lone surrogate")
    if size > MAX_BYTES:
        _refuse(f"it is longer than {MAX_BYTES} bytes")


def _check_depth(text: str) -> None:
    """Refuse deep nesting before the recursive JSON decoder sees it."""
    if nested_deeper(text, MAX_DEPTH):
        _refuse(f"a value is nested deeper than {MAX_DEPTH}")


def _read_spoken(text: str, at: int, name: str) -> str:
    value, at = _read_value(text, at)
    if not isinstance(value, str):
        _refuse(f"{name} takes one text in quotes")
    if _next(text, at)[0] != ")":
        _refuse(f"{name} takes one text")
    return value


def _read_arguments(text: str, at: int) -> dict[str, Json]:
    arguments: dict[str, Json] = {}
    if text.startswith(")", at):
        _next(text, at)
        return arguments
    mark = ","
    while mark == ",":
        found = _ARGUMENT.match(text, at)
        if found is None:
            _refuse(f"an argument `name=` is missing at character {at}")
        if found[1] in arguments:
            _refuse(f"the argument {found[1]!r} is given twice")
        arguments[found[1]], at = _read_value(text, found.end())
        mark, at = _next(text, at)
    return arguments


def _next(text: str, at: int) -> tuple[str, int]:
    """Return the comma or closing bracket at `at` and where the text goes on after it."""
    found = _NEXT.match(text, at)
    if found is None:
        _refuse("it is cut off" if at >= len(text) else f"no `,` or `)` at character {at}")
    if found[1] == ")" and found.end() < len(text):
        _refuse("there is text after the closing bracket")
    return found[1], found.end()


def _read_value(text: str, at: int) -> tuple[Json, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        _refuse("a value holds a lone surrogate")
    except ValueError:
        _refuse(f"the value at character {at} is no JSON")
    return value, end


def _finite(literal: str) -> float:
    value = float(literal)
    if not math.isfinite(value):
        _refuse("a number is too large")
    return value


def _no_constant(literal: str) -> NoReturn:
    _refuse(f"{literal} is no JSON")


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse("a name in an object is given twice")
    return found


_DECODER = json.JSONDecoder(
    parse_float=_finite, parse_constant=_no_constant, object_pairs_hook=_unique
)
