"""Facts written by a memory model: the schema that it is held to, and how its reply is read.

The facts are the argument of one tool call. So a back end with grammars can write nothing else,
and an endpoint gets a function with this schema; what comes back is held to the schema again.
"""

import json
from collections.abc import Sequence
from itertools import islice

from jsonschema.exceptions import best_match

from memories.extraction.dates import resolve_day
from memories.extraction.entities import Entity
from memories.extraction.factbook import Fact
from memories.extraction.patterns import read_sentence
from memories.sentences import sentences, states
from memories.words import content_stems
from simulator.agents.actions import Call, parse_action
from simulator.effects.environment import Tool
from simulator.effects.prompts import Completion, Prompt
from simulator.effects.schemas import SchemaValidator
from simulator.events import Json, Surface
from simulator.events.faults import Fault
from simulator.models.rendering import one_line

_NOBODY = ("", "-", "none", "user", "the user", "general")
_CUTS = 8
"""Places at which a reply that was cut off is tried to be ended."""

_TEXT: Json = {"type": "string"}
_FILLED: Json = {"type": "string", "pattern": "\\S"}

WRITE_FACTS = Tool(
    name="write_facts",
    description="Write the facts, [] if there are none.",
    parameters={
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"entity": _TEXT, "attribute": _FILLED, "value": _FILLED},
                    "required": ["entity", "attribute", "value"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["facts"],
        "additionalProperties": False,
    },
    read_only=False,
)
"""What a memory model calls; nobody but the memory reads the call."""

_VALIDATOR = SchemaValidator(WRITE_FACTS.parameters)


def written_facts(rows: Sequence[tuple[str, str, str]]) -> str:
    """Return the call that writes these facts (entity, attribute, value), as a grammar has it."""
    facts = [{"entity": entity, "attribute": name, "value": value} for entity, name, value in rows]
    return f"{WRITE_FACTS.name}(facts={json.dumps(facts, ensure_ascii=False)})"


def facts_prompt(heard: Sequence[Surface]) -> Prompt:
    """Return the request to extract facts from surfaces."""
    shown = written_facts([("T-77", "priority", "high")])
    return Prompt(
        instructions=(
            "Write down the facts that the session states, each with its entity, attribute and "
            "value. Copy values exactly. Leave out questions, suppositions and examples. Where a "
            "value is corrected, write only the new one."
        ),
        tools=(WRITE_FACTS,),
        examples=(f"Ticket T-77 gets priority high.\nAction: {shown}",),
        context=tuple(heard),
        request="Write the facts of this session.",
    )


def parse_facts(completion: Completion, heard: Sequence[Surface]) -> list[tuple[str, Fact]]:
    """Return the facts of a completion, each with its entity's noun.

    Of a reply that was cut off, whole facts are kept. A value that no surface states has no
    source, so its write is refused.

    Raises:
        Fault: culprit `model`: `truncated` when a cut-off reply holds no whole fact, `unparsable`
            when it is no call of `write_facts`, or one that does not fit the schema.
    """
    call = _whole(completion.text) if completion.finish == "length" else None
    call = call or _call(completion)
    wrong = best_match(_VALIDATOR.iter_errors(call.arguments))
    if wrong is not None:
        where = wrong.json_path.removeprefix("$").removeprefix(".") or "its arguments"
        why = f"the call does not fit its schema: {wrong.validator} of {where}"
        raise Fault("model", "unparsable", why)
    found = [_fact(row, heard) for row in call.arguments["facts"]]
    return [each for each in found if each is not None]


def _call(completion: Completion) -> Call:
    if completion.finish == "length":
        raise Fault("model", "truncated", "the reply was cut off before its first whole fact")
    action = parse_action(completion.text)
    if not isinstance(action, Call) or action.tool != WRITE_FACTS.name:
        raise Fault("model", "unparsable", f"the reply does not call `{WRITE_FACTS.name}`")
    return action


def _whole(text: str) -> Call | None:
    """Return the call that a cut-off reply began, ended after its last whole fact."""
    places = (at for at in range(len(text), 0, -1) if text[at - 1] == "}")
    for at in islice(places, _CUTS):  # a bracket may also stand in a value
        try:
            action = parse_action(f"{text[:at]}])")
        except Fault:
            continue
        if isinstance(action, Call) and action.tool == WRITE_FACTS.name:
            return action
    return None


def _fact(row: dict[str, str], heard: Sequence[Surface]) -> tuple[str, Fact] | None:
    entity, attribute, value = (row[name].strip() for name in ("entity", "attribute", "value"))
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
