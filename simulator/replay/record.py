"""A trial's record, played back: its answers to effects, and its rows to compare with."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from simulator.effects.prompts import Completion
from simulator.effects.steps import Vector
from simulator.engine.sources import ModelRole
from simulator.events import Json
from simulator.log.bodies import body_of
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest
from simulator.models.recorded import RecordedModel, RecordEnded, take_recorded


class Diverged(BaseException):
    """The first event that a replay does not reproduce; no part may catch it.

    Attributes:
        trial: The trial.
        position: Position of the event.
        recorded: What the log holds there, or None where it holds nothing more.
        replayed: What the replay came to, or None where it came to an end.
        texts: Contents that the replayed event refers to, by hash.
    """

    def __init__(
        self,
        trial: str,
        position: int,
        recorded: Row | None,
        replayed: Row | None,
        texts: dict[str, bytes],
    ) -> None:
        # SimPy makes a failed process's exception anew from its `args`.
        super().__init__(trial, position, recorded, replayed, texts)
        self.trial = trial
        self.position = position
        self.recorded = recorded
        self.replayed = replayed
        self.texts = texts


class ReplaySink:
    """Holds each row against the recorded one.

    Attributes:
        position: Position of the next event.
        ahead: The recorded row at that position, or None where the record ends.
        recent: Texts kept since the last row, by content hash: what a divergence is about.
    """

    def __init__(self, trial: str, recorded: Iterable[Row]) -> None:
        self._trial = trial
        self._recorded = iter(recorded)
        self.ahead: Row | None = next(self._recorded, None)
        self.position = 0
        self.recent: dict[str, bytes] = {}

    def take(self, row: Row) -> None:
        """Compare one row.

        Raises:
            Diverged: at the first difference.
        """
        if self.ahead != row:
            raise Diverged(self._trial, row.position, self.ahead, row, self.recent)
        self.ahead = next(self._recorded, None)
        self.position += 1
        self.recent = {}

    def keep(self, content: str, data: bytes) -> None:
        """Remember what the next row refers to; hashes are compared, texts are for people."""
        self.recent[content] = data

    def pause(self) -> None:
        """Nothing to make durable."""

    def finish(self) -> int:
        """Check that nothing is left and return the number of events compared.

        Raises:
            Diverged: when the log holds more than the replay came to.
        """
        if self.ahead is not None:
            raise Diverged(self._trial, self.position, self.ahead, None, {})
        return self.position


class RecordedSources:
    """Answers effects from a trial's record, in order; a miss never reaches a live model.

    Whether a call is the recorded one is not asked here: its event is compared like any other.
    """

    paid = False

    def __init__(self, log: EventLog, trial: str, sink: ReplaySink) -> None:
        self._log = log
        self._trial = trial
        self._sink = sink
        opened = next(log.rows(trial), None)
        if opened is None:
            raise Diverged(trial, 0, None, None, {})
        self.identities: dict[str, Json] = body_of(opened)["identities"]
        calls = self._bodies(("service", "completion"), ("agent_model", "memory_model"))
        self._model = RecordedModel(calls)
        self._embeddings = self._bodies(("embedding",), ("embedder",))

    def _bodies(self, kinds: tuple[str, ...], roles: tuple[str, ...]) -> Iterator[dict[str, Json]]:
        for row in self._log.rows(self._trial):
            body = body_of(row) if row.kind in (*kinds, "call_failed") else {}
            if row.kind in kinds or body.get("role") in roles:
                yield body

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the next recorded completion, or raise the failure recorded in its place.

        Raises:
            Diverged: when the record holds no more calls.
        """
        with self._to_the_end():
            return self._model.complete(request)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the next recorded vectors, or raise the failure recorded in their place.

        Raises:
            Diverged: when the record holds no more embeddings.
        """
        with self._to_the_end():
            blobs = take_recorded(self._embeddings)["vectors"]
        return [np.frombuffer(self._log.blob(blob), dtype="<f4") for blob in blobs]

    @contextmanager
    def _to_the_end(self) -> Iterator[None]:
        try:
            yield
        except RecordEnded:
            place = self._sink.position
            raise Diverged(self._trial, place, self._sink.ahead, None, {}) from None
