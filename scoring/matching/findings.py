"""What a text says of a phrase: asserted, ruled out, or not there."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from scoring.admissibility import inadmissible
from scoring.matching.inflections import inflections
from scoring.matching.reading import Ruling, read
from scoring.spans import find_folded
from simulator.events.folding import Folded, fold, fold_with_map

_SHOWN = 160

# A text is searched for one phrase after another.
_folded = lru_cache(maxsize=16)(fold_with_map)


class Occurrence(NamedTuple):
    """One place where a phrase stands in a text.

    Attributes:
        start: Where it begins in the original text.
        end: Where it ends there (half-open).
        verdict: `asserted`, `negated`, or `echoed` when it only repeats the question.
        clause: The clause around it as the text writes it, cut where it is very long.
        cue: The words that rule it out, None without any.
        reason: Why, in one clause.
        clause_start: Where the clause begins in the original text.
    """

    start: int
    end: int
    verdict: Literal["asserted", "negated", "echoed"]
    clause: str
    cue: str | None
    reason: str
    clause_start: int


@dataclass(frozen=True)
class Finding:
    """What a text says of a phrase. Lexical: how it is written, not what it entails.

    Attributes:
        verdict: `inadmissible` when the phrase can decide nothing by itself, `asserted` when one
            occurrence is, `negated` when all are ruled out, `absent` without an occurrence of the
            answerer's own.
        occurrences: Where the phrase stands, in order.
        inflected: Where only its plural, singular or -ing form does; these decide nothing.
        reason: Why the verdict, in one clause.
    """

    verdict: Literal["asserted", "negated", "absent", "inadmissible"]
    occurrences: tuple[Occurrence, ...]
    inflected: tuple[Occurrence, ...]
    reason: str


def asserts(phrase: str, text: str, prompt: str = "") -> bool:
    """Return whether `text` asserts `phrase`: whether one occurrence is not ruled out.

    Occurrences in a verbatim repetition of `prompt` are not the answerer's and do not count.
    """
    return asserts_folded(fold(phrase), fold(text), fold(prompt))


def asserts_folded(phrase: str, text: str, prompt: str = "") -> bool:
    """Return what `asserts` returns, for texts that are folded already."""
    if not phrase or phrase not in text:
        return False
    return any(
        not read(part).ruling(at, at + len(phrase)).negated
        for _, part, own in _parts(text, prompt)
        if own
        for at in find_folded(phrase, part)
    )


def find(phrase: str, text: str, prompt: str = "") -> Finding:
    """Return what `text` says of `phrase`, occurrence by occurrence.

    Admissibility is judged by the phrase alone (`scoring.admissibility.inadmissible`). Where the
    text repeats the whole of `prompt` verbatim, but for folding, occurrences inside are `echoed`.
    """
    place = _Place(_folded(text), text, fold(prompt))
    found = tuple(place.occurrences(fold(phrase)))
    others = [each for form in inflections(fold(phrase)) for each in place.occurrences(form)]
    verdict, reason = _verdict(found, inadmissible(phrase))
    return Finding(verdict, found, tuple(sorted(others)), reason)


def _verdict(
    found: tuple[Occurrence, ...], gated: str | None
) -> tuple[Literal["asserted", "negated", "absent", "inadmissible"], str]:
    if gated is not None:
        return "inadmissible", gated
    for each in found:
        if each.verdict == "asserted":
            return "asserted", each.reason
    for each in found:
        if each.verdict == "negated":
            return "negated", each.reason
    return "absent", "only the repeated question has it" if found else "the text does not have it"


class _Place(NamedTuple):
    """Where phrases are looked for."""

    folded: Folded
    text: str
    prompt: str

    def occurrences(self, phrase: str) -> Iterator[Occurrence]:
        for begin, part, own in _parts(self.folded.text, self.prompt):
            for at in find_folded(phrase, part):
                ruling = read(part).ruling(at, at + len(phrase))
                yield self._occurrence(begin, at, at + len(phrase), ruling, own)

    def _occurrence(
        self, begin: int, start: int, end: int, ruling: Ruling, own: bool
    ) -> Occurrence:
        left, right = ruling.clause
        left, right = max(left, start - _SHOWN), min(max(right, end), end + _SHOWN)
        first, last = self.folded.original_span(begin + left, begin + right)
        clause = self.text[first:last]
        first += len(clause) - len(clause.lstrip())
        start, end = self.folded.original_span(begin + start, begin + end)
        if not own:
            why = "the text only repeats the question here"
            return Occurrence(start, end, "echoed", clause.strip(), None, why, first)
        verdict: Literal["asserted", "negated"] = "negated" if ruling.negated else "asserted"
        return Occurrence(start, end, verdict, clause.strip(), ruling.cue, ruling.reason, first)


@lru_cache(maxsize=512)
def _parts(text: str, prompt: str) -> tuple[tuple[int, str, bool], ...]:
    """Return the parts of a text with where they begin, and False for those that repeat the prompt.

    Each part is read by itself, so that no cue reaches from the question into the answer. A prompt
    of one word is no question that an answer could repeat.
    """
    if " " not in prompt:
        return ((0, text, True),)
    parts: list[tuple[int, str, bool]] = []
    done = 0
    for at in find_folded(prompt, text):
        if at >= done:
            parts.append((done, text[done:at], True))
            done = at + len(prompt)
            parts.append((at, prompt, False))
    return (*parts, (done, text[done:], True))
