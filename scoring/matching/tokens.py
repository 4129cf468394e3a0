"""Words and marks of a folded text, with a view in which a phrase is one word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

PHRASE = "\0"
"""What stands in a view for the whole phrase: no rule ever looks inside it."""

_TOKEN = re.compile(
    r"(?:[a-z]\.){2,}"  # a.m., e.g.
    r"|\d+(?:[.,:]\d+)*\w*"  # 1,500.00, 15th, 1:30pm
    r"|\w+(?:'\w+)*"
    r"|\.{2,}|-{2,}|[-=]>|[^\w\s]"
)


@dataclass(frozen=True)
class Tokens:
    """The words and marks of a folded text, in order.

    Attributes:
        words: The words and marks; underscores around a word are dropped.
        starts: Where each begins in the text.
        ends: Where each ends in the text.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def tokens(text: str) -> Tokens:
    """Return the words and marks of a folded text."""
    found = list(_TOKEN.finditer(text))
    return Tokens(
        tuple(match.group().strip("_") or "_" for match in found),
        tuple(match.start() for match in found),
        tuple(match.end() for match in found),
    )


class View:
    """Tokens with the ones from `first` up to `last` seen as one word, the phrase.

    Places before the phrase are the tokens' own; reading outside gives an empty word.
    """

    def __init__(self, of: Tokens, first: int, last: int) -> None:
        self._words: Sequence[str] = of.words
        self._of = of
        self._first = first
        self._skipped = max(0, last - first - 1)

    def word(self, place: int) -> str:
        """Return the word at a place, `PHRASE` at the phrase's, empty outside the text."""
        if place >= self._first:
            if place == self._first:
                return PHRASE
            place += self._skipped
        return self._words[place] if 0 <= place < len(self._words) else ""

    def gap(self, place: int) -> bool:
        """Return whether white space or an end of the text stands before the word at a place."""
        real = self._real(place)
        if real <= 0 or real >= len(self._words):
            return True
        return self._of.starts[real] > self._of.ends[real - 1]

    def start(self, place: int) -> int:
        """Return where the word at a place begins in the text, or where the last one ends."""
        real = self._real(place)
        return self._of.starts[real] if real < len(self._words) else self._of.ends[-1]

    def _real(self, place: int) -> int:
        return place if place <= self._first else place + self._skipped
