"""The environment port: a mutable world with typed tools."""

from functools import cached_property
from typing import Any, ClassVar, Protocol, runtime_checkable

from simulator.events import Frozen, Json
from simulator.events.scripted import Notice


class Tool(Frozen):
    """One tool as the agent sees it.

    Attributes:
        name: Name used in calls.
        description: One short sentence.
        parameters: JSON Schema of type `object`: `properties` (each with `type` and, for a value
            with a fixed form, `examples`), `required`, `additionalProperties: false`.
        read_only: True when a call can never change the world.
    """

    name: str
    description: str
    parameters: dict[str, Json]
    read_only: bool

    @cached_property
    def signature(self) -> str:
        """The tool as prompts show it, a line: `name(arg: form, …) description`.

        A parameter's form is its first example in quotes, its enum, or its type; `?` marks an
        optional one. A list whose items have a form is `[form]`, an object whose members have one
        is `{name: form, …}`.
        """
        return f"{self.name}({_members(self.parameters)}) {self.description}"


def _members(schema: dict[str, Json]) -> str:
    required = schema.get("required", [])
    shown = (
        f"{name}{'' if name in required else '?'}: {_form(form)}"
        for name, form in schema.get("properties", {}).items()
    )
    return ", ".join(shown)


def _form(schema: Json) -> str:
    if not isinstance(schema, dict) or not {"type", "enum", "examples"} & schema.keys():
        return "any"
    if "enum" in schema:
        return "|".join(str(value) for value in schema["enum"])
    if schema.get("examples"):
        return f'"{schema["examples"][0]}"'
    if schema.get("type") == "array" and schema.get("items"):
        return f"[{_form(schema['items'])}]"
    if schema.get("type") == "object" and schema.get("properties"):
        return f"{{{_members(schema)}}}"
    return str(schema.get("type", "any"))


class ToolOutcome(Frozen):
    """What a call did: the text that the agent gets and the change of the world.

    Attributes:
        ok: False for an error that the tool reports to the agent, such as an unknown order.
        text: Result or error message.
        changes: JSON Patch operations (RFC 6902); empty for read-only tools and errors.
        contains: Ids of the things of the world whose text, or a number derived from it, `text`
            contains; what an announcement says of them, it says of this result too.
    """

    ok: bool
    text: str
    changes: tuple[Json, ...] = ()
    contains: tuple[str, ...] = ()


class Announced(Frozen):
    """What an announcement of the platform means in a world.

    Attributes:
        things: Ids of all things that it is about: those that it names, and what they cover.
        changes: JSON Patch operations (RFC 6902); empty where the world is so already.
    """

    things: tuple[str, ...]
    changes: tuple[Json, ...] = ()


class Environment(Protocol):
    """A world's rules. It holds no state: the engine owns it and applies the changes.

    Attributes:
        tools: The tools, in the order in which prompts show them.
        instructions: What the agent is here for, as the first lines of every prompt.
        examples: Worked examples (request and action) shown in every prompt; their ids and
            values never occur in a scenario.
    """

    tools: ClassVar[tuple[Tool, ...]]
    instructions: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]

    def check_world(self, world: Json) -> None:
        """Check an initial world.

        Raises:
            InputError: naming the field that is wrong.
        """
        ...

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        """Return what a call would do to `world` at time `now` (ms); never changes `world`.

        `arguments` have been validated against the tool's schema.
        """
        ...


@runtime_checkable
class Hearing(Environment, Protocol):
    """An environment whose world has things that can be withdrawn, granted and deleted."""

    def announced(
        self, world: Json, notice: Notice, sources: tuple[str, ...], now: int
    ) -> Announced:
        """Return what an announcement at time `now` (ms) would do; never changes `world`.

        `sources` are ids of things of the world, at least one. An announcement that is repeated
        changes nothing more.

        Raises:
            InputError: when an id stands for nothing in this world.
        """
        ...
