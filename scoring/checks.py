"""Checks: one deterministic predicate each over what a decision did."""

from functools import singledispatch
from typing import Any, NamedTuple

import jsonpatch

from scoring.arguments import same_arguments, tool_schemas
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import (
    AsksCheck,
    CalledCheck,
    Check,
    CitesCheck,
    DecidesCheck,
    DefersCheck,
    EitherCheck,
    FlagsCheck,
    NeverCitesCheck,
    NeverSaysCheck,
    NotCalledCheck,
    QuotesCheck,
    SaysCheck,
    WorldCheck,
)
from scoring.matching import find_folded
from scoring.quoting import find_quotation
from scoring.reports import Claim, last_report, report_texts
from scoring.scorers import CLAUSE, Scorer
from scoring.yesno import decide
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.folding import fold

_ABSENT = object()


class CheckResult(NamedTuple):
    """Whether a check passed, and why, in one sentence."""

    passed: bool
    reason: str


def same(one: Json, other: Json) -> bool:
    """Return whether two values have the same structure: equal canonical JSON.

    A boolean is no number, and a list is in order.
    """
    return canonical_json(one) == canonical_json(other)


@singledispatch
def _evaluate(check: Any, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    raise InputError(f"no rule evaluates a check of type {type(check).__name__}")


def evaluate(check: Check, record: DecisionRecord, scorer: Scorer = CLAUSE) -> CheckResult:
    """Evaluate one check of a key on a decision.

    Raises:
        InputError: when the check cannot be evaluated, such as a path that is no JSON Pointer.
    """
    return _evaluate(check, record, scorer)


def left_out(check: Check, scorer: Scorer = CLAUSE) -> str | None:
    """Return why a check can show nothing, None when it counts.

    A phrase that a right answer could plausibly contain is no evidence against an answer.
    """
    if isinstance(check, EitherCheck):
        # It passes with the alternative that nobody can fail.
        return next(filter(None, (left_out(each, scorer) for each in check.of)), None)
    return scorer.leaves_out(check.phrase) if isinstance(check, NeverSaysCheck) else None


@_evaluate.register
def _world(check: WorldCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    # A delta: a world that was right already is no merit of the agent's.
    if _holds(check, record.before):
        return CheckResult(False, f"{check.path} was {_show(check.equals)} before the decision")
    if _holds(check, record.after):
        return CheckResult(True, f"{check.path} became {_show(check.equals)}")
    found = _at(record.after, check.path)
    seen = "is absent" if found is _ABSENT else f"is {_show(found)}"
    return CheckResult(False, f"{check.path} {seen}, not {_show(check.equals)}")


def _holds(check: WorldCheck, world: Json) -> bool:
    found = _at(world, check.path)
    return found is not _ABSENT and same(found, check.equals)


def _at(world: Json, path: str) -> Any:
    try:
        found = jsonpatch.JsonPointer(path).resolve(world, _ABSENT)
    except jsonpatch.JsonPointerException as error:
        if path and not path.startswith("/"):
            raise InputError(f"{path!r} is no JSON Pointer: {error}", field="path") from None
        return _ABSENT
    return _ABSENT if type(found).__name__ == "EndOfList" else found


@_evaluate.register
def _called(check: CalledCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    wanted = f"{check.tool} with {_show(check.arguments)}"
    note = _how_compared(check, record)
    if _made(check, record):
        return CheckResult(True, f"called {wanted}{note}")
    other = [_show(call.arguments) for call in record.executed if call.tool == check.tool]
    made = f"; it was called with {', '.join(other)}" if other else ""
    return CheckResult(False, f"no successful call of {wanted}{made}{note}")


@_evaluate.register
def _not_called(check: NotCalledCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    unwanted = f"{check.tool} with {_show(check.arguments)}"
    note = _how_compared(check, record)
    if _made(check, record):
        return CheckResult(False, f"called {unwanted}{note}")
    return CheckResult(True, f"never called {unwanted}{note}")


def _made(check: CalledCheck | NotCalledCheck, record: DecisionRecord) -> bool:
    return any(
        call.tool == check.tool and _has(call, check.arguments, record.environment)
        for call in record.executed
    )


def _has(call: CallRecord, arguments: dict[str, Json], environment: str) -> bool:
    """Return whether a call has at least these arguments, by the tool's schema where it is known."""
    schema = (tool_schemas(environment) or {}).get(call.tool)
    if schema is not None:
        return same_arguments(schema, arguments, call.arguments)
    return all(
        name in call.arguments and same(call.arguments[name], value)
        for name, value in arguments.items()
    )


def _how_compared(check: CalledCheck | NotCalledCheck, record: DecisionRecord) -> str:
    """Return what a reader must know where no schema says what equal arguments are."""
    if not check.arguments or not any(call.tool == check.tool for call in record.executed):
        return ""
    schemas = tool_schemas(record.environment)
    if schemas is None:
        why = f"the environment {record.environment!r} is not installed here"
    elif check.tool not in schemas:
        why = f"the environment {record.environment!r} as installed here has no such tool"
    else:
        return ""
    return f" (compared as plain JSON: {why})"


@_evaluate.register
def _says(check: SaysCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    if record.outcome != "answer":
        return CheckResult(False, f"there is no answer ({record.outcome})")
    # What only repeats the question is not the agent's own.
    said = scorer.reads(check.phrase, record.text, record.request)
    if said.verdict == "asserted":
        return CheckResult(True, f"the answer asserts {check.phrase!r}: {said.reason}")
    return CheckResult(False, f"the answer does not assert {check.phrase!r}: {said.reason}")


@_evaluate.register
def _never_says(check: NeverSaysCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    gated = left_out(check, scorer)
    if gated is not None:
        return CheckResult(True, f"left out: {check.phrase!r} alone shows nothing ({gated})")
    said = scorer.reads(check.phrase, record.text, "")
    if said.verdict == "asserted":
        return CheckResult(
            False, f"{check.failure}: the text asserts {check.phrase!r}: {said.reason}"
        )
    for text in report_texts(record):
        told = scorer.reads(check.phrase, text, "")
        if told.verdict == "asserted":
            return CheckResult(
                False, f"{check.failure}: the report asserts {check.phrase!r}: {told.reason}"
            )
    return CheckResult(True, f"the text does not assert {check.phrase!r}: {said.reason}")


@_evaluate.register
def _decides(check: DecidesCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    if record.outcome != "answer":
        return CheckResult(False, f"there is no answer ({record.outcome})")
    decided = decide(record.text)
    found = decided.decision or "undecided"
    return CheckResult(found == check.decision, f"{found}: {decided.reason}")


@_evaluate.register
def _cites(check: CitesCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    report = last_report(record)
    if report is None:
        return CheckResult(False, _NO_REPORT)
    wanted = f"cites {check.source}" + (f" and asserts {check.phrase!r}" if check.phrase else "")
    for claim in report.supported:
        if check.source in claim.sources and _asserts(claim, (check.phrase,), scorer):
            return CheckResult(True, f"the supported claim {claim.text!r} {wanted}")
    return CheckResult(False, f"no supported claim {wanted}")


@_evaluate.register
def _never_cites(check: NeverCitesCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    report = last_report(record)
    if report is None:
        return CheckResult(True, _NO_REPORT)
    for claim in report.supported:
        if check.source in claim.sources:
            return CheckResult(False, f"the supported claim {claim.text!r} cites {check.source}")
    for quote in report.quotes:
        if quote.source == check.source:
            return CheckResult(False, f"{quote.text!r} is quoted from {check.source}")
    return CheckResult(True, f"nothing cites {check.source}")


@_evaluate.register
def _flags(check: FlagsCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    report = last_report(record)
    if report is None:
        return CheckResult(True, _NO_REPORT)
    for claim in report.supported:
        if check.source in claim.sources:
            return CheckResult(False, f"{claim.text!r} cites {check.source} and is not flagged")
        for phrase in check.phrases:
            if _asserts(claim, (phrase,), scorer):
                return CheckResult(False, f"{claim.text!r} asserts {phrase!r} and is not flagged")
    return CheckResult(True, f"no supported claim depends on {check.source}")


def _asserts(claim: Claim, phrases: tuple[str | None, ...], scorer: Scorer) -> bool:
    said = (scorer.reads(phrase, claim.text, "") for phrase in phrases if phrase is not None)
    return all(each.verdict == "asserted" for each in said)


@_evaluate.register
def _quotes(check: QuotesCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    found = find_quotation(check, record)
    if found is None:
        return CheckResult(False, _NO_REPORT)
    if found.verbatim:
        return CheckResult(True, f"quoted word for word from {check.source}")
    if found.typographic:
        return CheckResult(False, "quoted with typographic variants")
    if found.elsewhere:
        return CheckResult(False, f"quoted, but from {', '.join(found.elsewhere)}")
    return CheckResult(False, f"no quotation is {check.text!r}")


@_evaluate.register
def _defers(check: DefersCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    report = last_report(record)
    if report is None:
        return CheckResult(False, _NO_REPORT)
    # Presence, not assertion: what is pending is mostly told with a "not yet".
    named = [each for each in report.pending if _has_phrase(each.text, check.item)]
    if not named:
        return CheckResult(False, f"nothing pending is {check.item!r}")
    for each in named:
        if check.reason is None or _has_phrase(each.reason, check.reason):
            return CheckResult(True, f"{each.text!r} is pending: {each.reason!r}")
    return CheckResult(False, f"{named[0].text!r} is pending, but not for {check.reason!r}")


@_evaluate.register
def _either(check: EitherCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    found = [evaluate(each, record, scorer) for each in check.of]
    for each in found:
        if each.passed:
            return each
    return CheckResult(False, "; and ".join(each.reason for each in found))


@_evaluate.register
def _asks(check: AsksCheck, record: DecisionRecord, scorer: Scorer) -> CheckResult:
    if record.outcome != "clarification":
        return CheckResult(False, f"it does not end with a question ({record.outcome})")
    if record.before != record.after:
        return CheckResult(False, "it asks after it changed the world")
    if not _has_phrase(record.text, check.about):
        return CheckResult(False, f"the question does not name {check.about!r}")
    return CheckResult(True, f"asks about {check.about!r}")


def _has_phrase(text: str, phrase: str) -> bool:
    return bool(find_folded(fold(phrase), fold(text)))


_NO_REPORT = "no report was submitted"


def _show(value: Json) -> str:
    return canonical_json(value)
