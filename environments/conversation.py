"""Plain conversation: no tools and no world; what the agent says is all it does."""

from typing import Any, ClassVar

from simulator.effects.environment import Tool, ToolOutcome
from simulator.events import Json
from simulator.events.errors import InputError


class Conversation:
    """Questions that are answered in text."""

    tools: ClassVar[tuple[Tool, ...]] = ()
    instructions: ClassVar[str] = (
        "You are an assistant. Answer the request in one or two sentences from what you know.\n"
        "Give only facts that still hold; when you do not know, say so."
    )
    examples: ClassVar[tuple[str, ...]] = ()

    def check_world(self, world: Json) -> None:
        """Check that the world is empty.

        Raises:
            InputError: when it is not.
        """
        if world != {}:
            raise InputError("a conversation has no world; leave it out", field="world")

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        """Refuse the call: there is nothing to be called."""
        return ToolOutcome(ok=False, text=f"error: unknown tool {tool!r}; there are none")
