"""Decisions: one read, then the agent; and whom a failure is blamed on."""

from typing import Any

import pytest

from simulator.agents.actions import Answer, Clarification, Refusal
from simulator.effects.prompts import Prompt
from simulator.effects.steps import CallTool, Complete, Embed
from simulator.events.errors import InputError
from simulator.events.faults import Fault

DECISION = {"kind": "decision", "id": "d", "at": 1000, "request": "Add 3."}
NEXT = {"kind": "decision", "id": "next", "at": 2000, "causes": ["d"]}
PROMPT = Prompt(instructions="Act.", request="Add 3.")


def test_the_memory_is_read_once_and_before_the_first_completion(lab: Any) -> None:
    played = lab.play(lab.script([DECISION]), ["look()", "add(amount=3)", 'answer("done")'])
    assert [call[0] for call in played.memory.calls] == ["read", "absorb"]
    kinds = [event.kind for event in played.events]
    assert kinds[2:8] == [
        "decision",
        "memory_read",
        "completion",
        "tool_call",
        "tool_return",
        "completion",
    ]
    read = played.one("memory_read")
    assert (read.body["query"], read.body["budget"], read.causes) == ("Add 3.", 256, ["e1/d"])


def test_the_ask_says_whose_request_it_is_and_what_is_in_sight(lab: Any) -> None:
    events = [{"id": "m", "at": 1}, {**DECISION, "scope": "ann"}]
    (ask,) = lab.play(lab.script(events), ['answer("ok")'], token_budget=64).memory.asks
    assert (ask.query, ask.budget, ask.scope, ask.now) == ("Add 3.", 64, "ann", 1000)
    assert ask.shown == {"e1/m", "e1/d"}


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        ('answer("It is 3.")', "answer", "It is 3."),
        ('ask("Which till?")', "clarification", "Which till?"),
        ('refuse("I may not.")', "refusal", "I may not."),
    ],
)
def test_how_a_decision_ends(lab: Any, reply: str, kind: str, text: str) -> None:
    played = lab.play(lab.script([{**DECISION, "scope": "ann"}]), [reply])
    end = played.one(kind)
    assert (end.body, end.causes) == ({"decision": "e1/d", "text": text}, ["e1/d"])
    assert (end.time, end.row.scope) == (1312, "ann")
    assert played.one("boundary").body["transcript"] == ["e1/d", end.id]


def test_the_step_cap_is_the_agents_fault(lab: Any) -> None:
    played = lab.play(
        lab.script([DECISION, NEXT]), ["look()", "look()", 'answer("b")'], max_steps=2
    )
    assert played.errors == [("agent", "step_cap", False)]
    assert played.one("error").body["decision"] == "e1/d"
    assert [e.body["decision"] for e in played.all("answer")] == ["e1/next"]


@pytest.mark.parametrize(
    ("fault", "reply", "detail"),
    [
        ("unparsable", "add(amount=", "add(amount="),
        ("unparsable", 'add(path="C:\\new', 'add(path="C:\\new'),
        ("unparsable", "I would add 3.", "I would add 3."),
        ("empty", "  \n ", ""),
    ],
)
def test_h23_what_cannot_be_read_is_the_models_fault_and_no_tool_runs(
    lab: Any, fault: str, reply: str, detail: str
) -> None:
    played = lab.play(lab.script([DECISION, NEXT]), [reply, 'answer("b")'])
    assert played.errors == [("model", fault, False)]
    assert played.one("error").body["detail"] == detail
    assert played.all("completion")[0].body["text"] == reply
    assert not played.environment.calls and not played.all("tool_call")
    assert played.complete and len(played.all("answer")) == 1


def test_a_completion_cut_off_is_never_read_as_a_whole_action(lab: Any) -> None:
    cut_off = lab.said("add(amount=3)", "length")
    played = lab.play(lab.script([DECISION]), [cut_off])
    assert played.errors == [("model", "truncated", False)]
    assert not played.environment.calls
    assert played.one("completion").body["finish"] == "length"


def test_a_text_cut_off_is_never_scored_as_an_answer(lab: Any) -> None:
    cut_off = lab.said("It is thr", "length")
    played = lab.play(lab.script([DECISION]), [cut_off], environment=lab.Talk())
    assert played.errors == [("model", "truncated", False)]
    assert not played.all("answer")


