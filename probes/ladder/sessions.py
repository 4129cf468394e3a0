"""One session as an episode: small talk, perhaps a fact, a notice, and a decision at its end.

Ids are plain numbers on purpose: a memory sees them, and they must not say what an event means.
"""

from collections.abc import Sequence
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
"""Messages of a session before its decision, unless it states more facts than fit into them."""

DECISION = "d1"


@dataclass(frozen=True)
class Line:
    """A message to be said."""

    role: Literal["user", "assistant"]
    text: str


def fact_text(domain: Domain, plant: Plant, day: str, source: Random) -> str:
    """Return the sentence that says something of a fact; `day` is from when on it holds."""
    thread, name = plant.thread, plant.parameter
    fact = domain.facts[thread.task.tool, name].format(id=thread.subject)
    values = said_values(thread, name)
    old = values[1] if plant.act == "restore" else values[max(plant.number - 1, 0)]
    frames = phrasing.FRAMES[plant.act]
    return phrasing.say(frames, source, fact=fact, value=values[plant.number], old=old, day=day)


def said_values(thread: Thread, parameter: str) -> list[str]:
    """Return the values that are said of a parameter, in the order in which they come up."""
    right, wrong = thread.values[parameter], thread.wrong.get(parameter, [])
    first = thread.history in (None, "returned", "late_report")
    return [right, *wrong] if first else [*wrong, right]


def probe_request(domain: Domain, thread: Thread, source: Random) -> str:
    """Return a request that names the subject and none of the values."""
    clause = source.choice(domain.probe_clauses[thread.task.tool])
    return phrasing.say(phrasing.PROBE_FRAMES, source, do=clause.format(id=thread.subject))


def full_request(domain: Domain, thread: Thread, source: Random) -> str:
    """Return a request that names everything it needs."""
    clause = source.choice(domain.full_clauses[thread.task.tool])
    done = clause.format(id=thread.subject, **thread.values)
    return phrasing.say(phrasing.FULL_FRAMES, source, do=done)


def episode(
    domain: Domain, name: str, start: int, facts: Sequence[str], request: str, source: Random
) -> Episode:
    """Return the episode; one notice of the platform is concurrent with the talk.

    Args:
        domain: Whose small talk it is.
        name: Id of the episode.
        start: Time of its first event, ms.
        facts: Sentences about facts that are said in it, in this order.
        request: Request of its decision.
        source: Random stream of the phrasing.
    """
    lines = _lines(domain, facts, source)
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


def _lines(domain: Domain, facts: Sequence[str], source: Random) -> list[Line]:
    """Return user and assistant in turn, the user first; the facts are lines of the user's."""
    # The notice is one of them, and each fact needs a line of the user's.
    number = max(source.choice(LINES) - 1, 2 * len(facts) - 1)
    theirs = (number + 1) // 2
    user = source.sample(domain.chatter["user"], theirs - len(facts))
    for place, fact in zip(sorted(source.sample(range(theirs), len(facts))), facts, strict=True):
        user.insert(place, fact)
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
