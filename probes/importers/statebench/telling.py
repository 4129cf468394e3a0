"""Telling: the lines of one or more timelines as episodes, and their questions as probes."""

from dataclasses import dataclass, field

from probes.importers.statebench.rules import Asked, Phrase, judge
from probes.importers.statebench.story import Told, tell
from probes.importers.statebench.templates import template
from probes.importers.statebench.timelines import Query, Timeline
from scoring.keys import (
    Check,
    DecidesCheck,
    FailureClass,
    Forbidden,
    Gold,
    NeverSaysCheck,
    Probe,
    Reference,
    Revision,
    SaysCheck,
)
from simulator.events import Episode, event_id
from simulator.events.scripted import Decision, Message

FAILURES: dict[str, FailureClass] = {
    "enterprise_privacy": "leakage",
    "scope_leak": "leakage",
    "scope_permission": "leakage",
    "hallucination_resistance": "fabrication",
}
"""What saying a forbidden phrase is, by track; resurrection for all others."""


class Thread:
    """One timeline of an arc.

    Attributes:
        timeline: The timeline.
        label: What every line of it opens with; empty where it has the arc for itself.
        start: When it starts, simulated milliseconds.
        story: What happens, by time.
        asked: Its judged questions, by position in the story.
        ids: Full event ids of what was told so far, by position in the story.
    """

    def __init__(self, timeline: Timeline, label: str) -> None:
        self.timeline = timeline
        self.label = label
        self.start = timeline.initial_state.environment.now
        self.story: list[Told | Query] = tell(timeline)
        self.asked: dict[int, Asked] = {asked.position: asked for asked in judge(timeline)}
        self.ids: dict[int, str] = {}

    def probe(self, position: int, shared: bool) -> Probe:
        """Return the probe of a question; in a shared arc it names its own track and template."""
        asked = self.asked[position]
        failure = FAILURES.get(self.timeline.track, "resurrection")
        reason = asked.reason() if asked.rule else None
        excluded = asked.rule is not None and asked.rule.excludes
        return Probe(
            id=f"{self.timeline.id}.{position}",
            kind="question",
            decision=self.ids[position],
            dependent=True,
            domain=self.timeline.track if shared else None,
            cluster=template(self.timeline) if shared else None,
            gold=self._gold(asked),
            forbidden=tuple(
                Forbidden(value=phrase.text, failure=failure, evidence=self._evidence(phrase))
                for phrase in asked.forbidden
            ),
            checks=_checks(asked, failure),
            reference=Reference(answer=_ideal(asked)) if asked.rule is None else None,
            excluded=reason if excluded else None,
            not_scorable=None if excluded else reason,
        )

    def _gold(self, asked: Asked) -> tuple[Gold, ...]:
        return tuple(
            Gold(name=f"required-{number}", value=phrase.text, evidence=self._evidence(phrase))
            for number, phrase in enumerate(asked.required, start=1)
        )

    def _evidence(self, phrase: Phrase) -> tuple[str, ...]:
        return tuple(self.ids[position] for position in phrase.told)


@dataclass
class Telling:
    """The episodes, probes and replaced values of an arc, as far as it is told."""

    finished: list[Episode] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    revisions: list[Revision] = field(default_factory=list)
    _open: list[Message] = field(default_factory=list)

    def add(self, at: int, thread: Thread, position: int, shared: bool) -> None:
        """Tell one line of a thread, or end the session and ask its question in the next."""
        item = thread.story[position]
        name = f"{thread.timeline.id}.{position}"
        if isinstance(item, Told):
            text = thread.label + item.text
            self._open.append(Message(id=name, at=at, role=item.role, text=text))
            thread.ids[position] = event_id(self._next("told"), name)
            if item.was is not None and not shared:  # in another thread it may hold
                now = item.content[-1]
                self.revisions.append(Revision(event=thread.ids[position], was=item.was, now=now))
            return
        self._end_session()
        episode = self._next("asked")
        question = Decision(id=name, at=at, request=thread.label + item.prompt)
        self.finished.append(Episode(id=episode, events=(question,)))
        thread.ids[position] = event_id(episode, name)
        self.probes.append(thread.probe(position, shared))

    def _end_session(self) -> None:
        if self._open:
            self.finished.append(Episode(id=self._next("told"), events=tuple(self._open)))
            self._open = []

    def _next(self, what: str) -> str:
        return f"{len(self.finished) + 1:03d}-{what}"


def _checks(asked: Asked, failure: FailureClass) -> tuple[Check, ...]:
    decides = (DecidesCheck(decision=asked.decision),) if asked.decision else ()
    return (
        *(SaysCheck(phrase=phrase.text) for phrase in asked.required),
        *(NeverSaysCheck(phrase=phrase.text, failure=failure) for phrase in asked.forbidden),
        *decides,
    )


def _ideal(asked: Asked) -> str:
    """Return an answer that decides right and says what is required, nothing else."""
    opening = f"{asked.decision.capitalize()}: " if asked.decision else ""
    return opening + "; ".join(phrase.text for phrase in asked.required) + "."
