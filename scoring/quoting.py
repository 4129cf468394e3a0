"""Quotations: when two passages are the same word for word, and when but for their typography."""

import re
import unicodedata
from typing import NamedTuple

from scoring.decisions import DecisionRecord
from scoring.keys import QuotesCheck
from scoring.reports import last_report
from simulator.events.folding import plain_marks

_WRAPPED = re.compile(r"[ \t\n\r\f\v]+")
_VARIANT = re.compile(r"<(?:compat|noBreak|wide|narrow|small|isolated|initial|medial|final)> ")


def unwrapped(text: str) -> str:
    """Return a text with its line wraps folded: a run of blanks and line breaks is one space.

    Two texts are the same word for word when these are the same, code point by code point.
    """
    return _WRAPPED.sub(" ", text).strip(" ")


def typographic(text: str) -> str:
    """Return a text without typographic variants, letter case kept.

    Quotation marks, dashes, other spaces, invisible characters, ligatures, the ellipsis and the
    ways to write an accent are variants. Superscripts and fractions are not: 10² is not 102.
    """
    plain = "".join(map(_plain, plain_marks(text)))
    return unwrapped(unicodedata.normalize("NFC", plain))


def _plain(char: str) -> str:
    if _VARIANT.match(unicodedata.decomposition(char)):
        return unicodedata.normalize("NFKC", char)
    return " " if char.isspace() else char


class Quotation(NamedTuple):
    """What became of a passage that was to be quoted.

    Attributes:
        verbatim: It is quoted word for word, from its source.
        typographic: It is so when typographic variants are taken for one another.
        elsewhere: The other sources that it is quoted from, in either way.
    """

    verbatim: bool
    typographic: bool
    elsewhere: tuple[str, ...]


def find_quotation(check: QuotesCheck, record: DecisionRecord) -> Quotation | None:
    """Return what became of a passage in a decision's report, None when there was no report.

    Raises:
        InputError: when the report cannot be read.
    """
    report = last_report(record)
    if report is None:
        return None
    wanted, loose = unwrapped(check.text), typographic(check.text)
    exact = {each.source for each in report.quotes if unwrapped(each.text) == wanted}
    alike = [each.source for each in report.quotes if typographic(each.text) == loose]
    elsewhere = dict.fromkeys(source for source in alike if source != check.source)
    return Quotation(check.source in exact, check.source in alike, tuple(elsewhere))
