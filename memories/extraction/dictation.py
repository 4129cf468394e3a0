"""Facts written by a memory model: how it is asked and how its lines are read."""

from collections.abc import Sequence

from memories.extraction.dates import resolve_day
from memories.extraction.entities import Entity
from memories.extraction.ledger import Fact
from memories.extraction.patterns import read_sentence
from memories.sentences import sentences, states
from memories.words import content_stems
from simulator.effects.prompts import Completion, Prompt
from simulator.events import Surface
from simulator.events.faults import Fault
from simulator.models.rendering import one_line

_NOBODY = ("", "-", "none", "user", "the user", "general")


def facts_prompt(heard: Sequence[Surface]) -> Prompt:
    """Return the request to extract facts from surfaces."""
    return Prompt(
        instructions=(
            "Write down the facts that the session states, one a line, in the form "
            "`entity | attribute | value`. Copy values exactly. Leave out questions, suppositions "
            "and examples. Where a value is corrected, write only the new one. "
            "If there are no facts, write `none`."
        ),
        examples=("Ticket T-77 gets priority high.\nT-77 | priority | high",),
        context=tuple(heard),
        request="Write the facts of this session.",
    )


def parse_facts(completion: Completion, heard: Sequence[Surface]) -> list[tuple[str, Fact]]:
    """Return the facts of a completion, each with its entity's noun.

    A value that no surface states has no source, so its write is refused.

    Raises:
        Fault: culprit `model`, `unparsable`, when no line has the form; an honest `none` has.
    """
    lines = [line.strip() for line in completion.text.strip().splitlines() if line.strip()]
    if completion.finish == "length":
        lines = lines[:-1]  # the cut-off line is no fact
    if lines == ["none"] or lines == ["none."]:
        return []
    rows = [[part.strip(" `*-") for part in line.split("|")] for line in lines]
    rows = [row for row in rows if len(row) == 3 and row[1] and row[2]]
    if not rows:
        raise Fault("model", "unparsable", "no line reads `entity | attribute | value`")
    found = [_fact(row, heard) for row in rows]
    return [each for each in found if each is not None]


def _fact(row: list[str], heard: Sequence[Surface]) -> tuple[str, Fact] | None:
    entity, attribute, value = row
    source = _source(value, heard)
    if source is None:
        return None
    named = _named(entity, source)
    fact = Fact(
        entity=named.id if named else "" if entity.casefold() in _NOBODY else entity,
        attribute=attribute.lower(),
        value=resolve_day(value, source.time),
        valid_from=source.time,
        source=source.id,
        role=source.role,
        scope=source.scope,
    )
    return (named.noun if named else ""), fact


def _source(value: str, heard: Sequence[Surface]) -> Surface | None:
    """Return the newest surface that states the value."""
    wanted = one_line(value).casefold()
    for surface in reversed(heard):
        if any(wanted in each.casefold() and states(each) for each in sentences(surface.text)):
            return surface
    return None


def _named(entity: str, source: Surface) -> Entity | None:
    """Return the entity of the source that the model's words name by its id."""
    words = content_stems(entity)
    for sentence in sentences(source.text):
        for each in read_sentence(sentence).entities:
            if content_stems(each.id) <= words:
                return each
    return None
