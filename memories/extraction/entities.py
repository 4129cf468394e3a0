"""Entities: what a sentence is about, by id, by a noun with a number, or by a person's name."""

import re
from dataclasses import dataclass

from memories.extraction.values import Span

_NOUN = (
    r"order|customer|client|ticket|case|invoice|account|claim|booking|reservation|project|server"
    r"|host|node|cluster|service|incident|change|shipment|parcel|package|return|contract|vendor"
    r"|supplier|employee|patient|policy|subscription|room|flight|device|document|item|user|member"
    r"|purchase|request|quote|job|task"
)
# Before a plain number these say what it is ("meeting 9:30", "contact number 555-0142").
_NOUN_OF_ID = r"event|meeting|appointment|visit|contact|guest|visitor|alert|deployment"
_NUMBERED = re.compile(
    rf"\b(?P<noun>{_NOUN}|(?:{_NOUN_OF_ID})(?= #?[A-Za-z]{{1,12}}-\d))s?(?: number| no\.?| id)?(?:"
    r"(?::| is| was)? (?P<id>#?[A-Za-z]{1,12}-\d[\w-]*)|:? (?P<number>#?\d[\d-]*\b|[A-Z]{1,3}\d{2,}\b))",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\b(?!(?:It|That|What|Here|There|Let|He|She|Who|Today|Yesterday|Tomorrow|How|Where|When"
    r"|\w+day|Everyone|Someone)['’])(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?)['’]s\b"
)
_LED = re.compile(
    r"\b(?:for|of|on|about|regarding|re|against|concerning|under|from) (?:the )?$", re.I
)
_STATED = re.compile(
    r"(?:\b(?:is|it's|it’s|its|be|becomes|now|use|using|reads?|says|make (?:it|that|this)"
    r"|(?:chang|switch|updat|correct|amend|set)\w*(?: \w+){0,2} to)|[:=])"
    r"(?: (?:now|actually|really|just))* ?[\"'(]?$",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"^[^,;.]{0,30}\b(?:for|on|of|to|against)\b(?: [a-z]+){0,3} #?$", re.IGNORECASE
)
_GIVEN_AS = re.compile(r"^ as (?:the|an?|my|our|your|his|her|its|their)\b", re.IGNORECASE)
_HEADING = re.compile(r"^(?:'s\b|’s\b|:)")


@dataclass(frozen=True)
class Entity:
    """Something a sentence names.

    Attributes:
        id: How it is told apart, such as `O-1042`, or a person's name.
        noun: What it is, such as `order`; empty when the sentence does not say.
        start: Index of the id's first character.
        end: Index after its last character.
    """

    id: str
    noun: str
    start: int
    end: int


def find_entities(sentence: str, values: list[Span], has_code_cue: bool) -> list[Entity]:
    """Return the entities of a sentence, left to right.

    An id is an entity unless it stands where a value stands: beside a code cue ("the return code
    is RMA-48213"), or right after a verb that states ("it is now RMA-48213"). A place such as
    `Room 12` is one only where something is said of it ("the price for Room 12").
    """
    places = {at for span in values if span.kind == "place" for at in range(span.start, span.end)}
    numbered = map(_numbered, _NUMBERED.finditer(sentence))
    found = [entity for entity in numbered if entity.start not in places]
    taken = {at for entity in found for at in range(entity.start, entity.end)}
    for span in values:
        if span.kind in ("code", "place") and span.start not in taken:
            if _names(sentence, span, has_code_cue or span.kind == "place"):
                found.append(Entity(span.text.lstrip("#"), "", span.start, span.end))
    for match in _OWNER.finditer(sentence):
        found.append(Entity(match["name"], "", match.start("name"), match.end("name")))
    return sorted(found, key=lambda entity: entity.start)


def _numbered(match: re.Match[str]) -> Entity:
    group = "id" if match["id"] else "number"
    name = match[group].lstrip("#")
    return Entity(name, match["noun"].lower(), match.start(group), match.end(group))


def _names(sentence: str, span: Span, has_cue: bool) -> bool:
    before, after = sentence[: span.start], sentence[span.end :]
    if has_cue and (span.dead or _GIVEN_AS.match(after)):
        return False  # "instead of RMA-48213", "we agreed on RMA-48213 as the return code"
    if _LED.search(before) or _HEADING.match(after):
        return True
    return not has_cue and not span.dead and not _STATED.search(before)


def owner(entities: list[Entity], sentence: str, value: Span, others: list[Span]) -> Entity | None:
    """Return the entity that a value belongs to.

    "$12 for O-1042" goes to what follows; otherwise the last one named before the value, else
    the first one after it.
    """
    following = [entity for entity in entities if entity.start >= value.end]
    if following:
        between = sentence[value.end : following[0].start]
        parted = any(value.end <= other.start < following[0].start for other in others)
        if not parted and _JOINED.match(between):
            return following[0]
    preceding = [entity for entity in entities if entity.end <= value.start]
    if preceding:
        return preceding[-1]
    return following[0] if following else None
