from collections.abc import Callable
from typing import Any

import pytest

from scoring.checks import evaluate, same
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import (
    CalledCheck,
    DecidesCheck,
    Gold,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    SaysCheck,
    WorldCheck,
)
from scoring.verdicts import judge
from simulator.events.errors import InputError


def record(
    *calls: tuple[str, dict[str, Any], bool],
    before: Any = None,
    after: Any = None,
    outcome: Any = "answer",
    text: str = "Done.",
    **more: Any,
) -> DecisionRecord:
    made = tuple(CallRecord(tool, arguments, (), ok, "", 3) for tool, arguments, ok in calls)
    return DecisionRecord(
        trial="t",
        id="ask/d",
        request="Please pay it.",
        calls=made,
        before=before,
        after=after,
        outcome=outcome,
        text=text,
        **more,
    )


@pytest.mark.parametrize(
    ("before", "after", "passed"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, True),
        ({"a": {"b": 2}}, {"a": {"b": 2}}, False),  # it was so before
        ({"a": {"b": 1}}, {"a": {"b": 1}}, False),
        ({"a": {}}, {"a": {"b": 2}}, True),
        ({"a": {}}, {"a": {}}, False),
        ({"a": {"b": 1}}, {"a": {"b": "2"}}, False),
        ({"a": {"b": 1}}, {"a": {"b": True}}, False),
        ({}, {"a": [1]}, False),
    ],
)
def test_a_world_check_is_a_delta(before: Any, after: Any, passed: bool) -> None:
    check = WorldCheck(path="/a/b", equals=2)
    assert evaluate(check, record(before=before, after=after)).passed is passed


def test_a_pointer_into_lists_and_past_their_end() -> None:
    after = {"notes": ["x"]}
    last, end = WorldCheck(path="/notes/0", equals="x"), WorldCheck(path="/notes/-", equals="x")
    done = record(before={"notes": []}, after=after)
    assert evaluate(last, done).passed
    assert not evaluate(end, done).passed


def test_a_path_that_is_no_pointer_is_the_keys_mistake() -> None:
    with pytest.raises(InputError, match="no JSON Pointer"):
        evaluate(WorldCheck(path="a/b", equals=1), record(before={}, after={}))


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (True, 1, False),
        (0, False, False),
        ("1", 1, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        (None, None, True),
        ("0012", "12", False),
    ],
)
def test_values_compare_by_structure(one: Any, other: Any, equal: bool) -> None:
    assert same(one, other) is equal


REFUND = ("refund", {"order": "o1", "amount": "45.00", "note": "late"}, True)


@pytest.mark.parametrize(
    ("calls", "made"),
    [
        ([REFUND], True),
        ([("refund", {"order": "o1", "amount": "45.00"}, False)], False),
        ([("refund", {"order": "o1"}, True)], False),
        ([("refund", {"order": "o1", "amount": "54.00"}, True)], False),
        ([("credit", {"order": "o1", "amount": "45.00"}, True)], False),
        ([("refund", {"order": "o1", "amount": "54.00"}, True), REFUND], True),
        ([], False),
    ],
)
def test_called_wants_a_successful_call_with_at_least_the_arguments(calls: Any, made: bool) -> None:
    wanted = {"order": "o1", "amount": "45.00"}
    done = record(*calls)
    assert evaluate(CalledCheck(tool="refund", arguments=wanted), done).passed is made
    assert evaluate(NotCalledCheck(tool="refund", arguments=wanted), done).passed is not made


def test_a_failed_call_is_told_apart_in_the_reason() -> None:
    check = CalledCheck(tool="refund", arguments={"amount": "45.00"})
    result = evaluate(check, record(("refund", {"amount": "54.00"}, True)))
    assert result.reason == (
        'no successful call of refund with {"amount":"45.00"}; '
        'it was called with {"amount":"54.00"} '
        "(compared as plain JSON: the environment '' is not installed here)"
    )


