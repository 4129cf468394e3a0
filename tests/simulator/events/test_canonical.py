"""Canonical JSON: one byte form for a value, and none for what has no exact form."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events.canonical import (
    Json,
    NotStorable,
    canonical_json,
    content_hash,
    sha256_bytes,
    sha256_text,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, "x"]}, '{"a":[true,null,"x"],"b":1}'),
        ({"é": "“ü”\n"}, '{"é":"“ü”\\n"}'),
        (("a", ()), '["a",[]]'),
        (2**63, "9223372036854775808"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        ("\u2028\x7f/", '"\u2028\x7f/"'),
    ],
)
def test_the_form(value: Json, text: str) -> None:
    assert canonical_json(value) == text


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        [-float("inf")],
        "\ud800",
        {"\udfff": 1},
        {1, 2},
        b"x",
        object(),
        {1: 2, "a": 3},
        {(1, 2): 3},
    ],
)
def test_what_has_no_exact_form_is_refused(value: Json) -> None:
    with pytest.raises(NotStorable):
        canonical_json(value)


@given(VALUES)
def test_a_value_reads_back_and_its_form_is_stable(value: Json) -> None:
    text = canonical_json(value)
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


@given(st.dictionaries(TEXT, st.integers(), max_size=6))
def test_the_order_of_making_does_not_show(value: dict[str, int]) -> None:
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


def test_hashes_are_sha256_of_the_utf8_bytes() -> None:
    expected = hashlib.sha256('{"é":1}'.encode()).hexdigest()
    assert content_hash({"é": 1}) == expected
    assert sha256_text('{"é":1}') == sha256_bytes('{"é":1}'.encode()) == expected
    assert sha256_text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
