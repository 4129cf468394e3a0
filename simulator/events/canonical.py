"""Canonical JSON: the one byte form in which anything is hashed or compared."""

import hashlib
import json
from typing import Any

Json = Any
"""A JSON value: None, bool, int, finite float, str, list or dict with string keys."""


_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
)


class NotStorable(ValueError):
    """A value that has no exact canonical form: NaN, an infinity or a lone surrogate."""


def canonical_json(value: Json) -> str:
    """Return `value` as JSON with sorted keys, no white space and every character as itself.

    Raises:
        NotStorable: for NaN, infinities, lone surrogates and types that JSON does not have.
    """
    try:
        text = _ENCODER.encode(value)
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.end]
        raise NotStorable(f"the text holds a lone surrogate {bad!r} and cannot be stored") from None
    except (TypeError, ValueError) as error:
        raise NotStorable(f"the value cannot be stored exactly: {error}") from None
    return text


def sha256_text(text: str) -> str:
    """Return the SHA-256 of the UTF-8 bytes of `text`, 64 lowercase hex digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_bytes(data: bytes) -> str:
    """Return the SHA-256 of `data`, 64 lowercase hex digits."""
    return hashlib.sha256(data).hexdigest()


def content_hash(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of `value`."""
    return sha256_text(canonical_json(value))
