"""The recorder: gives every event its position, id and place in the chain.

Where the rows go is the sink's business: a live sink keeps them for the log, a replaying sink
holds each against the recorded one.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from simulator.events import Json, canonical_json
from simulator.events.canonical import NotStorable, sha256_bytes
from simulator.events.recorded import Recorded
from simulator.log.rows import MAX_BODY, Row, chain_hash, genesis_hash


class Sink(Protocol):
    """Takes the rows of one stream, in order."""

    def take(self, row: Row) -> None:
        """Take one row."""
        ...

    def keep(self, content: str, data: bytes) -> None:
        """Take the bytes of a blob that a later row refers to."""
        ...

    def pause(self) -> None:
        """The trial has just paid for something; make what was taken durable."""
        ...


def _listed(names: Sequence[str]) -> str:
    return canonical_json(names) if names else "[]"  # most events refer to no blob


class Recorder:
    """Turns events into the rows of one stream."""

    def __init__(self, trial: str, genesis: Json, sink: Sink) -> None:
        self._sink = sink
        self._hash = genesis_hash(trial, genesis)
        self._position = 0

    @property
    def position(self) -> int:
        """Position of the next event."""
        return self._position

    def resume_after(self, last: Row) -> None:
        """Go on after the last recorded row of the stream."""
        self._hash, self._position = last.hash, last.position + 1

    def emit(
        self, event: Recorded, time: int, causes: Iterable[str] = (), name: str | None = None
    ) -> str:
        """Record an event and return its id: `name`, or `#position`.

        Raises:
            NotStorable: when a field has no exact form, or the event is larger than `MAX_BODY`.
        """
        identity = name or f"#{self._position}"
        body = canonical_json(event.body())
        if len(body) > MAX_BODY:
            raise NotStorable(f"an event of {len(body):,} characters is larger than {MAX_BODY:,}")
        fields = (
            self._position,
            identity,
            event.kind,
            time,
            event.scope,
            _listed(list(causes)),
            body,
            _listed(event.blobs()),
        )
        self._hash = chain_hash(self._hash, fields)
        self._sink.take(Row(*fields, hash=self._hash))
        self._position += 1
        return identity

    def blob(self, data: str | bytes) -> str:
        """Keep a text or bytes beside the events; return the SHA-256 that events refer to."""
        raw = data.encode("utf-8") if isinstance(data, str) else data
        content = sha256_bytes(raw)
        self._sink.keep(content, raw)
        return content

    def pause(self) -> None:
        """Make durable what was recorded so far."""
        self._sink.pause()
