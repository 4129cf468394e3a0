"""Surfaces: all that an agent or a memory may see of an event."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

Role = Literal["user", "assistant", "tool", "system"]
GLOBAL = "global"


class Frozen(BaseModel):
    """Base of every immutable record; an unknown field is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with some fields changed; what was computed from the old ones is not kept."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]  # a cached property, such as a hash
        return copied


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
