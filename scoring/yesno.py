"""Yes or no: what a text decides, if anything.

Lexical: the first clause that opens with a clear "yes" or "no", or states one as the answer,
decides. "No" is clear when it stands alone in its clause or goes on with a sentence ("No, …", "No
you cannot"); in "no later than", "no doubt" or "No. 5" it is a part of something else.
"""

import re
from dataclasses import dataclass
from typing import Literal

from simulator.events.folding import fold

_CLAUSE = re.compile(r"\n|[;:!?,()]+|\.(?!\s*\d)|(?<!\w)-+(?!\w)")
_MARKS = r"[\s\"'*_>#\[\]()]*"
_LEADS = (
    r"(?:(?:well|so|sorry|ok|okay|hmm|oh|unfortunately|sadly|definitely|absolutely|certainly"
    r"|clearly|honestly|actually|then|probably)\s+)?"
)
_STATES = (
    r"(?:(?:so\s+)?(?:the|my|our|your)\s+(?:\w+\s+)?(?:answer|decision|verdict|reply)"
    r"(?:\s+(?:to|on|for)\s+(?:that|this|it|you))?\s+(?:is|would\s+be|remains)\s+"
    r"|(?:i'd|i\s+would|i)\s+say\s+|(?:it's|it\s+is|that's|that\s+is)\s+)"
    r"(?:still\s+)?(?:an?\s+)?(?:(?:clear|definite|firm|simple|hard)\s+)?"
)
_OPENING = re.compile(_MARKS + _LEADS + rf"(yes|no)\b{_MARKS}(.*)", re.DOTALL)
_STATED = re.compile(_MARKS + _STATES + _MARKS + rf"(yes|no)\b{_MARKS}", re.DOTALL)
_COUNTED = re.compile(r"\.\s*\d")
_OTHER = re.compile(r"(?:or|and|nor|is|was|would|isn't|wasn't|means?)\b|[-/]")
_WHOLE = frozenset({"", "way", "thanks", "thank you"})
_SUBJECTS = frozenset(
    "i you we he she it they this that these those there the a an our your my his her its their "
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
    """Return what `text` decides: by its first clause that gives a clear yes or no."""
    for line in text.splitlines():
        for clause in _CLAUSE.split(fold(line)):
            word = _word(clause.strip())
            if word is not None:
                return Decided(word, f"a clause gives a clear {word!r}: {clause.strip()[:60]!r}")
    return Decided(None, "no clause gives a clear yes or no")


def _word(clause: str) -> Literal["yes", "no"] | None:
    stated = _STATED.fullmatch(clause)
    if stated is not None:
        return "yes" if stated[1] == "yes" else "no"
    match = _OPENING.fullmatch(clause)
    return None if match is None else _opening_word(*match.groups())


def _opening_word(word: str, rest: str) -> Literal["yes", "no"] | None:
    if _OTHER.match(rest):
        return None
    if word == "yes":
        return "yes"
    if _COUNTED.match(rest):
        return None
    first = re.split(r"[^\w]", rest, maxsplit=1)[0]
    return "no" if rest in _WHOLE or first in _SUBJECTS else None
