"""The contract of the environment port, shipped so that a third party's world is held to it."""

import copy
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonpatch

from simulator.effects.environment import Environment, Tool, ToolOutcome
from simulator.effects.schemas import SchemaValidator
from simulator.events import Json, canonical_json
from simulator.events.canonical import NotStorable
from simulator.events.errors import InputError
from simulator.models.written import SPOKEN

NOW = 1_740_992_400_000
"""The time of every call: 2025-03-03T09:00Z."""

_TRIES = 64
"""Most calls tried of one tool."""

Arguments = dict[str, Any]


def check_environment(make: Callable[[], Environment], world: Json = None) -> None:
    """Hold an environment to its port's contract.

    Every tool is called with the examples of its schema and with every fitting text of `world`,
    so a world that holds some of everything tests more than an empty one.

    Args:
        make: Returns a new environment.
        world: A valid world; None is the empty one, `{}`.

    Raises:
        AssertionError: saying which clause is broken, by which tool and call.
    """
    world = {} if world is None else world
    environment = make()
    environment.check_world(copy.deepcopy(world))
    _check_names(environment)
    for tool in environment.tools:
        _check_schema(tool)
        for arguments in _attempts(tool, world):
            _check_call(make, world, tool, arguments)


def never_succeeded(make: Callable[[], Environment], world: Json = None) -> list[str]:
    """Return the tools of which no call succeeds that `check_environment` tries in this world.

    Of these it has seen errors only: how they change a world has not been held to the contract.
    """
    world = {} if world is None else world
    return [
        tool.name
        for tool in make().tools
        if not any(
            make().call(world, tool.name, arguments, NOW).ok for arguments in _attempts(tool, world)
        )
    ]


def _demand(kept: bool, clause: str) -> None:
    # No `assert`: the contract must hold under `python -O` too.
    if not kept:
        raise AssertionError(clause)


def _check_names(environment: Environment) -> None:
    names = [tool.name for tool in environment.tools]
    _demand(len(set(names)) == len(names), f"two tools share a name: {names}")
    for name in names:
        _demand(re.fullmatch(r"[a-z][a-z0-9_]*", name) is not None, f"{name!r} is no tool name")
        _demand(name not in SPOKEN, f"{name!r} is an action of its own and no tool name")
    _demand(bool(environment.instructions.strip()), "the instructions are empty")


def _check_schema(tool: Tool) -> None:
    schema = tool.parameters
    SchemaValidator.check_schema(schema)
    _demand(schema.get("type") == "object", f"{tool.name}: the parameters are no object")
    closed = schema.get("additionalProperties") is False
    _demand(closed, f"{tool.name}: additionalProperties is not false")
    _demand("\n" not in tool.description, f"{tool.name}: the description is not one line")
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        _demand(name in properties, f"{tool.name}: {name!r} is required but not described")
    for name, form in properties.items():
        for example in form.get("examples", []):
            fits = SchemaValidator(form).is_valid(example)
            _demand(fits, f"{tool.name}.{name}: the example {example!r} does not fit its schema")


def _attempts(tool: Tool, world: Json) -> Iterator[Arguments]:
    """Yield calls that fit the schema: all combinations of fitting texts, up to a limit.

    What comes first, mostly an id, varies fastest: so each thing of the world is called upon.
    """
    texts = sorted(set(_texts(world)))
    choices: list[list[Json]] = []
    names = list(tool.parameters.get("properties", {}))
    for name in names:
        form = tool.parameters["properties"][name]
        examples = [*form.get("examples", []), *form.get("enum", [])]
        validator = SchemaValidator(form)
        choices.append([*examples, *(text for text in texts if validator.is_valid(text))])
    for values in itertools.islice(itertools.product(*reversed(choices)), _TRIES):
        yield dict(zip(names, reversed(values), strict=True))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)


def _check_call(
    make: Callable[[], Environment], world: Json, tool: Tool, arguments: Arguments
) -> None:
    what = f"{tool.name}({arguments})"
    outcome = _called(make(), world, tool, arguments, what)
    again = _called(make(), world, tool, arguments, what)
    _demand(outcome == again, f"{what}: two equal calls gave different outcomes")
    _demand(bool(outcome.text), f"{what}: the agent is told nothing")
    quiet = outcome.ok and not tool.read_only
    _demand(quiet or not outcome.changes, f"{what}: a read or an error changes the world")
    _check_changes(make(), world, outcome, what)


def _called(
    environment: Environment, world: Json, tool: Tool, arguments: Arguments, what: str
) -> ToolOutcome:
    before = canonical_json(world)
    given = copy.deepcopy(arguments)
    try:
        outcome = environment.call(world, tool.name, given, NOW)
    except Exception as error:  # a plugin boundary: anything may come out of a stranger's tool
        raise AssertionError(f"{what}: raised {error!r}; an error is an outcome") from error
    _demand(canonical_json(world) == before, f"{what}: the call changed the world itself")
    _demand(given == arguments, f"{what}: the call changed its arguments")
    return outcome


def _check_changes(environment: Environment, world: Json, outcome: ToolOutcome, what: str) -> None:
    try:
        canonical_json(list(outcome.changes))
        after = jsonpatch.apply_patch(world, list(outcome.changes))
        environment.check_world(after)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, NotStorable) as error:
        raise AssertionError(f"{what}: the changes are no applicable patch: {error}") from error
    except InputError as error:
        raise AssertionError(f"{what}: the world is not valid afterwards: {error}") from error
