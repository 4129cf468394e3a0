"""The contract of the environment port, shipped so that a third party's world is held to it."""

import copy
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonpatch

from simulator.effects.environment import Announced, Environment, Hearing, Tool, ToolOutcome
from simulator.effects.schemas import LEFT_OUT, SchemaValidator, samples
from simulator.events import Json, canonical_json
from simulator.events.canonical import NotStorable
from simulator.events.errors import InputError
from simulator.events.nested import names_and_texts
from simulator.events.scripted import Notice, is_event
from simulator.models.written import SPOKEN

NOW = 1_740_992_400_000
"""The time of every call: 2025-03-03T09:00Z."""

_TRIES = 64
"""Most calls tried of one tool."""

Arguments = dict[str, Any]


def check_environment(make: Callable[[], Environment], world: Json = None) -> None:
    """Hold an environment to its port's contract.

    Every tool is called with the examples of its schema and with every fitting text of `world`,
    so a world that holds some of everything tests more than an empty one. An environment that
    hears announcements is told of every thing of `world`.

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
    if isinstance(environment, Hearing):
        _check_hearing(make, world)


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

    What comes first, mostly an id, varies fastest: so each thing of the world is called upon. An optional
    argument is left out first.
    """
    texts = sorted(set(names_and_texts(world)))
    choices: list[list[Json]] = []
    names = list(tool.parameters.get("properties", {}))
    for name in names:
        form = tool.parameters["properties"][name]
        examples = [*form.get("examples", []), *form.get("enum", [])]
        validator = SchemaValidator(form)
        found = [*examples, *(text for text in texts if validator.is_valid(text))]
        left_out = [] if name in tool.parameters.get("required", []) else [LEFT_OUT]
        choices.append([*left_out, *(found or samples(form))])
    for values in itertools.islice(itertools.product(*reversed(choices)), _TRIES):
        given = zip(names, reversed(values), strict=True)
        yield {name: value for name, value in given if value is not LEFT_OUT}


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
    _changed(make(), world, outcome.changes, what)
    for thing in outcome.contains:
        known = _announced(make, world, "withdrawn", thing) is not None
        _demand(known, f"{what}: it contains {thing!r}, which no announcement can be about")


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


def _changed(environment: Environment, world: Json, changes: tuple[Json, ...], what: str) -> Json:
    """Return the world after changes, which must be applicable and leave it valid."""
    try:
        canonical_json(list(changes))
        after = jsonpatch.apply_patch(world, list(changes))
        environment.check_world(after)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, NotStorable) as error:
        raise AssertionError(f"{what}: the changes are no applicable patch: {error}") from error
    except InputError as error:
        raise AssertionError(f"{what}: the world is not valid afterwards: {error}") from error
    return after


_NOTICES: tuple[Notice, ...] = ("withdrawn", "granted", "deleted")
_NOTHING = "no such thing"


def _check_hearing(make: Callable[[], Environment], world: Json) -> None:
    """Tell an environment of everything that its world names."""
    unknown = _announced(make, world, "withdrawn", _NOTHING)
    _demand(unknown is None, f"an announcement about {_NOTHING!r} is no error")
    for thing in sorted(set(names_and_texts(world))):
        for notice in _NOTICES:
            if not is_event(thing):
                _check_announced(make, world, notice, thing)


def _announced(
    make: Callable[[], Environment], world: Json, notice: Notice, thing: str
) -> Announced | None:
    """Return what an announcement would do, None where there is no such thing."""
    environment, before = make(), canonical_json(world)
    if not isinstance(environment, Hearing):
        return None
    try:
        announced = environment.announced(world, notice, (thing,), NOW)
    except InputError:
        return None
    except Exception as error:  # a plugin boundary, as above
        raise AssertionError(f"{thing} {notice}: raised {error!r}") from error
    _demand(canonical_json(world) == before, f"{thing} {notice}: it changed the world itself")
    return announced


def _check_announced(
    make: Callable[[], Environment], world: Json, notice: Notice, thing: str
) -> None:
    what = f"{thing} {notice}"
    announced = _announced(make, world, notice, thing)
    if announced is None:
        return
    same = announced == _announced(make, world, notice, thing)
    _demand(same, f"{what}: two equal announcements gave different outcomes")
    _demand(thing in announced.things, f"{what}: it is not among what the announcement is about")
    after = _changed(make(), world, announced.changes, what)
    again = _announced(make, after, notice, thing)
    still = again is not None and not again.changes
    _demand(still, f"{what}: announced again, it is no longer so")
    if notice != "granted":
        _check_unseen(make, after, frozenset(announced.things), what)


def _check_unseen(
    make: Callable[[], Environment], world: Json, things: frozenset[str], what: str
) -> None:
    """Check that nothing that was taken away is shown any more."""
    for tool in make().tools:
        for arguments in _attempts(tool, world):
            call = f"{tool.name}({arguments})"
            shown = things & set(_called(make(), world, tool, arguments, call).contains)
            _demand(not shown, f"{what}: {call} still contains {', '.join(sorted(shown))}")
