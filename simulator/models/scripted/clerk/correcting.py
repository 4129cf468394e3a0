"""Corrections: which figure a remark puts in the place of which, and in which statements."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from simulator.models.scripted.clerk.cues import NOISE
from simulator.models.scripted.clerk.figures import Figure, exchanged, figures, has, values
from simulator.models.scripted.clerk.ids import Ids, words
from simulator.models.scripted.clerk.seen import Remark, Statement

_NEW, _OLD = r"‹(?P<new>\d+)›", r"‹(?P<old>\d+)›"
_GAP = r"[^‹›]{0,30}?"
_WRONG = r"(?:wrong|mistaken|incorrect|a typo|a misprint|an error|out of date|outdated|void|no longer (?:right|valid|true))"
_SHOULD = r"(?:should|ought to|must|needs? to|has to|have to)"
_BECAME = r"(?:turned out|turns out|became|becomes|has become|is now|was really|is really|is actually|was in fact)"
_NOT = r"(?:not|isn['’]t|wasn['’]t|aren['’]t|instead of|rather than|no longer)"
_FOR = r"(?:not|never|instead of|rather than|in place of|replac\w+|up from|down from|no longer)"
_ORDERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NEW},? (?:and |but )?{_FOR}\b{_GAP}{_OLD}",
        rf"\b{_NOT}\b{_GAP}{_OLD}[^‹›]{{0,60}}?{_NEW}",
        rf"\bfrom\b{_GAP}{_OLD} to\b{_GAP}{_NEW}",
        rf"{_OLD} {_SHOULD} (?:be|read|say|have (?:been|read))\b{_GAP}{_NEW}",
        rf"\b(?:replac|chang|swap|correct|amend|exchang|updat|turn)\w*{_GAP}{_OLD} "
        rf"(?:to|with|by|for|into)\b{_GAP}{_NEW}",
        rf"{_OLD}[^‹›]{{0,30}}? (?:is|was|are|were) {_WRONG}[^‹›]{{0,60}}?{_NEW}",
        rf"{_NEW}[^‹›]{{0,60}}?{_OLD}[^‹›]{{0,30}}? (?:is|was|are|were) {_WRONG}",
        rf"{_OLD} {_BECAME}\b{_GAP}{_NEW}",
    )
)
"""How a sentence says which of two marked figures is the new one; the first that fits counts."""


@dataclass(frozen=True)
class Correction:
    """One figure for another.

    Attributes:
        remark: Where it is said.
        new: The figure that is right.
        old: The figure that is wrong, or None where it is not said.
        documents: The documents that are named.
        words: What it is about.
    """

    remark: Remark
    new: Figure
    old: Figure | None
    documents: tuple[str, ...]
    words: frozenset[str]


def read_correction(remark: Remark, statements: Sequence[Statement], ids: Ids) -> Correction | None:
    """Return what a remark corrects, None where it names no new figure."""
    found = values(remark.text)
    pair = _ordered(remark.text, found) or _by_what_is_stated(found, statements)
    if pair is None:
        return None
    new, old = pair
    about = words(remark.text) - NOISE
    return Correction(remark, new, old, tuple(ids.documents(remark.text)), about)


def _ordered(text: str, found: Sequence[Figure]) -> tuple[Figure, Figure | None] | None:
    """Return new and old where the sentence itself says which is which."""
    marked = text
    for number, each in reversed(list(enumerate(found))):
        marked = f"{marked[: each.start]}‹{number}›{marked[each.end :]}"
    for pattern in _ORDERS:
        order = pattern.search(marked)
        if order is not None and max(int(order["new"]), int(order["old"])) < len(found):
            return found[int(order["new"])], found[int(order["old"])]
    return None


def _by_what_is_stated(
    found: Sequence[Figure], statements: Sequence[Statement]
) -> tuple[Figure, Figure | None] | None:
    """Return the first figure that no document states as new, and one that a document states as old."""
    stated = [each for each in found if any(has(s.text, each.text) for s in statements)]
    fresh = [each for each in found if each not in stated]
    if not fresh:
        return None
    old = next((each for each in stated if each.resembles(fresh[0])), None)
    return fresh[0], old


def corrected(statements: Iterable[Statement], correction: Correction) -> list[Statement]:
    """Return the statements with one correction made."""
    given = list(statements)
    chosen = _chosen(given, correction)
    return [_mended(each, correction) if each in chosen else each for each in given]


def applies(statements: Iterable[Statement], correction: Correction) -> bool:
    """Return whether a correction is of anything that is stated."""
    return bool(_chosen(list(statements), correction))


def _chosen(statements: list[Statement], correction: Correction) -> list[Statement]:
    """Return the statements that a correction is about.

    With an old figure: those that hold it, of a named document or by a shared word. Without: the
    one, of a named document where there is one, that shares most words and has such a figure.
    """
    named = set(correction.documents)
    old = correction.old
    if old is not None:
        return [
            each
            for each in statements
            if has(each.text, old.text if _alike(correction) else old.core)
            and (each.document in named or _shared(each, correction) or not correction.words)
        ]
    fitting = [each for each in statements if _replaceable(each, correction) is not None]
    fitting = [each for each in fitting if each.document in named] if named else fitting
    most = max((_shared(each, correction) for each in fitting), default=0)
    if most < (1 if named else 2):
        return []
    return [each for each in fitting if _shared(each, correction) == most][:1]


def _alike(correction: Correction) -> bool:
    return correction.old is not None and correction.old.kind == correction.new.kind


def _shared(statement: Statement, correction: Correction) -> int:
    said = words(statement.text) | statement.title_words
    return len(said & correction.words)


def _replaceable(statement: Statement, correction: Correction) -> Figure | None:
    """Return the first figure of a statement that the new one could stand for."""
    if has(statement.text, correction.new.text):
        return None
    found = (each for each in figures(statement.text) if each.resembles(correction.new))
    return next(found, None)


def _mended(statement: Statement, correction: Correction) -> Statement:
    old = correction.old or _replaceable(statement, correction)
    if old is None:
        return statement
    return replace(statement, text=exchanged(statement.text, old, correction.new), verbatim=False)
