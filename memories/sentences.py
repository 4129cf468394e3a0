"""Sentences, and which of them state something."""

import re
import textwrap
from functools import lru_cache

LONGEST = 400
"""Most characters of a sentence; it bounds the time that the patterns take."""

_END = re.compile(r"[.!?]+[\"')\]]*\s+(?=\S)|\n+|;\s+")
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
    pieces = []
    start = 0
    for end in _END.finditer(text):
        if end.group()[0] == "." and _SHORT.search(text[max(start, end.start() - 5) : end.start()]):
            continue
        pieces.append(text[start : end.end()])
        start = end.end()
    pieces.append(text[start:])
    lines = (" ".join(piece.split()) for piece in pieces)
    return tuple(part for line in lines for part in _parts(line))


def _parts(line: str) -> list[str]:
    return [line] if 0 < len(line) <= LONGEST else textwrap.wrap(line, LONGEST)


@lru_cache(maxsize=8192)
def states(sentence: str) -> bool:
    """Tell whether a sentence states or orders something: no question, no supposition."""
    if _SUPPOSED.search(sentence) and not _ORDERED.search(sentence):
        return False
    if sentence.rstrip("\"') ").endswith("?"):
        return _ORDERED.search(sentence) is not None
    return True
