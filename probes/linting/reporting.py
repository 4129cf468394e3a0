"""Reports with one thing wrong: what a check of citations, flags, quotations and the like forbids."""

from collections.abc import Callable, Iterator, Sequence
from functools import singledispatch
from typing import Any

from scoring.admissibility import inadmissible
from scoring.keys import (
    Check,
    CitesCheck,
    DefersCheck,
    FlagsCheck,
    NeverCitesCheck,
    NeverSaysCheck,
    QuotesCheck,
    ReferenceCall,
)
from scoring.quoting import unwrapped
from scoring.reports import SUBMIT
from simulator.events import Json

CLAIMED = "This was found."
"""What a claim says that is wrong by its source alone."""

Report = dict[str, Any]
Change = Callable[[Report], Report]


def wrong_reports(
    check: Check, calls: Sequence[ReferenceCall]
) -> Iterator[tuple[ReferenceCall, ...]]:
    """Yield the right calls with reports that break a check; nothing for checks of other things."""
    if isinstance(check, NeverSaysCheck) and not any(call.tool == SUBMIT for call in calls):
        return  # what an answer must not say, it says elsewhere
    for change in _changes(check):
        yield _with_report(calls, change)


def _with_report(calls: Sequence[ReferenceCall], change: Change) -> tuple[ReferenceCall, ...]:
    """Return the calls with the last report changed; where there is none, with one made up."""
    places = [place for place, call in enumerate(calls) if call.tool == SUBMIT]
    if not places:
        made = ReferenceCall(tool=SUBMIT, arguments=change({"claims": []}))
        return (*calls, made)
    last = places[-1]
    report = ReferenceCall(tool=SUBMIT, arguments=change(calls[last].arguments))
    return (*calls[:last], report, *calls[last + 1 :])


@singledispatch
def _changes(check: Any) -> list[Change]:
    """Return what makes a right report wrong for a check."""
    return []


@_changes.register
def _of_cites(check: CitesCheck) -> list[Change]:
    def uncited(report: Report) -> Report:
        return {
            **report,
            "claims": [
                {**claim, "sources": [each for each in claim["sources"] if each != check.source]}
                for claim in report["claims"]
            ],
        }

    def flagged(report: Report) -> Report:
        claims = [{**claim, "status": "flagged"} for claim in report["claims"]]
        return {**report, "claims": claims}

    return [uncited, flagged]


@_changes.register
def _of_never_cites(check: NeverCitesCheck) -> list[Change]:
    def quoting(report: Report) -> Report:
        quote = {"text": CLAIMED, "source": check.source}
        return {**report, "quotes": [*report.get("quotes", []), quote]}

    return [_claiming(CLAIMED, [check.source]), quoting]


@_changes.register
def _of_flags(check: FlagsCheck) -> list[Change]:
    unsourced = [_claiming(phrase, []) for phrase in check.phrases]
    return [_claiming(CLAIMED, [check.source]), *unsourced]


def _claiming(text: str, sources: list[str]) -> Change:
    claim: Json = {"text": text, "sources": sources, "status": "supported"}
    return lambda report: {**report, "claims": [*report["claims"], claim]}


@_changes.register
def _of_never_says(check: NeverSaysCheck) -> list[Change]:
    shows_nothing = inadmissible(check.phrase) is not None
    return [] if shows_nothing else [_claiming(f"It is {check.phrase}.", [])]


@_changes.register
def _of_quotes(check: QuotesCheck) -> list[Change]:
    def paraphrased(report: Report) -> Report:
        quotes = [
            {**quote, "text": f"{quote['text']} And so on."}
            if unwrapped(quote["text"]) == unwrapped(check.text)
            else quote
            for quote in report.get("quotes", [])
        ]
        return {**report, "quotes": quotes}

    return [paraphrased]


@_changes.register
def _of_defers(check: DefersCheck) -> list[Change]:
    return [lambda report: {**report, "pending": []}]
