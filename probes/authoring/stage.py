"""The world of a task as it is at each step, so that a read is told as the environment tells it."""

from collections.abc import Sequence

from scoring.keys import ReferenceCall
from simulator.effects.environment import ToolOutcome
from simulator.engine.parts import make_environment
from simulator.engine.world import World
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.events.scripted import Announcement

READ = "read_document"
"""The tool by which a document is read, in any environment that has documents."""


class Stage:
    """Plays announcements, reads and right calls on the world, one after another."""

    def __init__(self, environment: str, world: Json) -> None:
        made = make_environment(environment)
        made.check_world(world)
        self._world = World(made, world)

    def read(self, document: str, event: str, now: int) -> str:
        """Return what a read of a document says, as the result `event`.

        Raises:
            InputError: with what the environment says, when it cannot be read.
        """
        outcome = self._call(READ, {"document_id": document}, now)
        if not outcome.ok:
            raise InputError(f"it cannot be read here: {outcome.text}")
        self._world.note(event, outcome.contains)
        return outcome.text

    def announce(self, event: Announcement, now: int) -> tuple[str, ...]:
        """Play an announcement, and return all things and reads that it is about.

        Raises:
            InputError: when it is about nothing in this world.
        """
        try:
            found, _ = self._world.announce(event, now)
        except Fault as fault:
            raise InputError(fault.message) from None
        return found

    def act(self, calls: Sequence[ReferenceCall], now: int) -> None:
        """Make calls; whether they are right is for lint to say."""
        for call in calls:
            self._call(call.tool, call.arguments, now)

    def _call(self, tool: str, arguments: dict[str, Json], now: int) -> ToolOutcome:
        checked = self._world.check(tool, arguments)
        if checked.error is not None:
            return ToolOutcome(ok=False, text=checked.error)
        try:
            return self._world.call(tool, checked.arguments, now)
        except Fault as fault:
            return ToolOutcome(ok=False, text=fault.message)
