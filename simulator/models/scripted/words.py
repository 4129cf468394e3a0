"""Content words: what scripted readers compare when they look for what fits a request."""

import re
from functools import lru_cache

STOP = frozenset(
    """
    a about after all also am an and any are as at be been before but by can could did do does
    done for from get had has have he her him his how i if in into is it its just let may me
    more must my no not now of on or our out please shall she should so some than that the
    their them then there these they this those to up us use was we were what when where which
    who whom whose why will with would yes you your
    """.split()
)
"""Words that never count."""

_WORD = re.compile(r"[^\W\d_]+")
_LONG_PLURALS = ("sses", "xes", "ches", "shes")


@lru_cache(maxsize=16_384)
def content_words(text: str) -> frozenset[str]:
    """Return the stems of the distinct words of `text`: lower case, letters only.

    One-letter words and `STOP` are left out.
    """
    words = _WORD.findall(text.lower())
    return frozenset(stem(word) for word in words if len(word) > 1 and word not in STOP)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return a lowercase word without a plural `s`, `ing` or `ed`, and without a final `e`.

    `refunds`, `refunded`, `refunding` become `refund`; `addresses` becomes `address`; `cities`
    becomes `city`; `shipping` becomes `ship`; `issue`, `issued` become `issu`. Words of up to
    three letters stay as they are.
    """
    if len(word) <= 3:
        return word
    if word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if word.endswith(_LONG_PLURALS):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3:
            return _undouble(rest).removesuffix("e")
    return word.removesuffix("e")


def _undouble(word: str) -> str:
    """Turn `shipp` into `ship`; `ll`, `ss` and `zz` belong to the word."""
    doubled = word[-1] == word[-2] and word[-1] not in "aeioulsz"
    return word[:-1] if doubled else word
