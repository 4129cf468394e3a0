"""Turning points: where a forked trial leaves its parent's course, and what is other from there.

A fork is a trial like any other whose genesis tells its turning points. Up to the first one it
goes by the parent's settings, from there on by its own; so its replay needs its own log alone.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from simulator.effects.memory import Memory
from simulator.engine.sources import Sources
from simulator.events import Episode, Frozen, Json, event_id
from simulator.events.scripted import Scripted
from simulator.log.errors import LogDamaged


class Turn(Frozen):
    """What a fork changes, as its genesis holds it.

    Attributes:
        position: Position of the first event that may differ from the parent's.
        parent: Id of the parent trial.
        before: The parent's chain value before that position, which names all it shares.
        arm: Id of the settings from there on.
        options: Those settings, as `Arm.describe` gives them.
        identities: Identities of models and embedder from there on.
        anew: True when the memory is a new one, which is given all that the old one was given.
        without: Id of a scripted event that does not happen, or None.
        texts: Id of a scripted event to the text that it has instead.
        questions: What is asked instead of the decision `until`.
        until: Id of the decision after which the trial ends, or None.
    """

    position: int = Field(ge=1)
    parent: str
    before: str
    arm: str
    options: Json
    identities: dict[str, Json]
    anew: bool = False
    without: str | None = None
    texts: dict[str, str] = Field(default_factory=dict)
    questions: tuple[str, ...] = ()
    until: str | None = None


class _Options(BaseModel):
    model: str


class _Settings(BaseModel):
    """What readers need inside of fields that are any JSON to a turn."""

    options: _Options
    identities: dict[str, dict[str, Any]]


def turns_of(genesis: Json, trial: str) -> tuple[Turn, ...]:
    """Return the turning points that a trial's genesis tells, in order: none unless it is a fork.

    Raises:
        LogDamaged: when they are none; a log may come from anybody.
    """
    told = genesis.get("forked", []) if isinstance(genesis, dict) else None
    if not isinstance(told, list):
        raise LogDamaged(f"{trial}: its genesis is none that a trial begins with")
    try:
        for each in told:
            _Settings.model_validate(each, strict=True)
        return tuple(map(Turn.model_validate, told))
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(("forked", *map(str, first["loc"])))
        raise LogDamaged(f"{trial}: its genesis: {place}: {first['msg']}") from None


@dataclass(frozen=True)
class Turning:
    """A turning point and what a trial needs to take it.

    Attributes:
        turn: What changes.
        sources: Where completions and vectors come from afterwards.
        memory: The new memory, or None where the old one stays.
    """

    turn: Turn
    sources: Sources
    memory: Memory | None = None


class Course:
    """What a trial follows: its script with the edits of its turning points.

    An edited event never lies before the turning point, so edits hold from the start.

    Attributes:
        until: Id of the decision after which the trial ends, or None.
    """

    def __init__(self, turnings: Sequence[Turning]) -> None:
        turns = [turning.turn for turning in turnings]
        self._ahead = deque(turnings)
        self._without = {turn.without for turn in turns if turn.without is not None}
        self._texts = {name: text for turn in turns for name, text in turn.texts.items()}
        self.until = next((turn.until for turn in turns if turn.until is not None), None)
        self._questions = tuple(question for turn in turns for question in turn.questions)

    @property
    def next_position(self) -> int:
        """Position of the next turning point; -1 when none is ahead."""
        return self._ahead[0].turn.position if self._ahead else -1

    def take(self) -> Turning:
        """Return the next turning point, which is then no longer ahead."""
        return self._ahead.popleft()

    def leaves_out(self, name: str) -> bool:
        """Return whether an event's turn passes in silence."""
        return name in self._without

    def as_told(self, event: Scripted, name: str) -> Scripted:
        """Return an event with the text that it has on this course."""
        if name not in self._texts:
            return event
        return event.model_copy(update={"text": self._texts[name]})

    def questions(self, decision: str) -> tuple[str, ...]:
        """Return what is asked instead of a decision; nothing where it comes to pass."""
        return self._questions if decision == self.until else ()

    def causes(self, episode: Episode, event: Scripted) -> list[str]:
        """Return the full ids of an event's causes; one left out gives way to its own causes."""
        if not self._without:
            return [event_id(episode.id, cause) for cause in event.causes]
        authored = {each.id: each for each in episode.events}
        found: dict[str, None] = {}
        for cause in event.causes:
            name = event_id(episode.id, cause)
            left_out = self.leaves_out(name)
            found |= dict.fromkeys(self.causes(episode, authored[cause]) if left_out else [name])
        return list(found)
