"""A trial's past, indexed for questions about causes: texts, boundaries, notices, item histories."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from scoring.decisions import DecisionRecord
from scoring.holdings import Held, History, Step, held_after, histories
from scoring.run import Event, Trial
from scoring.spans import find_folded
from simulator.effects.steps import Vector
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
        self._vectors: dict[str, Vector] = {}

    @cached_property
    def heard(self) -> dict[str, Heard]:
        """Every surface of the trial by the id of its event, in order."""
        texts = ((event, _text(event)) for event in self.trial.events)
        return {event.id: Heard(event, text) for event, text in texts if text is not None}

    @cached_property
    def _notices(self) -> tuple[Event, ...]:
        said = (event for event in self.trial.events if event.kind == "said")
        return tuple(event for event in said if event.body["sources"])

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

    @cached_property
    def changes(self) -> tuple[tuple[Step, ...], ...]:
        """What each change of the memory did, in order."""
        steps = [step for past in self.histories.values() for step in past]
        ordered = groupby(sorted(steps, key=_position), key=_position)
        return tuple(tuple(change) for _, change in ordered)

    def item(self, name: str, position: int) -> Held | None:
        """Return an item as it was held after the event at a position, or None."""
        past = self.histories.get(name, ())
        return held_after(tuple(step for step in past if step.position <= position))

    def held(self, position: int) -> dict[str, Held]:
        """Return everything held, hidden or not, after the event at a position, by item id."""
        found = ((name, self.item(name, position)) for name in self.histories)
        return {name: item for name, item in found if item is not None}

    @cached_property
    def embedded(self) -> dict[str, list[tuple[int, str]]]:
        """Hash of each text embedded to be kept, to the positions and blobs of its vectors."""
        found: dict[str, list[tuple[int, str]]] = {}
        for event in self.trial.events:
            if event.kind == "embedding" and event.body["purpose"] != "read":
                for text, blob in zip(event.body["texts"], event.body["vectors"], strict=True):
                    found.setdefault(text, []).append((event.position, blob))
        return found

    def vector(self, blob: str) -> Vector:
        """Return a recorded vector."""
        if blob not in self._vectors:
            self._vectors[blob] = np.frombuffer(self.trial.blob(blob), dtype="<f4")
        return self._vectors[blob]

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
        for notice in self._notices:
            if notice.position >= before:
                break
            kind, name = notice.body["source"], notice.id
            for source in notice.body["sources"]:
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


def _position(step: Step) -> int:
    return step.position


def _text(event: Event) -> str | None:
    if event.kind in _WORDS:
        return str(event.body[_WORDS[event.kind]])
    if event.kind in _OUTCOMES:
        return str(event.body["text"])
    if event.kind == "tool_call":
        return f"{event.body['tool']}({canonical_json(event.body['arguments'])})"
    return None
