"""From YAML nodes to values: each scalar gets the type that its field has in the model.

Where a field holds any JSON (a world, the arguments of a call, an expected value) there is no
type to go by, so the spelling decides: a plain `true`, `false`, `null` or a whole number in its
one usual spelling is that value, and everything else, and everything quoted, is a text. Other
numbers do not exist in scenarios; write them as texts.
"""

import re
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from probes.scenario.nodes import Listing, Mapping, Node, Scalar
from simulator.events import Json
from simulator.events.errors import InputError, nearest, shown
from simulator.events.times import parse_time

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,4000}")
WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

_DISCRIMINATORS = ("kind", "check")


def typed(node: Node, wanted: Any, place: str, more: dict[type, tuple[str, ...]]) -> Any:
    """Return `node` as data for a field of type `wanted`, ready for pydantic.

    Args:
        node: What stands in the file.
        wanted: A model, a container, a literal, a plain type, or `Any` for JSON.
        place: Dotted place in the file, for messages.
        more: Model to integer fields that only the file form has.

    Raises:
        InputError: with line and field, for an unknown field or kind or a scalar that does not
            have the type.
    """
    origin, arguments = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return as_json(node, place)
    if origin is Annotated:
        return typed(node, arguments[0], place, more)
    if origin in (Union, UnionType):
        return _union(node, arguments, place, more)
    if origin is tuple:
        items = _listing(node, place).items
        return [typed(each, arguments[0], f"{place}.{i}", more) for i, each in enumerate(items)]
    if origin is dict:
        return as_json(_mapping(node, place), place)
    if isinstance(wanted, type) and issubclass(wanted, BaseModel):
        return _model(_mapping(node, place), wanted, place, more)
    return _scalar(node, wanted, place)


def as_json(node: Node, place: str) -> Json:
    """Return a node as JSON by the spelling rule above.

    Raises:
        InputError: for an empty value, which could mean several things.
    """
    if isinstance(node, Mapping):
        return {name: as_json(each, f"{place}.{name}") for name, each in node.entries.items()}
    if isinstance(node, Listing):
        return [as_json(each, f"{place}.{i}") for i, each in enumerate(node.items)]
    if not node.plain:
        return node.text
    _refuse_empty(node, place)
    if node.text in WORDS:
        return WORDS[node.text]
    return int(node.text) if WHOLE.fullmatch(node.text) else node.text


def _mapping(node: Node, place: str) -> Mapping:
    if not isinstance(node, Mapping):
        raise InputError("fields are expected here (name: value)", line=node.line, field=place)
    return node


def _listing(node: Node, place: str) -> Listing:
    if not isinstance(node, Listing):
        raise InputError("a list is expected here", line=node.line, field=place)
    return node


def _refuse_empty(node: Scalar, place: str) -> None:
    if node.plain and not node.text:
        message = "nothing stands here; write '' for an empty text or leave the field out"
        raise InputError(message, line=node.line, field=place)


def _model(
    node: Mapping, model: type[BaseModel], place: str, more: dict[type, tuple[str, ...]]
) -> dict[str, Any]:
    known: dict[str, Any] = {name: _annotation(info) for name, info in model.model_fields.items()}
    known |= dict.fromkeys(more.get(model, ()), int)
    data = {}
    for name, child in node.entries.items():
        inner = f"{place}.{name}" if place else name
        if name not in known:
            message = f"unknown field {shown(name)}{nearest(name, known)}"
            raise InputError(message, line=node.lines[name], field=inner)
        data[name] = typed(child, known[name], inner, more)
    return data


def _annotation(info: FieldInfo) -> Any:
    return info.annotation


def _union(
    node: Node, arguments: tuple[Any, ...], place: str, more: dict[type, tuple[str, ...]]
) -> Any:
    if NoneType in arguments:
        if isinstance(node, Scalar) and node.plain and node.text == "null":
            return None
        (inner,) = (each for each in arguments if each is not NoneType)
        return typed(node, inner, place, more)
    chosen = _chosen(_mapping(node, place), arguments, place)
    return typed(node, chosen, place, more)


def _chosen(node: Mapping, models: tuple[type[BaseModel], ...], place: str) -> type[BaseModel]:
    """Return the model that the node's `kind` or `check` names."""
    (name,) = (each for each in _DISCRIMINATORS if each in models[0].model_fields)
    by_word = {get_args(model.model_fields[name].annotation)[0]: model for model in models}
    given = node.entries.get(name)
    if not isinstance(given, Scalar):
        message = f"{name!r} is required here{nearest('', by_word)}"
        raise InputError(message, line=node.line, field=f"{place}.{name}")
    if given.text not in by_word:
        message = f"unknown {name} {shown(given.text)}{nearest(given.text, by_word)}"
        raise InputError(message, line=given.line, field=f"{place}.{name}")
    return by_word[given.text]


def _scalar(node: Node, wanted: Any, place: str) -> str | int | bool:
    if not isinstance(node, Scalar):
        raise InputError("one value is expected here", line=node.line, field=place)
    _refuse_empty(node, place)
    if get_origin(wanted) is Literal:
        return _word(node, get_args(wanted), place)
    if wanted is bool:
        return _word(node, ("true", "false"), place) == "true"
    if wanted is int:
        return _whole(node, place)
    return node.text


def _word(node: Scalar, known: tuple[str, ...], place: str) -> str:
    if node.text not in known:
        message = f"{shown(node.text)} is none of the known words{nearest(node.text, known)}"
        raise InputError(message, line=node.line, field=place)
    return node.text


def _whole(node: Scalar, place: str) -> int:
    if WHOLE.fullmatch(node.text):
        return int(node.text)
    try:
        return parse_time(node.text)
    except ValueError:
        message = f"{shown(node.text)} is neither a time (2025-03-03T09:00) nor whole milliseconds"
        raise InputError(message, line=node.line, field=place) from None


def explained(error: ValidationError, root: Node, place: str) -> InputError:
    """Turn the first fault that pydantic found in `root` into a message with line and field."""
    first = error.errors()[0]
    node, places, line = root, [place] if place else [], root.line
    for part in first["loc"]:
        if isinstance(node, Mapping):
            if _is_discriminator(node, part):
                continue
            line = node.lines.get(str(part), line)
            node = node.entries.get(str(part), node)
        elif isinstance(node, Listing) and isinstance(part, int):
            node = node.items[part]
            line = node.line
        places.append(str(part))
    field = ".".join(places)
    if first["type"] == "missing":
        return InputError("this field is required", line=line, field=field)
    return InputError(f"{first['msg']} (got {shown(first['input'])})", line=line, field=field)


def _is_discriminator(node: Mapping, part: Any) -> bool:
    """Say whether `part` is the word by which pydantic chose a model, not a field."""
    given = (node.entries.get(name) for name in _DISCRIMINATORS)
    return any(isinstance(each, Scalar) and each.text == part for each in given)
