from collections.abc import Callable
from typing import Any

import pytest

from scoring.decisions import Tokens, decisions
from scoring.keys import Probe, WorldCheck

WORLD = {"orders": {"o1": {"refund": None}}}
PAY = [{"op": "replace", "path": "/orders/o1/refund", "value": "45.00"}]
CHECK = WorldCheck(path="/orders/o1/refund", equals="45.00")


def probe(number: int) -> Probe:
    return Probe(
        id=f"p{number}",
        kind="recall",
        decision=f"ask{number}/d",
        dependent=True,
        checks=(CHECK,),
    )


@pytest.fixture
def made(maker: Callable[..., Any]) -> Any:
    run = maker()
    run.arc("a1", [probe(1), probe(2)], world=WORLD)
    run.arm("none")
    return run


def test_a_record_holds_what_was_shown_done_and_changed(made: Any, play: Any) -> None:
    first = play(
        block="refund is 45.00",
        calls=(
            ("find", {"name": "Ada"}, False, []),
            ("refund", {"order": "o1", "amount": "45.00"}, True, PAY),
        ),
        usage=(100, 40, 7),
        text="Paid.",
    )
    made.play("a1", "none", 0, first, play(outcome="refusal", text="I will not."))
    with made.write() as run:
        one, two = decisions(run.trial("a1/none/0"))
    assert (one.id, one.request, one.outcome, one.text) == (
        "ask1/d",
        "Please pay it.",
        "answer",
        "Paid.",
    )
    assert (one.block, one.block_tokens, one.read) == ("refund is 45.00", 3, True)
    assert [item["text"] for item in one.items] == ["refund is 45.00"]
    assert [(call.tool, call.ok, call.text) for call in one.calls] == [
        ("find", False, "ran find"),
        ("refund", True, "ran refund"),
    ]
    assert [call.arguments for call in one.executed] == [{"order": "o1", "amount": "45.00"}]
    assert one.before == WORLD
    assert one.after == {"orders": {"o1": {"refund": "45.00"}}}
    assert two.before == two.after == one.after
    assert one.tokens == {"act": Tokens(100, 40, 7)}
    assert (two.outcome, two.text, two.errored) == ("refusal", "I will not.", False)
    assert 0 < one.first < one.last < two.first < two.last


def test_the_working_context_empties_at_boundaries_only(made: Any, play: Any) -> None:
    tape = made.tape("a1", "none")
    tape.session("ask1")
    tape.say("ask1/m", "It is 45.00.")
    tape.boundary("forced", absorbed=False)  # the memory failed, so nothing may be dropped
    tape.decide("ask1/d", "Pay.", play(calls=(("refund", {"order": "o1"}, True, []),)))
    tape.say("ask1/n", "Thanks.")
    tape.decide("ask2/d", "Again.", play())
    tape.boundary("forced")
    with made.write() as run:
        one, two = decisions(run.trial("a1/none/0"))
    assert [surface.text for surface in one.context] == ["It is 45.00."]
    assert [surface.text for surface in two.context] == [
        "It is 45.00.",
        "Pay.",
        'refund({"order":"o1"})',
        "ran refund",
        "Done.",
        "Thanks.",
    ]
    assert [surface.role for surface in two.context] == [
        "user",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]


def test_a_boundary_keeps_what_came_while_the_memory_absorbed(made: Any, play: Any) -> None:
    tape = made.tape("a1", "none")
    tape.session("ask1")
    tape.say("ask1/m", "Old.")
    tape.boundary("forced")
    tape.say("ask1/n", "New.")
    tape.decide("ask1/d", "Pay.", play())
    tape.session("ask2")
    tape.decide("ask2/d", "Again.", play())
    with made.write() as run:
        one, two = decisions(run.trial("a1/none/0"))
    assert [surface.text for surface in one.context] == ["New."]
    assert two.context == ()


def test_an_error_ends_a_decision_and_names_its_culprit(made: Any, play: Any) -> None:
    made.play("a1", "none", 0, play(error=("model", "unparsable")), play())
    with made.write() as run:
        one, two = decisions(run.trial("a1/none/0"))
    assert (one.outcome, one.text, one.errored) == ("error", "", True)
    assert one.error is not None
    assert (one.error.culprit, one.error.fault, one.error.message) == (
        "model",
        "unparsable",
        "it broke",
    )
    assert two.outcome == "answer"


def test_decisions_never_reached_are_missing_and_carry_the_error(made: Any, play: Any) -> None:
    made.play("a1", "none", 0, play())
    with made.write() as run:
        one, two = decisions(run.trial("a1/none/0"))
    assert one.outcome == "answer"
    assert (two.outcome, two.request, two.errored) == ("missing", "Please pay it.", True)
    assert two.error is not None
    assert (two.error.culprit, two.error.fault) == ("environment", "crash")
    assert (two.first, two.last, two.read) == (-1, -1, False)


def test_a_decision_left_open_by_a_fatal_error_is_an_error(made: Any, play: Any) -> None:
    tape = made.tape("a1", "none")
    tape.session("ask1")
    tape.decide("ask1/d", "Pay.", play(error=None))
    tape.sink.rows.pop()  # the trial ended before the agent did
    tape.recorder.resume_after(tape.sink.rows[-1])
    tape.fail("harness", "crash", None, True)
    with made.write() as run:
        one, _ = decisions(run.trial("a1/none/0"))
    assert one.outcome == "error"
    assert one.error is not None
    assert one.error.culprit == "harness"
