"""Corrections: a sentence that puts a new value in the place of one that was said before."""

import re
from dataclasses import dataclass
from functools import lru_cache

from memories.bookkeeping.grammar import any_of, plain, speaks
from memories.extraction.values import Span, find_values

_CUES = any_of(
    r"\bcorrection\b|\bcorrected\b|^(?:update|erratum|fix)\b|\bi (?:misspoke|misread|mistyped|was wrong"
    r"|got (?:it|that|this) wrong|gave you the wrong|had (?:the|it|them)\b.{0,20}\b(?:wrong|swapped))\b",
    r"\bmy (?:mistake|bad|fault|error)\b|\bsorry\b|\boops\b|\bactually\b|\b(?:it )?turn(?:s|ed) out\b",
    r"\b(?:is|was|were|are) (?:wrong|incorrect|outdated|out of date|a typo|mistaken|off by|stale|not right"
    r"|not correct|superseded|obsolete)\b|\btypo\b|\bmisprint\b|\bshould (?:read|be|say|have (?:been|read))\b",
    r"\b(?:restated|revised|amended|adjusted|rechecked|recounted|recalculated|updated|re-?measured"
    r"|understated?|overstated?|swapped|mixed up|supersedes?|superseded|replaces?|replaced|replacing)\b",
    r"\b(?:instead of|rather than|no longer|in place of)\b|,? (?:and )?not (?:the )?[$€£]?\d|\bnot\b.{0,30}\bbut\b",
    r"\b(?:has|have|had|was|were) (?:since )?(?:been )?(?:changed|moved|risen|gone|dropped|fallen|increased"
    r"|grown|raised|lowered|reduced|shifted|postponed|brought forward|cut)\b",
    r"\b(?:changed|moved|went|rose|fell|dropped|grew|shifted|slipped) (?:up |down )?(?:to|from)\b|\b(?:raised"
    r"|lowered|increased|reduced|cut|put up|brought down)\b.{1,60}\bto\b",
    r"\b(?:is|are|stands?|comes?|at|we're|it's) now\b|\bnow (?:is|are|at|stands|comes|costs?|says?|promises?"
    r"|\d|[$€£])|\bnow\b[.!]?$|\bnew(?:er)? (?:quote|price|figure|number|version|rate|count|offer)\b",
    r"\bcounts? (?:as|for)\b|\b(?:is|are|was|were) (?:void|invalid|null and void)\b|\bno longer (?:holds?|counts?|stands?)\b"
    r"|\bc[oa]mes? out (?:at|as|to|above|below)\b|\bcame to\b",
    r"n't\b.{1,30}\bbut\b|\bmake (?:that|it)\b|\bafter all\b|\bfrom here on\b|\bas of (?:today|now)\b|\bslip of\b"
    r"|\b(?:miscounted|misheard|miscalculated|mislabell?ed|mistake|error|wrong)\b|\bcontrary to\b|\bthey had\b"
    r"|\bnew (?:information|data|reading|count|measurement)\b|\bputs the\b|\b(?:was|were|is|are) off\b",
    r"\bnow (?!that\b)\w+s\b|\bin fact\b|\b(?:counted|measured|checked|looked|read it) again\b|\b(?:read|had|used|took) the wrong\b"
    r"|\bon (?:second|closer) (?:reading|look|thought|inspection)\b|\bswap\b|\bobsolete\b|\bwithdrawn (?:its|his|her|their)\b"
    r"|\b(?:later|earlier|more|less|higher|lower) than (?:announced|planned|said|thought|stated|agreed|reported)\b"
    r"|\b(?:up|down) to\b.{0,40}\bsince\b|\bput (?:\w+ ){1,4}?(?:up|down) to\b",
    r"\b(?:scrap|ignore|disregard|forget|strike)\b|\bas (?:i|we) said before\b|\bwhere (?:the|it|i|we)\b"
    r".{0,30}\b(?:says?|said|reads?)\b|\blast year's\b|\b(?:earlier|old|previous|original) (?:figure|number"
    r"|value|estimate|amount|price|count|date)\b",
)


_AMOUNTS = frozenset({"number", "money", "percent", "quantity", "time"})


@dataclass(frozen=True)
class Amendment:
    """What a correction does to a statement.

    Attributes:
        text: The statement with the new value in place of the old one.
        sure: True when the correction names the value that the statement has.
    """

    text: str
    sure: bool


@lru_cache(maxsize=4096)
def corrects(sentence: str) -> bool:
    """Tell whether a sentence says that a value is another one than was said."""
    text = plain(sentence)
    return bool(speaks(text) and _CUES.search(text) and find_values(sentence))


@lru_cache(maxsize=4096)
def amend(statement: str, correction: str) -> Amendment | None:
    """Return a statement as a correction leaves it, or None where it does not bear on it.

    The old value is one that both have; where they have none, it is the statement's only value of
    the new one's shape.
    """
    values = _values(statement)
    told = _values(correction)
    olds = [value for value in values if any(_same(value, each) for each in told)]
    if len(olds) > 1:
        return None
    news = [each for each in told if not each.dead]
    if olds:
        pairs = [(olds[0], new) for new in news if _fits(new, olds[0]) and not _same(new, olds[0])]
    else:
        pairs = [(old, new) for old in values for new in news if old.kind == new.kind]
    return _put(statement, *pairs[0], sure=bool(olds)) if len(pairs) == 1 else None


@lru_cache(maxsize=8192)
def _values(sentence: str) -> tuple[Span, ...]:
    return tuple(find_values(sentence))


def _digits(span: Span) -> str:
    return re.sub(r"[^\d.]", "", span.text).strip(".")


def _same(one: Span, other: Span) -> bool:
    digits = _digits(one)
    if digits:
        return digits == _digits(other) and _fits(one, other)
    return one.text.casefold() == other.text.casefold()


def _fits(new: Span, old: Span) -> bool:
    """Tell whether a value can stand where another one stands; a bare number can for an amount."""
    kinds = {new.kind, old.kind}
    return len(kinds) == 1 or ("number" in kinds and kinds <= _AMOUNTS)


def _put(statement: str, old: Span, new: Span, sure: bool) -> Amendment:
    text = new.text
    if new.kind == "number" != old.kind:
        text = re.sub(r"\d[\d,.]*\d|\d", new.text, old.text, count=1)
    return Amendment(statement[: old.start] + text + statement[old.end :], sure)
