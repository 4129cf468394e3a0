"""The table of `docs/errors.md`, row by row: each failure is the event that it says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.agents.actions import Answer
from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import Block, Shown
from simulator.effects.prompts import Prompt
from simulator.effects.steps import CallTool, Complete, Embed
from simulator.engine import performer, recorder
from simulator.engine.scene import Scene
from simulator.events.faults import Fault

PAGE = Path(__file__).parents[3] / "docs" / "errors.md"
SECRET_TEXT = "what the failed part said"

FIRST = {"kind": "message", "id": "m", "at": 1}
DECISION = {"kind": "decision", "id": "d", "at": 1000, "causes": ["m"], "request": "Add 3."}
NEXT = {"kind": "decision", "id": "next", "at": 2000, "causes": ["d"]}
CUT = {"kind": "compaction", "id": "c", "at": 500}
GONE = {"kind": "document_deleted", "id": "x", "at": 500, "sources": ["e1/m"], "text": "Gone."}

Play = Callable[[Any], Any]


def rows() -> dict[str, tuple[str, str, str]]:
    """Return the table: what happened, to culprit, fault and what it ends."""
    section = PAGE.read_text(encoding="utf-8").partition("## Rules")[2].partition("\n## ")[0]
    lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line] for line in lines[1:]]
    return {what: (culprit, fault, ends) for what, culprit, fault, ends in cells}


def saying(*replies: Any) -> Play:
    """The model says this at the first decision, and at the second that it is done."""
    return lambda lab: lab.play(story(lab), [*replies, 'answer("done")'])


def story(lab: Any, *more: Any) -> Any:
    return lab.script([FIRST, *more, DECISION, NEXT])


def acting(*effects: Any, end: Any = None) -> Play:
    """The agent asks for these, then ends with a text, an outcome, or an exception."""

    def act(desk: Any) -> Any:
        if desk.decision.endswith("next"):
            return Answer("done")
        yield from (effect for effect in effects)
        if isinstance(end, BaseException):
            raise end
        return end

    return lambda lab: lab.play(story(lab), agent=act, environment=lab.Till())


def remembering(**steps: Any) -> Play:
    """The memory does this; the decisions are in a session after the message."""

    def play(lab: Any) -> Any:
        sessions = lab.script([FIRST], [{**DECISION, "causes": []}, NEXT])
        return lab.play(sessions, ['answer("done")'] * 2, memory=lab.Memory(**steps))

    return play


def first(step: Any) -> Any:
    """Do a step at the first read only, and then what a memory should."""

    def read(memory: Any, ask: Any) -> Any:
        return step(memory, ask) if len(memory.asks) == 1 else memory._recall(ask)

    return read


def failing(memory: Any, *given: Any) -> Any:
    raise RuntimeError(SECRET_TEXT)


def block(**fields: Any) -> Any:
    def step(memory: Any, ask: Any) -> Any:
        yield from ()
        shown = {"item": "e1/m", "text": "x", "sources": ("e1/m",)}
        return Block(items=(Shown.model_construct(**{**shown, **fields}),))

    return step


def endless(memory: Any, ask: Any) -> Any:
    while True:
        yield Embed(("again",))


def embedding(embed: Any, kind: str = "read") -> Play:
    """The memory embeds at the first read, or whenever it absorbs."""

    def read(memory: Any, ask: Any) -> Any:
        yield Embed((SECRET_TEXT,))
        return Block()

    def absorb(memory: Any, transcript: Any) -> Any:
        yield Embed((SECRET_TEXT,))

    steps = {"read": first(read)} if kind == "read" else {"absorb": absorb}

    def play(lab: Any) -> Any:
        sessions = story(lab) if kind == "read" else lab.script([FIRST], [{**NEXT, "causes": []}])
        memory = lab.Memory("listed", **steps)
        return lab.play(sessions, ['answer("done")'] * 2, memory=memory, embed=embed)

    return play


def tool(outcome: Callable[[], ToolOutcome], schema: Any = None) -> Play:
    """The tool `add` does this."""

    def play(lab: Any) -> Any:
        class Odd(lab.Till):  # type: ignore[misc]
            tools = (
                Tool(
                    name="add",
                    description="Add.",
                    parameters=schema or {"type": "object", "properties": {}},
                    read_only=False,
                ),
            )

            def call(self, *given: Any) -> ToolOutcome:
                return outcome()

        return lab.play(story(lab), ["add(amount=3)", 'answer("done")'], environment=Odd())

    return play


def raising() -> ToolOutcome:
    raise RuntimeError(SECRET_TEXT)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def change(value: Any) -> Callable[[], ToolOutcome]:
    change = {"op": "add", "path": "/x", "value": value}
    return lambda: ToolOutcome(ok=True, text="done", changes=(change,))


def at_a_boundary(lab: Any) -> Any:
    script = lab.script([FIRST, CUT, {**DECISION, "causes": ["c"]}, NEXT])
    memory = lab.Memory(absorb=absorbing_fails_once)
    return lab.play(script, ['answer("done")'] * 2, memory=memory)


def absorbing_fails_once(memory: Any, transcript: Any) -> Any:
    if len(memory.absorbed) == 1:
        raise RuntimeError(SECRET_TEXT)
    return memory._keep(transcript)


def at_a_session_end(lab: Any) -> Any:
    script = lab.script([FIRST], [{**DECISION, "causes": []}, NEXT])
    return lab.play(script, memory=lab.Memory(absorb=failing))


def forgetting(lab: Any) -> Any:
    script = lab.script([FIRST], [GONE, {**DECISION, "causes": ["x"]}, NEXT])
    return lab.play(script, memory=lab.Memory(forget=failing), forgetting="index")


def rebuilding(lab: Any) -> Any:
    script = lab.script([FIRST, {**FIRST, "id": "n"}], [GONE, {**DECISION, "causes": ["x"]}, NEXT])
    memory = lab.Memory(absorb=merging_once)
    return lab.play(script, ['answer("done")'] * 2, memory=memory, forgetting="lineage")


def merging_once(memory: Any, transcript: Any) -> Any:
    names = [surface.id for surface in transcript]
    if names == ["e1/n"]:
        raise RuntimeError(SECRET_TEXT)
    if "e1/m" in names:
        memory.put("both", sources=frozenset(names))
    yield from ()


def too_large(lab: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorder, "MAX_BODY", 2_000)
        script = lab.script([FIRST], [{**FIRST, "text": "x" * 3_000}, DECISION, NEXT])
        return lab.play(script)


def broken_engine(lab: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scene, "show", failing)
        return lab.play(story(lab, CUT))


def few_effects(play: Play) -> Play:
    def limited(lab: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(performer, "MOST_EFFECTS", 50)
            return play(lab)

    return limited


FINE = [[1.0, 0.0]]
NESTED = "[" * 10_000 + "]" * 10_000
HUGE = "x" * 1_000_000

RULES: dict[str, list[Play]] = {
    "the model fails: its process dies, its endpoint refuses": [saying(OSError(SECRET_TEXT))],
    "the model says a lone surrogate, which no log can hold": [saying('answer("\ud800")')],
    "the model says more than 1,000,000 characters": [saying("x" * 1_000_001)],
    "the prompt does not fit the model's context": [saying(Fault("model", "overflow", "9 more"))],
    "an empty model turn: nothing, or white space": [saying(""), saying(" \n\t ")],
    "a completion cut off by its limit, a whole action or not": [
        lambda lab: saying(lab.said("add(amount=3)", "length"))(lab),
        lambda lab: saying(lab.said("add(amo", "length"))(lab),
    ],
    "a cut-off tool call": [saying("add(amount="), saying('add(note="C:\\new'), saying("add(")],
    "text around the action, or no action": [
        saying("add(amount=3) now"),
        saying("Well: add(amount=3)"),
        saying("I would add 3."),
    ],
    "two calls where one was asked for": [
        saying("add(amount=3) add(amount=4)"),
        saying("add(amount=3)\nadd(amount=3)"),
        saying('add(amount=3), answer("done")'),
    ],
    "an argument given twice": [saying("add(amount=3, amount=4)")],
    "a duplicate key inside an argument": [saying('add(amount={"a": 1, "a": 2})')],
    "10,000-deep nesting (the limit is 20)": [
        saying(f"add(amount={NESTED})"),
        saying('add(amount={"a":' * 10_000),
    ],
    "a 1 MB argument (an action has at most 65,536 bytes)": [saying(f'add(note="{HUGE[:-20]}")')],
    "NaN, an infinity or a lone surrogate as a value": [
        saying("add(amount=NaN)"),
        saying("add(amount=-Infinity)"),
        saying("add(amount=1e999)"),
        saying('answer("\\ud800")'),
    ],
    "no outcome after the agent's steps": [saying(*["look()"] * 4)],
    "an agent that never ends (10,000 effects)": [
        few_effects(acting(*[CallTool("look", {})] * 60))
    ],
    "the agent raises, or calls `sys.exit`": [
        acting(end=KeyError(SECRET_TEXT)),
        acting(end=SystemExit(SECRET_TEXT)),
    ],
    "the agent asks for what it may not have": [acting(Embed(("a",))), acting("look()")],
    "the agent returns what is no outcome": [acting(end="done")],
    "an agent's call that cannot be written: a name, NaN, 10,000-deep, 1 MB": [
        acting(CallTool("no name", {})),
        acting(CallTool("add", {"amount": float("nan")})),
        acting(CallTool("add", {"amount": deep(10_000)})),
        acting(CallTool("add", {"amount": deep(50)})),
        acting(CallTool("add", {"note": HUGE})),
    ],
    "the memory raises while it is read": [remembering(read=first(failing))],
    "a block beyond its budget, its scope or its pedigree": [
        remembering(read=first(block(text="word " * 300))),
        remembering(read=first(block(item="unknown"))),
        remembering(read=first(block(sources=("e1/other",)))),
    ],
    "a block that cannot be stored: a lone surrogate": [
        remembering(read=first(block(text="\ud800")))
    ],
    "a memory whose reading never ends (10,000 effects)": [
        few_effects(
            lambda lab: lab.play(
                story(lab),
                ['answer("done")'] * 2,
                memory=lab.Memory("listed", read=first(endless)),
                embed=lambda texts: FINE,
            )
        )
    ],
    "the memory raises at a compaction; the working context stays": [at_a_boundary],
    "the memory raises at the end of a session": [at_a_session_end],
    "the memory raises when told to forget": [forgetting],
    "the memory raises while it absorbs again what was lost with something forgotten": [rebuilding],
    "the embedder raises": [embedding(lambda texts: failing(texts))],
    "a vector with NaN or an infinity, or of two dimensions, or too few vectors": [
        embedding(lambda texts: [[1.0, float("nan")]]),
        embedding(lambda texts: [[float("inf"), 0.0]]),
        embedding(lambda texts: [[1e300, 0.0]]),
        embedding(lambda texts: [FINE]),
        embedding(lambda texts: []),
    ],
    "the embedder fails at the end of a session": [embedding(failing, "absorb")],
    "a tool raises": [tool(raising)],
    "a tool's change that does not fit the world": [
        tool(
            lambda: ToolOutcome(
                ok=True, text="done", changes=({"op": "remove", "path": "/nowhere"},)
            )
        )
    ],
    "a tool's result that cannot be stored: NaN, a lone surrogate, 10,000-deep": [
        tool(change(float("nan"))),
        tool(lambda: ToolOutcome.model_construct(ok=True, text="\ud800", changes=())),
        tool(change(deep(10_000))),
        tool(change(deep(120))),
    ],
    "a tool answers more than 1,000,000 characters": [
        tool(lambda: ToolOutcome(ok=True, text=HUGE + "x"))
    ],
    "a tool's schema that is none": [
        tool(
            raising,
            {"type": "object", "properties": {"amount": {"type": "integer", "$ref": "#/nowhere"}}},
        ),
        tool(raising, {"type": "object", "properties": {"amount": True}, "required": 3}),
        tool(raising, {"type": "object", "properties": {"amount": {"minimum": "x"}}}),
    ],
    "a scripted event that cannot be shown": [too_large],
    "the engine itself raises": [broken_engine],
}

CASES = [
    pytest.param(what, play, id=f"{what[:40]}-{number}")
    for what, plays in RULES.items()
    for number, play in enumerate(plays)
]


def test_every_rule_of_the_page_is_tested_and_the_other_way_round() -> None:
    assert list(RULES) == list(rows())


@pytest.mark.parametrize(("what", "play"), CASES)
def test_a_failure_is_the_event_that_the_page_says(lab: Any, what: str, play: Play) -> None:
    culprit, fault, ends = rows()[what]
    played = play(lab)
    assert played.errors == [(culprit, fault, ends == "trial")]
    error = played.one("error").body
    assert (error["decision"] or "").endswith("/d") or ends != "decision"
    assert error["decision"] is None or ends != "nothing"
    assert played.complete is (ends != "trial")
    done = [event.body["decision"].partition("/")[2] for event in played.all("answer")]
    assert done == {"decision": ["next"], "nothing": ["d", "next"], "trial": []}[ends]


@pytest.mark.parametrize(("what", "play"), CASES)
def test_what_failed_is_never_shown_as_an_answer(lab: Any, what: str, play: Play) -> None:
    """Neither the part's own words nor the event's stand in anything that is read or scored."""
    played = play(lab)
    message = played.one("error").body["message"]
    for event in played.events:
        if event.kind in ("answer", "clarification", "refusal", "tool_return", "completion"):
            assert SECRET_TEXT not in event.body["text"]
            assert message not in event.body["text"]
    for request in played.model.requests:
        assert SECRET_TEXT not in request.rendered and message not in request.rendered
    for read in played.all("memory_read"):
        assert SECRET_TEXT not in played.text(read.body["block"])


def test_an_exception_without_a_readable_text_is_a_fault_all_the_same(lab: Any) -> None:
    class Evil(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    played = acting(end=Evil())(lab)
    assert played.errors == [("agent", "crash", False)]
    assert played.one("error").body["message"] == "Evil: (its text cannot be read)"


ANSWERS: dict[str, tuple[str, str]] = {
    "an unknown tool": ("open(amount=3)", "error: unknown tool 'open'; known: "),
    "an argument of the wrong type that is exactly one": ('add(amount="12")', "the sum is 12"),
    "an argument of the wrong type that is not": (
        'add(amount="ten")',
        "error: amount: 'ten' is not of type 'integer'",
    ),
    "a missing argument": ("add()", "error: 'amount' is a required property"),
    "an unknown argument": ("add(amount=3, b=4)", "error: Additional properties are not allowed"),
}


@pytest.mark.parametrize("what", ANSWERS)
def test_a_tools_own_answer_is_no_error(lab: Any, what: str) -> None:
    said, told = ANSWERS[what]
    played = lab.play(story(lab), [said, *['answer("done")'] * 2])
    returned = played.one("tool_return").body
    assert returned["text"].startswith(told)
    assert returned["ok"] is not told.startswith("error")
    assert played.errors == []
    assert told in played.model.requests[1].rendered


def test_a_mistake_does_not_fill_the_prompt(lab: Any) -> None:
    """The schema's message quotes the value, which may be as long as an action."""
    for said in (f'add(amount="{"x" * 60_000}")', f"{'x' * 60_000}(a=1)"):
        played = lab.play(story(lab), [said, *['answer("done")'] * 2])
        text = played.one("tool_return").body["text"]
        assert text.startswith("error: ") and len(text) < 600


def test_two_prompts_differ_in_nothing_after_a_caught_fault(lab: Any) -> None:
    """A memory may catch a fault; the failed call is recorded, and nothing of it is shown."""

    def read(memory: Any, ask: Any) -> Any:
        try:
            yield Complete(Prompt(instructions="Sum up.", request="Go."), 9)
        except Fault:
            return Block()

    played = lab.play(
        story(lab),
        ['answer("done")'] * 2,
        memory=lab.Memory(read=read),
        memory_replies=[RuntimeError(SECRET_TEXT)] * 2,
    )
    assert played.errors == [] and len(played.all("call_failed")) == 2
    assert all(SECRET_TEXT not in request.rendered for request in played.model.requests)
