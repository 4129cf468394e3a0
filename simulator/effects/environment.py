"""The environment port: a mutable world with typed tools."""

from functools import cached_property
from typing import Any, ClassVar, Protocol

from simulator.events import Frozen, Json


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
        optional one.
        """
        required = self.parameters.get("required", [])
        shown = [
            f"{name}{'' if name in required else '?'}: {_form(schema)}"
            for name, schema in self.parameters.get("properties", {}).items()
        ]
        return f"{self.name}({', '.join(shown)}) {self.description}"


def _form(schema: Json) -> str:
    if not isinstance(schema, dict) or not {"type", "enum", "examples"} & schema.keys():
        return "any"
    if "enum" in schema:
        return "|".join(str(value) for value in schema["enum"])
    if schema.get("examples"):
        return f'"{schema["examples"][0]}"'
    return str(schema.get("type", "any"))


class ToolOutcome(Frozen):
    """What a call did: the text that the agent gets and the change of the world.

    Attributes:
        ok: False for an error that the tool reports to the agent, such as an unknown order.
        text: Result or error message.
        changes: JSON Patch operations (RFC 6902); empty for read-only tools and errors.
    """

    ok: bool
    text: str
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