def test_a_model_that_fails_leaves_a_failed_call_and_an_error(lab: Any) -> None:
    replies = [Fault("model", "overflow", "9 tokens too many", "raw"), 'answer("b")']
    played = lab.play(lab.script([DECISION, NEXT]), replies)
    failed, error = played.one("call_failed"), played.one("error")
    assert (failed.body["culprit"], failed.body["fault"], failed.body["step"]) == (
        "model",
        "overflow",
        0,
    )
    assert played.text(failed.body["asked"]) == played.model.requests[0].rendered
    assert error.body == {
        "culprit": "model",
        "fault": "overflow",
        "message": "9 tokens too many",
        "decision": "e1/d",
        "fatal": False,
        "detail": "raw",
    }
    assert [e.body["step"] for e in played.all("completion")] == [1]
    assert played.complete


def test_a_model_that_crashes_or_says_what_cannot_be_stored_is_blamed(lab: Any) -> None:
    replies = [RuntimeError("gone"), "answer(\ud800)", 'answer("b")']
    third = {"kind": "decision", "id": "third", "at": 2000, "causes": ["next"]}
    played = lab.play(lab.script([DECISION, NEXT, third]), replies)
    assert played.errors == [("model", "crash", False)] * 2
    assert [e.body["message"][:18] for e in played.all("call_failed")] == [
        "RuntimeError: gone",
        "UnicodeEncodeError",
    ]
    assert len(played.all("answer")) == 1


def test_a_broken_environment_is_fatal_and_its_object_addresses_stay_out(lab: Any) -> None:
    runs = [lab.play(lab.script([DECISION, NEXT]), ["smash()"]) for _ in range(2)]
    played = runs[0]
    assert played.errors == [("environment", "crash", True)]
    message = "RuntimeError: broken at <object object at 0x…>"
    assert played.one("error").body["message"] == message
    assert not played.complete and len(played.all("decision")) == 1
    assert len(played.all("tool_call")) == 1 and not played.all("tool_return")
    assert runs[0].rows == runs[1].rows


def test_an_agent_cannot_talk_its_way_out_of_a_broken_environment(lab: Any) -> None:
    def act(desk: Any) -> Any:
        try:
            yield CallTool("smash", {})
        except Fault:
            return Answer("all is well")

    played = lab.play(lab.script([DECISION]), agent=act)
    assert played.errors == [("environment", "crash", True)]
    assert not played.all("answer")


