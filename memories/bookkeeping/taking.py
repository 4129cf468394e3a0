"""Taking in: a transcript, surface by surface, to the part of the ledger that each sentence is for."""

import re
from collections.abc import Sequence
from itertools import pairwise

from memories.bookkeeping.book import Book
from memories.bookkeeping.entries import Entry, entry
from memories.bookkeeping.grammar import any_of, plain, speaks
from memories.bookkeeping.lifting import reports
from memories.bookkeeping.notices import announces, named_things
from memories.bookkeeping.obligations import waits
from memories.bookkeeping.papers import Papers, shown_document, tells
from memories.bookkeeping.passing import (
    ends_something,
    fulfilled_by,
    granted_by,
    lifted_by,
    restated_by,
)
from memories.bookkeeping.reading import Kind, read, suggested
from memories.bookkeeping.rest import Rest
from memories.extraction.patterns import read_sentence
from memories.extraction.values import find_values
from memories.facts import Facts
from memories.sentences import passages
from simulator.effects.steps import Steps
from simulator.events import Surface

_POINTS_BACK = any_of(
    r"\b(?:it|them|they|him|her|he|she)\b|\b(?:do|doing|before|until|without|to|of|about|with) (?:that|this)\b"
    r"|^(?:that|this|those|these)\b"
)
_LOOKS = re.compile(
    r"(?:read|get|search|find|list|look|show|fetch|check|query|view|open)", re.IGNORECASE
)
_LONGEST_REPORT = 300

Left = tuple[Surface, int, str, str]
"""A sentence that is nothing in particular: surface, number, text, id of its document or ``""``."""


class Taker:
    """Writes what surfaces say into the parts of one ledger."""

    def __init__(self, book: Book, papers: Papers, facts: Facts, rest: Rest) -> None:
        self._book = book
        self._papers = papers
        self._facts = facts
        self._rest = rest

    def take(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Write a transcript: entries and statements first, then facts, then what is left."""
        calls = {each.call: each.text for each in transcript if each.call and _is_call(each)}
        left: list[Left] = []
        heard = []
        acted_on = {
            each.id
            for each, then in pairwise(transcript)
            if each.scope == then.scope and _is_call(then)
        }
        for surface in transcript:
            if self._take_notice(surface) or self._take_document(surface, left):
                continue
            heard.append(surface)
            if surface.role == "tool":
                self._take_result(surface, calls.get(surface.call or "", ""), left)
            elif surface.role == "assistant":
                self._take_words(surface, left)
            else:
                self._take_message(surface, left, at_once=surface.id in acted_on)
        yield from self._facts.absorb(heard)
        self._keep(left)

    def _take_notice(self, surface: Surface) -> bool:
        if surface.role != "system" or shown_document(surface) is not None:
            return False
        change = announces(surface.text)
        if change is None and not named_things(surface.text):
            return False
        notice = entry(surface, 0, "notice", " ".join(surface.text.split()), change)
        self._book.write(notice, granted_by(notice, self._book.standing(surface.scope)))
        return True

    def _take_document(self, surface: Surface, left: list[Left]) -> bool:
        document = shown_document(surface)
        if document is None:
            return False
        corrections = [
            each for each in self._book.standing(surface.scope) if each.kind == "correction"
        ]
        for number, sentence in enumerate(passages(document.body)):
            if tells(sentence):
                name = self._papers.write(surface, document, number, sentence)
                self._papers.recheck(name, corrections)
            else:
                left.append((surface, number, sentence, document.id))
        return True

    def _take_result(self, surface: Surface, call: str, left: list[Left]) -> None:
        """Take what a tool says; what it did may fulfil an obligation."""
        if surface.tool and not _LOOKS.match(surface.tool):
            text = " ".join(surface.text.split())[:_LONGEST_REPORT]
            if self._report(surface, 0, text, f"{call} {surface.text}"):
                return
        left.extend((surface, at, each, "") for at, each in enumerate(passages(surface.text)))

    def _take_words(self, surface: Surface, left: list[Left]) -> None:
        """Take what the agent says: never evidence, but it may report that something is done."""
        if _is_call(surface):
            return
        for number, sentence in enumerate(passages(surface.text)):
            if not self._report(surface, number, sentence, sentence):
                left.append((surface, number, sentence, ""))

    def _report(self, surface: Surface, number: int, text: str, work: str) -> bool:
        if not reports(text):
            return False
        done = fulfilled_by(work, self._book.standing(surface.scope))
        if done:
            self._book.write(entry(surface, number, "report", text), done, "fulfilled")
        return bool(done)

    def _take_message(self, surface: Surface, left: list[Left], at_once: bool) -> None:
        """Take what a person says; what the agent set about at once is no duty, unless it waits."""
        said = passages(surface.text)
        for number, sentence in enumerate(said):
            if self._lift(surface, number, sentence):
                continue
            kind = kind_of(sentence) or self._corrected(surface, number, sentence)
            done_now = kind == "obligation" and at_once and not waits(sentence)
            if kind is None or done_now:
                left.append((surface, number, sentence, ""))
                continue
            self._enter(surface, number, kind, sentence, said[number - 1] if number else "")

    def _corrected(self, surface: Surface, number: int, sentence: str) -> Kind | None:
        """Return that a plain statement corrects, where it contradicts what a document says."""
        if not find_values(sentence) or not speaks(plain(sentence)):
            return None
        said = entry(surface, number, "correction", sentence)
        return "correction" if self._papers.contradicts(said) else None

    def _lift(self, surface: Surface, number: int, sentence: str) -> bool:
        if not ends_something(sentence):
            return False
        ended = lifted_by(sentence, self._book.standing(surface.scope))
        if ended:
            self._book.write(entry(surface, number, "lift", sentence), ended)
        return bool(ended)

    def _enter(self, surface: Surface, number: int, kind: Kind, sentence: str, lead: str) -> None:
        points_back = kind != "correction" and _POINTS_BACK.search(plain(sentence))
        text = f"{lead} {sentence}" if lead and points_back else sentence
        made = entry(surface, number, kind, text)
        if kind == "correction":
            self._correct(made)
            return
        restated = restated_by(sentence, kind, self._book.standing(surface.scope))
        self._book.write(made, restated, "superseded")

    def _correct(self, correction: Entry) -> None:
        self._book.write(correction)
        self._papers.correct(correction)

    def _keep(self, left: Sequence[Left]) -> None:
        """Compress what no fact stands for."""
        sources = {surface.id for surface, *_ in left}
        values: dict[str, list[str]] = {}
        for item in self._facts.shelf:
            for source in item.sources & sources:
                values.setdefault(source, []).append(item.text.partition(" = ")[2])
        for surface, number, sentence, document in left:
            stated = (each.removesuffix(" (tool)") for each in values.get(surface.id, ()))
            if not any(each in sentence for each in stated):
                self._rest.write(surface, number, sentence, document)
        for scope in dict.fromkeys(surface.scope for surface, *_ in left):
            self._rest.compress(scope)


def kind_of(sentence: str) -> Kind | None:
    """Return what a person's sentence is; one that states a fact of something is no more than that.

    Unless a pattern knows it as a limit or a duty: weak signs do not outweigh a fact.
    """
    known = read(sentence)
    if known is not None:
        return known
    stated = any(each.entity for each in read_sentence(sentence).statements)
    return None if stated else suggested(sentence)


def _is_call(surface: Surface) -> bool:
    return surface.role == "assistant" and surface.tool is not None
