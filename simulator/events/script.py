"""A script: everything of a scenario that the simulator may see."""

from collections.abc import Iterator
from functools import cached_property

from pydantic import Field

from simulator.events.canonical import Json, content_hash
from simulator.events.scripted import Decision, Name, ScriptedEvent
from simulator.events.surfaces import Frozen


class Episode(Frozen):
    """One session of the agent: events whose `causes` make an acyclic graph.

    The end of the session needs no event of its own: it comes when all events are over.
    """

    id: Name
    events: tuple[ScriptedEvent, ...] = Field(min_length=1)

    def decisions(self) -> Iterator[Decision]:
        """Yield the decision points in authored order."""
        for event in self.events:
            if isinstance(event, Decision):
                yield event


class Script(Frozen):
    """An ordered chain of episodes that share one memory and one world.

    Attributes:
        arc: Name of the arc, unique in a suite.
        environment: Registered name of the environment that owns the world.
        world: The world's initial state, validated by the environment.
        episodes: The sessions in order.
        window: Tokens that an agent's whole context may have in this arc, None where none is
            declared. Lint refuses an arc whose story does not fit; nothing else goes by it.
    """

    arc: Name
    environment: str
    world: Json = Field(default_factory=dict)
    episodes: tuple[Episode, ...] = Field(min_length=1)
    window: int | None = Field(default=None, ge=1)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON of the script."""
        return content_hash(self.model_dump(mode="json"))


def event_id(episode: str, event: str) -> str:
    """Return an authored event's id in its arc: `episode/event`."""
    return f"{episode}/{event}"
