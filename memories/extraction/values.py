"""Values by their shape: dates, money, codes, addresses and the like in a sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
_STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl"
    r"|Terrace|Square|Sq|Parkway|Pkwy|Close|Crescent|Quay|Row|Walk|Gardens|Alley|Highway|Hwy)\b\.?"
)
# The first alternative that matches at a place wins, so the more specific shapes stand first.
_SHAPES = {
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    "date": (
        rf"\d{{4}}-\d\d-\d\d\b|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b"
        rf"|(?:{_WEEKDAY},? )?\b{_MONTH} {_ORDINAL}\b(?:,? \d{{4}}\b)?"
        rf"|\b(?:{_WEEKDAY},? )?(?:the )?{_ORDINAL} (?:of )?{_MONTH}(?: \d{{4}}\b)?"
        rf"|\b(?:(?:next|last|this) )?{_WEEKDAY}\b|\b(?:yesterday|today|tomorrow|tonight)\b"
        r"|\b(?:next|last|this) (?:week|month|year)\b|\b\d+ (?:days?|weeks?) ago\b"
        r"|\bin \d+ (?:days?|weeks?)\b"
    ),
    "address": (
        rf"\b\d{{1,5}}[A-Za-z]? (?:[A-Z][\w'’.-]*\s){{1,4}}?{_STREET}"
        r"(?:,? (?:Apt|Apartment|Unit|Suite|Flat|Floor)\.? ?\w+|,? #\w+)?"
        r"(?:, [A-Z][a-z]+(?: [A-Z][a-z]+)*(?=[,.;!)]|\s[A-Z\d]|\s*$))?(?:,? [A-Z]{2}\b)?"
        r"(?:,? \d{5}(?:-\d{4})?\b)?"
    ),
    "money": (
        r"(?:[$€£¥]|USD |EUR |GBP )\s?\d[\d,]*(?:\.\d+)?(?: ?(?:k|K|million|M)\b)?"
        r"|\b\d[\d,]*(?:\.\d+)? ?(?:dollars?|euros?|pounds?|USD|EUR|GBP)\b"
    ),
    "host": (
        r"\b[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)*"
        r"\.(?:internal|intranet|local|lan|corp|cloud|example|net|com|org|io|dev)\b(?![\w@-]|\.\w)"
    ),
    "place": (
        r"\b(?:Room|Suite|Hall|Studio|Seat|Desk|Gate|Platform|Bay|Locker|Table|Floor)"
        r" \d+(?:-\d+)*[A-Z]?\b"
    ),
    "percent": r"\b\d+(?:\.\d+)? ?(?:%|percent\b|per cent\b)",
    "time": r"\b\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b\.?)|\b\d{1,2}:\d\d\b|\bnoon\b|\bmidnight\b",
    "phone": r"(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\) ?|\b\d{2,4}[ .-])(?:\d{2,4}[ .-])?\d{3,4}\b",
    "version": r"\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+(?:[-+][\w.]+)?\b",
    "code": (
        # Short ones without a hyphen are words such as Q4 or B2B.
        r"#[A-Za-z]*-?\d[\w-]*"
        r"|\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])(?=[A-Z\d]*-|[A-Z\d]{4})[A-Z\d]+(?:-[A-Z\d]+)*\b"
        r"|\b[a-z]{2,12}-\d+\b"
    ),
    "quantity": (
        r"\b\d+ ?(?:items?|units?|boxes|pieces|people|persons|guests|seats?|licen[cs]es|days?"
        r"|weeks?|months?|hours?|minutes?|GB|MB|TB|kg|km|miles|pallets?)\b"
    ),
    "number": r"\b\d[\d,]*(?:\.\d+)?\b",
}
_ANY = re.compile("|".join(f"(?P<{kind}>{shape})" for kind, shape in _SHAPES.items()))
# Nothing without one of these has a shape; the test spares most sentences the long pattern.
_HINT = re.compile(r"\d|@|day\b|[Tt]omorrow|[Tt]onight|(?:week|month|year|noon|midnight)\b")

# Words right before a value that say it no longer holds.
_DEAD_BEFORE = re.compile(
    r"\b(?:instead of|rather than|in place of|not|no longer|never|isn't|aren't|wasn't|replac(?:es|ing)"
    r"|replaced(?! by| with)|supersed(?:es|ing)|forget|ignore|disregard|scrap|drop)"
    r"(?: (?:the|that|a|an|at|to|on|by|for|old|previous|earlier|original|first|[a-z]+ed|date|address"
    r"|code|number|amount|of)){0,4} ?$",
    re.IGNORECASE,
)
# Words that say so only where the sentence has another value of the same shape.
_PAST_BEFORE = re.compile(
    r"\b(?:was|were|from|previously|originally|formerly|used to be|old|earlier|before|had)"
    r"(?: (?:the|a|an|at|for|set|quoted|listed|as|on|it|said|address|code|number|amount|date|one)"
    r"){0,3}:? ?$",
    re.IGNORECASE,
)
_DEAD_AFTER = re.compile(
    r"^,? ?(?:(?:has been|is|was|gets|got) )?(?:replaced|superseded|no longer|void|outdated|wrong"
    r"|obsolete|not (?:right|correct|valid)|incorrect|a mistake|cancelled|expired)\b"
    r"|^ ?(?:->|→|=>)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Span:
    """A value in a sentence.

    Attributes:
        kind: Its shape, such as `money`.
        text: The value as written.
        start: Index of its first character.
        end: Index after its last character.
        dead: True when the sentence says that it no longer holds.
    """

    kind: str
    text: str
    start: int
    end: int
    dead: bool = False


def find_values(sentence: str) -> list[Span]:
    """Return the values of a sentence from left to right, the outdated ones marked."""
    if not _HINT.search(sentence):
        return []
    return mark_dead(sentence, list(_shapes(sentence)))


def mark_dead(sentence: str, found: list[Span]) -> list[Span]:
    """Return the values of a sentence, those marked that it says hold no longer."""
    return [_with_state(span, sentence, found) for span in found]


def _shapes(sentence: str) -> Iterator[Span]:
    for match in _ANY.finditer(sentence):
        kind = str(match.lastgroup)
        text = match.group().strip().rstrip(".,")
        yield Span(kind, text, match.start(), match.start() + len(text))


def _with_state(span: Span, sentence: str, found: list[Span]) -> Span:
    before = sentence[max(0, span.start - 60) : span.start]
    dead = _DEAD_BEFORE.search(before) or _DEAD_AFTER.search(sentence[span.end :])
    if not dead and sum(other.kind == span.kind for other in found) > 1:
        dead = _PAST_BEFORE.search(before)
    return Span(span.kind, span.text, span.start, span.end, True) if dead else span
