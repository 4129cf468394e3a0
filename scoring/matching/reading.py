"""A folded text, read once, that says of each place whether a phrase there is ruled out."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from scoring.matching.clauses import breaks_clause, ends_sentence
from scoring.matching.late import late_cue, supposes
from scoring.matching.scopes import Scope, scope_of, scopes
from scoring.matching.tokens import Tokens, View, tokens
from scoring.matching.vocabulary import DETERMINERS, SAYING

_FAR = 40
"""How many words behind a phrase a clause is followed, for the cue and for showing it."""

_LEADS = 3
_LEAD_WORDS = DETERMINERS | {"both", "either", '"', "'", "*", "$", "#"}


class Ruling(NamedTuple):
    """What a text says of a phrase at one place.

    Attributes:
        negated: It rules the phrase out there.
        cue: The words that do, or that do twice; None without any.
        reason: Why, in one clause.
        clause: Half-open span of the clause in the folded text.
    """

    negated: bool
    cue: str | None
    reason: str
    clause: tuple[int, int]


@dataclass(frozen=True)
class Reading:
    """A folded text with its words and scopes, found once."""

    text: str

    @cached_property
    def words(self) -> Tokens:
        """The text's words and marks."""
        return tokens(self.text)

    @cached_property
    def scopes(self) -> list[Scope]:
        """What reaches each word."""
        return scopes(self.words)

    def ruling(self, start: int, end: int) -> Ruling:
        """Return what the text says of a phrase at `start:end`."""
        first = bisect_right(self.words.ends, start)
        last = bisect_left(self.words.starts, end)
        scope = scope_of(self.words, self.scopes, first, last)
        view = View(self.words, first, last)
        late = None
        if not supposes(self.words.words, scope.clause):
            stop = self._stop(view, first, sentence=True)
            late = late_cue(self.text, end, stop, subject=self._begins(scope, first))
        clause = (self._clause_start(scope, start), self._stop(view, first, sentence=False))
        return Ruling(*_decided(scope, late), clause)

    def _begins(self, scope: Scope, first: int) -> bool:
        """Return whether only a determiner stands before a phrase in its clause, or in a report."""
        words = self.words.words
        start = first
        while start > scope.clause and first - start < _LEADS and words[start - 1] in _LEAD_WORDS:
            start -= 1
        return start == scope.clause or words[start - 1] in SAYING

    def _clause_start(self, scope: Scope, start: int) -> int:
        starts = self.words.starts
        return min(start, starts[scope.clause]) if scope.clause < len(starts) else start

    def _stop(self, view: View, first: int, *, sentence: bool) -> int:
        """Return where the sentence, or else the clause, of the phrase ends."""
        for place in range(first + 1, first + 1 + _FAR):
            word = view.word(place)
            if not word:
                return len(self.text)
            if ends_sentence(view, place) or word in (";", "but"):
                return view.start(place)
            if not sentence and (word == "," or breaks_clause(view, place)):
                return view.start(place)
        return view.start(first + _FAR)


@lru_cache(maxsize=512)
def read(text: str) -> Reading:
    """Return the reading of a folded text."""
    return Reading(text)


def _decided(scope: Scope, late: str | None) -> tuple[bool, str | None, str]:
    cues = [cue for cue in (scope.cue, scope.near, late) if cue is not None]
    if not cues and scope.harmless is not None:
        return False, None, f"{scope.harmless!r} before it rules nothing out"
    if not cues:
        return False, None, "nothing in its clause rules it out"
    if scope.negates == (late is not None):
        return False, cues[-1], f"ruled out twice, so asserted: {' … '.join(map(repr, cues))}"
    if late is None:
        cue = scope.near or cues[0]
        return True, cue, f"{cue!r} before it in its clause rules it out"
    return True, late, f"{late!r} behind it in its clause rules it out"
