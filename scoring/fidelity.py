"""Evidence fidelity: how many of the required quotations were given, word for word and otherwise."""

from collections.abc import Iterable
from typing import NamedTuple

from scoring.keys import QuotesCheck
from scoring.verdicts import Verdict


class Fidelity(NamedTuple):
    """How many of the required quotations were given.

    Attributes:
        wanted: Quotations that scored decisions required.
        verbatim: Those quoted word for word and from the right source.
        typographic: Those that are so when typographic variants are taken for one another.
    """

    wanted: int
    verbatim: int
    typographic: int


def fidelity(verdicts: Iterable[Verdict]) -> Fidelity:
    """Count the quotations of scored decisions."""
    results = [
        result
        for verdict in verdicts
        if verdict.skipped is None
        for check, result in zip(verdict.probe.checks, verdict.results, strict=True)
        if isinstance(check, QuotesCheck)
    ]
    return Fidelity(
        wanted=len(results),
        verbatim=sum(result.passed for result in results),
        typographic=sum(bool(result.typographic) for result in results),
    )
