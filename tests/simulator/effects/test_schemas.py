"""Samples: values made from a schema alone, each of which fits it."""

from typing import Any

import pytest

from simulator.effects.schemas import SchemaValidator, samples

CLAIM = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "sources": {"type": "array", "items": {"type": "string", "examples": ["D-1", "D-2"]}},
        "sure": {"type": "boolean"},
    },
    "required": ["text", "sources"],
}


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string", "examples": ["a", "b"]}, ["a", "b"]),
        ({"type": "string", "enum": ["x", "y"]}, ["x", "y"]),
        ({"type": "string"}, ["text"]),
        ({"type": "string", "pattern": "^[0-9]$"}, []),
        ({"type": "string", "pattern": "^[0-9]$", "examples": ["7", "x"]}, ["7"]),
        ({"type": "integer"}, [1]),
        ({"type": "number", "minimum": 2}, []),
        ({"type": "boolean"}, [True]),
        ({"type": "null"}, []),
        ({"type": "array"}, [[]]),
        ({"type": "array", "items": {"type": "string", "examples": ["a", "b"]}}, [[], ["a"], ["b"]]),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, [[1]]),
        (
            CLAIM,
            [{"text": "text", "sources": [], "sure": True}, {"text": "text", "sources": []}],
        ),
        ({**CLAIM, "required": ["text", "sources", "sure"]}, [{"text": "text", "sources": [], "sure": True}]),
        ({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]}, []),
        (True, []),
        (None, []),
    ],
)  # fmt: skip
def test_samples(schema: Any, values: Any) -> None:
    assert samples(schema) == values
    assert all(SchemaValidator(schema).is_valid(value) for value in values)
