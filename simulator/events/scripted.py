"""Scripted events: what happens to the agent, as a scenario says it.

Every class carries a stable string `kind`; kinds never change. `surface()` gives what may be
seen of the event, or None where nothing is said (a forced compaction, the end of a session).
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from simulator.events.surfaces import GLOBAL, Frozen, Role, Surface
from simulator.events.times import LATEST

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
"""A name inside a scenario: letters, digits, dot, underscore and hyphen, at most 100."""

Notice = Literal["withdrawn", "granted", "deleted"]
"""What the platform announces about what earlier events said."""


class Scripted(Frozen):
    """What all scripted events share.

    Attributes:
        id: Name of the event, unique in its episode.
        at: Simulated milliseconds before which it does not happen, at most the year 9999.
        causes: Ids of events of the same episode that must be over first.
        scope: Whose information this is.
    """

    kind: str
    id: Name
    at: int = Field(ge=0, le=LATEST)
    causes: tuple[Name, ...] = ()
    scope: str = GLOBAL

    def surface(self, event_id: str, time: int) -> Surface | None:
        """Return what may be seen of this event when it happened as `event_id` at `time`."""
        return None


class Message(Scripted):
    """Somebody says something: the user, the platform (`system`), or the agent of old."""

    kind: Literal["message"] = "message"
    role: Literal["user", "system", "assistant"] = "user"
    text: str = Field(min_length=1)

    def surface(self, event_id: str, time: int) -> Surface:
        return Surface(id=event_id, role=self.role, text=self.text, time=time, scope=self.scope)


class Document(Scripted):
    """A document is put before the agent."""

    kind: Literal["document"] = "document"
    title: str = Field(min_length=1)
    text: str = Field(min_length=1)

    def surface(self, event_id: str, time: int) -> Surface:
        text = f"Document {self.title}: {self.text}"
        return Surface(id=event_id, role="system", text=text, time=time, scope=self.scope)


class Injected(Scripted):
    """A document is put into the memory's store behind the agent's back.

    Once the session is over and absorbed, the memory absorbs it by itself; it is in no working
    context, and nothing in the session waits for it.
    """

    kind: Literal["injected"] = "injected"
    title: str = Field(min_length=1)
    text: str = Field(min_length=1)

    def surface(self, event_id: str, time: int) -> Surface:
        text = f"Document {self.title}: {self.text}"
        return Surface(id=event_id, role="system", text=text, time=time, scope=self.scope)


class ToolResult(Scripted):
    """A tool reports by itself, without a call of the agent's."""

    kind: Literal["tool_result"] = "tool_result"
    tool: str = Field(min_length=1)
    text: str = Field(min_length=1)

    def surface(self, event_id: str, time: int) -> Surface:
        return Surface(
            id=event_id, role="tool", text=self.text, time=time, scope=self.scope, tool=self.tool
        )


def is_event(source: str) -> bool:
    """Return whether a source is an event, `episode/event` or `#position`, and no thing."""
    return "/" in source or source.startswith("#")


class Announcement(Scripted):
    """A typed announcement of the platform about earlier events of the arc, or the world.

    Attributes:
        sources: What is meant: full ids (`episode/event`) of events by their content, and ids of
            things of the world, which hold no `/`.
        text: The announcement as the agent hears it.
        notice: What a memory is told of the sources.
    """

    notice: ClassVar[Notice]
    sources: tuple[str, ...] = Field(min_length=1)
    text: str = Field(min_length=1)

    @property
    def things(self) -> tuple[str, ...]:
        """The sources that are things of the world."""
        return tuple(source for source in self.sources if not is_event(source))

    def surface(self, event_id: str, time: int) -> Surface:
        role: Role = "system"
        return Surface(id=event_id, role=role, text=self.text, time=time, scope=self.scope)


class AccessWithdrawn(Announcement):
    """The agent may no longer use what these events said; it may come back."""

    notice: ClassVar[Notice] = "withdrawn"
    kind: Literal["access_withdrawn"] = "access_withdrawn"


class AccessGranted(Announcement):
    """The agent may use what these events said again."""

    notice: ClassVar[Notice] = "granted"
    kind: Literal["access_granted"] = "access_granted"


class DocumentDeleted(Announcement):
    """What these events said is deleted for good."""

    notice: ClassVar[Notice] = "deleted"
    kind: Literal["document_deleted"] = "document_deleted"


AnyAnnouncement = Annotated[
    AccessWithdrawn | AccessGranted | DocumentDeleted, Field(discriminator="kind")
]


class Compaction(Scripted):
    """The working context is cut here, at the first instant without an open tool call."""

    kind: Literal["compaction"] = "compaction"


class Decision(Scripted):
    """The agent must act on a request."""

    kind: Literal["decision"] = "decision"
    request: str = Field(min_length=1)

    def surface(self, event_id: str, time: int) -> Surface:
        return Surface(id=event_id, role="user", text=self.request, time=time, scope=self.scope)


class SessionEnd(Scripted):
    """The session is over; the memory absorbs what was left in the working context."""

    kind: Literal["session_end"] = "session_end"


ScriptedEvent = Annotated[
    Message
    | Document
    | Injected
    | ToolResult
    | AccessWithdrawn
    | AccessGranted
    | DocumentDeleted
    | Compaction
    | Decision
    | SessionEnd,
    Field(discriminator="kind"),
]

# At one instant the world and the people in it go first, the cut next, the agent last.
PRIORITY = {"compaction": 1, "decision": 2, "session_end": 3}


def priority(event: Scripted) -> int:
    """Return the rank of an event among those of the same instant; lower goes first."""
    return PRIORITY.get(event.kind, 0)
