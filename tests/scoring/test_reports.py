"""Checks of submitted reports: every verdict here was worked out by hand from docs/scoring.md."""

from typing import Any

import pytest

from scoring.checks import CheckResult, evaluate
from scoring.decisions import CallRecord, DecisionRecord
from scoring.fidelity import Fidelity, fidelity
from scoring.keys import (
    Check,
    CitesCheck,
    DefersCheck,
    FlagsCheck,
    NeverCitesCheck,
    NeverSaysCheck,
    Probe,
    QuotesCheck,
)
from scoring.quoting import find_quotation
from scoring.reports import last_report
from scoring.verdicts import judge
from simulator.events.errors import InputError

CLAUSE = "The contract “renews” for 12 months – unless either party objects."


def claim(text: str, *sources: str, status: str = "supported") -> dict[str, Any]:
    return {"text": text, "sources": list(sources), "status": status}


def record(*reports: dict[str, Any], ok: bool = True, text: str = "Done.") -> DecisionRecord:
    calls = [
        CallRecord("submit_report", {"claims": [], **report}, (), ok, "", place)
        for place, report in enumerate(reports)
    ]
    return DecisionRecord(
        trial="t", id="e/d", request="Report.", calls=tuple(calls), outcome="answer", text=text
    )


def result(check: Check, *reports: dict[str, Any], **more: Any) -> CheckResult:
    return evaluate(check, record(*reports, **more))


@pytest.mark.parametrize(
    ("claims", "phrase", "passed"),
    [
        ([claim("It is $4.30.", "DOC-1")], None, True),
        ([claim("It is $4.30.", "DOC-1")], "$4.30", True),
        ([claim("It is $4.30.", "DOC-2", "DOC-1")], "$4.30", True),
        ([claim("It is $4.30.", "DOC-10")], "$4.30", False),
        ([claim("It is $4.30.")], "$4.30", False),
        ([claim("It is $4.30.", "DOC-1", status="flagged")], "$4.30", False),
        ([claim("It is $4.10.", "DOC-1")], "$4.30", False),
        # One claim must do both.
        ([claim("It is $4.10.", "DOC-1"), claim("It is $4.30.", "DOC-2")], "$4.30", False),
        ([claim("It is not $4.30; that was replaced.", "DOC-1")], "$4.30", False),
        ([claim("It is $14.30.", "DOC-1")], "$4.30", False),
        ([], None, False),
    ],
)
def test_cites(claims: Any, phrase: str | None, passed: bool) -> None:
    check = CitesCheck(source="DOC-1", phrase=phrase)
    assert result(check, {"claims": claims}).passed is passed


@pytest.mark.parametrize(
    ("report", "passed"),
    [
        ({"claims": [claim("So.", "DOC-1")]}, False),
        ({"claims": [claim("So.", "DOC-2"), claim("And so.", "DOC-2", "DOC-1")]}, False),
        ({"claims": [claim("So.", "DOC-1", status="flagged")]}, True),
        ({"quotes": [{"text": "So.", "source": "DOC-1"}]}, False),
        ({"claims": [claim("DOC-1 says so.", "DOC-10")]}, True),
        ({"pending": [{"text": "DOC-1", "reason": "It is gone."}]}, True),
        ({}, True),
    ],
)
def test_never_cites(report: Any, passed: bool) -> None:
    assert result(NeverCitesCheck(source="DOC-1"), report).passed is passed


@pytest.mark.parametrize(
    ("claims", "passed"),
    [
        ([claim("It falls by 8 percent.", "DOC-1", status="flagged")], True),
        ([claim("It falls by 8 percent.", "DOC-1")], False),
        ([claim("It falls.", "DOC-1")], False),
        ([claim("It falls by 8 percent.")], False),  # it depends on it without saying so
        ([claim("It falls by 8 percent.", "DOC-2", status="flagged")], True),
        ([claim("It falls by 18 percent.")], True),
        ([claim("It is not 8 percent any more.")], True),
        ([claim("One.", "DOC-1", status="flagged"), claim("Two.", "DOC-1")], False),
        ([], True),  # absent
    ],
)
def test_flags(claims: Any, passed: bool) -> None:
    check = FlagsCheck(source="DOC-1", phrases=("8 percent",))
    assert result(check, {"claims": claims}).passed is passed


