"""Work between the cuts: new tool results and messages, each text once in a task.

The pieces of a family and a seed come in one fixed order, whatever the task: what fills its first
segment is the same in all its tasks, and so on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from probes.context import words
from probes.ladder.values import Pool
from simulator.events import Json
from simulator.events.times import DAY, HOUR, MINUTE, parse_time, show_time
from simulator.events.tokens import count_tokens

Form = Literal["read", "news", "person", "reply"]

_TURNS: tuple[Form, ...] = ("read", "news", "read", "reply", "person", "news")
_FIRST_MEETING = parse_time("2025-04-07T09:00")


@dataclass(frozen=True)
class Piece:
    """One thing that happens besides.

    Attributes:
        form: `read` and `person` are tool results, `news` is the user's, `reply` the agent's.
        text: What is said; of a tool result, the text of the document.
        id: The document or the person that was looked up, else empty.
        entry: What the world holds of it.
        meetings: The person's entries in the calendar.
    """

    form: Form
    text: str
    id: str = ""
    entry: Json = None
    meetings: tuple[Json, ...] = ()


def pieces(pool: Pool, source: Random, owner: str) -> Iterator[Piece]:
    """Yield pieces of work without an end, no text twice.

    Args:
        pool: Where ids and names come from.
        source: Random stream of the words.
        owner: The person whose documents these are.
    """
    told: set[str] = set()
    turn = 0
    while True:
        form = _TURNS[turn % len(_TURNS)]
        piece = _person(pool, source) if form == "person" else _said(form, pool, source, owner)
        if piece.text not in told:
            told.add(piece.text)
            turn += 1
            yield piece


def filling(source: Iterator[Piece], tokens: int) -> list[Piece]:
    """Take pieces until their own words have at least so many tokens together."""
    taken: list[Piece] = []
    while sum(count_tokens(each.text) for each in taken) < tokens:
        taken.append(next(source))
    return taken


def _said(form: Form, pool: Pool, source: Random, owner: str) -> Piece:
    parts = {
        "place": source.choice(words.PLACES),
        "things": source.choice(words.THINGS),
        "day": source.choice(words.DAYS),
        "name": pool.name("person"),
        "count": source.choice(words.COUNTS),
        "other": source.choice(words.COUNTS),
    }
    if form == "read":
        text = source.choice(words.DOCUMENTS).format(**parts)
        title = source.choice(words.TITLES).format(**parts)
        entry = {"title": title, "owner": owner, "versions": [text]}
        return Piece(form, text, pool.name("document_id"), entry)
    frames = words.NEWS if form == "news" else words.REPLIES
    return Piece(form, source.choice(frames).format(**parts))


def _person(pool: Pool, source: Random) -> Piece:
    name, person = pool.name("person_id"), pool.name("person")
    role = f"{source.choice(words.ROLES)} in {source.choice(words.PLACES)}"
    subject = source.choice(words.MEETINGS).format(
        place=source.choice(words.PLACES), things=source.choice(words.THINGS)
    )
    start = _FIRST_MEETING + source.randrange(60) * DAY + source.randrange(16) * HOUR // 2
    meeting = {"person": name, "subject": subject, "start": show_time(start // MINUTE * MINUTE)}
    entry = {"name": person, "role": role}
    return Piece("person", f"{person}, {role}, {subject}", name, entry, (meeting,))
