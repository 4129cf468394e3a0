"""Where a phrase stands on its own in a text: `10` is not in `100`, nor `$45` in `$450`.

Both sides are folded first. An edge of a phrase is closed by kind: a word edge by a word
character, a digit edge also by a separator with a digit behind it, a symbol edge by nothing.
"""

import unicodedata
from typing import NamedTuple

from simulator.events.folding import fold, fold_with_map

SEPARATORS = frozenset(".,'\u066b\u066c")
"""Marks that group the digits of a number or start its decimals."""


class Span(NamedTuple):
    """A half-open span of characters of the original text."""

    start: int
    end: int


def occurrences(phrase: str, text: str) -> list[Span]:
    """Return where `phrase` stands on its own in `text`, in order, as spans of `text`.

    A phrase that folds to nothing stands nowhere.
    """
    sought = fold(phrase)
    found = find_folded(sought, fold(text))
    if not found:
        return []
    folded = fold_with_map(text)
    return [Span(*folded.original_span(at, at + len(sought))) for at in found]


def find_folded(phrase: str, text: str) -> list[int]:
    """Return the starts of the occurrences of a folded phrase in a folded text."""
    found: list[int] = []
    if not phrase:
        return found
    at = text.find(phrase)
    while at >= 0:
        if _stands_alone(text, at, at + len(phrase)):
            found.append(at)
        at = text.find(phrase, at + 1)
    return found


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 2) : start][::-1]
    return not _closed(text[start], before) and not _closed(text[end - 1], text[end : end + 2])


def _closed(edge: str, outside: str) -> bool:
    """Return whether an edge of a phrase runs on into what is outside, read outwards."""
    if not outside or not _in_word(edge):
        return False
    if _in_word(outside[0]):
        return True
    return edge.isdigit() and outside[0] in SEPARATORS and outside[1:].isdigit()


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"
