"""One instance of a family: its people, ids, values and work, the same in all tasks of a seed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar, get_args

from environments.workspace import Workspace
from probes.context import phrasing
from probes.context.factors import COMPACTIONS, SESSIONS_OF
from probes.context.families import BY_NAME
from probes.context.family import Family, Part, Person, Value
from probes.context.words import COUNTS
from probes.context.work import Piece, filling, pieces
from probes.ladder.domain import Draw
from probes.ladder.domains import draws
from probes.ladder.values import Pool
from scoring.context.derived import Derivations, numbers
from simulator.events import Json
from simulator.events.seeds import stream

Text = TypeVar("Text")

SEGMENTS = max(COMPACTIONS) + max(map(len, SESSIONS_OF.values()))
"""Most segments that a task has: one more than its cuts."""

_COMPANIES = (
    "Albrook",
    "Bertram",
    "Calder",
    "Dorsey",
    "Eskil",
    "Farrow",
    "Garland",
    "Hollis",
    "Ingram",
    "Jarvis",
    "Kestrel",
    "Lindqvist",
    "Merriman",
    "Norlin",
    "Orsini",
    "Pellham",
    "Quarles",
    "Ravndal",
    "Stroud",
    "Thornby",
)

_NAMES: Mapping[str, Draw] = {
    "company": lambda source: source.choice(_COMPANIES),
    "person": draws.person,
    "person_id": draws.id_draw("P"),
    "document_id": draws.id_draw("DOC"),
}

_CLOSED: tuple[Value, ...] = ("first", "second")


@dataclass(frozen=True)
class Instance:
    """A family with everything drawn.

    Attributes:
        family: The family.
        people: Person to id.
        papers: Part to the id of the document.
        values: Value to its text.
        world: The initial world, without the work.
        parts: What sentences are filled with: ids, values and what things are called.
        reading: The papers in the order in which they are read.
        work: Pieces of work, segment by segment.
    """

    family: Family
    people: Mapping[Person, str]
    papers: Mapping[Part, str]
    values: Mapping[Value, str]
    world: Json
    parts: Mapping[str, str]
    reading: tuple[Part, ...]
    work: tuple[tuple[Piece, ...], ...]

    def say(self, sentence: str) -> str:
        """Return a sentence with everything of the instance filled in."""
        return phrasing.filled(sentence, self.parts)

    def read(self, part: Part) -> str:
        """Return what reading a paper gives, in the words of the environment itself."""
        return look_up(self.world, "read_document", {"document_id": self.papers[part]})


def look_up(world: Json, tool: str, arguments: dict[str, str]) -> str:
    """Return what a look-up in a world says."""
    return Workspace().call(world, tool, arguments, 0).text


@lru_cache(maxsize=64)
def instance(name: str, seed: int, refill: int) -> Instance:
    """Return the instance of a family and a seed.

    Args:
        name: The family.
        seed: Generation seed.
        refill: Least tokens of work in each segment.
    """
    family, arc = BY_NAME[name], f"context-{name}"
    pool = Pool(arc, seed, {**_NAMES, **_named(family.values)})
    people: dict[Person, str] = {person: pool.name("person_id") for person in family.roles}
    papers: dict[Part, str] = {part: pool.name("document_id") for part in family.papers}
    parts = {"company": pool.name("company"), **_named(people), **_named(papers)}
    names = {person: pool.name("person") for person in people}
    reading = stream(arc, seed, "order").sample(list(papers), len(papers))
    values: dict[Value, str] = {
        each: pool.gold(each) for each in get_args(Value) if each not in _CLOSED
    }
    known = _open_numbers(family, parts, values)
    values |= {each: _underivable(each, pool, known) for each in _CLOSED}
    parts |= _named(values)
    parts |= {"gate": family.gate, "clause": family.clause[0], "fact": family.labels["old"]}
    told = pieces(pool, stream(arc, seed, "work"), people["me"])
    return Instance(
        family=family,
        people=people,
        papers=papers,
        values=values,
        world=_world(family, people, names, papers, parts),
        parts=parts,
        reading=tuple(reading),
        work=tuple(tuple(filling(told, refill)) for _ in range(SEGMENTS)),
    )


def _named(entries: Mapping[Any, Text]) -> dict[str, Text]:
    """Return entries by names as plain texts, which sentences are filled in by."""
    return {str(name): entry for name, entry in entries.items()}


def _open_numbers(
    family: Family, parts: Mapping[str, str], values: Mapping[Value, str]
) -> Derivations:
    """Return what follows from every number that may be used in some task of the instance."""
    texts: Iterable[str] = (*values.values(), *COUNTS, family.clause[1], *parts.values())
    return Derivations((), (number.value for text in texts for number in numbers(text)))


def _underivable(name: Value, pool: Pool, known: Derivations) -> str:
    """Return a figure that does not follow from the known ones by one or two operations."""
    while True:
        drawn = pool.gold(name)
        if not any(known.follows(number) for number in numbers(drawn)):
            return drawn


def _world(
    family: Family,
    people: Mapping[Person, str],
    names: Mapping[Person, str],
    papers: Mapping[Part, str],
    parts: Mapping[str, str],
) -> Json:
    company, me = {"company": parts["company"]}, people["me"]
    documents: dict[str, dict[str, Json]] = {}
    for part, paper in family.papers.items():
        text = paper.text.format(**{**parts, "clause": family.clause[1]})
        entry: dict[str, Json] = {"title": paper.title.format(**company)}
        entry |= {"owner": people[paper.owner], "versions": [text]}
        if paper.owner != "me":
            entry["rights"] = {me: "read"}
        if part == "subject" and "approver" in people:
            entry["approvers"] = [people["approver"]]
        documents[papers[part]] = entry
    roles = {person: role.format(**company) for person, role in family.roles.items()}
    return {
        "me": me,
        "people": {people[each]: {"name": names[each], "role": roles[each]} for each in people},
        "documents": documents,
        "calendar": [],
    }
