r"""JSON Schemas as tools use them: draft 2020-12, with patterns read as that standard means them.

Its patterns are those of ECMA-262. Python's `$` also matches before a line break at the end, and
its `\d` takes the digits of every script; so `"$18.40\n"` would pass for an amount.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import jsonschema
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from simulator.events import Json

_PART = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)


@lru_cache(maxsize=1_000)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = (r"\Z" if part == "$" else part for part in _PART.findall(pattern))
    return re.compile("".join(parts), re.ASCII)


def _pattern(
    validator: Any, pattern: str, value: Any, schema: Mapping[str, Json]
) -> Iterator[ValidationError]:
    if isinstance(value, str) and not _compiled(pattern).search(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


SchemaValidator = jsonschema.validators.create(
    meta_schema=Draft202012Validator.META_SCHEMA,
    validators={**Draft202012Validator.VALIDATORS, "pattern": _pattern},
    type_checker=Draft202012Validator.TYPE_CHECKER,
    format_checker=Draft202012Validator.FORMAT_CHECKER,
)
"""Validates tool arguments, made as `SchemaValidator(schema)`."""


LEFT_OUT: Json = object()
"""Among values to be tried for an argument: it is not given at all."""


def samples(schema: Json) -> list[Json]:
    """Return a few values that fit a schema: its examples and enum, or made of what is inside it.

    Nothing is returned for a form that only its author knows, such as a pattern without an example.
    """
    if not isinstance(schema, Mapping):
        return []
    named = [*schema.get("examples", []), *schema.get("enum", [])]
    return [value for value in named or _made(schema) if SchemaValidator(schema).is_valid(value)]


def _made(schema: Mapping[str, Json]) -> list[Json]:
    match schema.get("type"):
        case "string":
            return ["text"]
        case "integer" | "number":
            return [1]
        case "boolean":
            return [True]
        case "array":
            return [[], *([item] for item in samples(schema.get("items")))]
        case "object":
            return _made_objects(schema)
    return []


def _made_objects(schema: Mapping[str, Json]) -> list[Json]:
    """Return an object of the first samples, and without its optional members where it has some."""
    members = {name: samples(form)[:1] for name, form in schema.get("properties", {}).items()}
    whole = {name: values[0] for name, values in members.items() if values}
    least = {name: value for name, value in whole.items() if name in schema.get("required", [])}
    return [whole] if whole == least else [whole, least]
