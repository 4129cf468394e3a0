"""Probing: what an agent without a memory can get out of a world, tried step by step.

Everything that a tool, an error or a validation message says to calls built from the world and the
request is collected. It is a bounded search: of each tool so many calls, looks before and after
wrong tries, every try made twice.
"""

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from simulator.effects.environment import Environment, Tool
from simulator.effects.schemas import LEFT_OUT, SchemaValidator, samples
from simulator.engine.blame import blamed
from simulator.engine.parts import make_environment
from simulator.engine.world import World
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.events.nested import names_and_texts
from simulator.events.worlds import changed

LOOKS = 64
"""Most calls of a read-only tool, each time everything is looked at."""

TRIES = 4
"""Most wrong calls of a writing tool; each is made twice."""

ILL_TYPED: tuple[Json, ...] = (None, True, -1, "", "?", [], {})
"""What is given in the place of each argument in turn."""

_PLAIN = {"type", "properties", "required", "additionalProperties"}
_STRANGER = "no_such_tool"
_CANDIDATES = 3
_MOST_TEXTS = 500


class Call(NamedTuple):
    """A call that is tried."""

    tool: str
    arguments: dict[str, Json]

    def __str__(self) -> str:
        return f"{self.tool}({canonical_json(self.arguments)})"


class Said(NamedTuple):
    """What the agent gets to read after a call."""

    call: Call
    text: str


def probe_world(
    environment: Environment, name: str, world: Json, request: str, now: int
) -> list[Said]:
    """Return what an environment says to every call that is tried, in a fixed order.

    First come ill-formed calls, then everything that can be looked at, then wrong calls of the
    writing tools, each followed by its repetition, then everything that can be looked at once
    more.

    Args:
        environment: The environment.
        name: Its registered name.
        world: The world before the decision; it stays as it is.
        request: The decision's request.
        now: The time of the calls, ms.
    """
    stage = _Stage(environment, world, now)
    refused, taken = ill_formed(name)
    fitting = _Fitting(request, world)
    said = [*refused, *stage.make(taken), *stage.make(_looks(environment.tools, fitting))]
    for call in _tries(environment.tools, fitting):
        said += stage.make((call, call))
    if stage.world is not world:
        said += stage.make(_looks(environment.tools, _Fitting(request, stage.world)))
    return said


class _Stage:
    """Where calls are tried; `world` is as they leave it."""

    def __init__(self, environment: Environment, world: Json, now: int) -> None:
        self.world = world
        self._environment = environment
        self._now = now

    def make(self, calls: Iterable[Call]) -> list[Said]:
        """Make calls that fit their tools' schemas, one after another."""
        return [Said(call, self._call(call)) for call in calls]

    def _call(self, call: Call) -> str:
        try:
            with blamed("environment"):
                outcome = self._environment.call(self.world, *call, self._now)
                self.world = changed(self.world, outcome.changes)
        except (Fault, InputError) as fault:
            return fault.message
        return outcome.text


@lru_cache(maxsize=64)
def ill_formed(name: str) -> tuple[tuple[Said, ...], tuple[Call, ...]]:
    """Return what is said to ill-formed calls, and the calls among them that fit a loose schema.

    Neither depends on a world: the former are refused before the environment hears of them.
    """
    stage = World(make_environment(name), {})
    refused, taken = [Said(Call(_STRANGER, {}), stage.check(_STRANGER, {}).error or "")], []
    for tool in make_environment(name).tools:
        for arguments in _ill_formed(tool):
            call = Call(tool.name, arguments)
            error = stage.check(*call).error
            if error is None:
                taken.append(call)
            else:
                refused.append(Said(call, error))
    return tuple(refused), tuple(taken)


def _ill_formed(tool: Tool) -> Iterator[dict[str, Json]]:
    whole = {name: (samples(form) or [""])[0] for name, form in _forms(tool).items()}
    yield {}
    yield {**whole, _STRANGER: ""}
    for name in whole:
        yield {other: value for other, value in whole.items() if other != name}
        yield from ({**whole, name: wrong} for wrong in ILL_TYPED)


class _Fitting:
    """The texts of a request and a world, the request's first, and which of them fit a form."""

    def __init__(self, request: str, world: Json) -> None:
        words = (word.strip(".,;:!?\"'()") for word in request.split())
        self._texts = list(dict.fromkeys(itertools.chain(words, names_and_texts(world))))[
            :_MOST_TEXTS
        ]
        self._found: dict[str, list[Json]] = {}

    def of(self, form: Json) -> list[Json]:
        """Return what fits a parameter's form: of the request, its examples, of the world."""
        name = canonical_json(form)
        if name not in self._found:
            fitting = [text for text in self._texts if _fits(name, text)]
            found = [*dict.fromkeys((*fitting[:1], *_examples(form), *fitting[1:]))]
            self._found[name] = found or samples(form)
        return self._found[name]


@lru_cache(maxsize=100_000)
def _fits(form: str, text: str) -> bool:
    return bool(_validator(form).is_valid(text))


@lru_cache(maxsize=1_000)
def _validator(form: str) -> Any:
    return SchemaValidator(json.loads(form))


def _looks(tools: Sequence[Tool], fitting: _Fitting) -> Iterator[Call]:
    for tool in tools:
        if tool.read_only:
            yield from itertools.islice(_calls(tool, _choices(tool, fitting)), LOOKS)


def _tries(tools: Sequence[Tool], fitting: _Fitting) -> Iterator[Call]:
    for tool in tools:
        if not tool.read_only:
            choices = [values[:_CANDIDATES] for values in _choices(tool, fitting)]
            yield from itertools.islice(_calls(tool, choices), TRIES)


def _choices(tool: Tool, fitting: _Fitting) -> list[list[Json]]:
    """Return what is tried for each argument; an optional one is left out first."""
    required = tool.parameters.get("required", ())
    return [
        [*(() if name in required else (LEFT_OUT,)), *fitting.of(form)]
        for name, form in _forms(tool).items()
    ]


def _calls(tool: Tool, choices: Sequence[Sequence[Json]]) -> Iterator[Call]:
    # Each value fits its form; only what a schema says beyond the forms can still refuse a call.
    more = tool.parameters.keys() - _PLAIN
    for values in itertools.product(*choices):
        given = zip(_forms(tool), values, strict=True)
        arguments = {name: value for name, value in given if value is not LEFT_OUT}
        if not more or _validator(canonical_json(tool.parameters)).is_valid(arguments):
            yield Call(tool.name, arguments)


def _forms(tool: Tool) -> dict[str, Json]:
    forms: dict[str, Json] = tool.parameters.get("properties", {})
    return forms


def _examples(form: Json) -> list[Json]:
    if not isinstance(form, dict):
        return []
    return [*form.get("examples", []), *form.get("enum", [])]
