"""Yes or no: what a text decides, if anything.

Lexical: the first clause that opens with a clear "yes" or "no" decides. "No" is clear when it
stands alone in its clause or goes on with a sentence ("No, …", "No you cannot"); in "no later
than", "no doubt" or "No. 5" it is a part of something else.
"""

import re
from dataclasses import dataclass
from typing import Literal

from simulator.events.folding import fold

_CLAUSE = re.compile(r"\n|[;:!?,()]+|\.(?!\s*\d)|(?<!\w)-+(?!\w)")
_OPENING = re.compile(r"[\s\"'*_>#\[(]*(yes|no)\b(?!\s*[/])[\"'*_\])]*\s*(.*)", re.DOTALL)
_NUMBERED = re.compile(r"\.\s*\d")
_BOTH = re.compile(r"(?:or|and|nor)\b")
_SUBJECTS = frozenset(
    "i you we he she it they this that these those there the a an your our my his her its their "
    "please sorry unfortunately because since not".split()
)


@dataclass(frozen=True)
class Decided:
    """What a text decides.

    Attributes:
        decision: `yes`, `no`, or None when it decides nothing.
        reason: Why, in one clause.
    """

    decision: Literal["yes", "no"] | None
    reason: str


def decide(text: str) -> Decided:
    """Return what `text` decides: by its first clause that opens with a clear yes or no."""
    for line in text.splitlines():
        for clause in _CLAUSE.split(fold(line)):
            word = _opening_word(clause.strip())
            if word is not None:
                return Decided(word, f"a clause opens with {word!r}: {clause.strip()[:60]!r}")
    return Decided(None, "no clause opens with a clear yes or no")


def _opening_word(clause: str) -> Literal["yes", "no"] | None:
    match = _OPENING.fullmatch(clause)
    if match is None:
        return None
    word, rest = match.groups()
    if _BOTH.match(rest):
        return None
    if word == "yes":
        return "yes"
    if _NUMBERED.match(rest):
        return None
    first = re.split(r"[^\w]", rest, maxsplit=1)[0]
    return "no" if not rest or first in _SUBJECTS else None
