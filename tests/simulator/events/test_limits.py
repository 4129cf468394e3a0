"""What may be stored: how deep, how long, and that reading refuses what writing would not write."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.agents.actions import MAX_BYTES, Answer, Call, parse_action, render_action
from simulator.effects.prompts import MOST_TOKENS, Usage
from simulator.effects.schemas import SchemaValidator
from simulator.events.canonical import (
    MAX_DEPTH,
    NotStorable,
    canonical_json,
    nested_deeper,
    read_json,
)
from simulator.events.errors import InputError, clipped, nearest, shown


def deep(levels: int, *, dicts: bool = False) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if dicts else [value]
    return value


@pytest.mark.parametrize("dicts", [False, True])
def test_a_hundred_levels_are_stored_and_read_and_no_more(dicts: bool) -> None:
    value = deep(MAX_DEPTH, dicts=dicts)
    assert read_json(canonical_json(value)) == value
    for levels in (MAX_DEPTH + 1, 900, 100_000):
        with pytest.raises(NotStorable, match="nested more than 100 deep"):
            canonical_json(deep(levels, dicts=dicts))
        text = '{"a":' * levels + "1" + "}" * levels if dicts else "[" * levels + "]" * levels
        with pytest.raises(NotStorable, match="nested more than 100 deep"):
            read_json(text)


def test_a_value_that_holds_itself_is_refused() -> None:
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(NotStorable):
        canonical_json(ring)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "", "{", "9" * 5_000])
def test_what_was_never_written_is_not_read(text: str) -> None:
    with pytest.raises(NotStorable):
        read_json(text)


def test_wide_is_not_deep() -> None:
    assert canonical_json([[]] * 10_000)
    assert not nested_deeper('["[[[[", "\\"[[[[[[", {}]', 2)


@given(st.text(st.sampled_from('[]{}"\\a'), max_size=40), st.integers(0, 4))
def test_depth_is_counted_outside_of_quotes(text: str, levels: int) -> None:
    assert nested_deeper(text, levels) is (_deepest(text) > levels)


def _deepest(text: str) -> int:
    """Count by hand, a character at a time."""
    depth = most = at = 0
    while at < len(text):
        if text[at] == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" and at + 1 < len(text) else 1
        elif text[at] in "[{":
            depth += 1
            most = max(most, depth)
        elif text[at] in "]}":
            depth -= 1
        at += 1
    return most


@pytest.mark.parametrize("levels", [19, 20, 21])
def test_what_is_rendered_is_as_deep_as_what_is_read(levels: int) -> None:
    call = Call("add", {"a": deep(levels)})
    if levels <= 20:
        assert parse_action(render_action(call)) == call
        return
    with pytest.raises(ValueError, match="nested deeper than 20"):
        render_action(call)


def test_what_is_rendered_is_as_long_as_what_is_read() -> None:
    longest = Answer("x" * (MAX_BYTES - len('answer("")')))
    assert parse_action(render_action(longest)) == longest
    with pytest.raises(ValueError, match="longer than 65536 bytes"):
        render_action(Answer(longest.text + "x"))


def test_a_call_has_no_more_tokens_than_the_clock_can_bear() -> None:
    assert Usage(input=MOST_TOKENS, output=MOST_TOKENS).input == 10**9
    with pytest.raises(ValueError, match="less than or equal"):
        Usage(input=1, output=10**30)


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("^O-[0-9]{4}$", ["O-2210"], ["O-2210\n", "O-2210\r\n", "xO-2210"]),
        (r"^\d+$", ["12"], ["\u0661\u0662", "12\n"]),
        (r"^[$]\d$", ["$1"], ["1", "$1\n"]),
        (r"^a\$", ["a$", "a$\n"], ["a"]),
        ("^(a|b$)", ["a\n", "b"], ["b\n"]),
        ("^[^]$]$", ["x"], ["$", "]"]),
    ],
)
def test_patterns_are_those_of_json_schema(pattern: str, fits: list[str], fails: list[str]) -> None:
    validator = SchemaValidator({"type": "string", "pattern": pattern})
    assert [text for text in fits if not validator.is_valid(text)] == []
    assert [text for text in fails if validator.is_valid(text)] == []


def test_other_keywords_are_as_they_were() -> None:
    schema = {
        "$defs": {"id": {"type": "string", "pattern": "^a$"}},
        "properties": {"one": {"$ref": "#/$defs/id"}},
        "additionalProperties": False,
    }
    messages = {
        error.message for error in SchemaValidator(schema).iter_errors({"one": "b", "x": 1})
    }
    assert messages == {
        "'b' does not match '^a$'",
        "Additional properties are not allowed ('x' was unexpected)",
    }


def test_messages_are_for_people() -> None:
    assert shown("x" * 500) == "'" + "x" * 119 + "…"
    assert clipped("abc", 3) == "abc"
    error = InputError("m" * 10_000, field="f" * 10_000)
    assert len(error.message) == 4_001 and error.field == "f" * 200 + "…"
    assert nearest("recal" + "l" * 10_000, ["recall", "compose"]) == "; known: compose, recall"


def test_json_reads_back_whatever_it_held() -> None:
    text = '{"a": [1, 1.0, "0012", 9223372036854775808, null, true]}'
    assert repr(read_json(text)) == repr(json.loads(text))
