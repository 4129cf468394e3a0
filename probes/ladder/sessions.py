"""One session as an episode: small talk, perhaps a fact, a notice, and a decision at its end.

Ids are plain numbers on purpose: a memory sees them, and they must not say what an event means.
"""

from dataclasses import dataclass
from random import Random
from typing import Literal

from probes.ladder import phrasing
from probes.ladder.domain import Domain, Thread
from probes.ladder.plans import Plant
from simulator.events import Episode, event_id
from simulator.events.scripted import Decision, Message, ScriptedEvent
from simulator.events.times import MINUTE

LINES = (9, 10)
"""Messages of a session before its decision."""

DECISION = "d1"


@dataclass(frozen=True)
class Line:
    """A message to be said."""

    role: Literal["user", "assistant"]
    text: str


def fact_text(domain: Domain, plant: Plant, source: Random) -> str:
    """Return the sentence that states or revises a fact."""
    thread, name = plant.thread, plant.parameter
    fact = domain.facts[thread.task.tool, name].format(id=thread.subject)
    if plant.revises:
        old, new = thread.old[name], thread.values[name]
        return phrasing.say(phrasing.UPDATES, source, fact=fact, value=new, old=old)
    value = thread.old.get(name, thread.values[name])
    return phrasing.say(phrasing.PLANTS, source, fact=fact, value=value)


def probe_request(domain: Domain, thread: Thread, source: Random) -> str:
    """Return a request that names the subject and none of the values."""
    clause = source.choice(domain.probe_clauses[thread.task.tool])
    return phrasing.say(phrasing.PROBE_FRAMES, source, do=clause.format(id=thread.subject))


def full_request(domain: Domain, thread: Thread, source: Random) -> str:
    """Return a request that names everything it needs."""
    clause = source.choice(domain.full_clauses[thread.task.tool])
    done = clause.format(id=thread.subject, **thread.values)
    return phrasing.say(phrasing.INDEPENDENT_FRAMES, source, do=done)


def episode(
    domain: Domain, name: str, start: int, fact: str | None, request: str, source: Random
) -> Episode:
    """Return the episode; one notice of the platform is concurrent with the talk.

    Args:
        domain: Whose small talk it is.
        name: Id of the episode.
        start: Time of its first event, ms.
        fact: What is stated in it, if anything.
        request: Request of its decision.
        source: Random stream of the phrasing.
    """
    lines = _lines(domain, fact, source)
    talk = [_message(i, line, start) for i, line in enumerate(lines)]
    notice = Message(
        id=f"m{len(talk) + 1:02d}",
        at=start + source.randrange(1, len(talk)) * MINUTE + MINUTE // 2,
        causes=(talk[0].id,),
        role="system",
        text=source.choice(domain.chatter["system"]),
    )
    ask = Decision(
        id=DECISION,
        at=start + len(talk) * MINUTE,
        causes=(talk[-1].id, notice.id),
        request=request,
    )
    events: tuple[ScriptedEvent, ...] = (*talk, notice, ask)
    return Episode(id=name, events=events)


def find_fact(episode: Episode, fact: str) -> str:
    """Return the full id of the message that states `fact`."""
    (found,) = (e.id for e in episode.events if isinstance(e, Message) and e.text == fact)
    return event_id(episode.id, found)


def _lines(domain: Domain, fact: str | None, source: Random) -> list[Line]:
    """Return user and assistant in turn, the user first; the fact is one of the user's lines."""
    number = source.choice(LINES) - 1  # the notice is one of them
    stated = [] if fact is None else [fact]
    theirs = (number + 1) // 2
    user = [*source.sample(domain.chatter["user"], theirs - len(stated)), *stated]
    source.shuffle(user)
    assistant = source.sample(domain.chatter["assistant"], number - theirs)
    lines = [Line("user", text) for text in user]
    for place, text in enumerate(assistant):
        lines.insert(2 * place + 1, Line("assistant", text))
    return lines


def _message(place: int, line: Line, start: int) -> Message:
    causes = (f"m{place:02d}",) if place else ()
    at = start + place * MINUTE
    name = f"m{place + 1:02d}"
    return Message(id=name, at=at, causes=causes, role=line.role, text=line.text)
