"""The turning points of a recorded trial, as its genesis tells them, and what answers behind them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from simulator.effects.prompts import Completion
from simulator.effects.steps import Vector
from simulator.engine.playing import settings
from simulator.engine.sources import ModelRole, Sources
from simulator.engine.turning import Turn, turns_of
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest


@dataclass
class SameRecord:
    """A record that goes on behind a turning point, where other parts answered.

    Attributes:
        record: Where the answers come from, in the order in which they were recorded.
        identities: Identities from the turning point on.
        paid: Never.
    """

    record: Sources
    identities: dict[str, Json]
    paid: bool = False

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the next recorded completion."""
        return self.record.complete(role, request)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the next recorded vectors."""
        return self.record.embed(texts)


def recorded_turns(log: EventLog, trial: str) -> tuple[Turn, ...]:
    """Return the turning points of a trial in order: none unless it is a fork.

    Raises:
        InputError: when the log has no such trial, or this version does not know such settings.
        LogDamaged: when its genesis tells none that there could be.
    """
    turns = turns_of(log.genesis(trial), trial)
    for turn in turns:
        try:
            settings(turn)
        except (KeyError, ValidationError) as error:
            message = f"trial {trial!r} was forked to settings unknown here: {error}"
            raise InputError(message) from None
    return turns


def behind(turns: Iterable[Turn], record: Sources) -> Iterator[tuple[Turn, Sources]]:
    """Yield turning points with the record that answers behind each of them."""
    for turn in turns:
        yield turn, SameRecord(record, turn.identities)
