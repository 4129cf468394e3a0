"""Noting: from what a surface states to facts in a factbook."""

from collections.abc import Callable, Sequence

from memories.extraction.cues import GENERIC
from memories.extraction.dates import resolve_day
from memories.extraction.factbook import Fact, Factbook, fold
from memories.extraction.pairs import find_pairs, subject_of
from memories.extraction.patterns import Reading, Statement, read_sentence
from memories.sentences import sentences
from simulator.events import Surface

Reader = Callable[[str], Reading]
"""Tells what one sentence states."""


def note_all(transcript: Sequence[Surface], book: Factbook, reader: Reader = read_sentence) -> None:
    """Write the facts that the surfaces state.

    What the assistant says is no evidence. A sentence without an entity speaks of the last one
    named before it in the same scope.
    """
    named: dict[str, str] = {}
    for surface in transcript:
        if surface.role != "assistant":
            named[surface.scope] = _note(surface, book, named.get(surface.scope, ""), reader)


def _note(surface: Surface, book: Factbook, entity: str, reader: Reader) -> str:
    """Note one surface; return the entity that the next one goes on speaking of."""
    pairs = find_pairs(surface.text) if surface.role == "tool" else []
    if pairs:
        return _note_pairs(pairs, surface, book) or entity
    for sentence in sentences(surface.text):
        reading = reader(sentence)
        for each in reading.entities:
            book.name(each.id, each.noun)
        for statement in reading.statements:
            fact = resolve(statement, surface, book, entity)
            if fact is not None:
                book.write(fact)
            elif statement.kind == "code":
                entity = statement.value  # "it is O-1042": an id that nothing else explains
        if reading.entities:
            entity = reading.entities[-1].id
    return entity


def _note_pairs(pairs: list[tuple[str, str]], surface: Surface, book: Factbook) -> str:
    subject = subject_of(pairs)
    for name, value in pairs:
        if value != subject:
            book.write(_fact(surface, subject, name, value, "text"))
    return subject


def resolve(statement: Statement, surface: Surface, book: Factbook, entity: str) -> Fact | None:
    """Return the fact that a statement makes in its context, or None when it names no attribute.

    A value put in place of a known one takes over its entity and attribute; one with no name of
    its own ("it is now $150.00") takes the name of the entity's only value of that shape.
    """
    if surface.role == "tool" and statement.beside:
        return None  # a rule or a wish in a tool's report is nobody's
    subject = statement.entity or entity
    attribute = statement.attribute or ""
    if statement.revises or not attribute or attribute in GENERIC:
        known = book.lookup(surface.scope, surface.role == "tool")
        subject, attribute = _in_context(statement, subject, known)
    if not attribute:
        return None
    value = statement.value
    if statement.kind == "date":
        value = resolve_day(value, surface.time)
    return _fact(surface, subject, attribute, value, statement.kind, statement)


def _in_context(statement: Statement, subject: str, known: list[Fact]) -> tuple[str, str]:
    """Return entity and attribute, taken from what is known where the sentence leaves them open."""
    revised = _revised(statement, known)
    if revised is not None:
        return revised.entity, revised.attribute
    if statement.attribute and statement.attribute not in GENERIC:
        return subject, statement.attribute
    alike = {
        fact.attribute
        for fact in known
        if fact.kind == statement.kind and fact.entity.casefold() == subject.casefold()
    }
    return subject, alike.pop() if len(alike) == 1 else statement.attribute or ""


def _revised(statement: Statement, known: list[Fact]) -> Fact | None:
    if statement.revises is None:
        return None
    for fact in reversed(known):
        same = statement.entity is None or statement.entity.casefold() == fact.entity.casefold()
        if same and fact.kind == statement.kind and fold(fact.value) == fold(statement.revises):
            return fact
    return None


def _fact(
    surface: Surface,
    entity: str,
    attribute: str,
    value: str,
    kind: str,
    statement: Statement | None = None,
) -> Fact:
    return Fact(
        entity=entity,
        attribute=attribute,
        value=value,
        valid_from=surface.time,
        source=surface.id,
        role=surface.role,
        scope=surface.scope,
        kind=kind,
        revises=statement.revises if statement else None,
        beside=statement.beside if statement else False,
    )
