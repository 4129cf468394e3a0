"""Canonical JSON: the one byte form in which anything is hashed or compared."""

import hashlib
import json
import re
from typing import Any, NoReturn

Json = Any
"""A JSON value: None, bool, int, finite float, str, list or dict with string keys."""

MAX_DEPTH = 100
"""Levels of lists and objects that a stored value may have, whoever made it."""

MAX_TEXT = 1_000_000
"""Characters that a model may say, or a tool answer, at once."""

# The closing quote is optional and nothing backtracks, so that a text of quotes stays linear.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
)


class NotStorable(ValueError):
    """A value without an exact canonical form: NaN, an infinity, a lone surrogate, too deep."""


def canonical_json(value: Json) -> str:
    """Return `value` as JSON with sorted keys, no white space and every character as itself.

    Raises:
        NotStorable: for NaN, infinities, lone surrogates, types that JSON does not have, and more
            than `MAX_DEPTH` levels.
    """
    try:
        text = _ENCODER.encode(value)
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        raise NotStorable(f"the text holds a lone surrogate {bad!r} and cannot be stored") from None
    except (TypeError, ValueError) as error:
        raise NotStorable(f"the value cannot be stored exactly: {error}") from None
    except RecursionError:
        raise NotStorable(_TOO_DEEP) from None
    if nested_deeper(text, MAX_DEPTH):
        raise NotStorable(_TOO_DEEP)
    return text


_TOO_DEEP = f"the value is nested more than {MAX_DEPTH} deep"


def read_json(text: str) -> Json:
    """Return the value of JSON that somebody stored.

    Raises:
        NotStorable: for what is no JSON, or what `canonical_json` would not have written.
    """
    if nested_deeper(text, MAX_DEPTH):
        raise NotStorable(_TOO_DEEP)
    try:
        return _DECODER.decode(text)
    except ValueError as error:
        raise NotStorable(f"this is no JSON: {error}") from None


def _no_constant(literal: str) -> NoReturn:
    raise ValueError(f"{literal} is no value")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def nested_deeper(text: str, levels: int) -> bool:
    """Say whether a text opens more than `levels` brackets inside each other, outside of quotes.

    What is recursive never sees such a text.
    """
    if text.count("[") + text.count("{") <= levels:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        mark = found[0]
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if depth > levels:
            return True
    return False


def sha256_text(text: str) -> str:
    """Return the SHA-256 of the UTF-8 bytes of `text`, 64 lowercase hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_bytes(data: bytes) -> str:
    """Return the SHA-256 of `data`, 64 lowercase hex digits."""
    return hashlib.sha256(data).hexdigest()


def content_hash(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of `value`."""
    return sha256_text(canonical_json(value))
