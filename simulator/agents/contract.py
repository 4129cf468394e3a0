"""What every agent must do: run `check_agent` in a test of your own.

def test_my_agent() -> None:
    check_agent(lambda: MyAgent(MyAgent.Options()))

The agent is played with scripted completions and tools. What it may do with them is its own
affair; that it comes to an end, and asks for nothing it cannot have, is not.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from simulator.agents.actions import Answer, Clarification, Outcome, Refusal
from simulator.agents.port import Agent, Desk
from simulator.effects.environment import Tool
from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import CallTool, Complete, Effect, Steps, ToolReturn
from simulator.events import Surface, canonical_json
from simulator.events.faults import Fault
from simulator.events.tokens import count_tokens

MOST_EFFECTS = 1_000
"""Effects after which an agent is taken to go on for ever."""

_TOOL = Tool(
    name="close_ticket",
    description="Close a support ticket.",
    parameters={
        "type": "object",
        "properties": {"ticket": {"type": "string", "examples": ["T-12"], "pattern": "^T-\\d+$"}},
        "required": ["ticket"],
        "additionalProperties": False,
    },
    read_only=False,
)
_TIME = 1_741_000_000_000
_CALL = 'close_ticket(ticket="T-31")'
_ANSWER = 'answer("Done.")'
_REPLIES: dict[str, tuple[str, ...]] = {
    "an answer": (_ANSWER,),
    "a question": ('ask("Which ticket?")',),
    "a refusal": ('refuse("I must not.")',),
    "a call and an answer": (_CALL, _ANSWER),
    "a call of an unknown tool": ('open_ticket(ticket="T-31")', _ANSWER),
    "no action": ("Let me see.",),
    "nothing": ("",),
}
"""What the model says, by name; its last reply is repeated."""

Make = Callable[[], Agent]
Ending = Outcome | Fault


@dataclass
class _Stage:
    """Lays out a desk and answers the agent's effects; remembers all that happened."""

    replies: tuple[str, ...]
    tools: tuple[Tool, ...] = (_TOOL,)
    tool_works: bool = True
    finish: str = "stop"
    model_fails: bool = False
    decision: str = "e2/d1"
    effects: list[Effect] = field(default_factory=list)
    steps: list[Surface] = field(default_factory=list)
    _said: int = 0

    def play(self, agent: Agent) -> Ending:
        """Let the agent decide once; a fault that it passes on is an ending like any other."""
        try:
            return self._drive(agent.act(self._desk()))
        except Fault as fault:
            return fault

    def _drive(self, steps: Steps[Outcome]) -> Outcome:
        try:
            effect = next(steps)
            while True:
                effect = self._answer(steps, effect)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome

    def _answer(self, steps: Steps[Outcome], effect: Effect) -> Effect:
        self.effects.append(effect)
        assert len(self.effects) <= MOST_EFFECTS, (
            f"no end after {MOST_EFFECTS} effects; an agent needs a step cap of its own"
        )
        if isinstance(effect, CallTool):
            return steps.send(self._call(effect))
        assert isinstance(effect, Complete), (
            f"{type(effect).__name__} is no effect that an agent may ask for"
        )
        if self.model_fails:
            return steps.throw(Fault("model", "crash", "the model process died"))
        return steps.send(self._complete(effect))

    def _complete(self, effect: Complete) -> Completion:
        text = self.replies[min(self._said, len(self.replies) - 1)]
        self._said += 1
        usage = Usage(input=count_tokens(effect.prompt.request), output=count_tokens(text))
        finish = "length" if self.finish == "length" else "stop"
        return Completion(text=text, finish=finish, usage=usage)

    def _call(self, effect: CallTool) -> ToolReturn:
        text = "closed" if self.tool_works else "error: there is no ticket 'T-31'"
        written = f"{effect.tool}({canonical_json(effect.arguments)})"
        self.steps.append(self._surface("assistant", written))
        self.steps.append(self._surface("tool", text))
        return ToolReturn(self.tool_works, text)

    def _surface(self, role: str, text: str) -> Surface:
        name = f"{self.decision}:{len(self.steps)}"
        values = {"id": name, "role": role, "text": text, "time": _TIME, "call": name}
        return Surface.model_validate(values)

    def _desk(self) -> Desk:
        greeting = Surface(id="e2/m1", role="user", text="Good morning.", time=_TIME)
        return Desk(
            decision=self.decision,
            request="Close ticket T-31.",
            instructions="Act on the request.",
            tools=self.tools,
            examples=(),
            recall=lambda: "From earlier sessions:\n[2025-03-03] ticket T-31: state = solved",
            context=lambda: (greeting,),
            steps=lambda: tuple(self.steps),
        )


def check_agent(make: Make) -> None:
    """Check an agent against its port; `make` returns a new one each time.

    Raises:
        AssertionError: naming the promise that is broken.
    """
    check_declarations(make())
    check_endings(make)
    check_step_cap(make)
    check_determinism(make)
    check_no_state(make)


def check_declarations(agent: Agent) -> None:
    """Check that an agent says whether it sees the key, so that its trials can be marked."""
    assert isinstance(getattr(agent, "oracle", None), bool), "`oracle` is not True or False"


def check_endings(make: Make) -> None:
    """Check that every decision ends, whatever the model and the tools say."""
    for name, replies in _REPLIES.items():
        _check_ending(_Stage(replies).play(make()), f"a model that says {name}")
    _check_ending(_Stage((_CALL, _ANSWER), tool_works=False).play(make()), "a failing tool")
    _check_ending(_Stage(("It is done.",), tools=()).play(make()), "no tools")
    _check_ending(_Stage((_CALL,), finish="length").play(make()), "a completion that is cut off")
    _check_ending(_Stage((_ANSWER,), model_fails=True).play(make()), "a model that fails")


def _check_ending(ending: Ending, under: str) -> None:
    if isinstance(ending, Fault):
        blame = ending.culprit
        assert blame in ("model", "agent"), f"with {under} it blames the {blame}"
        return
    known = isinstance(ending, Answer | Clarification | Refusal)
    assert known, f"with {under} it returns {type(ending).__name__}, which is no outcome"
    assert isinstance(ending.text, str), f"with {under} its outcome holds no text"
    canonical_json(ending.text)


def check_step_cap(make: Make) -> None:
    """Check that a model that calls tools for ever does not keep the agent for ever."""
    for works in (True, False):
        _check_ending(_Stage((_CALL,), tool_works=works).play(make()), "endless calls")


def check_determinism(make: Make) -> None:
    """Check that two new agents do the same with the same desk and replies."""
    for name, replies in _REPLIES.items():
        left, right = _Stage(replies), _Stage(replies)
        ends = [_shown(stage.play(make())) for stage in (left, right)]
        same = ends[0] == ends[1] and left.effects == right.effects
        assert same, f"two agents act differently with a model that says {name}"


def check_no_state(make: Make) -> None:
    """Check that what an agent decided before changes nothing: memory is not its business."""
    agent = make()
    for name, replies in _REPLIES.items():
        fresh, used = _Stage(replies), _Stage(replies)
        ends = [_shown(fresh.play(make())), _shown(used.play(agent))]
        same = ends[0] == ends[1] and fresh.effects == used.effects
        assert same, f"an earlier decision changes what it does with a model that says {name}"


def _shown(ending: Ending) -> str:
    return f"{type(ending).__name__}: {ending if isinstance(ending, Fault) else ending.text}"
