"""The agent port: what decides, given what it is shown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pydantic import BaseModel

from simulator.agents.actions import Outcome
from simulator.effects.environment import Tool
from simulator.effects.steps import Steps
from simulator.events import Surface


@dataclass(frozen=True)
class Desk:
    """What lies before an agent at a decision point.

    Attributes:
        decision: The decision's id (`episode/event`).
        request: What must be acted on.
        instructions: The environment's instructions.
        tools: The environment's tools.
        examples: The environment's worked examples.
        recall: Returns the rendered memory block, read once before the agent is asked, without
            what was forgotten through lineage since.
        context: Returns the surfaces of the working context as of now, without the request and
            the steps.
        steps: Returns the calls made for this request so far and their results.
    """

    decision: str
    request: str
    instructions: str
    tools: tuple[Tool, ...]
    examples: tuple[str, ...]
    recall: Callable[[], str]
    context: Callable[[], tuple[Surface, ...]]
    steps: Callable[[], tuple[Surface, ...]]

    @property
    def block(self) -> str:
        """The rendered memory block as of now."""
        return self.recall()


class Agent(Protocol):
    """Acts at decision points; made as `Class(options)`. It keeps no state between decisions.

    Attributes:
        Options: Its options.
        oracle: True when it sees the key: only for testing scenarios and scorers.
    """

    Options: ClassVar[type[BaseModel]]
    oracle: ClassVar[bool]

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Decide: yield `Complete` and `CallTool` effects and return what ends the decision.

        Raises:
            Fault: culprit `model` (unreadable action) or `agent` (step cap).
        """
        ...
