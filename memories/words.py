"""Words: stop words, a light stemmer, and how much two texts share."""

import re
from functools import lru_cache

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before but by can could did
    do does for from had has have he her here hers him his how i if in into is it its just let me
    more my no not now of on or our out please shall she should so some than that the their them
    then there these they this those to too up us was we were what when where which while who why
    will with would you your yours""".split()
)
_WORD = re.compile(r"\w+(?:[-.]\w+)*")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ied", "ers", "ed", "es", "er", "ly", "s", "e")


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Return a case-folded word without a common English ending, if three letters remain."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=4096)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` that are no stop words; ids stay whole."""
    words = _WORD.findall(text.casefold())
    return frozenset(stem(word) for word in words if word not in STOP_WORDS)


@lru_cache(maxsize=4096)
def value_words(text: str) -> frozenset[str]:
    """Return the words of `text` that hold a digit: ids, amounts, dates, codes."""
    words = _WORD.findall(text.casefold())
    return frozenset(word for word in words if any(letter.isdigit() for letter in word))
