"""A trial's past, indexed for questions about causes: texts, boundaries, notices, item histories."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from scoring.decisions import DecisionRecord
from scoring.holdings import Held, History, Step, held_after, histories
from scoring.run import Event, Trial
from scoring.spans import find_folded
from simulator.events import canonical_json
from simulator.events.folding import fold

_WORDS = {"said": "text", "decision": "request", "tool_return": "text"}
_OUTCOMES = ("answer", "clarification", "refusal")
ACTS = frozenset({*_OUTCOMES, "tool_call", "tool_return"})
"""Kinds of events that put something of the agent's own doing before it, or into the world."""

_FORGETTING = {"access_withdrawn": "withdrawn", "document_deleted": "deleted"}


@dataclass(frozen=True)
class Heard:
    """The text of a surface, as a memory could take it in.

    Attributes:
        event: The event that it is of.
        text: What it says.
    """

    event: Event
    text: str


class Past:
    """What a log says of one trial. Everything is worked out when it is first asked for."""

    def __init__(self, trial: Trial, records: Sequence[DecisionRecord]) -> None:
        self.trial = trial
        self.records = tuple(records)
        self._folded: dict[str, str] = {}

    @cached_property
    def heard(self) -> dict[str, Heard]:
        """Every surface of the trial by the id of its event, in order."""
        texts = ((event, _text(event)) for event in self.trial.events)
        return {event.id: Heard(event, text) for event, text in texts if text is not None}

    @cached_property
    def boundaries(self) -> tuple[Event, ...]:
        """The boundaries in order; the first is compaction 1."""
        return tuple(event for event in self.trial.events if event.kind == "boundary")

    @cached_property
    def histories(self) -> dict[str, History]:
        """What happened to each item that the memory ever held, by item id."""
        return histories(self.trial.events)

    def holds(self, text: str, value: str) -> bool:
        """Return whether a text holds a folded value."""
        if text not in self._folded:
            self._folded[text] = fold(text)
        return bool(find_folded(value, self._folded[text]))

    def stating(self, value: str, before: int) -> list[str]:
        """Return the events before a position whose text holds a folded value."""
        return [
            name
            for name, heard in self.heard.items()
            if heard.event.position < before and self.holds(heard.text, value)
        ]

    def changes(self, until: int) -> Iterator[list[Step]]:
        """Yield what each change of the memory up to a position did, in order."""
        steps = [step for past in self.histories.values() for step in past]
        early = sorted((s for s in steps if s.position <= until), key=lambda s: s.position)
        for _, change in groupby(early, key=lambda step: step.position):
            yield list(change)

    def held(self, position: int) -> dict[str, Held]:
        """Return everything held, hidden or not, after the event at a position, by item id."""
        found = {}
        for name, past in self.histories.items():
            item = held_after(tuple(step for step in past if step.position <= position))
            if item is not None:
                found[name] = item
        return found

    def compaction(self, position: int) -> int | None:
        """Return which boundary of the trial, from 1, was the last before a position."""
        return sum(each.position < position for each in self.boundaries) or None

    def absorbed(self, events: Sequence[str], before: int) -> int | None:
        """Return the first boundary before a position that handed one of these events over."""
        for number, each in enumerate(self.boundaries, 1):
            if each.position < before and set(events) & set(each.body["transcript"]):
                return number
        return None

    def forgotten(self, before: int) -> dict[str, str]:
        """Return the events whose use is over at a position, each with the notice that said so.

        What was withdrawn and granted again is not among them; what was deleted stays deleted.
        """
        over: dict[str, tuple[str, str]] = {}
        for name, heard in self.heard.items():
            if heard.event.position >= before:
                break
            kind = heard.event.body.get("source")
            for source in heard.event.body.get("sources", ()):
                if kind in _FORGETTING and over.get(source, ("",))[0] != "deleted":
                    over[source] = (_FORGETTING[kind], name)
                elif kind == "access_granted" and over.get(source, ("",))[0] == "withdrawn":
                    del over[source]
        return {source: notice for source, (_, notice) in over.items()}

    def read(self, record: DecisionRecord) -> Event | None:
        """Return the event of a decision's memory read, None when there was none."""
        within = self.trial.events[record.first : record.last + 1]
        return next((event for event in within if event.kind == "memory_read"), None)

    def acts(self, record: DecisionRecord) -> list[Event]:
        """Return the agent's acts at a decision and what came back of them, in order."""
        return [e for e in self.trial.events[record.first : record.last + 1] if e.kind in ACTS]


def _text(event: Event) -> str | None:
    if event.kind in _WORDS:
        return str(event.body[_WORDS[event.kind]])
    if event.kind in _OUTCOMES:
        return str(event.body["text"])
    if event.kind == "tool_call":
        return f"{event.body['tool']}({canonical_json(event.body['arguments'])})"
    return None
