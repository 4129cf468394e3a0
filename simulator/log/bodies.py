"""Bodies of stored events, read: a log may come from anybody, so its shape is not taken on trust."""

from copy import copy
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from simulator.events.canonical import Json, NotStorable, read_json
from simulator.events.recorded import RECORDED, Recorded
from simulator.log.errors import LogDamaged
from simulator.log.rows import Row


class _Loose(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _Shown(_Loose):
    text: str
    sources: list[str]
    rank: int | None = None
    distance: int | None = None


class _Held(_Loose):
    id: str
    text: str
    sources: list[str]
    hidden: bool


class _Entry(_Loose):
    path: str
    holder: str
    sources: list[str]


class _Residue(_Entry):
    by: str


class _Carrier(_Loose):
    id: str
    sources: list[str]


class _Operation(_Loose):
    op: str
    path: str


class _Options(_Loose):
    model: str


_INNER: dict[str, dict[str, TypeAdapter[Any]]] = {
    "trial_opened": {
        "options": TypeAdapter(_Options),
        "identities": TypeAdapter(dict[str, dict[str, Any]]),
    },
    "memory_read": {"items": TypeAdapter(list[_Shown])},
    "memory_change": {"written": TypeAdapter(list[_Held])},
    "residue_audit": {
        "carriers": TypeAdapter(list[_Carrier]),
        "residues": TypeAdapter(list[_Residue]),
        "hidden": TypeAdapter(list[_Entry]),
    },
    "world_change": {"patch": TypeAdapter(list[_Operation])},
    "tool_call": {"arguments": TypeAdapter(dict[str, Any])},
}
"""What readers need inside of fields that are any JSON to the log."""


def body_of(row: Row) -> dict[str, Json]:
    """Return the fields of an event; those of its kind are all there and have their types.

    Raises:
        LogDamaged: when they are not, or nest deeper than anything that is ever stored.
    """
    try:
        body = read_json(row.body)
        kind = RECORDED.get(row.kind)
        if kind is not None:
            kind.model_validate_json(row.body, strict=True)
            for name, value in _defaults(kind).items():
                body.setdefault(name, copy(value))
        elif not isinstance(body, dict):
            raise NotStorable("it is no object")
        for name, form in _INNER.get(row.kind, {}).items():
            form.validate_python(body[name])
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "body"
        raise _damaged(row, f"{place}: {first['msg']}") from None
    except NotStorable as error:
        raise _damaged(row, str(error)) from None
    fields: dict[str, Json] = body
    return fields


@lru_cache(maxsize=64)
def _defaults(kind: type[Recorded]) -> dict[str, Json]:
    """Return what fields of a kind are where an event leaves them out."""
    optional = {
        name: info.get_default(call_default_factory=True)
        for name, info in kind.model_fields.items()
        if not info.is_required() and name != "scope"
    }
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in optional.items()
    }


def causes_of(row: Row) -> list[str]:
    """Return the ids of the events that caused an event.

    Raises:
        LogDamaged: when they are no list of texts.
    """
    try:
        causes = read_json(row.causes)
    except NotStorable as error:
        raise _damaged(row, str(error)) from None
    if not isinstance(causes, list) or not all(isinstance(each, str) for each in causes):
        raise _damaged(row, "its causes are no list of ids")
    return causes


def _damaged(row: Row, what: str) -> LogDamaged:
    return LogDamaged(f"event {row.position} of kind {row.kind!r} cannot be read: {what}")
