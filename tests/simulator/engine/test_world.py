"""The world: calls are checked before they reach it, and only recorded changes alter it."""

from typing import Any

import pytest

from simulator.engine.world import World
from simulator.events.faults import Fault

DECISION = {"kind": "decision", "id": "d", "at": 1000}


@pytest.fixture
def world(lab: Any) -> World:
    return World(lab.Till(), {"sum": 0})


@pytest.mark.parametrize(
    ("tool", "name", "text", "value"),
    [
        ("add", "amount", "100", 100),
        ("add", "amount", "-7", -7),
        ("add", "amount", "0", 0),
        ("add", "amount", "9" * 400, int("9" * 400)),
        ("rate", "value", "100", 100),
        ("rate", "value", "0.5", 0.5),
        ("rate", "value", "-2.0", -2.0),
        ("rate", "sure", "true", True),
        ("rate", "sure", "false", False),
    ],
)
def test_h23_a_string_that_is_exactly_the_number_is_taken_and_recorded_as_coerced(
    world: World, tool: str, name: str, text: str, value: Any
) -> None:
    rest = {"value": 1} if name == "sure" else {}
    checked = world.check(tool, {name: text, **rest})
    assert (checked.arguments, checked.coerced, checked.error) == (
        {name: value, **rest},
        (name,),
        None,
    )
    assert type(checked.arguments[name]) is type(value)


@pytest.mark.parametrize(
    "text",
    ["100 ", " 100", "1e2", "0100", "+5", "-0", "1_000", "1.0", "１", "ten", "", "true", "0x10"],
)
def test_h23_a_string_that_is_not_exactly_an_integer_is_an_error(world: World, text: str) -> None:
    checked = world.check("add", {"amount": text})
    assert checked.arguments == {"amount": text}
    assert checked.coerced == ()
    assert checked.error == f"error: amount: {text!r} is not of type 'integer'"


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400", "1.50", ".5", "5.", "NaN"])
def test_a_string_that_is_not_exactly_a_number_is_an_error(world: World, text: str) -> None:
    assert world.check("rate", {"value": text}).error is not None


@pytest.mark.parametrize("text", ["True", "yes", "1", "TRUE", ""])
def test_a_string_that_is_not_exactly_a_boolean_is_an_error(world: World, text: str) -> None:
    assert world.check("rate", {"value": 1, "sure": text}).error is not None


def test_other_types_are_never_bent(world: World) -> None:
    assert world.check("add", {"amount": True}).error == (
        "error: amount: True is not of type 'integer'"
    )
    assert world.check("add", {"amount": 1, "note": 7}).error == (
        "error: note: 7 is not of type 'string'"
    )
    assert world.check("add", {"amount": 1, "note": "7"}).coerced == ()


def test_where_the_schema_allows_several_types_nothing_is_coerced(world: World) -> None:
    assert world.check("pick", {"number": None}).error is None
    assert world.check("pick", {"number": "7"}).error == (
        "error: number: '7' is not of type 'integer', 'null'"
    )


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (
            "subtract(amount=3)",
            "error: unknown tool 'subtract'; known: add, rate, pick, look, smash, warp, mutter",
        ),
        ("add()", "error: 'amount' is a required property"),
        (
            'add(amount=3, to="me")',
            "error: Additional properties are not allowed ('to' was unexpected)",
        ),
        ('add(amount="3 ")', "error: amount: '3 ' is not of type 'integer'"),
    ],
)
def test_a_call_that_does_not_fit_is_told_to_the_agent_and_never_runs(
    lab: Any, reply: str, error: str
) -> None:
    played = lab.play(lab.script([DECISION]), [reply, 'answer("sorry")'])
    returned = played.one("tool_return")
    assert (returned.body["ok"], returned.body["text"]) == (False, error)
    assert played.model.requests[1].prompt.steps[-1].text == error
    assert not played.environment.calls and not played.all("world_change")
    assert played.errors == [] and played.complete


def test_call_return_and_change_share_an_id(lab: Any) -> None:
    second = {**DECISION, "id": "e", "causes": ["d"], "scope": "ann"}
    replies = ['add(amount="3", note="x")', 'answer("1")', "look()", "add(amount=4)", 'answer("2")']
    played = lab.play(lab.script([DECISION, second]), replies)
    kinds = ("tool_call", "tool_return", "world_change")
    assert {kind: [event.body["call"] for event in played.all(kind)] for kind in kinds} == {
        "tool_call": ["e1/d:0", "e1/e:1", "e1/e:2"],
        "tool_return": ["e1/d:0", "e1/e:1", "e1/e:2"],
        "world_change": ["e1/d:0", "e1/e:2"],
    }
    first = played.all("tool_call")[0]
    assert first.body == {
        "call": "e1/d:0",
        "tool": "add",
        "arguments": {"amount": 3, "note": "x"},
        "coerced": ["amount"],
    }
    for kind in ("tool_return", "world_change"):
        assert played.all(kind)[0].causes == [first.id]
    assert [e.body["patch"] for e in played.all("world_change")] == [
        [{"op": "replace", "path": "/sum", "value": 3}],
        [{"op": "replace", "path": "/sum", "value": 7}],
    ]
    assert played.all("world_change")[1].row.scope == "ann"
    # The agent sees the call as it wrote it, and both halves with the same id.
    call, result = played.model.requests[1].prompt.steps
    assert (call.text, call.call, result.call) == ('add(amount="3", note="x")', "e1/d:0", "e1/d:0")


def test_the_tool_gets_typed_arguments_at_the_time_of_its_result(lab: Any) -> None:
    played = lab.play(lab.script([DECISION]), ['add(amount="3")', 'answer("ok")'])
    assert played.environment.calls == [("add", {"amount": 3}, 1512)]


def test_changes_add_up_and_the_script_keeps_its_world(lab: Any) -> None:
    script = lab.script([DECISION], world={"sum": 40})
    played = lab.play(script, ["add(amount=1)", "add(amount=1)", "look()", 'answer("ok")'])
    assert [e.body["text"] for e in played.all("tool_return")] == [
        "the sum is 41",
        "the sum is 42",
        "the sum is 42",
    ]
    assert script.world == {"sum": 40}


@pytest.mark.parametrize(
    ("tool", "kind"), [("smash", "RuntimeError"), ("warp", "a change does not fit the world")]
)
def test_a_tool_that_fails_leaves_the_world_as_it_was(world: World, tool: str, kind: str) -> None:
    with pytest.raises(Fault, match=f"environment crash: {kind}"):
        world.call(tool, {}, 0)
    assert world.state == {"sum": 0}


@pytest.mark.parametrize("tool", ["warp", "mutter"])
def test_a_tool_whose_result_cannot_be_used_is_fatal(lab: Any, tool: str) -> None:
    played = lab.play(lab.script([DECISION]), [f"{tool}()"])
    assert played.errors == [("environment", "crash", True)]
    assert not played.all("tool_return") and not played.all("world_change")
