"""Reading a log."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from simulator.events.canonical import Json, NotStorable, read_json
from simulator.events.errors import InputError, nearest
from simulator.log.errors import LogDamaged
from simulator.log.files import MEMORY, UNREADABLE, lacks_journal
from simulator.log.packing import unpack
from simulator.log.rows import RUN_STREAM, Row, chain_hash, genesis_hash, hashed_fields, root_hash

READ_ROWS = 500
"""Rows that are in memory at once while a stream is read."""


class Stream(NamedTuple):
    """One attempt at one trial, or the run-level stream.

    Attributes:
        trial: The trial's id, or `RUN_STREAM`.
        attempt: Counted from 1.
        sealed: True when nothing can be added any more.
        events: Number of events.
    """

    trial: str
    attempt: int
    sealed: bool
    events: int


class Measure(NamedTuple):
    """Something measured at an event, such as wall-clock microseconds; never hashed.

    Attributes:
        position: Position of the event that it belongs to.
        name: What was measured, its unit included.
        value: A whole number of 64 bits.
    """

    position: int
    name: str
    value: int


class LogReader:
    """What can be read of an open log; `EventLog` adds opening and writing."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._db = connection
        self._name = name

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def streams(self) -> list[Stream]:
        """Return all streams, the run-level one included, by trial and attempt."""
        found = self._all(_STREAMS)
        return [Stream(trial, attempt, bool(sealed), n) for trial, attempt, sealed, n in found]

    def genesis(self, trial: str, attempt: int = 1) -> Json:
        """Return what a stream began with.

        Raises:
            InputError: when the log has no such trial.
        """
        stream = self._stream(trial, attempt)
        found = self._all("SELECT genesis FROM streams WHERE id = ?", stream)
        try:
            return read_json(found[0][0])
        except NotStorable as error:
            raise LogDamaged(f"{self._name}: the genesis of {trial}: {error}") from None

    def heads(self) -> dict[str, str]:
        """Return trial to head for all sealed trials; of several attempts the last counts."""
        return dict(self._all(_HEADS, RUN_STREAM))

    def root(self) -> str:
        """Return the root over all sealed trials."""
        return root_hash(self.heads())

    def rows(self, trial: str, start: int = 0, attempt: int = 1) -> Iterator[Row]:
        """Yield a stream's rows from position `start` on, holding few of them at a time.

        Raises:
            InputError: when the log has no such trial.
            LogDamaged: when the file cannot be read.
        """
        stream = self._stream(trial, attempt)
        while True:
            page = self._all(_SELECT_ROWS, stream, start, READ_ROWS)
            for fields in page:
                yield Row(*fields)
            if len(page) < READ_ROWS:
                return
            following = page[-1][0] + 1
            if following <= start:
                raise LogDamaged(f"{self._name} cannot be read: {trial} is out of order")
            start = following

    def sound_rows(self, trial: str, attempt: int = 1) -> Iterator[Row]:
        """Yield a stream's rows as long as each continues the chain.

        Raises:
            InputError: when the log has no such trial.
            LogDamaged: at the first event that was changed.
        """
        link = genesis_hash(trial, self.genesis(trial, attempt))
        for row in self.rows(trial, attempt=attempt):
            if chain_hash(link, hashed_fields(row)) != row.hash:
                place = f"{trial} event {row.position}"
                raise LogDamaged(f"{self._name}: {place} was changed after the run")
            link = row.hash
            yield row

    def blob(self, key: str) -> bytes:
        """Return the content that has this hash.

        Raises:
            LogDamaged: when it is not there, or cannot be unpacked.
        """
        found = self._all("SELECT stored, size FROM blobs WHERE hash = ?", key)
        if not found:
            raise LogDamaged(f"{self._name}: no content has the hash {key}")
        try:
            return unpack(*found[0])
        except ValueError as error:
            raise LogDamaged(f"{self._name}: content {key}: {error}") from None

    def text(self, key: str) -> str:
        """Return the text that has this hash.

        Raises:
            LogDamaged: when it is not there, cannot be unpacked, or is no text.
        """
        try:
            return self.blob(key).decode("utf-8")
        except UnicodeDecodeError:
            raise LogDamaged(f"{self._name}: content {key} is no text") from None

    def measures(self, trial: str, attempt: int = 1) -> list[Measure]:
        """Return what was measured in a stream, by position and name.

        Raises:
            InputError: when the log has no such trial.
        """
        found = self._all(_MEASURES, self._stream(trial, attempt))
        return [Measure(*fields) for fields in found]

    def holds(self, key: str) -> bool:
        """Return whether the log holds a content."""
        return bool(self._all("SELECT 1 FROM blobs WHERE hash = ?", key))

    @property
    def incomplete(self) -> bool:
        """True for a copy of a log that was being written, made without its journal.

        What was committed last may be missing. Nothing can be of a run that was sealed.
        """
        sealed = any(each.trial == RUN_STREAM and each.sealed for each in self.streams())
        return not sealed and self._name != MEMORY and lacks_journal(Path(self._name))

    def count(self, kind: str) -> int:
        """Return the number of events of a kind, over all streams."""
        found: int = self._all("SELECT count(*) FROM events WHERE kind = ?", kind)[0][0]
        return found

    def _all(self, sql: str, *values: str | int) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except UNREADABLE as error:
            raise LogDamaged(f"{self._name} cannot be read: {error}") from error

    def _stream(self, trial: str, attempt: int) -> int:
        found = self._all("SELECT id FROM streams WHERE trial = ? AND attempt = ?", trial, attempt)
        if not found:
            names = self._all("SELECT DISTINCT trial FROM streams")
            # A list of thousands of trials helps nobody.
            hint = nearest(trial, (name for (name,) in names)) if len(names) <= 50 else ""
            raise InputError(f"{self._name} has no trial {trial!r}, attempt {attempt}{hint}")
        number: int = found[0][0]
        return number


_STREAMS = """
SELECT trial, attempt, heads.stream IS NOT NULL,
    (SELECT coalesce(max(position), -1) + 1 FROM events WHERE stream = streams.id)
FROM streams LEFT JOIN heads ON heads.stream = streams.id ORDER BY trial, attempt
"""

_HEADS = """
SELECT trial, head FROM streams JOIN heads ON heads.stream = streams.id
WHERE trial <> ? ORDER BY trial, attempt
"""

_MEASURES = """
SELECT position, name, value FROM measurements WHERE stream = ? ORDER BY position, name
"""

_SELECT_ROWS = """
SELECT position, id, kind, time, scope, causes, body, blobs, hash
FROM events WHERE stream = ? AND position >= ? ORDER BY position LIMIT ?
"""