@pytest.mark.parametrize(
    ("text", "source", "passed", "typographic"),
    [
        (CLAUSE, "DOC-1", True, True),
        (CLAUSE.replace("12 ", "12\n   "), "DOC-1", True, True),
        (f"\n{CLAUSE}\n", "DOC-1", True, True),
        (CLAUSE.replace("“", '"').replace("”", '"'), "DOC-1", False, True),
        (CLAUSE.replace("–", "-"), "DOC-1", False, True),
        (CLAUSE.replace("12 ", "12\u00a0"), "DOC-1", False, True),
        (CLAUSE.replace("party", "par\u00adty"), "DOC-1", False, True),
        (CLAUSE.replace("The", "the"), "DOC-1", False, False),
        (CLAUSE.replace("12", "twelve"), "DOC-1", False, False),
        (CLAUSE.removesuffix("."), "DOC-1", False, False),
        (CLAUSE.replace(" months", "months"), "DOC-1", False, False),
        (f"{CLAUSE} And more.", "DOC-1", False, False),
        (CLAUSE, "DOC-2", False, False),
    ],
)
def test_quotes(text: str, source: str, passed: bool, typographic: bool) -> None:
    quotes = [{"text": "Another one.", "source": "DOC-1"}, {"text": text, "source": source}]
    check = QuotesCheck(text=CLAUSE, source="DOC-1")
    found = find_quotation(check, record({"quotes": quotes}))
    assert found is not None
    assert (found.verbatim, found.typographic) == (passed, typographic)
    assert result(check, {"quotes": quotes}).passed is passed
    assert find_quotation(check, record()) is None


def test_a_quotation_from_the_wrong_place_says_from_which() -> None:
    found = result(
        QuotesCheck(text=CLAUSE, source="DOC-1"), {"quotes": [{"text": CLAUSE, "source": "DOC-2"}]}
    )
    assert found.reason == "quoted, but from DOC-2"


@pytest.mark.parametrize(
    ("pending", "passed"),
    [
        ([("the legal review", "DOC-1 was withdrawn.")], True),
        ([("Legal review is not done yet", "no access: DOC-1 was withdrawn")], True),
        ([("the legal review", "time")], False),
        ([("the review", "DOC-1 was withdrawn.")], False),
        ([("the legal review", "time"), ("legal review, again", "withdrawn")], True),
        ([], False),
    ],
)
def test_defers(pending: Any, passed: bool) -> None:
    listed = [{"text": text, "reason": reason} for text, reason in pending]
    check = DefersCheck(item="legal review", reason="withdrawn")
    assert result(check, {"pending": listed}).passed is passed
    # Without a reason in the key any reason will do.
    named = any("legal" in text.lower() for text, _ in pending)
    assert result(DefersCheck(item="legal review"), {"pending": listed}).passed is named


FIVE: list[tuple[Check, bool]] = [
    (CitesCheck(source="DOC-1"), False),
    (NeverCitesCheck(source="DOC-1"), True),
    (FlagsCheck(source="DOC-1"), True),
    (QuotesCheck(text="So.", source="DOC-1"), False),
    (DefersCheck(item="it"), False),
]


@pytest.mark.parametrize(("check", "passed"), FIVE)
def test_without_a_report_what_is_wanted_fails_and_what_is_forbidden_did_not_happen(
    check: Check, passed: bool
) -> None:
    whole = {
        "claims": [claim("So.", "DOC-1")],
        "quotes": [{"text": "So.", "source": "DOC-1"}],
        "pending": [{"text": "it", "reason": "time"}],
    }
    for found in (result(check), result(check, whole, ok=False)):
        assert (found.passed, found.reason) == (passed, "no report was submitted")
    assert result(check, whole).passed is not passed


