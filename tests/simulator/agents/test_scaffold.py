"""The scaffold: prompt, action, result, prompt, …, driven by hand without an engine."""

from typing import Any, Literal

import pytest
from pydantic import ValidationError

from simulator.agents.actions import Answer, Clarification, Outcome, Refusal
from simulator.agents.port import Desk
from simulator.agents.scaffold import Scaffold, ScaffoldOptions, prompt_of
from simulator.effects.environment import Tool
from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import CallTool, Complete, ToolReturn, perform
from simulator.events import Surface
from simulator.events.faults import Fault

LOOK = Tool(name="look", description="To look.", parameters={"type": "object"}, read_only=True)


class Table:
    """Answers effects from a list of replies and keeps what was asked."""

    def __init__(self, *replies: str | Completion, tools: tuple[Tool, ...] = (LOOK,)) -> None:
        self.replies = list(replies)
        self.prompts: list[Complete] = []
        self.calls: list[CallTool] = []
        self.steps: list[Surface] = []
        self.desk = Desk(
            decision="e1/d",
            request="What is the sum?",
            instructions="You mind the till.",
            tools=tools,
            examples=("An example.",),
            recall=lambda: "From earlier sessions:\nIt was 3.",
            context=lambda: (surface("#0", "Morning."),),
            steps=lambda: tuple(self.steps),
        )

    def handle(self, effect: Any) -> Any:
        if isinstance(effect, Complete):
            self.prompts.append(effect)
            reply = self.replies.pop(0)
            return completion(reply) if isinstance(reply, str) else reply
        self.calls.append(effect)
        self.steps.append(surface(f"#{len(self.calls)}", "3"))
        return ToolReturn(ok=True, text="3")

    def act(self, **options: int) -> Outcome:
        agent = Scaffold(ScaffoldOptions.model_validate(options))
        return perform(agent.act(self.desk), self.handle)


def surface(name: str, text: str) -> Surface:
    return Surface(id=name, role="tool", text=text, time=0)


def completion(text: str, finish: Literal["stop", "length"] = "stop") -> Completion:
    return Completion(text=text, finish=finish, usage=Usage(input=1, output=1))


def fault_of(table: Table, **options: int) -> tuple[str, str, str]:
    with pytest.raises(Fault) as caught:
        table.act(**options)
    return caught.value.culprit, caught.value.fault, caught.value.detail


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ('answer("3")', Answer("3")),
        (' ask("Which?")\n', Clarification("Which?")),
        ('refuse("No.")', Refusal("No.")),
    ],
)
def test_an_end_is_returned_at_once(text: str, outcome: Outcome) -> None:
    table = Table(text)
    assert table.act() == outcome
    assert len(table.prompts) == 1 and table.calls == []


def test_a_call_is_made_and_the_next_prompt_shows_what_came_of_it() -> None:
    table = Table("look()", "look(again=true)", 'answer("3")')
    assert table.act(max_tokens=7) == Answer("3")
    assert table.calls == [CallTool("look", {}), CallTool("look", {"again": True})]
    assert [len(effect.prompt.steps) for effect in table.prompts] == [0, 1, 2]
    assert {effect.max_tokens for effect in table.prompts} == {7}


def test_the_prompt_holds_what_lies_on_the_desk() -> None:
    desk = Table().desk
    prompt = prompt_of(desk)
    assert prompt.model_dump() == {
        "instructions": "You mind the till.",
        "tools": (LOOK.model_dump(),),
        "examples": ("An example.",),
        "block": "From earlier sessions:\nIt was 3.",
        "context": (surface("#0", "Morning.").model_dump(),),
        "request": "What is the sum?",
        "steps": (),
    }


def test_the_last_step_may_be_the_outcome_and_no_call_follows_the_cap() -> None:
    assert Table("look()", 'answer("3")').act(max_steps=2) == Answer("3")
    table = Table("look()", "look()", 'answer("3")')
    assert fault_of(table, max_steps=2) == ("agent", "step_cap", "")
    assert len(table.calls) == 2 and table.replies == ['answer("3")']


@pytest.mark.parametrize(
    ("reply", "fault", "detail"),
    [
        ("", "empty", ""),
        (" \n\t", "empty", ""),
        ("The sum is 3.", "unparsable", "The sum is 3."),
        ('look() answer("3")', "unparsable", 'look() answer("3")'),
        ('  look(x="C:\\new', "unparsable", 'look(x="C:\\new'),
        (completion("look()", "length"), "truncated", ""),
        (completion("", "length"), "truncated", ""),
    ],
)
def test_h23_what_is_not_one_whole_action_is_the_models_fault(
    reply: str | Completion, fault: str, detail: str
) -> None:
    table = Table(reply)
    assert fault_of(table) == ("model", fault, detail)
    assert table.calls == []


def test_without_tools_the_text_is_the_answer() -> None:
    for text in ("It is 3.", 'answer("3")', "look()"):
        assert Table(f" {text} ", tools=()).act() == Answer(text)
    cut_off = Table(completion("It is", "length"), tools=())
    assert fault_of(cut_off) == ("model", "truncated", "")
    assert fault_of(Table(" ", tools=())) == ("model", "empty", "")


def test_a_fault_of_the_model_ends_the_decision() -> None:
    steps = Scaffold(ScaffoldOptions()).act(Table().desk)
    next(steps)
    with pytest.raises(Fault, match="model overflow: too long"):
        steps.throw(Fault("model", "overflow", "too long"))


@pytest.mark.parametrize("options", [{"max_steps": 0}, {"max_tokens": 0}, {"max_step": 3}])
def test_options_are_checked(options: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        ScaffoldOptions.model_validate(options)
