"""Surfaces: all that an agent or a memory may see of an event."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Role = Literal["user", "assistant", "tool", "system"]
GLOBAL = "global"


class Frozen(BaseModel):
    """Base of every immutable record; an unknown field is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Surface(Frozen):
    """What may be seen of one event: who spoke, the text, when, for whom.

    Attributes:
        id: The event's id, so that everything derived from the text can name its source.
        role: Who the text comes from.
        text: The text itself. For a tool call, the call as written; for a result, its text.
        time: Simulated milliseconds.
        scope: Whose information this is; `global` is everybody's.
        tool: Name of the tool for a call or a result, else None.
        call: Id that a tool call and its result share, else None.
    """

    id: str
    role: Role
    text: str
    time: int
    scope: str = GLOBAL
    tool: str | None = None
    call: str | None = None
