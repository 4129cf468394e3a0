"""Sentences, and which of them state something."""

import re

# A full stop ends a sentence unless it closes a common abbreviation, an initial or a number.
_END = re.compile(
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bSt)(?<!\bNo)(?<!\bApt)(?<!\be\.g)(?<!\bi\.e)"
    r"(?<!\bvs)(?<![ .][A-Z])[.!?]+[\"')\]]*\s+(?=\S)|\n+|;\s+"
)
_ABBREVIATED_STREET = re.compile(r"\b(St|Ave|Rd|Blvd|Ln|Dr|Ct)\.(?=\s+[A-Z][a-z]+ )")
_SUPPOSED = re.compile(
    r"\b(?:what if|suppose|supposing|hypothetical(?:ly)?|imagine|let'?s say|in theory|pretend"
    r"|if (?:we|i|you|they|it|he|she)(?: \w+)?(?: (?:were|was|used|chose|went|had|could|would"
    r"|should|did|took|switched|moved|got|gave|sent))"
    r"|(?:would|could|might|may) (?:it |that |this |we |you |he |she |they )?(?:\w+ )?(?:be|cost"
    r"|have|come)|could (?:we|i)|might|maybe|perhaps|for example|for instance|e\.g\.|wonder(?:ing)?"
    r"|not sure|i guess|no idea|don'?t know)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^\W*(?:what|when|where|which|who|whose|why|how|is|are|was|were|do|does|did|has|have"
    r"|should|shall|may|might)\b[^.]*\?\W*$",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    r"\b(?:can|could|would|will) (?:you|we|someone) (?:please |kindly |just )?"
    r"(?:note|update|change|set|record|remember|use|make|switch|save|correct|replace)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Split a text into sentences, each on one line; empty ones are left out."""
    pieces = []
    start = 0
    for end in _END.finditer(text):
        pieces.append(text[start : end.end()])
        start = end.end()
    pieces.append(text[start:])
    return [line for line in (" ".join(piece.split()) for piece in pieces) if line]


def states(sentence: str) -> bool:
    """Tell whether a sentence states or orders something: no question, no supposition."""
    if _SUPPOSED.search(sentence) and not _ORDERED.search(sentence):
        return False
    if sentence.rstrip("\"') ").endswith("?"):
        return _ORDERED.search(sentence) is not None
    return True
