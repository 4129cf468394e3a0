"""The pattern extractor: what one sentence states, by general patterns of English.

It works on sentences alone and knows no scenario. Each value is found by its shape, given the
attribute of the nearest cue, and the entity it is said of.
"""

from dataclasses import dataclass
from functools import lru_cache

from memories.extraction.cues import DEFAULTS, Cue, find_cues
from memories.extraction.entities import Entity, find_entities, owner
from memories.extraction.phrases import Phrase, find_phrases
from memories.extraction.values import Span, find_values
from memories.sentences import states

_AFTER = 4  # a cue before its value is likelier than one behind it
_CROSSING = 12  # and likelier than one in another part of the sentence
_NEAR = 80


@dataclass(frozen=True)
class Statement:
    """A value that a sentence states.

    Attributes:
        value: The value as written.
        kind: Its shape.
        attribute: What it is, or None where the sentence does not say.
        entity: Id of what it is said of, or None where the sentence does not say.
        revises: The value that the sentence puts it in place of, or None.
        beside: True when it stands beside older values of the attribute instead of replacing
            them, as rules and preferences do.
    """

    value: str
    kind: str
    attribute: str | None
    entity: str | None
    revises: str | None = None
    beside: bool = False


@dataclass(frozen=True)
class Reading:
    """What was read from one sentence: the entities it names and what it states."""

    entities: tuple[Entity, ...]
    statements: tuple[Statement, ...]


@lru_cache(maxsize=8192)
def read_sentence(sentence: str) -> Reading:
    """Return what a sentence names and states; questions and suppositions state nothing."""
    values = find_values(sentence)
    has_code = any(span.kind == "code" for span in values)
    code_cues = find_cues(sentence, "code") if has_code else []
    entities = find_entities(sentence, values, bool(code_cues))
    if not states(sentence):
        return Reading(tuple(entities), ())
    named = {at for entity in entities for at in range(entity.start, entity.end)}
    free = [span for span in values if span.start not in named]
    stated = [_statement(sentence, span, free, entities) for span in free if not span.dead]
    phrases = [_spoken(phrase, entities) for phrase in find_phrases(sentence)]
    # A shape inside a phrase's value ("the plan is Team 25") belongs to the phrase.
    within = [span.text for span in free]
    stated = [each for each in stated if each is not None and not _inside(each, phrases)]
    phrases = [each for each in phrases if each.beside or each.value not in within]
    return Reading(tuple(entities), tuple(each for each in (*stated, *phrases) if each))


def _inside(statement: Statement, phrases: list[Statement]) -> bool:
    return any(
        statement.value != phrase.value and statement.value in phrase.value for phrase in phrases
    )


def _statement(
    sentence: str, span: Span, free: list[Span], entities: list[Entity]
) -> Statement | None:
    dead = [other.text for other in free if other.dead and other.kind == span.kind]
    cue = _nearest(sentence, span, find_cues(sentence, span.kind))
    attribute = cue.attribute if cue else DEFAULTS.get(span.kind)
    subject = owner(entities, sentence, span, free)
    return Statement(
        value=span.text,
        kind=span.kind,
        attribute=attribute,
        entity=subject.id if subject else None,
        revises=dead[0] if dead else None,
    )


def _nearest(sentence: str, span: Span, cues: list[Cue]) -> Cue | None:
    apart = [
        (_distance(sentence, span, cue), cue.start, cue)
        for cue in cues
        if cue.end <= span.start or cue.start >= span.end
    ]
    near = [each for each in apart if each[0] <= _NEAR]
    return min(near, key=lambda each: each[:2])[2] if near else None


def _distance(sentence: str, span: Span, cue: Cue) -> int:
    if cue.end <= span.start:
        between = sentence[cue.end : span.start]
        extra = 0
    else:
        between = sentence[span.end : cue.start]
        extra = _AFTER
    crossings = between.count(",") + between.count(";") + f" {between} ".count(" and ")
    return len(between) + extra + _CROSSING * crossings


def _spoken(phrase: Phrase, entities: list[Entity]) -> Statement:
    before = [entity for entity in entities if entity.start <= phrase.start]
    subject = before[-1] if before else entities[0] if entities else None
    return Statement(
        value=phrase.value,
        kind="text",
        attribute=phrase.attribute,
        entity=subject.id if subject else None,
        revises=phrase.revises,
        beside=phrase.beside,
    )