@pytest.mark.parametrize(("check", "passed"), FIVE)
def test_the_last_report_counts(check: Check, passed: bool) -> None:
    whole = {
        "claims": [claim("So.", "DOC-1")],
        "quotes": [{"text": "So.", "source": "DOC-1"}],
        "pending": [{"text": "it", "reason": "time"}],
    }
    assert result(check, whole, {}).passed is passed
    assert result(check, {}, whole).passed is not passed


def test_what_may_not_be_said_may_not_be_reported_either() -> None:
    check = NeverSaysCheck(phrase="$4.10", failure="leakage")
    for report in (
        {"claims": [claim("A unit is $4.10.", status="flagged")]},
        {"quotes": [{"text": "A unit is $4.10.", "source": "DOC-1"}]},
        {"pending": [{"text": "the price", "reason": "It was $4.10."}]},
    ):
        found = result(check, report)
        assert not found.passed and found.reason.startswith("leakage: the report asserts '$4.10'")
    assert result(check, {"claims": [claim("It is $4.30, not $4.10.")]}).passed
    assert result(check, {"claims": [claim("It is $4.10.")]}, {}).passed
    assert not result(check, {}, text="It is $4.10.").passed


def test_a_report_of_another_form_is_read_for_phrases_and_by_no_other_check() -> None:
    strange = record({"claims": "A unit is $4.10."})
    assert not evaluate(NeverSaysCheck(phrase="$4.10", failure="leakage"), strange).passed
    with pytest.raises(InputError, match="the report at e/d cannot be read: claims: "):
        evaluate(CitesCheck(source="DOC-1"), strange)
    with pytest.raises(InputError, match="claims.0.status"):
        last_report(record({"claims": [{"text": "x", "sources": []}]}))


def test_a_forbidden_value_in_a_claim_is_a_use_of_it() -> None:
    forbidden = ({"value": "$4.10", "failure": "leakage"},)
    probe = probing(CitesCheck(source="DOC-1"), forbidden=forbidden)
    verdict = judge(record({"claims": [claim("A unit is $4.10.", "DOC-1")]}), probe)
    assert [(each.value, each.where, each.reason) for each in verdict.misuses] == [
        ("$4.10", "argument", "submit_report(claims) ran with it")
    ]


def probing(*checks: Check, **more: Any) -> Probe:
    fields = {"id": "p", "kind": "independent", "decision": "e/d", "dependent": False}
    return Probe.model_validate({**fields, "checks": checks, **more})


def test_gold_is_used_in_the_report_where_the_report_is_what_is_checked() -> None:
    gold = ({"name": "price", "value": "$4.30"},)
    for check in (
        CitesCheck(source="DOC-1"),
        DefersCheck(item="x"),
        QuotesCheck(text="x", source="y"),
    ):
        probe = probing(check, gold=gold)
        used = judge(record({"claims": [claim("It is $4.30.", "DOC-1")]}), probe).gold[0]
        said = judge(record({}, text="It is $4.30."), probe).gold[0]
        assert (used.used, said.used) == (True, False)


def test_fidelity_counts_quotations_of_scored_decisions() -> None:
    """Three of four are wanted by scored probes: one word for word, one typographic, one wrong."""
    straight = CLAUSE.replace("“", '"').replace("”", '"')
    quotes = [{"text": CLAUSE, "source": "DOC-1"}, {"text": straight, "source": "DOC-2"}]
    told = record({"quotes": quotes})
    exact, loose = (
        QuotesCheck(text=CLAUSE, source="DOC-1"),
        QuotesCheck(text=CLAUSE, source="DOC-2"),
    )
    wrong = QuotesCheck(text="Not there.", source="DOC-1")
    assert fidelity([judge(record(), probing(exact))]) == Fidelity(1, 0, 0)
    probes = [
        probing(exact, loose),
        probing(wrong, NeverCitesCheck(source="DOC-3")),
        probing(exact, excluded="not run"),
        probing(NeverCitesCheck(source="DOC-3")),
    ]
    assert fidelity(judge(told, probe) for probe in probes) == Fidelity(3, 1, 2)
    assert fidelity([]) == Fidelity(0, 0, 0)
