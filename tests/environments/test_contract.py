"""The contract finds each kind of broken environment."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from environments.contract import check_environment
from simulator.effects.environment import Environment, Tool, ToolOutcome
from simulator.effects.registry import lookup, names
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.rendering import signature

NAME = {"type": "string", "pattern": "^[a-z]+$", "examples": ["lamp"]}
SCHEMA = {
    "type": "object",
    "properties": {"name": NAME},
    "required": ["name"],
    "additionalProperties": False,
}


class Shelf:
    """A sound environment: things on a shelf, by name."""

    tools: ClassVar[tuple[Tool, ...]] = (
        Tool(name="look", description="Look.", parameters=SCHEMA, read_only=True),
        Tool(name="take", description="Take.", parameters=SCHEMA, read_only=False),
    )
    instructions: ClassVar[str] = "Mind the shelf."
    examples: ClassVar[tuple[str, ...]] = ()

    def check_world(self, world: Json) -> None:
        for name, count in world.items():
            if not isinstance(count, int):
                raise InputError("no number", field=name)

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        name = arguments["name"]
        if name not in world:
            return ToolOutcome(ok=False, text=f"error: no {name}")
        if tool == "look":
            return ToolOutcome(ok=True, text=str(world[name]))
        return ToolOutcome(ok=True, text="taken", changes=(self.change(name),))

    def change(self, name: str) -> Json:
        return {"op": "remove", "path": f"/{name}"}


class Raises(Shelf):
    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        return ToolOutcome(ok=True, text=str(world[arguments["name"]]))


class Mutates(Shelf):
    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        world[arguments["name"]] = 0
        return ToolOutcome(ok=True, text="done")


class ReadsWrite(Shelf):
    tools = (Tool(name="take", description="Take.", parameters=SCHEMA, read_only=True),)


class Wavers(Shelf):
    calls = 0

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        Wavers.calls += 1
        return ToolOutcome(ok=False, text=str(Wavers.calls))


class BadPatch(Shelf):
    def change(self, name: str) -> Json:
        return {"op": "remove", "path": "/nothing/here"}


class Spoils(Shelf):
    def change(self, name: str) -> Json:
        return {"op": "replace", "path": f"/{name}", "value": "many"}


class Spoken(Shelf):
    tools = (Tool(name="answer", description="Say.", parameters=SCHEMA, read_only=True),)


class Twice(Shelf):
    tools = (Shelf.tools[0], Shelf.tools[0])


class Misfit(Shelf):
    tools = (
        Tool(
            name="look",
            description="Look.",
            parameters=SCHEMA | {"properties": {"name": NAME | {"examples": ["LAMP"]}}},
            read_only=True,
        ),
    )


class Open(Shelf):
    tools = (
        Tool(
            name="look",
            description="Look.",
            parameters=SCHEMA | {"additionalProperties": True},
            read_only=True,
        ),
    )


def test_a_sound_environment_passes() -> None:
    check_environment(Shelf, {"lamp": 1, "kettle": 2})


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (Raises, "an error is an outcome"),
        (Mutates, "changed the world itself"),
        (ReadsWrite, "a read or an error changes the world"),
        (Wavers, "two equal calls"),
        (BadPatch, "no applicable patch"),
        (Spoils, "not valid afterwards"),
        (Spoken, "an action of its own"),
        (Twice, "share a name"),
        (Misfit, "does not fit its schema"),
        (Open, "additionalProperties"),
    ],
)
def test_each_broken_clause_is_named(make: Callable[[], Shelf], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_environment(make, {} if make is Raises else {"lamp": 1})


EVERY = [lookup("environment", name) for name in names("environment")]


@pytest.mark.parametrize("cls", EVERY, ids=names("environment"))
def test_signatures_fit_on_a_line_and_unknown_ids_are_errors_for_the_agent(
    cls: type[Environment],
) -> None:
    for tool in cls.tools:
        assert len(signature(tool)) <= 145 and "\n" not in signature(tool)
        forms = tool.parameters["properties"].items()
        outcome = cls().call({}, tool.name, {name: form["examples"][0] for name, form in forms}, 0)
        assert not outcome.ok and outcome.text.startswith("error: there is no ")
