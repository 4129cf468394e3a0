"""Scorers: how a text is read for a phrase, by version.

Runs are scored by `CLAUSE` alone. `PLAIN` is what came before it; it is kept so that the two can
be held against each other over one log (`memtrial score --against plain`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from scoring.admissibility import inadmissible
from scoring.matching import asserts_folded, find, find_folded
from simulator.events.folding import fold

ABSENT = "the text does not have it"


class Said(NamedTuple):
    """What a text says of a phrase, and why, in one clause."""

    verdict: Literal["asserted", "negated", "absent"]
    reason: str


@dataclass(frozen=True)
class Scorer:
    """One version of the rules for phrases.

    Attributes:
        version: Name and number; the number grows whenever a verdict can change.
        asserts: Takes a phrase, a text and the prompt, all folded: does the text assert it?
        reads: Takes a phrase, a text and the prompt: what does the text say of it?
        leaves_out: Takes a forbidden phrase: why it can show nothing, None when it can.
    """

    version: str
    asserts: Callable[[str, str, str], bool]
    reads: Callable[[str, str, str], Said]
    leaves_out: Callable[[str], str | None]


# Checks and forbidden values ask the same about one text.
@lru_cache(maxsize=4096)
def _by_clauses(phrase: str, text: str, prompt: str) -> Said:
    if not find_folded(fold(phrase), fold(text)):
        return Said("absent", ABSENT)
    found = find(phrase, text, prompt).occurrences
    for each in found:
        if each.verdict == "asserted":
            return Said("asserted", each.reason)
    for each in found:
        if each.verdict == "negated":
            return Said("negated", each.reason)
    return Said("absent", "only the repeated question has it")


def _plainly(phrase: str, text: str, _prompt: str) -> Said:
    if find_folded(fold(phrase), fold(text)):
        return Said("asserted", "the text has it")
    return Said("absent", ABSENT)


CLAUSE = Scorer("clause-2", asserts_folded, _by_clauses, inadmissible)
"""By clauses: what is named only to rule it out is not asserted."""

PLAIN = Scorer(
    version="plain-1",
    asserts=lambda phrase, text, prompt: bool(find_folded(phrase, text)),
    reads=_plainly,
    leaves_out=lambda phrase: None,
)
"""Every occurrence that stands on its own is asserted, and every phrase counts."""

SCORERS = {"clause": CLAUSE, "plain": PLAIN}

SCORER = CLAUSE.version
"""Version of the scorer that runs are scored by; it stands in every result."""
