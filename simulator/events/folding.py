"""Text folding: what counts as the same text, for scoring and for residue audits.

Folding changes only how a text is written: compatibility forms and accents (NFKC), quotation
marks, dashes, invisible characters, white space and letter case. It never changes a word.
"""

import unicodedata
from dataclasses import dataclass
from itertools import pairwise

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061"
    "\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bc\u00b4\u0060\u2035\u275b\u275c"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u2036\u301d\u301e\u275d\u275e"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u2e3a\u2e3b\ufe58\ufe63\uff0d"
_PLAIN = str.maketrans(
    {
        **dict.fromkeys(_INVISIBLE),
        **dict.fromkeys(_SINGLE_QUOTES, "'"),
        **dict.fromkeys(_DOUBLE_QUOTES, '"'),
        **dict.fromkeys(_DASHES, "-"),
    }
)
# Hangul vowels and final consonants, in all three of their forms, join the syllable before them.
_JAMO = (range(0x1160, 0x1200), range(0x3131, 0x318F), range(0xFFA0, 0xFFDD))


def fold(text: str) -> str:
    """Return the folded form of `text`, without white space at its ends.

    Two texts that differ only in the ways listed above have the same folded form.
    """
    return " ".join(_fold_piece(text).split())


def plain_marks(text: str) -> str:
    """Return a text with plain quotation marks and dashes, and without invisible characters."""
    return text.translate(_PLAIN)


def _fold_piece(text: str) -> str:
    if text.isascii():
        return text.translate(_PLAIN).lower()
    # Quotes and dashes go first, since NFKC would turn some of them into a space and an accent.
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN)).translate(_PLAIN)
    return unicodedata.normalize("NFKC", plain.casefold())


@dataclass(frozen=True)
class Folded:
    """A folded text that knows where its characters come from.

    Attributes:
        text: The folded text.
        starts: For each folded character, the index in the original where its source begins.
        ends: For each folded character, the index in the original just after its source.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original's half-open span for the folded, non-empty span `start:end`."""
        return self.starts[start], self.ends[end - 1]


def fold_with_map(text: str) -> Folded:
    """Fold `text` and keep the way back; `fold_with_map(t).text == fold(t)`."""
    kept: list[tuple[str, int, int]] = []
    for start, end in _clusters(text):
        for char in _fold_piece(text[start:end]):
            if not char.isspace():
                kept.append((char, start, end))
            elif kept and kept[-1][0] != " ":
                kept.append((" ", start, end))
    if kept and kept[-1][0] == " ":
        kept.pop()
    return Folded(
        "".join(char for char, _, _ in kept),
        tuple(start for _, start, _ in kept),
        tuple(end for _, _, end in kept),
    )


def _clusters(text: str) -> list[tuple[int, int]]:
    """Split into spans that normalise independently: a character and the marks that join it."""
    starts = [index for index, char in enumerate(text) if index == 0 or not _joins(char)]
    return list(pairwise([*starts, len(text)]))


def _joins(char: str) -> bool:
    if char.isascii():
        return False
    if char in _INVISIBLE or unicodedata.category(char)[0] == "M":
        return True
    return any(ord(char) in jamo for jamo in _JAMO)
