"""Evidence fidelity: how many of the required quotations were given, word for word and otherwise."""

from collections.abc import Iterable
from typing import NamedTuple

from scoring.keys import QuotesCheck
from scoring.quoting import find_quotation
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
    found = [
        find_quotation(check, verdict.record)
        for verdict in verdicts
        if verdict.skipped is None
        for check in verdict.probe.checks
        if isinstance(check, QuotesCheck)
    ]
    given = [each for each in found if each is not None]
    return Fidelity(
        wanted=len(found),
        verbatim=sum(each.verbatim for each in given),
        typographic=sum(each.typographic for each in given),
    )
