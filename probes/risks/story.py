"""Telling a story of the risk track: sessions of small talk in which something is said.

Ids are plain numbers on purpose: a memory sees them, and they must not say what an event means.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from simulator.events import Episode, event_id
from simulator.events.scripted import (
    AccessWithdrawn,
    Decision,
    Document,
    DocumentDeleted,
    Message,
    ScriptedEvent,
    ToolResult,
)
from simulator.events.times import DAY, HOUR, MINUTE, parse_time

FIRST_DAY = parse_time("2025-03-03T00:00")
DECISION = "d1"

Make = Callable[..., ScriptedEvent]


@dataclass(frozen=True)
class Told:
    """Something that is said in a session.

    Attributes:
        name: What the teller calls it, so that a key can name it.
        make: Makes the event from its id, time and causes.
    """

    name: str
    make: Make


def said(name: str, text: str) -> Told:
    """Return a message of the user's."""
    return Told(name, lambda **place: Message(role="user", text=text, **place))


def put(name: str, title: str, text: str) -> Told:
    """Return a document that is put before the agent."""
    return Told(name, lambda **place: Document(title=title, text=text, **place))


def shown(name: str, tool: str, text: str) -> Told:
    """Return what a tool reports by itself."""
    return Told(name, lambda **place: ToolResult(tool=tool, text=text, **place))


def deleted(name: str, sources: tuple[str, ...], text: str) -> Told:
    """Return the announcement that what some events said is deleted."""
    return Told(name, lambda **place: DocumentDeleted(sources=sources, text=text, **place))


def withdrawn(name: str, sources: tuple[str, ...], text: str) -> Told:
    """Return the announcement that what some events said may no longer be used."""
    return Told(name, lambda **place: AccessWithdrawn(sources=sources, text=text, **place))


@dataclass
class Story:
    """The sessions of one arc, told one after another.

    Attributes:
        chatter: Small talk by role.
        words: Random stream of the small talk.
        times: Random stream of the days.
        episodes: What was told so far.
        events: What was named, to its full id.
        lines: Events told since something was named first.
    """

    chatter: Mapping[str, tuple[str, ...]]
    words: Random
    times: Random
    episodes: list[Episode] = field(default_factory=list)
    events: dict[str, str] = field(default_factory=dict)
    lines: int = 0
    _day: int = FIRST_DAY

    def session(self, told: Sequence[Told] = (), *, talk: int = 4, ask: str | None = None) -> str:
        """Tell a session of so many lines of small talk; return the full id of its decision.

        What is told stands at random places among the small talk, in its order; a decision comes
        last. Without one the session just ends.
        """
        name, start = f"e{len(self.episodes) + 1}", self._start()
        told_at = sorted(self.words.sample(range(talk + len(told)), len(told)))
        small = self._talk(talk)
        events: list[ScriptedEvent] = []
        waiting = list(told)
        for place in range(talk + len(told)):
            known = {
                "id": f"m{place + 1:02d}",
                "at": start + place * MINUTE,
                "causes": (events[-1].id,) if events else (),
            }
            if place in told_at:
                this = waiting.pop(0)
                self.events[this.name] = event_id(name, str(known["id"]))
                events.append(this.make(**known))
            else:
                role, text = small.pop(0)
                events.append(Message(role=role, text=text, **known))
        self.lines = self.lines + len(events) if self.events else 0
        if ask is not None:
            causes = (events[-1].id,) if events else ()
            at = start + len(events) * MINUTE
            events.append(Decision(id=DECISION, at=at, causes=causes, request=ask))
        self.episodes.append(Episode(id=name, events=tuple(events)))
        return event_id(name, DECISION)

    def _start(self) -> int:
        """Return when the next session starts, ms: some days after the last one."""
        if self.episodes:
            self._day += self.times.randrange(1, 7) * DAY
            return self._day + self.times.randrange(9 * 60, 17 * 60) * MINUTE
        return self._day + 9 * HOUR

    def _talk(self, lines: int) -> list[tuple[str, str]]:
        """Return small talk of user and assistant in turn, each line once while they last."""
        drawn = {
            role: self.words.sample(self.chatter[role], len(self.chatter[role]))
            for role in ("user", "assistant", "system")
        }
        turns = [("user", "assistant")[place % 2] for place in range(lines)]
        if lines >= 6:
            turns[self.words.randrange(lines)] = "system"
        counts = dict.fromkeys(drawn, 0)
        made = []
        for role in turns:
            texts = drawn[role]
            made.append((role, texts[counts[role] % len(texts)]))
            counts[role] += 1
        return made
