"""The standard agent: shows everything to a model, does what it says, up to a step cap."""

from typing import ClassVar

from pydantic import BaseModel, Field

from simulator.agents.actions import Answer, Call, Outcome, parse_action
from simulator.agents.port import Desk
from simulator.effects.options import Options
from simulator.effects.prompts import Prompt
from simulator.effects.steps import CallTool, Complete, Steps
from simulator.events.faults import Fault


class ScaffoldOptions(Options):
    """Options of the scaffold.

    Attributes:
        max_steps: Most completions a decision may use.
        max_tokens: Most tokens of one completion.
    """

    max_steps: int = Field(default=4, ge=1, le=100)
    max_tokens: int = Field(default=96, ge=1)


class Scaffold:
    """Prompt, action, tool result, prompt, …, until an answer, a question or a refusal.

    Every memory gets this same scaffold: at the first decision of an episode the prompts of two
    arms differ in the bytes of the memory block alone.
    """

    Options: ClassVar[type[BaseModel]] = ScaffoldOptions
    oracle: ClassVar[bool] = False

    def __init__(self, options: ScaffoldOptions) -> None:
        self._options = options

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Decide with at most `max_steps` completions.

        Raises:
            Fault: `model`/`unparsable`, `truncated` or `empty`; `agent`/`step_cap`.
        """
        for _ in range(self._options.max_steps):
            text = yield from self._complete(desk)
            if not desk.tools:
                return Answer(text)
            action = _read(text)
            if not isinstance(action, Call):
                return action
            yield CallTool(action.tool, action.arguments)
        raise Fault("agent", "step_cap", f"no outcome after {self._options.max_steps} steps")

    def _complete(self, desk: Desk) -> Steps[str]:
        completion = yield Complete(prompt_of(desk), self._options.max_tokens)
        text: str = completion.text.strip()
        # Half an action must never be read as a whole one, nor half an answer be scored as one.
        if completion.finish == "length":
            raise Fault("model", "truncated", f"cut off after {self._options.max_tokens} tokens")
        if not text:
            raise Fault("model", "empty", "the model said nothing")
        return text


def _read(text: str) -> Call | Outcome:
    try:
        return parse_action(text)
    except Fault as fault:
        raise Fault(fault.culprit, fault.fault, fault.message, detail=text) from fault


def prompt_of(desk: Desk) -> Prompt:
    """Return the neutral prompt for what lies on the desk now."""
    return Prompt(
        instructions=desk.instructions,
        tools=desk.tools,
        examples=desk.examples,
        block=desk.block,
        context=desk.context(),
        request=desk.request,
        steps=desk.steps(),
    )
