"""Whether a sentence still says what it said after somebody put it into other words.

The check is lexical, and says so: it cannot prove that the meaning is the same. It refuses whatever
it is not sure of, so that a refused sentence costs variety and never truth.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simulator.models.scripted.shapes import Shape
from simulator.models.scripted.words import content_words

LONGEST = 240
"""Most characters of a sentence."""

_MARKS = {
    "negation": "no|not|never|nor|neither|none|without|cannot|longer|[a-z]+n't",
    "contrast": "but|instead|rather|place|replac*|than",
    "past": "was|were|had|been|used|former*|original*|previous*|once|until|before|past|earlier|old"
    "|first|then|ago|start",
    "return": "again|back|return*|more|after|undo|undone|revers*|restor*|mistake|stay*|off",
    "change": "now|correct*|chang*|revis*|new|news|scratch|forget|mind|today|became|become*",
    "from": "from",
    "to": "to",
    "since": "since",
    "onwards": "on|onwards|effect*|starting|begin*|valid",
    "late": "late|later|delay*|overdue|older|forgot*|backlog|archiv*|slow|record|reached|found",
    "when": "yesterday|tomorrow|morning|evening|tonight|day|week|month|year",
    "doubt": "may|might|could|would|should|perhaps|maybe|probably|if|unless|whether",
}
_SIDED = ("negation", "contrast")
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december".split(
        "|"
    )
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_DATED = re.compile(rf"\d+|(?:{'|'.join(_MONTHS)})\b", re.IGNORECASE)
_PATTERNS = {name: re.compile(words.replace("*", "[a-z]*")) for name, words in _MARKS.items()}


@dataclass(frozen=True)
class Wording:
    """What must be kept of a sentence.

    Attributes:
        text: The sentence.
        fact: What it calls the fact, as it stands in it.
        ids: The ids that it names.
        shapes: What ids and values look like.
    """

    text: str
    fact: str
    ids: frozenset[str]
    shapes: Sequence[Shape]

    def fault(self, other: str) -> str | None:
        """Return why `other` may not stand for this sentence, None when it may."""
        for reason, broken in self._faults(other):
            if broken:
                return reason
        return None

    def _faults(self, other: str) -> Iterator[tuple[str, bool]]:
        yield "it is empty", not other
        yield "it is the same", other == self.text
        yield "it is too long", len(other) > LONGEST
        yield "it is more than one statement", bool(re.search(r"[.!?]\s|[\n?]", other))
        mine, theirs = self._values(self.text), self._values(other)
        yield "it has other values or ids", set(mine) != set(theirs) or len(mine) != len(theirs)
        yield "its dates differ", self._dates(self.text) != self._dates(other)
        words = content_words(self.fact)
        yield "it calls the fact something else", not words <= content_words(other)
        yield "it says something else of the value", self._said(self.text) != self._said(other)

    def _values(self, text: str) -> list[str]:
        """Return the ids and values of a text, from left to right."""
        found = {
            (place.start(), value)
            for shape in self.shapes
            for value in shape.all_matches(text)
            for place in re.finditer(re.escape(value), text)
        }
        return [value for _, value in sorted(found)]

    def _dates(self, text: str) -> Counter[str]:
        for value in self._values(text):
            text = text.replace(value, "")
        return Counter(word.lower() for word in _DATED.findall(text))

    def _said(self, text: str) -> tuple[object, ...]:
        """Return what is said of the values: by the words before, between and after them.

        Two values keep their order, and each stretch of words its marks; with one value, marks may
        move to its other side, but for negations and contrasts.
        """
        values = [value for value in self._values(text) if value not in self.ids]
        stretches = re.split("|".join(map(re.escape, values)), text) if values else [text]
        marks = [self._marks(each) for each in stretches]
        sided = [Counter({name: each[name] for name in _SIDED if each[name]}) for each in marks]
        if len(values) > 1:
            return (values, [set(each) for each in marks], sided)
        # With no other value to come from, "to" says nothing of this one.
        return (values, set().union(*marks) - {"to"}, sided)

    def _marks(self, text: str) -> Counter[str]:
        of_fact = set(_WORD.findall(self.fact.lower()))
        words = [word for word in _WORD.findall(text.lower()) if word not in of_fact]
        return Counter(
            name for word in words for name, pattern in _PATTERNS.items() if pattern.fullmatch(word)
        )
