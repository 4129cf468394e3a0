"""Marks: what a text is known by where it was copied, for engine and scoring alike.

A mark is a value with a digit in it (an amount, an id, a date) or a run of words. Matching is
lexical: whole words of the folded text, so that `u1` is no mark of `u10`. What was reworded or
worked out from a text carries none of its marks, and that no audit finds.
"""

import re
from functools import lru_cache

from simulator.events.folding import fold

RUN = 4
"""Words of a run. Fewer occur by chance, more would let a changed word hide a copy."""

_WORD = re.compile(r"[^\W_]+(?:[-.,:/@+'_][^\W_]+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_CENTS = re.compile(r"\d+\.\d\d")


@lru_cache(maxsize=4096)
def marks_of(text: str) -> frozenset[str]:
    """Return the marks of a text: its values of two characters and more, and its runs of words.

    `$1,250.00`, `1250.00` and `1250` are one value. A single digit is too common to be one.
    """
    written = _WORD.findall(fold(text))
    values = (word for word in written if len(word) > 1 and any(map(str.isdigit, word)))
    words = [_plain(word) for word in written]
    runs = zip(*(words[start:] for start in range(RUN)), strict=False)
    return frozenset(map(_plain, values)).union(map(" ".join, runs))


def _plain(word: str) -> str:
    """Return the one spelling of a number; any other word as it is."""
    if _THOUSANDS.fullmatch(word):
        word = word.replace(",", "")
    return word.rstrip("0").rstrip(".") if _CENTS.fullmatch(word) else word
