"""What stewards understand: the words by which a sentence says more of a value than the value."""

import re

ID = re.compile(r"(?<![\w-])[A-Z]{1,4}-\d{4}(?![\w-])")
"""What an id looks like: capitals, a hyphen, four digits."""

QUESTION = re.compile(r"\bwhat is\b.*\?", re.IGNORECASE)
"""A request that wants an answer in words."""

PAST = re.compile(
    r"\b(?:used to be|back then|before the change|before that|at first|until they changed|in the old papers"
    r"|once upon a time|in the past|formerly|at the start|originally)\b",
    re.IGNORECASE,
)
"""The value held once."""

COPY = re.compile(r"\bcopy of my earlier note\b", re.IGNORECASE)
STAMP = re.compile(r"\bstamped (\d{1,2}) ([A-Z][a-z]+)")
STAMP_RULE = re.compile(r"\bstamped last\b")
SOURCE_RULE = re.compile(r"\bwhat (?P<trusted>[\w ]+?) says counts over what\b")
CASE = re.compile(r"\bin case of (?P<case>[\w ]+?),", re.IGNORECASE)
MARKED = re.compile(r"\bonly\b|\bconfidential\b", re.IGNORECASE)
SUBSTITUTE = re.compile(r"\bfall away\b")
GONE = re.compile(r"\bdeleted for good\b|\bmay no longer use\b|\bis void\b")
RULE = re.compile(
    r"\bnever (?P<do>.+?),(?: whoever asks,| even when asked to,)? but (?P<instead>.+) instead\b"
)
ORDER = re.compile(r"\buse \S+.* as the\b", re.IGNORECASE)
"""A sentence that tells whoever reads it what to use."""

NEAR = re.compile(
    r"\bnever\b|\bonly for\b|\bonly:|\bconfidential\b|\bno longer use\b|\bdeleted for good\b|\bis void\b",
    re.IGNORECASE,
)
"""Any sign of a rule."""

MONTHS = (
    "January February March April May June July August September October November December"
).split()

_OLD = ("instead of", "not", "from", "was")
_EDGES = ".,;:!?()\"'"


def words_with_values(sentence: str) -> list[str]:
    """Return the words of a sentence that look like values: they hold a digit and are no ids."""
    words = (word.strip(_EDGES) for word in sentence.split())
    return [
        word
        for word in words
        if len(word) > 2 and any(map(str.isdigit, word)) and not ID.fullmatch(word)
    ]


def standing(sentence: str, values: list[str]) -> list[str]:
    """Return the values of a sentence that it does not call replaced: `not X`, `instead of X`."""
    return [
        value
        for value in values
        if not any(re.search(rf"\b{words} {re.escape(value)}", sentence) for words in _OLD)
    ]


def stamp(sentence: str) -> tuple[int, int] | None:
    """Return the month and the day of a stamped record."""
    found = STAMP.search(sentence)
    if found is None or found[2] not in MONTHS:
        return None
    return MONTHS.index(found[2]), int(found[1])
