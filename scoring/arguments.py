"""Tool arguments compared as the tool's schema means them, and calls whose types were wrong.

The rules are in `docs/scoring.md`, Tool arguments.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

import jsonpatch
from jsonschema import ValidationError

from scoring.decisions import CallRecord
from simulator.effects.registry import lookup_environment
from simulator.effects.schemas import SchemaValidator
from simulator.events import Json
from simulator.events.errors import InputError

CENT = Decimal("0.01")
"""Amounts of money are equal when they round to the same cent."""

MONEY = "money"
"""The `format` by which a schema says that a number or a text is an amount of money."""

UNORDERED = ("uniqueItems", "x-unordered")
"""Keywords by which a schema says that the order of a list means nothing."""

Schema = Mapping[str, Json]

_ABSENT = object()
_WIDE = Context(prec=5_000, rounding=ROUND_HALF_EVEN)
_AMOUNT = re.compile(r"([^\d\s.,+-]*)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*([^\d\s.,+-]*)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?"
    r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


def same_arguments(schema: Schema, expected: Mapping[str, Json], got: Mapping[str, Json]) -> bool:
    """Return whether a call's arguments are at least the expected ones, by the tool's schema.

    An optional argument that the call leaves out counts as given with its default. What the key
    does not name may be anything.

    Raises:
        InputError: when the schema refers to something outside itself.
    """
    form = _resolved(schema, schema)
    return all(
        _same_member(form, schema, name, value, _member(form, schema, got, name))
        for name, value in expected.items()
    )


def _same_member(schema: Schema, root: Schema, name: str, one: Json, other: Json) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return False
    return _same(_property(schema, root, name), root, one, other)


def _member(schema: Schema, root: Schema, values: Mapping[str, Json], name: str) -> Json:
    if name in values or name in schema.get("required", ()):
        return values.get(name, _ABSENT)
    return _property(schema, root, name).get("default", _ABSENT)


def _property(schema: Schema, root: Schema, name: str) -> Schema:
    known = schema.get("properties", {})
    return _resolved(known.get(name, schema.get("additionalProperties")), root)


def _resolved(schema: Json, root: Schema) -> Schema:
    """Return a schema with what it refers to and the parts of its `allOf` merged into it."""
    if not isinstance(schema, Mapping):
        return {}
    merged, followed = dict(schema), set[str]()
    while "$ref" in merged:
        place = str(merged.pop("$ref"))
        if not place.startswith("#"):
            raise InputError(f"a tool's schema refers to {place!r}, which is outside of it")
        if place not in followed:
            followed.add(place)
            merged = {**jsonpatch.JsonPointer(place[1:]).resolve(root), **merged}
    for part in merged.pop("allOf", ()):
        merged = {**_resolved(part, root), **merged}
    return merged


def _same(schema: Schema, root: Schema, one: Json, other: Json) -> bool:
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return any(
            _same(_resolved(each, root), root, one, other)
            for each in choices
            if _fits(each, root, one) and _fits(each, root, other)
        )
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return _value(schema, one) == _value(schema, other)
    if isinstance(one, str) and isinstance(other, str):
        return _same_text(schema.get("format"), _nfc(one), _nfc(other))
    if isinstance(one, list) and isinstance(other, list):
        return _same_list(schema, root, one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return _same_object(schema, root, one, other)
    return one is None and other is None


def _fits(schema: Json, root: Schema, value: Json) -> bool:
    return SchemaValidator(root).evolve(schema=schema).is_valid(value)


def _value(schema: Schema, number: float) -> Decimal:
    exact = Decimal(str(number))
    return _cents(exact) if schema.get("format") == MONEY else exact


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, context=_WIDE)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _same_text(form: Json, one: str, other: str) -> bool:
    if form == "date":
        return one == other and _is_date(one)
    if form == "date-time":
        moment = _moment(one)
        return moment is not None and moment == _moment(other)
    if form == MONEY:
        amount = _money(one)
        return one == other or (amount is not None and amount == _money(other))
    return one == other


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _moment(text: str) -> datetime | None:
    if not _DATE_TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def _money(text: str) -> tuple[str, Decimal] | None:
    """Return the currency's mark and the amount in whole cents, None for no amount."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        return None
    before, amount, after = found.groups()
    return before + after, _cents(Decimal(amount))


def _same_list(schema: Schema, root: Schema, one: list[Json], other: list[Json]) -> bool:
    if len(one) != len(other):
        return False
    forms = [_resolved(each, root) for each in schema.get("prefixItems", ())]
    item = _resolved(schema.get("items"), root)
    if not forms and any(schema.get(keyword) is True for keyword in UNORDERED):
        return _same_items(item, root, one, other)
    forms += [item] * (len(one) - len(forms))
    return all(_same(form, root, *pair) for form, *pair in zip(forms, one, other, strict=False))


def _same_items(item: Schema, root: Schema, one: list[Json], other: list[Json]) -> bool:
    """Return whether two lists of one length hold the same items in any order."""
    left = list(other)
    for each in one:
        place = next((at for at, value in enumerate(left) if _same(item, root, each, value)), None)
        if place is None:
            return False
        del left[place]
    return True


def _same_object(
    schema: Schema, root: Schema, one: Mapping[str, Json], other: Mapping[str, Json]
) -> bool:
    return all(
        _same_member(
            schema,
            root,
            name,
            _member(schema, root, one, name),
            _member(schema, root, other, name),
        )
        for name in {**one, **other}
    )


@lru_cache(maxsize=64)
def tool_schemas(environment: str) -> Mapping[str, Schema] | None:
    """Return tool to its schema; None when the environment is not installed here."""
    try:
        found = lookup_environment(environment)
    except (InputError, ImportError):
        return None
    return {tool.name: tool.parameters for tool in found.tools}


class TypeFaults(NamedTuple):
    """Calls with an argument of a wrong type; a fault of the model, never of a memory.

    Attributes:
        calls: Number of calls.
        coerced: Calls that ran because every wrong type parsed exactly.
        refused: Calls with a wrong type that the schema did not let run; None where the
            environment is not installed, since only its schemas can tell.
    """

    calls: int
    coerced: int
    refused: int | None


def type_faults(environment: str, calls: Iterable[CallRecord]) -> TypeFaults:
    """Count the calls whose arguments had a wrong type, each once."""
    made = list(calls)
    schemas = tool_schemas(environment)
    if schemas is None:
        refused = None if any(call.ok is False for call in made) else 0
        return TypeFaults(len(made), sum(bool(call.coerced) for call in made), refused)
    coerced = refused = 0
    for call in made:
        faults = [] if call.ok is not False else _faults(schemas.get(call.tool), call)
        coerced += bool(call.coerced) and not faults
        refused += bool(faults) and (bool(call.coerced) or any(map(_is_type, faults)))
    return TypeFaults(len(made), coerced, refused)


def _faults(schema: Schema | None, call: CallRecord) -> list[ValidationError]:
    """Return why the schema did not let a call run; nothing for a tool that is not known."""
    if schema is None:
        return []
    return list(SchemaValidator(schema).iter_errors(call.arguments))


def _is_type(fault: ValidationError) -> bool:
    if fault.validator in ("anyOf", "oneOf"):
        return bool(fault.context) and all(map(_is_type, fault.context))
    return fault.validator == "type"
