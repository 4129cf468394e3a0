"""Tools of two owners on one desk: the environment's, and behind them the memory's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from simulator.effects.environment import Environment, Tool, ToolOutcome
from simulator.effects.memory import Memory, Tooled
from simulator.engine.clock import Process
from simulator.engine.world import Checked, Schemas
from simulator.events.errors import InputError
from simulator.models.written import SPOKEN


@dataclass(frozen=True)
class LentCall:
    """A call of a tool that is not the world's.

    Attributes:
        tool: Name of the tool.
        checked: The call after the schema check.
        event: Id of the event that recorded it.
        decision: Id of the decision at which it is made.
        scope: Whose request it is made for.
    """

    tool: str
    checked: Checked
    event: str
    decision: str
    scope: str


class Lender(Protocol):
    """Lends tools that are not the world's: the keeper lends those of the memory.

    Attributes:
        schemas: The schemas of its tools.
    """

    schemas: Schemas

    def enter(self) -> Process[None]:
        """Wait until the memory is free, and take it."""
        ...

    def leave(self) -> None:
        """Let the memory go."""
        ...

    def use(self, call: LentCall) -> Process[ToolOutcome]:
        """Return what a call did; `contains` are the ids of the events whose text it shows."""
        ...


def all_tools(own: Sequence[Tool], lent: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return the tools that an agent has: those of where it decides, and those lent by the memory.

    Where there are none of the first the agent answers in words, and a memory's tools would make
    an action of every answer; so there they are left out.
    """
    return (*own, *lent) if own else ()


def tools_of(memory: Memory) -> tuple[Tool, ...]:
    """Return the tools that a memory has for the agent: most have none."""
    return tuple(memory.tools) if isinstance(memory, Tooled) else ()


def check_names(environment: Environment, memory: Memory) -> None:
    """Check that no tool of a memory goes by a name that is taken.

    Raises:
        InputError: naming the tool and who has the name already.
    """
    taken = dict.fromkeys(SPOKEN, "ends a decision")
    taken |= {tool.name: "is a tool of the environment" for tool in environment.tools}
    for tool in tools_of(memory):
        if tool.name in taken:
            raise InputError(f"the memory cannot have a tool {tool.name!r}: it {taken[tool.name]}")
        taken[tool.name] = "is another tool of the memory"
