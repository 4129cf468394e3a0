"""Sentences, and which of them state something."""

import re
import textwrap
from functools import lru_cache

LONGEST = 400
"""Most characters of a sentence; it bounds the time that the patterns take."""

LONGEST_PASSAGE = 1200
"""Most characters of a sentence that is kept word for word."""

_END = re.compile(r"[.!?]+[\"')\]]*\s+(?=\S)|\n+|;\s+")
_STOP = re.compile(r"[.!?]+[\"'”’)\]]*\s+(?=\S)|\n+")
_WRAP = re.compile(r"(?<=[^\s.!?:;])[ \t]*\n[ \t]*(?=[^\s\-*•|#])(?![^\n]{0,40}:\s)")
# A full stop after one of these, or after an initial, ends no sentence.
_SHORT = re.compile(r"(?:^|[\s(.])(?:Mr|Ms|Mrs|Dr|St|Ave|Rd|Ln|Blvd|Ct|No|Apt|e\.g|i\.e|vs|[A-Z])$")
_SUPPOSED = re.compile(
    r"\b(?:what if|suppose|supposing|hypothetical(?:ly)?|imagine|let'?s say|in theory|pretend"
    r"|if (?:we|i|you|they|it|he|she)(?: \w+)?(?: (?:were|was|used|chose|went|had|could|would"
    r"|should|did|took|got|gave|sent|\w+ed))"
    r"|(?:would|could|might|may) (?:it |that |this |we |you |he |she |they )?(?:\w+ )?(?:be|cost"
    r"|have|come)|could (?:we|i)|might|maybe|perhaps|for example|for instance|e\.g\.|wonder(?:ing)?"
    r"|not sure|i guess|no idea|don'?t know)\b",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"\b(?:can|could|would|will) (?:you|we|someone) (?:please |kindly |just )?"
    r"(?:note|update|change|set|record|remember|use|make|switch|save|correct|replace)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Split a text into sentences, each on one line; empty ones are left out.

    What has no full stop for long, such as a table, is cut into parts of `LONGEST` characters.
    """
    lines = (" ".join(piece.split()) for piece in _pieces(text, _END))
    return tuple(part for line in lines for part in _parts(line))


@lru_cache(maxsize=4096)
def passages(text: str) -> tuple[str, ...]:
    """Split a text into sentences as long as they are, line wraps folded, for word-for-word use.

    A semicolon ends none, and a line that goes on in the next one is no end either. What has no
    full stop for very long is cut into parts of `LONGEST_PASSAGE` characters.
    """
    lines = (" ".join(piece.split()) for piece in _pieces(_WRAP.sub(" ", text), _STOP))
    return tuple(part for line in lines for part in _parts(line, LONGEST_PASSAGE))


def _pieces(text: str, ends: re.Pattern[str]) -> list[str]:
    pieces = []
    start = 0
    for end in ends.finditer(text):
        if end.group()[0] == "." and _SHORT.search(text[max(start, end.start() - 5) : end.start()]):
            continue
        pieces.append(text[start : end.end()])
        start = end.end()
    return [*pieces, text[start:]]


def _parts(line: str, longest: int = LONGEST) -> list[str]:
    return [line] if 0 < len(line) <= longest else textwrap.wrap(line, longest)


@lru_cache(maxsize=8192)
def states(sentence: str) -> bool:
    """Tell whether a sentence states or orders something: no question, no supposition."""
    if _SUPPOSED.search(sentence) and not _ORDERED.search(sentence):
        return False
    if sentence.rstrip("\"') ").endswith("?"):
        return _ORDERED.search(sentence) is not None
    return True
