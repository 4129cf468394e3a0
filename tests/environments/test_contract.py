"""The contract finds each kind of broken environment."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from environments.contract import check_environment
from simulator.effects.environment import Announced, Environment, Tool, ToolOutcome
from simulator.effects.registry import lookup, names
from simulator.effects.schemas import samples
from simulator.events import Json
from simulator.events.errors import InputError

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


class Hears(Shelf):
    """Things that can be covered with a cloth, which is no thing itself."""

    def check_world(self, world: Json) -> None:
        super().check_world({name: n for name, n in world.items() if name != "cloth"})

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        name = arguments["name"]
        if name == "cloth" or name in world.get("cloth", []):
            return ToolOutcome(ok=False, text=f"error: no {name}")
        outcome = super().call(world, tool, arguments, now)
        return outcome.model_copy(update={"contains": (name,) if outcome.ok else ()})

    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        for name in sources:
            if name == "cloth" or name not in world:
                raise InputError(f"no {name}")
        covered = [name for name in world.get("cloth", []) if name not in sources]
        covered += sources if notice != "granted" else ()
        change: Json = {"op": "add", "path": "/cloth", "value": covered}
        changes = (change,) if covered != world.get("cloth", []) else ()
        return Announced(things=sources, changes=changes)


class Deaf(Hears):
    announced = None  # type: ignore[assignment]


class HearsAll(Hears):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        return Announced(things=sources)


class Shouts(Hears):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        super().announced(world, notice, sources, now)
        raise RuntimeError("loud")


class Forgets(Hears):
    """What was covered is still shown."""

    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        announced = super().announced(world, notice, sources, now)
        return announced.model_copy(update={"changes": ()})


class Piles(Hears):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        super().announced(world, notice, sources, now)
        change: Json = {"op": "add", "path": "/cloth", "value": [*world.get("cloth", []), *sources]}
        return Announced(things=sources, changes=(change,))


class Elsewhere(Hears):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        announced = super().announced(world, notice, sources, now)
        return announced.model_copy(update={"things": ()})


class Rips(Hears):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        announced = super().announced(world, notice, sources, now)
        return announced.model_copy(update={"changes": ({"op": "remove", "path": "/x"},)})


class Insists(Shelf):
    """Its argument may be left out, it says, and then it cannot do without."""

    tools = tuple(
        tool.model_copy(update={"parameters": {**SCHEMA, "required": []}}) for tool in Shelf.tools
    )


def test_a_sound_environment_passes() -> None:
    check_environment(Shelf, {"lamp": 1, "kettle": 2})
    check_environment(Hears, {"lamp": 1, "kettle": 2})


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
        (Insists, r"look\({}\): raised KeyError"),
        (Deaf, "it contains 'lamp', which no announcement can be about"),
        (HearsAll, "'no such thing' is no error"),
        (Shouts, "lamp withdrawn: raised RuntimeError"),
        (Forgets, "lamp withdrawn: look.* still contains lamp"),
        (Piles, "lamp withdrawn: announced again"),
        (Elsewhere, "lamp withdrawn: it is not among"),
        (Rips, "lamp withdrawn: the changes are no applicable patch"),
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
        forms = tool.parameters["properties"]
        nested = any(form["type"] == "array" for form in forms.values())
        assert len(tool.signature) <= (245 if nested else 145) and "\n" not in tool.signature
        arguments = {name: samples(form)[0] for name, form in forms.items()}
        outcome = cls().call({}, tool.name, arguments, 0)
        if any(name.endswith("_id") for name in forms):
            assert not outcome.ok and outcome.text.startswith("error: there is no ")
        else:
            assert outcome.ok
