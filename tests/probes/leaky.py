"""Support desks that give away what only a memory should know: named `tests.probes.leaky:Class`.

Each hides the value in the world, read backwards, so that it cannot be read there.
"""

from typing import Any

from environments.support import Support
from simulator.effects.environment import ToolOutcome
from simulator.events import Json


class Discreet(Support):
    """Takes any world, and gives nothing away."""

    def check_world(self, world: Json) -> None:
        """Any world will do."""


def hidden(world: Json) -> str:
    return str(world["hidden"])[::-1]


class Telling(Discreet):
    """Tells the value to whoever looks the order up."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        outcome = super().call(world, tool, arguments, now)
        told = f"{outcome.text}; agreed {hidden(world)}" if tool == "get_order" else outcome.text
        return outcome.model_copy(update={"text": told})


class Correcting(Discreet):
    """Tells the value to whoever tries another one."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        if tool == "issue_refund" and arguments["amount"] != hidden(world):
            return ToolOutcome(ok=False, text=f"error: {hidden(world)} was agreed")
        return super().call(world, tool, arguments, now)


class Patient(Discreet):
    """Lets everything pass once, and tells the value to whoever comes again."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        if tool != "schedule_callback":
            return super().call(world, tool, arguments, now)
        if "tried" in world:
            return ToolOutcome(ok=False, text=f"error: not again; {hidden(world)} it is")
        noted: Json = {"op": "add", "path": "/tried", "value": True}
        return ToolOutcome(ok=True, text="noted", changes=(noted,))


class Afterwards(Discreet):
    """Shows the value in a look-up, once something was changed."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        outcome = super().call(world, tool, arguments, now)
        if tool != "list_orders" or not world.get("messages"):
            return outcome
        return outcome.model_copy(update={"text": f"{outcome.text}, {hidden(world)}"})
