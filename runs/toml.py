"""Writes values as TOML that reads back equal; the standard library only reads it."""

import json
from collections.abc import Mapping

from simulator.events import Json


def to_toml(values: Mapping[str, Json]) -> str:
    """Return values as TOML: a key a line, whatever is nested inline, None left out.

    Lists of tables have an item a line.
    """
    return "".join(
        f"{_key(name)} = {_lines(value)}\n" for name, value in values.items() if value is not None
    )


def _lines(value: Json) -> str:
    if not isinstance(value, list) or not any(isinstance(each, dict) for each in value):
        return _inline(value)
    return "[\n" + "".join(f"    {_inline(each)},\n" for each in value) + "]"


def _inline(value: Json) -> str:
    if isinstance(value, dict):
        pairs = (f"{_key(name)} = {_inline(v)}" for name, v in value.items() if v is not None)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(each) for each in value) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value, allow_nan=False)


def _text(value: str) -> str:
    # JSON's escapes are TOML's, but JSON lets U+007F stand as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else _text(name)
