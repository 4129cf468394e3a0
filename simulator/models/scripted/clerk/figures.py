"""Figures: amounts, shares, dates, counts and numbers in a sentence, and names where there are none."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from simulator.models.scripted.words import stem

_MONTH = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_DAY = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_SPELLED = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty"
    "|thirty|forty|fifty|sixty|ninety|hundred"
)
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_SCALE = r"(?: ?(?:thousand|million|billion|bn|k|m)\b)?"
_NTH = r"(?:st|nd|rd|th)?"
_KINDS = {
    "id": r"[A-Z]{1,8}-\d+",
    "date": rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}{_NTH}(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"
    rf"|(?:{_MONTH}) \d{{1,2}}{_NTH}\b(?:,? \d{{4}})?|(?<=[a-z,] )(?:{_MONTH})\b(?: \d{{4}})?",
    "day": rf"(?<=[a-z,] )(?:{_DAY})\b",
    "quarter": r"Q[1-4]\b(?: \d{4})?",
    "money": rf"[$€£] ?{_NUMBER}{_SCALE}|{_NUMBER}{_SCALE} (?:dollars?|euros?|pounds?|USD|EUR|GBP)\b",
    "percent": rf"(?:{_NUMBER}|(?:{_SPELLED})\b) ?(?:%|per ?cent\b)",
    "clock": r"\d{1,2}:\d\d\b",
    "count": rf"(?:{_NUMBER}|(?:{_SPELLED}))[ -][a-z]{{2,}}",
    "number": rf"{_NUMBER}(?!\w)",
}
"""Kind to what it looks like; of several at one place the first counts."""
_FIGURE = re.compile(
    rf"(?<![\w.,$€£-])(?:{'|'.join(f'(?P<{kind}>{form})' for kind, form in _KINDS.items())})"
)
_CORE = re.compile(rf"{_NUMBER}|(?:{_SPELLED})")
_NAME = re.compile(r"(?<=[a-z,:] )(?!I\b)[A-Z][\w.'-]*\w(?: [A-Z][\w.'-]*\w){0,3}|\"[^\"]{1,80}\"")


@dataclass(frozen=True)
class Figure:
    """A value in a text.

    Attributes:
        text: The value as written.
        kind: `date`, `money`, …; of a count with its unit, `count:month`.
        start: Where it starts in the text.
    """

    text: str
    kind: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)

    @property
    def core(self) -> str:
        """The number in it, without its unit, or all of it where there is none."""
        found = _CORE.search(self.text)
        return self.text if found is None else found[0]

    def resembles(self, other: "Figure") -> bool:
        """Return whether one could stand where the other does."""
        return self.kind == other.kind or "number" in (self.kind, other.kind)


@lru_cache(maxsize=16_384)
def figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text from left to right; ids are none."""
    found = (
        Figure(each[0], _kind(each.lastgroup or "", each[0]), each.start())
        for each in _FIGURE.finditer(text)
    )
    return tuple(each for each in found if each.kind != "id")


def _kind(group: str, text: str) -> str:
    return f"count:{stem(re.split('[ -]', text)[-1])}" if group == "count" else group


def values(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text, or where it has none the names and quoted words in it."""
    named = (Figure(each[0].strip('"'), "name", each.start()) for each in _NAME.finditer(text))
    return figures(text) or tuple(named)


def exchanged(text: str, old: Figure, new: Figure) -> str:
    """Return a text with one figure in the place of another, the unit kept where one has none."""
    whole = old.kind == new.kind
    out, put = (old.text, new.text) if whole else (old.core, new.core)
    return _apart(out).sub(_as_is(put), text)


def has(text: str, value: str) -> bool:
    """Return whether a text holds a value, not as a part of a longer one."""
    return _apart(value).search(text) is not None


@lru_cache(maxsize=4096)
def _apart(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w$€£])(?<!\d[.,]){re.escape(value)}(?!\w)(?![.,]\d)")


def _as_is(text: str) -> Callable[[re.Match[str]], str]:
    return lambda found: text
