"""Quotations: when two passages are the same word for word, and when but for their typography."""

import re
import unicodedata

from simulator.events.folding import plain_marks

_WRAPPED = re.compile(r"[ \t\n\r\f\v]+")
_VARIANT = re.compile(r"<(?:compat|noBreak|wide|narrow|small|isolated|initial|medial|final)> ")


def unwrapped(text: str) -> str:
    """Return a text with its line wraps folded: a run of blanks and line breaks is one space.

    Two texts are the same word for word when these are the same, code point by code point.
    """
    return _WRAPPED.sub(" ", text).strip(" ")


def typographic(text: str) -> str:
    """Return a text without typographic variants, letter case kept.

    Quotation marks, dashes, other spaces, invisible characters, ligatures, the ellipsis and the
    ways to write an accent are variants. Superscripts and fractions are not: 10² is not 102.
    """
    plain = "".join(map(_plain, plain_marks(text)))
    return unwrapped(unicodedata.normalize("NFC", plain))


def _plain(char: str) -> str:
    if _VARIANT.match(unicodedata.decomposition(char)):
        return unicodedata.normalize("NFKC", char)
    return " " if char.isspace() else char
