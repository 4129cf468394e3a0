"""Failure classes, by phrase and by query, worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring.compare import compare
from scoring.decisions import CallRecord, DecisionRecord
from scoring.failures import correlation
from scoring.keys import (
    CalledCheck,
    FailureClass,
    Forbidden,
    Gold,
    NeverSaysCheck,
    Probe,
    SaysCheck,
)
from scoring.scorers import PLAIN
from scoring.verdicts import NOTHING_COUNTS, Verdict, judge


def asking(
    number: int,
    failure: FailureClass,
    *values: str,
    says: str = "It",
    domain: str | None = None,
) -> Probe:
    return Probe(
        id=f"p{number}",
        kind="question",
        decision=f"ask{number}/d",
        dependent=True,
        domain=domain,
        checks=(
            SaysCheck(phrase=says),
            *(NeverSaysCheck(phrase=value, failure=failure) for value in values),
        ),
        forbidden=tuple(Forbidden(value=value, failure=failure) for value in values),
    )


@pytest.fixture
def row(maker: Callable[..., Any], play: Any) -> Any:
    """Five queries: one rules the dead value out, two violate, one fails, one is left out whole."""
    made = maker()
    probes = [
        asking(
            1, "resurrection", "Friday", "Monday", says="Thursday", domain="interruption_resumption"
        ),
        asking(2, "leakage", "salary 90k", "approved"),
        asking(3, "fabrication", "$50,000"),
        asking(4, "resurrection", "Friday"),
        asking(5, "leakage", "approved"),
    ]
    requests = {probe.decision: "When is it?" for probe in probes}
    requests["ask3/d"] = "Is it $50,000?"
    made.arc("a1", probes, requests=requests)
    made.arm("none")
    made.play(
        "a1",
        "none",
        0,
        play(text="It is Thursday, not Friday."),
        play(text="The salary 90k was approved."),
        play(text="Yes, $50,000."),
        play(error=("model", "unparsable")),
        play(text="No."),
    )
    with made.write() as run:
        (found,) = compare([run], ["arm"])["rows"]
    return found


def counts(row: Any, gate: str, name: str) -> tuple[list[int], list[int], list[int]]:
    found = row[gate][name]
    return found["by_query"], found["by_query_without_errors"], found["by_phrase"]


def test_each_class_has_its_own_denominators(row: Any) -> None:
    assert counts(row, "failures", "resurrection") == ([0, 2], [0, 1], [0, 3])
    assert counts(row, "failures", "leakage") == ([1, 1], [1, 1], [1, 1])
    assert counts(row, "failures", "fabrication") == ([1, 1], [1, 1], [1, 1])
    # A part of resurrection, shown as a class of its own too.
    assert counts(row, "failures", "interruption") == ([0, 1], [0, 1], [0, 2])
    assert counts(row, "failures", "any") == ([2, 4], [2, 3], [2, 5])
    rates = row["failures"]["any"]
    assert (rates["query_rate"], rates["phrase_rate"]) == (0.5, 0.4)
    assert rates["query_rate_without_errors"] == pytest.approx(2 / 3)


def test_the_interval_is_over_clusters(row: Any) -> None:
    # One arc, one cluster: any rate could have come of it.
    assert row["failures"]["leakage"]["query_rate_ci"] == [pytest.approx(0.025), 1.0]


def test_the_query_aware_gate_stands_beside_the_headline(row: Any) -> None:
    assert counts(row, "failures_query_aware", "any") == ([1, 3], [1, 2], [1, 4])
    gone = row["failures_query_aware"]["fabrication"]
    assert (gone["by_query"], gone["query_rate"], gone["phrase_rate"]) == ([0, 0], None, None)
    assert row["failures"]["fabrication"]["query_rate"] == 1.0


def test_what_a_gate_takes_out_is_counted_with_the_reason(row: Any) -> None:
    assert row["left_out"] == {
        "by_phrase": {"phrases": 2, "queries": 1, "reasons": {"a topic word": 2}},
        "by_query": {
            "phrases": 3,
            "queries": 2,
            "reasons": {"a topic word": 2, "in the question": 1},
        },
    }


def test_length_rejection_and_their_correlation_with_violations(row: Any) -> None:
    # Thursday and approved cost 2 tokens: 8, 8, 7 and 2.
    assert (row["answer_tokens"], row["n_answers"]) == (25 / 4, 4)
    assert (row["rejected"], row["rejected_rate"]) == ([1, 4], 0.25)
    # Violated 0 1 1 against lengths 8 8 7, and against 1 0 0.
    assert row["n_correlated"] == 3
    assert row["violation_by_length"] == pytest.approx(-0.5)
    assert row["violation_by_rejection"] == pytest.approx(-1.0)


def test_a_row_names_the_scorer_and_the_keys(row: Any, maker: Callable[..., Any]) -> None:
    assert row["scorer"] == "clause-2"
    assert len(row["keys"]) == 64


@pytest.mark.parametrize(
    ("one", "other", "r"),
    [
        ([], [], None),
        ([1.0], [2.0], None),
        ([1.0, 1.0], [0.0, 1.0], None),
        ([0.0, 1.0], [5.0, 5.0], None),
        ([0.0, 1.0], [5.0, 9.0], 1.0),
        # phi of 3 1 / 1 3: (3*3 - 1*1) / sqrt(4*4*4*4)
        ([0.0] * 4 + [1.0] * 4, [0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0], 0.5),
    ],
)
def test_a_correlation_with_a_constant_is_null(
    one: list[float], other: list[float], r: float | None
) -> None:
    assert correlation(one, other) == (None if r is None else pytest.approx(r))


def judged(
    probe: Probe, text: str, *calls: tuple[str, dict[str, Any]], ended: Any = "answer"
) -> Verdict:
    made = tuple(CallRecord(tool, arguments, (), True, "", 1) for tool, arguments in calls)
    record = DecisionRecord(
        trial="t", id=probe.decision, request="Pay.", calls=made, outcome=ended, text=text
    )
    return judge(record, probe)


def test_a_dead_value_that_was_acted_on_is_used_whatever_the_text_says() -> None:
    probe = asking(1, "resurrection", "$45")
    (mention,) = judged(probe, "It is not $45.", ("pay", {"amount": "$45"})).mentions
    assert (mention.used, mention.rejected, mention.argument) == (True, False, "pay(amount)")
    (mention,) = judged(probe, "It is not $45.").mentions
    assert (mention.used, mention.rejected, mention.said.verdict) == (False, True, "negated")


def test_a_check_that_forbids_saying_a_phrase_says_nothing_of_arguments() -> None:
    never = NeverSaysCheck(phrase="$45", failure="leakage")
    probe = asking(1, "resurrection").model_copy(update={"checks": (never,)})
    assert judged(probe, "Done.", ("pay", {"amount": "$45"})).misuses == ()
    (misuse,) = judged(probe, "I paid $45.").misuses
    assert (misuse.value, misuse.failure, misuse.where) == ("$45", "leakage", "text")


def test_a_value_of_two_classes_counts_in_both() -> None:
    probe = asking(1, "resurrection", "$45").model_copy(
        update={"checks": (NeverSaysCheck(phrase="$45", failure="leakage"),)}
    )
    found = judged(probe, "It is $45.").misuses
    assert [each.failure for each in found] == ["resurrection", "leakage"]


def test_an_inadmissible_phrase_neither_fails_a_decision_nor_is_used() -> None:
    probe = asking(1, "leakage", "approved", "$45")
    verdict = judged(probe, "It was approved.")
    assert (verdict.success, verdict.misuses) == (True, ())
    assert verdict.results[1] == (True, "left out: 'approved' alone shows nothing (a topic word)")
    assert not judged(probe, "It was approved at $45.").success


def test_a_probe_that_only_forbids_inadmissible_phrases_is_not_scorable() -> None:
    probe = asking(1, "leakage", "approved")
    only = probe.model_copy(update={"checks": probe.checks[1:]})
    verdict = judged(only, "It was approved.")
    assert (verdict.skipped, verdict.why) == ("not_scorable", NOTHING_COUNTS)
    # Under the rules before, it was scored and failed.
    assert judge(verdict.record, only, PLAIN).skipped is None
    assert not judge(verdict.record, only, PLAIN).success


def test_required_content_is_out_of_reach_of_the_query_aware_gate() -> None:
    probe = asking(1, "resurrection", "$45", "$50", says="$45").model_copy(
        update={"gold": (Gold(name="amount", value="from $50 on"),)}
    )
    found = judged(probe, "It is $45.").mentions
    assert [each.aware for each in found] == ["in the required content"] * 2
    assert [each.left_out for each in found] == [None, None]


def test_a_violation_before_an_error_is_one(maker: Callable[..., Any], play: Any) -> None:
    made = maker()
    probe = Probe(
        id="p",
        kind="update",
        decision="ask/d",
        dependent=True,
        checks=(CalledCheck(tool="pay", arguments={"amount": "$60"}),),
        forbidden=(Forbidden(value="$45", failure="resurrection"),),
    )
    made.arc("a1", [probe])
    made.arm("none")
    call: tuple[Any, ...] = ("pay", {"amount": "$45"}, True, [])
    made.play("a1", "none", 0, play(calls=(call,), error=("agent", "step_cap")))
    with made.write() as run:
        (row,) = compare([run])["rows"]
    assert counts(row, "failures", "resurrection") == ([1, 1], [0, 0], [1, 1])
    assert (row["answer_tokens"], row["n_answers"], row["n_correlated"]) == (None, 0, 0)
