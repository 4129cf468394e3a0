"""What binds the clerk: rules and what lifts them, obligations, quotations, corrections, notices."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from simulator.models.scripted.clerk import cues
from simulator.models.scripted.clerk.cues import Family
from simulator.models.scripted.clerk.ids import Ids, words
from simulator.models.scripted.clerk.seen import Remark, Seen, Statement

_MINE = re.compile(r"\b(?:I|me|my)\b")
_CLAUSE = re.compile(r"[,;:.]\s|\s[-–—]\s|\b(?:so|because|since|as|and|but|for)\b", re.IGNORECASE)
State = Literal["withdrawn", "granted", "deleted"]


@dataclass(frozen=True)
class Rule:
    """A remark that stops an act until it is lifted.

    Attributes:
        remark: Where it is said.
        families: The acts that it stops.
        act: The part of the sentence that says what it stops.
        words: Content words by which a lift is recognised.
    """

    remark: Remark
    families: frozenset[Family]
    act: str
    words: frozenset[str]


@dataclass(frozen=True)
class Notice:
    """A remark on whether a document may be used, or is there at all."""

    remark: Remark
    state: State
    document: str


@dataclass(frozen=True)
class Notes:
    """What a prompt binds the clerk to.

    Attributes:
        rules: Rules that are not lifted.
        obligations: What final work must hold besides.
        quotations: Requests for a passage word for word.
        corrections: Remarks that correct a figure.
        notices: Document to the notice that holds for it: withdrawn or deleted.
        binding: All remarks that bind or release, rules that are lifted included.
    """

    rules: tuple[Rule, ...]
    obligations: tuple[Remark, ...]
    quotations: tuple[Remark, ...]
    corrections: tuple[Remark, ...]
    notices: dict[str, Notice]
    binding: tuple[Remark, ...]


def take_notes(seen: Seen, ids: Ids) -> Notes:
    """Read the remarks for what binds."""
    remarks = seen.remarks
    found = [notice for each in remarks for notice in _notices(each, seen.statements, ids)]
    told = {notice.remark for notice in found}
    rest = [each for each in remarks if each not in told]
    rules = [rule for each in rest if (rule := _rule(each, ids)) is not None]
    ruling = {rule.remark for rule in rules}
    quotations = [each for each in rest if cues.QUOTES.search(each.text)]
    corrections = [each for each in rest if each not in ruling and cues.CORRECTS.search(each.text)]
    asked = [each for each in rest if each not in ruling and each not in quotations]
    obligations = [each for each in asked if obliges(each.text)]
    lifts = [each for each in rest if each not in ruling and lifts_something(each.text)]
    holding = tuple(rule for rule in rules if not any(_lifts(e, rule, rules, ids) for e in lifts))
    binding = {*told, *ruling, *quotations, *corrections, *obligations, *lifts}
    return Notes(
        holding,
        tuple(obligations),
        tuple(quotations),
        tuple(corrections),
        _in_force(found),
        tuple(each for each in remarks if each in binding),
    )


def _rule(remark: Remark, ids: Ids) -> Rule | None:
    text = remark.text
    if cues.HARMLESS.search(text) or text.rstrip().endswith("?"):
        return None
    if cues.ENDED.search(text) and lifts_something(text):
        return None
    forbids = bool(cues.FORBIDS.search(text))
    waits = bool(cues.WAITS.search(text)) and not cues.PAST.search(text)
    implied = bool(cues.UNSETTLED.search(text))
    if not (forbids or waits or implied):
        return None
    act = _act(text)
    families = _families(act) or _families(text)
    if not families and ids.people(text) and (forbids or implied or _MINE.search(text)):
        families = frozenset({"send"})
    elif not families and forbids and ids.documents(text) and not implied:
        families = frozenset({"delete"})
    if not families or not (forbids or ids.people(text) or ids.documents(text)):
        return None
    return Rule(remark, families, act, words(remark.line))


def _families(text: str) -> frozenset[Family]:
    return frozenset(name for name, cue in cues.FAMILIES.items() if cue.search(text))


@lru_cache(maxsize=4096)
def _act(text: str) -> str:
    """Return the part of a sentence that says what must wait, without what it waits for."""
    marker = cues.MARKERS.search(text)
    if marker is None:
        return text
    left, right = text[: marker.start()], text[marker.end() :]
    if not any(letter.isalpha() for letter in left):
        _, comma, act = right.partition(",")
        return act if comma else right
    if marker[0].lower() == "before" and not _negated(left):
        return right
    return left


def _negated(text: str) -> bool:
    found = cues.NEGATES.search(text)
    # To wait for something before an act is no negation of the act.
    return found is not None and not found[0].lower().startswith(("wait", "hold"))


def obliges(text: str) -> bool:
    """Return whether a sentence asks for something to be in final work."""
    if text.rstrip().endswith("?") and not text.lower().startswith(
        ("can", "could", "will", "would")
    ):
        return False
    return bool(cues.OBLIGES.search(text) and cues.CONTAINS.search(text))


def lifts_something(text: str) -> bool:
    """Return whether a sentence releases from something, under no condition."""
    if not cues.LIFTS.search(text) or text.rstrip().endswith("?"):
        return False
    rest = cues.ENDED.sub(" ", text)
    return not cues.NEGATES.search(rest) and not cues.MARKERS.search(rest)


def _lifts(remark: Remark, rule: Rule, rules: list[Rule], ids: Ids) -> bool:
    """Return whether a release is from this rule, and not said before it."""
    if remark.date and rule.remark.date and remark.date < rule.remark.date:
        return False
    named = {*ids.people(remark.text), *ids.documents(remark.text)}
    meant = {*ids.people(rule.remark.line), *ids.documents(rule.remark.line)}
    if named & meant:
        return True
    if named and meant and not _same_kind_missing(named, meant, ids):
        return False
    about = words(remark.line) - cues.NOISE
    if about & (rule.words - cues.NOISE):
        return True
    permits = cues.PERMITS.search(remark.text) is not None
    if permits and _families(remark.text) & rule.families:
        return True
    return len(rules) == 1 and not about and not named


def _same_kind_missing(named: set[str], meant: set[str], ids: Ids) -> bool:
    """Return whether the two name things of different kinds, which do not speak against it."""
    kinds = [{each.partition("-")[0] for each in group} for group in (named, meant)]
    return kinds[0].isdisjoint(kinds[1])


def _notices(remark: Remark, statements: Iterable[Statement], ids: Ids) -> list[Notice]:
    state = _state(remark.text)
    if state is None:
        return []
    documents = ids.documents(remark.text) or _titled(remark, statements)
    return [Notice(remark, state, name) for name in documents]


def _state(text: str) -> State | None:
    if text.rstrip().endswith("?"):
        return None
    if cues.GRANTED.search(text) and not cues.NEGATES.search(text):
        return "granted"
    if cues.WITHDRAWN.search(text):
        return "withdrawn"
    told = cues.GONE.search(text) or any(map(_tells_of_deletion, _CLAUSE.split(text)))
    return "deleted" if told else None


def _tells_of_deletion(clause: str) -> bool:
    """Return whether a clause tells of a deletion, and does not forbid, allow or demand one."""
    told = cues.ENDED.sub(" ", clause)
    asks = cues.FORBIDS.search(told) or cues.WAITS.search(told) or cues.MAY_BE.search(told)
    return cues.DELETED.search(clause) is not None and asks is None


def _titled(remark: Remark, statements: Iterable[Statement]) -> list[str]:
    """Return the document whose title a remark names, by at least two words."""
    about = words(remark.text)
    shared = {each.document: len(each.title_words & about) for each in statements if each.document}
    most = max(shared.values(), default=0)
    return [name for name, count in shared.items() if count == most and most >= 2][:1]


def _in_force(found: list[Notice]) -> dict[str, Notice]:
    """Return what holds for each document: what was deleted stays so, else the last notice counts."""
    force: dict[str, Notice] = {}
    for notice in sorted(found, key=lambda each: (each.remark.date, each.remark.place)):
        before = force.get(notice.document)
        if before is None or before.state != "deleted":
            force[notice.document] = notice
    return {name: each for name, each in force.items() if each.state != "granted"}


def stops(rule: Rule, family: Family, named: Iterable[str], ids: Ids) -> bool:
    """Return whether a rule stops an act on these people and documents.

    A rule that names others of the same kind does not; one that names nobody stops every such act.
    """
    if family not in rule.families:
        return False
    act = [*ids.people(rule.act), *ids.documents(rule.act)]
    meant = act or [*ids.people(rule.remark.text), *ids.documents(rule.remark.text)]
    if family == "send":
        meant = [*filter(ids.person.fullmatch, meant)] or ids.people(rule.remark.text)
    return not meant or not set(meant).isdisjoint(named)
