"""Worlds of records: tools over collections by id, what they change, and how a world is read.

A world is a JSON object of collections. One that is left out is empty, and its first entry makes
it.
"""

from collections.abc import Mapping
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

from simulator.effects.environment import Tool, ToolOutcome
from simulator.events import Frozen, Json
from simulator.events.errors import InputError, nearest, shown

Forms = Mapping[str, tuple[str, str]]
"""Parameter to its pattern and one example; the examples occur in no scenario."""

World = TypeVar("World", bound=Frozen)


def tool(
    forms: Forms,
    name: str,
    description: str,
    *parameters: str,
    optional: tuple[str, ...] = (),
    read_only: bool = False,
) -> Tool:
    """Return a tool whose parameters are texts of a fixed form, or of any where `forms` has none."""
    properties = {parameter: form(forms, parameter) for parameter in parameters}
    required = [parameter for parameter in parameters if parameter not in optional]
    schema = closed(properties, required)
    return Tool(name=name, description=description, parameters=schema, read_only=read_only)


def form(forms: Forms, parameter: str) -> dict[str, Json]:
    """Return the schema of a text: of its fixed form, or of any but the empty one."""
    if parameter not in forms:
        return {"type": "string", "minLength": 1}
    pattern, example = forms[parameter]
    return {"type": "string", "pattern": pattern, "examples": [example]}


def closed(properties: dict[str, Json], required: list[str] | None = None) -> dict[str, Json]:
    """Return the schema of an object with these members and no others; all are required if None."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def told(text: str, contains: tuple[str, ...] = ()) -> ToolOutcome:
    """Return what the agent gets for a look-up, and the things whose text that contains."""
    return ToolOutcome(ok=True, text=text, contains=contains)


def done(text: str, *changes: list[Json]) -> ToolOutcome:
    """Return what a call said and changed."""
    return ToolOutcome(ok=True, text=text, changes=tuple(each for part in changes for each in part))


def refused(why: str) -> ToolOutcome:
    """Return the error that the agent gets for a call that is not carried out."""
    return ToolOutcome(ok=False, text=f"error: {why}")


def unknown_id(
    world: Json, arguments: dict[str, Any], collections: Mapping[str, str]
) -> ToolOutcome | None:
    """Return the error for an id among the arguments that stands for nothing, if there is one.

    Args:
        world: The world.
        arguments: Of a call, in any order.
        collections: What an id names (`order` for `order_id`), and the collection it is in.
    """
    for subject, collection in collections.items():
        name = arguments.get(f"{subject}_id")
        if name is not None and not has(world, collection, name):
            return refused(f"there is no {subject} {name}")
    return None


def has(world: Json, collection: str, name: str) -> bool:
    """Return whether a collection has an entry of this name."""
    return name in world.get(collection, {})


def put(world: Json, collection: str, name: str, value: Json) -> list[Json]:
    """Return the changes that add an entry to a collection."""
    entry = {"op": "add", "path": f"/{collection}/{name}", "value": value}
    if collection in world:
        return [entry]
    return [{"op": "add", "path": f"/{collection}", "value": {}}, entry]


def put_all(world: Json, collection: str, entries: Mapping[str, Json]) -> list[Json]:
    """Return the changes that add several entries to a collection at once."""
    if not entries:
        return []
    if collection not in world:
        return [{"op": "add", "path": f"/{collection}", "value": dict(entries)}]
    return [
        change for name, value in entries.items() for change in put(world, collection, name, value)
    ]


def append(world: Json, collection: str, value: Json) -> list[Json]:
    """Return the change that adds to the end of a list."""
    if collection in world:
        return [{"op": "add", "path": f"/{collection}/-", "value": value}]
    return [{"op": "add", "path": f"/{collection}", "value": [value]}]


def replace(path: str, value: Json) -> list[Json]:
    """Return the change of a value that is there, by its JSON Pointer."""
    return [{"op": "replace", "path": path, "value": value}]


def read_typed(world: Json, model: type[World]) -> World:
    """Return a world as a typed value.

    Raises:
        InputError: naming the field that is unknown or of the wrong form.
    """
    try:
        return model.model_validate(world)
    except ValidationError as error:
        raise _explained(error, model) from None


def check_known(name: str, known: Mapping[str, object], field: str) -> None:
    """Check that an id stands for something.

    Raises:
        InputError: with the nearest id that does.
    """
    if name not in known:
        raise InputError(f"there is no {name!r} in this world{nearest(name, known)}", field=field)


def _explained(error: ValidationError, model: type[Frozen]) -> InputError:
    first = error.errors()[0]
    places = [part for part in first["loc"] if part != "[key]"]
    field = ".".join(["world", *map(str, places)])
    if first["type"] == "extra_forbidden":
        known = _fields(model, places[:-1])
        return InputError(f"unknown field{nearest(str(places[-1]), known)}", field=field)
    return InputError(f"{first['msg']} (got {shown(first['input'])})", field=field)


def _fields(model: type[Frozen], places: list[int | str]) -> list[str]:
    """Return the names that can stand at a place of a world."""
    kind: Any = model
    for place in places:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            kind = kind.model_fields[str(place)].annotation
        else:
            values = get_args(kind)
            kind = values[1] if get_origin(kind) is dict else values[0]
    return list(kind.model_fields)