def test_only_an_answer_can_say_or_decide_but_any_text_can_leak() -> None:
    answer = record(text="Yes, it is $45.")
    refusal = record(outcome="refusal", text="Yes, it is $45.")
    error = record(outcome="error", text="")
    leak = NeverSaysCheck(phrase="$45", failure="leakage")
    assert evaluate(SaysCheck(phrase="$45"), answer).passed
    assert not evaluate(SaysCheck(phrase="$4"), answer).passed
    assert not evaluate(SaysCheck(phrase="$45"), refusal).passed
    assert evaluate(DecidesCheck(decision="yes"), answer).passed
    assert not evaluate(DecidesCheck(decision="no"), answer).passed
    assert not evaluate(DecidesCheck(decision="yes"), refusal).passed
    assert not evaluate(DecidesCheck(decision="no"), record(text="Not sure.")).passed
    assert not evaluate(leak, answer).passed
    assert not evaluate(leak, refusal).passed
    assert evaluate(leak, error).passed


def probe(*checks: Any, **more: Any) -> Probe:
    return Probe(id="p", kind="recall", decision="ask/d", dependent=True, checks=checks, **more)


def test_success_needs_all_checks_and_an_outcome_of_the_agents() -> None:
    never = NeverSaysCheck(phrase="40", failure="resurrection")
    says = SaysCheck(phrase="45")
    assert judge(record(text="It is 45."), probe(says, never)).success
    assert judge(record(text="It is 45, not 40."), probe(says, never)).success
    mixed = judge(record(text="It is 45 or 40."), probe(says, never))
    assert not mixed.success
    assert [result.passed for result in mixed.results] == [True, False]
    silent = judge(record(outcome="error", text=""), probe(never))
    assert silent.results[0].passed
    assert not silent.success
    assert silent.errored


@pytest.mark.parametrize(
    ("more", "skipped", "why"),
    [
        ({"excluded": "no evidence"}, "excluded", "no evidence"),
        ({"not_scorable": "silence passes"}, "not_scorable", "silence passes"),
    ],
)
def test_skipped_probes_get_no_verdict(more: Any, skipped: str, why: str) -> None:
    verdict = judge(record(text="45"), probe(SaysCheck(phrase="45"), **more))
    assert (verdict.skipped, verdict.why, verdict.success) == (skipped, why, False)


def test_an_empty_list_of_checks_is_no_success() -> None:
    verdict = judge(record(), probe())
    assert (verdict.skipped, verdict.success) == ("not_scorable", False)
    assert verdict.why == "the probe has no checks"


def test_gold_is_looked_for_in_block_context_and_arguments(surface: Callable[..., Any]) -> None:
    gold = (
        Gold(name="amount", value="45.00"),
        Gold(name="street", value="Oak Lane"),
        Gold(name="code", value="K-7"),
    )
    done = record(
        ("refund", {"amount": 45.0, "address": {"lines": ["4 OAK  LANE"]}}, True),
        ("note", {"text": "K-7"}, False),
        block="refund is 45.00; street Oak Lane; code K-71",
        context=(surface("Send it to Oak Lane."),),
    )
    verdict = judge(done, probe(CalledCheck(tool="refund"), gold=gold))
    found = {each.name: (each.in_block, each.in_context, each.used) for each in verdict.gold}
    assert found == {
        "amount": (True, False, True),
        "street": (True, True, True),
        "code": (False, False, False),
    }
    assert not verdict.had_gold


def test_a_boolean_argument_holds_no_number() -> None:
    gold = (Gold(name="count", value="1"), Gold(name="odd", value="snan"))
    done = record(("set", {"flag": True, "count": 5}, True), block="count 1")
    verdict = judge(done, probe(CalledCheck(tool="set"), gold=gold))
    assert [each.used for each in verdict.gold] == [False, False]


def test_text_questions_use_gold_by_asserting_it() -> None:
    gold = (Gold(name="amount", value="45"),)
    done = record(text="It is 45.", block="amount 45")
    assert judge(done, probe(SaysCheck(phrase="45"), gold=gold)).gold[0].used
    declined = record(outcome="refusal", text="Not 45.", block="amount 45")
    assert not judge(declined, probe(SaysCheck(phrase="45"), gold=gold)).gold[0].used


def test_misuses_name_the_place() -> None:
    forbidden = (
        {"value": "40.00", "failure": "resurrection"},
        {"value": "X9", "failure": "leakage"},
    )
    done = record(("refund", {"amount": "40.00"}, True), text="I used 40.00.")
    verdict = judge(done, probe(CalledCheck(tool="refund"), forbidden=forbidden))
    assert [(each.value, each.where) for each in verdict.misuses] == [
        ("40.00", "argument"),
        ("40.00", "text"),
    ]
    assert verdict.stale_used == ("40.00",)
