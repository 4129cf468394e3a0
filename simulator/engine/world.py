"""The world of a trial: the environment's state, and calls checked before they reach it."""

import copy
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import best_match

from simulator.effects.environment import Announced, Environment, Hearing, Tool, ToolOutcome
from simulator.effects.schemas import SchemaValidator
from simulator.engine.blame import blamed
from simulator.events import Json, canonical_json
from simulator.events.canonical import MAX_TEXT
from simulator.events.errors import InputError, clipped
from simulator.events.faults import Fault
from simulator.events.scripted import Announcement, Notice
from simulator.events.worlds import changed

_PARSERS: dict[str, tuple[Callable[[str], float], ...]] = {
    "integer": (int,),
    "number": (int, float),
}

_LONGEST_SHOWN = 500


@dataclass(frozen=True)
class Checked:
    """A call after the schema check: typed arguments, or why it cannot run."""

    arguments: dict[str, Json]
    coerced: tuple[str, ...]
    error: str | None


class Schemas:
    """Checks calls of some tools; one rule for every tool, whosever it is."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._validators = {
            name: SchemaValidator(tool.parameters) for name, tool in self._tools.items()
        }

    def __contains__(self, tool: str) -> bool:
        return tool in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def check(self, tool: str, arguments: dict[str, Json], others: Iterable[str] = ()) -> Checked:
        """Check a call against the tool's schema.

        A string where the schema says number, integer or boolean is taken where it parses
        exactly, and recorded as coerced. Everything else that does not fit is an error that
        the agent gets to see, and the tool does not run. `others` are further tools' names.
        """
        if tool not in self._tools:
            known = ", ".join([*self._tools, *others])
            shown = clipped(repr(tool), _LONGEST_SHOWN)
            return Checked(arguments, (), f"error: unknown tool {shown}; known: {known}")
        typed, coerced = _coerce(self._tools[tool], arguments)
        fault = best_match(self._validators[tool].iter_errors(typed))
        if fault is None:
            return Checked(typed, coerced, None)
        place = ".".join(str(part) for part in fault.absolute_path)
        # The message quotes the value, and an agent must not fill its own prompt by a mistake.
        told = clipped(f"{place + ': ' if place else ''}{fault.message}", _LONGEST_SHOWN)
        return Checked(typed, coerced, f"error: {told}")


class World:
    """Owns the state, so that only recorded changes can alter it."""

    def __init__(self, environment: Environment, initial: Json) -> None:
        self._environment = environment
        self._schemas = Schemas(environment.tools)
        self._containing: dict[str, list[str]] = {}
        self._closed: dict[str, Notice] = {}
        self.state: Json = copy.deepcopy(initial)

    def check(self, tool: str, arguments: dict[str, Json], others: Iterable[str] = ()) -> Checked:
        """Check a call against the tool's schema; `others` are tools that are not the world's."""
        return self._schemas.check(tool, arguments, others)

    def call(self, tool: str, arguments: dict[str, Json], now: int) -> ToolOutcome:
        """Let the environment say what the call does, and apply it.

        Raises:
            Fault: culprit `environment` when the tool itself fails.
        """
        with blamed("environment"):
            outcome = self._environment.call(self.state, tool, arguments, now)
            canonical_json([outcome.text, outcome.changes])
            if len(outcome.text) > MAX_TEXT:
                said = f"{tool} answered {len(outcome.text):,} characters; {MAX_TEXT:,} are taken"
                raise Fault("environment", "invalid", said)
            self._apply(outcome.changes)
        return outcome

    def note(self, event: str, contains: Iterable[str]) -> None:
        """Note that what an event said contains the text of things of the world, or of events."""
        for thing in contains:
            self._containing.setdefault(thing, []).append(event)

    def announce(self, event: Announcement, now: int) -> tuple[tuple[str, ...], tuple[Json, ...]]:
        """Let an announcement change the world.

        Returns:
            The sources that it is about, which are those that it names and the events so far that
            contain the text of one of them; and the changes that it made. Of several things in one
            event all must be granted again, or it stays withdrawn.

        Raises:
            Fault: culprit `script` for what is nothing in this world, `environment` when that
                fails.
        """
        announced = self._heard(event, now) if event.things else Announced(things=())
        with blamed("environment"):
            canonical_json([announced.things, announced.changes])
            self._apply(announced.changes)
        named = tuple(dict.fromkeys([*event.sources, *announced.things]))
        self._close(event.notice, named)
        carriers = self._carriers(named)
        if event.notice == "granted":
            shut = set(self._carriers(tuple(self._closed)))
            carriers = tuple(name for name in carriers if name not in shut)
        return tuple(dict.fromkeys([*named, *carriers])), announced.changes

    def _carriers(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the events that contain one of these, and those that gave such an event back."""
        found: dict[str, None] = {}
        ahead = list(names)
        while ahead:
            new = [e for name in ahead for e in self._containing.get(name, ()) if e not in found]
            found |= dict.fromkeys(new)
            ahead = new
        return tuple(found)

    def _close(self, notice: Notice, names: Iterable[str]) -> None:
        """Follow what is withdrawn or deleted; what is deleted stays so."""
        for name in names:
            if notice == "granted" and self._closed.get(name) == "withdrawn":
                del self._closed[name]
            elif notice != "granted" and self._closed.get(name) != "deleted":
                self._closed[name] = notice

    def _heard(self, event: Announcement, now: int) -> Announced:
        if not isinstance(self._environment, Hearing):
            raise Fault("script", "invalid", f"this world has nothing like {event.things[0]!r}")
        try:
            with blamed("environment"):
                return self._environment.announced(self.state, event.notice, event.things, now)
        except InputError as error:
            raise Fault("script", "invalid", error.message) from error

    def _apply(self, changes: tuple[Json, ...]) -> None:
        if changes:
            try:
                self.state = changed(self.state, changes)
            except InputError as error:
                raise Fault("environment", "crash", error.message) from error


def _coerce(tool: Tool, arguments: dict[str, Json]) -> tuple[dict[str, Json], tuple[str, ...]]:
    typed, coerced = dict(arguments), []
    for name, value in arguments.items():
        wanted = tool.parameters.get("properties", {}).get(name, {}).get("type")
        exact = _parse_exactly(value, wanted) if isinstance(value, str) else None
        if exact is not None:
            typed[name] = exact
            coerced.append(name)
    return typed, tuple(coerced)


def _parse_exactly(text: str, wanted: Any) -> Json:
    """Return the typed value whose one spelling is `text`, or None."""
    if wanted == "boolean":
        return {"true": True, "false": False}.get(text)
    if not isinstance(wanted, str):  # several types: whether it is a fault is the schema's to say
        return None
    for parse in _PARSERS.get(wanted, ()):
        try:
            value = parse(text)
        except ValueError:
            continue
        if str(value) == text and abs(value) < math.inf:
            return value
    return None