def test_a_crash_in_a_read_is_the_memorys_fault_and_ends_the_decision_only(lab: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        yield from ()
        if len(memory.asks) == 1:
            raise ZeroDivisionError("no luck")
        return (yield from memory._recall(ask))

    memory = lab.Memory(read=read)
    played = lab.play(lab.script([DECISION, NEXT]), ['answer("b")'], memory=memory)
    assert played.errors == [("memory", "crash", False)]
    assert played.one("error").body["message"] == "ZeroDivisionError: no luck"
    assert len(played.model.requests) == 1 and len(played.all("memory_read")) == 1


def test_a_method_that_fails_before_its_first_step_is_blamed_all_the_same(lab: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        raise ZeroDivisionError("at once")

    def act(desk: Any) -> Any:
        raise LookupError("at once")

    played = lab.play(lab.script([DECISION]), memory=lab.Memory(read=read))
    assert played.errors == [("memory", "crash", False)]
    assert lab.play(lab.script([DECISION]), agent=act).errors == [("agent", "crash", False)]


def test_what_is_no_generator_of_effects_is_blamed(lab: Any) -> None:
    played = lab.play(lab.script([DECISION]), memory=lab.Memory(read=lambda memory, ask: None))
    assert played.errors == [("memory", "crash", False)]


@pytest.mark.parametrize("effect", [Embed(("a",)), "look()", None, 7])
def test_an_effect_that_an_agent_may_not_ask_for(lab: Any, effect: Any) -> None:
    def act(desk: Any) -> Any:
        yield effect
        return Answer("never")

    played = lab.play(lab.script([DECISION]), agent=act, embed=lambda texts: [[1.0, 0.0]])
    assert played.errors == [("agent", "invalid", False)]
    assert type(effect).__name__ in played.one("error").body["message"]
    assert not played.all("embedding")


def test_a_memory_may_not_call_tools(lab: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        yield CallTool("add", {"amount": 3})

    played = lab.play(lab.script([DECISION]), memory=lab.Memory(read=read))
    assert played.errors == [("memory", "invalid", False)]
    assert not played.environment.calls


@pytest.mark.parametrize("effect", [Complete(PROMPT, 9), Embed(("a",))])
def test_a_memory_without_that_back_end_is_itself_to_blame(lab: Any, effect: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        yield effect

    played = lab.play(lab.script([DECISION]), memory=lab.Memory(read=read))
    assert played.errors == [("memory", "invalid", False)]
    assert not played.all("call_failed")


def test_a_fault_of_an_effect_can_be_caught_by_who_asked(lab: Any) -> None:
    def act(desk: Any) -> Any:
        prompt = Prompt(instructions="Act.", request=desk.request)
        try:
            yield Complete(prompt, 9)
        except Fault as fault:
            message = f"{fault.culprit} {fault.fault}"
        completion = yield Complete(prompt, 9)
        return Answer(f"{message}, then {completion.text}")

    played = lab.play(lab.script([DECISION]), [ValueError("bad"), "fine"], agent=act)
    assert played.one("answer").body["text"] == "model crash, then fine"
    assert played.errors == [] and len(played.all("call_failed")) == 1


@pytest.mark.parametrize(
    "effect",
    [
        CallTool("no name", {}),
        CallTool("add", {"amount": float("nan")}),
        CallTool("add", {"amount": object()}),
        CallTool("add", None),  # type: ignore[arg-type]
        Complete(None, 9),  # type: ignore[arg-type]
        Complete(Prompt(instructions="\ud800", request="Go."), 9),
    ],
)
def test_an_effect_that_cannot_be_written_down_is_the_agents_fault(lab: Any, effect: Any) -> None:
    def act(desk: Any) -> Any:
        yield effect

    played = lab.play(lab.script([DECISION, NEXT]), agent=act)
    assert played.errors == [("agent", "crash", False)] * 2
    assert not played.all("tool_call") and not played.all("completion")


@pytest.mark.parametrize(
    ("outcome", "fault"),
    [(None, "invalid"), ("done", "invalid"), (Answer("\ud800"), "crash"), (Answer(7), "crash")],  # type: ignore[arg-type]
)
def test_what_is_no_outcome_is_the_agents_fault(lab: Any, outcome: Any, fault: str) -> None:
    def act(desk: Any) -> Any:
        yield from ()
        return outcome

    played = lab.play(lab.script([DECISION]), agent=act)
    assert played.errors == [("agent", fault, False)]
    assert played.complete


@pytest.mark.parametrize("outcome", [Answer("a"), Clarification("b"), Refusal("c")])
def test_an_own_agent_needs_no_model(lab: Any, outcome: Any) -> None:
    def act(desk: Any) -> Any:
        yield from ()
        return outcome

    played = lab.play(lab.script([DECISION]), agent=act)
    assert played.complete and not played.errors and not played.all("completion")


def test_a_fault_that_cannot_be_stored_as_it_is_is_recorded_escaped(lab: Any) -> None:
    def act(desk: Any) -> Any:
        yield from ()
        raise ValueError("odd \udfff")

    played = lab.play(lab.script([DECISION]), agent=act)
    assert played.one("error").body["message"] == "ValueError: odd \\udfff"


def test_decisions_share_what_the_session_has_seen(lab: Any) -> None:
    replies = ["add(amount=3)", 'answer("3")', 'answer("still 3")']
    played = lab.play(lab.script([DECISION, NEXT]), replies)
    lines = [(surface.role, surface.text) for surface in played.model.requests[2].prompt.context]
    assert lines == [
        ("user", "Add 3."),
        ("assistant", "add(amount=3)"),
        ("tool", "the sum is 3"),
        ("assistant", "3"),
    ]


def test_what_only_the_user_can_mend_stops_the_run_with_its_place(lab: Any) -> None:
    missing = InputError("there is no such file", file="model.gguf", line=3)
    with pytest.raises(InputError, match="^model.gguf:3: there is no such file$"):
        lab.play(lab.script([DECISION]), [missing])
