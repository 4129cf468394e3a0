"""The event log: one SQLite file to which events are only added.

Several processes may write one file. Every write is one immediate transaction, so it waits its
turn, and is stored whole or not at all.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from simulator.events.canonical import Json, canonical_json, sha256_bytes
from simulator.events.errors import InputError, nearest
from simulator.log.errors import LogDamaged, LogRefused
from simulator.log.files import UNREADABLE, create_file, open_file
from simulator.log.packing import pack, unpack
from simulator.log.rows import RUN_STREAM, Row, chain_hash, genesis_hash, hashed_fields, root_hash

READ_ROWS = 500
"""Rows that are in memory at once while a stream is read."""

MAX_KNOWN = 100_000
"""Content hashes that a connection remembers to be in the log."""


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


class EventLog:
    """An open log. Made by `create` or `open`; a context manager that closes itself.

    A log belongs to the process and the thread that opened it.
    """

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._db = connection
        self._name = name
        self._known: set[str] = set()

    @classmethod
    def create(cls, path: Path | str) -> Self:
        """Create a log; `:memory:` is one that ends with the process.

        Raises:
            InputError: when the file exists, or cannot be created.
        """
        return cls(create_file(Path(path)), str(path))

    @classmethod
    def open(cls, path: Path | str, write: bool = False) -> Self:
        """Open a log; only a writer lifts one of an older schema.

        Raises:
            InputError: for a missing file, a folder, a file that is no log, and a log of a
                newer schema.
        """
        return cls(open_file(Path(path), write), str(path))

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

    # Writing

    def begin(self, trial: str, genesis: Json, attempt: int = 1) -> str:
        """Begin a stream and return the chain's value before its first event.

        Raises:
            LogRefused: when it has begun already, or an attempt was left out.
            NotStorable: when the genesis has no canonical form.
        """
        with self._transaction():
            return self._begin(trial, genesis, attempt)

    def append(
        self,
        trial: str,
        rows: Sequence[Row],
        blobs: Mapping[str, bytes],
        attempt: int = 1,
        measures: Iterable[Measure] = (),
    ) -> None:
        """Add events, with the contents that they refer to, in one transaction.

        `blobs` maps SHA-256 to content. A content that the log holds already is left as it is
        and not looked at again.

        Raises:
            InputError: when the stream has not begun.
            LogRefused: when the rows do not continue the stream, a content is missing or does
                not have its hash, the stream is sealed, or the log cannot be written.
        """
        with self._transaction():
            stream = self._stream(trial, attempt)
            self._append(stream, trial, rows, blobs)
            self._measure(stream, measures)

    def seal(self, trial: str, attempt: int = 1) -> str:
        """Close a stream for good and return its head, the hash of its last row.

        Raises:
            InputError: when the stream has not begun.
            LogRefused: when it is sealed already or has no events.
        """
        with self._transaction():
            return self._seal(self._stream(trial, attempt), trial)

    def write_trial(
        self,
        trial: str,
        genesis: Json,
        rows: Sequence[Row],
        blobs: Mapping[str, bytes],
        attempt: int = 1,
        measures: Iterable[Measure] = (),
    ) -> str:
        """Begin, append and seal in one transaction; returns the head.

        Raises:
            LogRefused: as `begin`, `append` and `seal` do; nothing of the trial is then stored.
        """
        with self._transaction():
            self._begin(trial, genesis, attempt)
            stream = self._stream(trial, attempt)
            self._append(stream, trial, rows, blobs)
            self._measure(stream, measures)
            return self._seal(stream, trial)

    def measure(self, trial: str, measures: Iterable[Measure], attempt: int = 1) -> None:
        """Add measurements, also to a sealed stream: they are no part of any hash.

        Raises:
            InputError: when the stream has not begun.
            LogRefused: when the same thing was measured before.
        """
        with self._transaction():
            self._measure(self._stream(trial, attempt), measures)

    # Reading

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
            return json.loads(found[0][0])
        except ValueError as error:
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
        """
        stream = self._stream(trial, attempt)
        while True:
            page = self._all(_SELECT_ROWS, stream, start, READ_ROWS)
            for fields in page:
                yield Row(*fields)
            if len(page) < READ_ROWS:
                return
            start = page[-1][0] + 1

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

    def count(self, kind: str) -> int:
        """Return the number of events of a kind, over all streams."""
        found: int = self._all("SELECT count(*) FROM events WHERE kind = ?", kind)[0][0]
        return found

    def _all(self, sql: str, *values: str | int) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except UNREADABLE as error:
            raise LogDamaged(f"{self._name} cannot be read: {error}") from error

    # One transaction's parts

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        done = False
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
            done = True
        except sqlite3.Error as error:
            raise LogRefused(f"{self._name}: nothing was written: {error}") from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise LogRefused(f"{self._name}: a value cannot be stored exactly: {error}") from error
        finally:
            if not done:
                self._known.clear()  # it may name contents that were not stored after all
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def _begin(self, trial: str, genesis: Json, attempt: int) -> str:
        if not trial or (trial.startswith("@") and trial != RUN_STREAM):
            raise LogRefused(f"{self._name}: {trial!r} is no name of a trial")
        start = genesis_hash(trial, genesis)
        values = (trial, attempt, canonical_json(genesis), start)
        self._db.execute(_INSERT_STREAM, values)
        return start

    def _append(
        self, stream: int, trial: str, rows: Sequence[Row], blobs: Mapping[str, bytes]
    ) -> None:
        self._store(blobs)
        self._db.executemany(_INSERT_EVENT, list(self._continued(stream, trial, rows)))

    def _continued(
        self, stream: int, trial: str, rows: Sequence[Row]
    ) -> Iterator[tuple[str | int, ...]]:
        """Yield the rows as they are stored, after a check that each continues the chain."""
        following, previous = self._end(stream)
        for position, row in enumerate(rows, following):
            fields = hashed_fields(row)
            if row.position != position:
                raise self._no(trial, row, f"the stream goes on at {position}")
            if row.hash != chain_hash(previous, fields):
                raise self._no(trial, row, "its hash does not continue the chain")
            for key in json.loads(row.blobs) if row.blobs != "[]" else ():
                if not self._holds(key):
                    raise self._no(trial, row, f"content {key} is not in the log")
            previous = row.hash
            yield (stream, *fields, previous)

    def _no(self, trial: str, row: Row, why: str) -> LogRefused:
        place = f"{trial} event {row.position}"
        return LogRefused(f"{self._name}: nothing was written: {place}: {why}")

    def _end(self, stream: int) -> tuple[int, str]:
        """Return the position of the next event and the chain's value before it."""
        last = self._db.execute(_LAST_EVENT, (stream,)).fetchone()
        if last is not None:
            return last[0] + 1, last[1]
        start = self._db.execute("SELECT hash FROM streams WHERE id = ?", (stream,)).fetchone()
        return 0, start[0]

    def _seal(self, stream: int, trial: str) -> str:
        events, head = self._end(stream)
        if events == 0:
            raise LogRefused(f"{self._name}: {trial} has no events to seal")
        self._db.execute("INSERT INTO heads VALUES (?, ?, ?)", (stream, events, head))
        return head

    def _measure(self, stream: int, measures: Iterable[Measure]) -> None:
        values = [(stream, *measure) for measure in measures]
        self._db.executemany("INSERT INTO measurements VALUES (?, ?, ?, ?)", values)

    def _store(self, blobs: Mapping[str, bytes]) -> None:
        for key, content in blobs.items():
            if self._holds(key):
                continue
            if sha256_bytes(content) != key:
                raise LogRefused(f"{self._name}: a content does not have the hash {key}")
            try:
                stored = pack(content)
            except ValueError as error:
                raise LogRefused(f"{self._name}: {error}") from None
            self._db.execute(_INSERT_BLOB, (key, stored, sha256_bytes(stored), len(content)))
            self._known.add(key)

    def _holds(self, key: str) -> bool:
        if key in self._known:
            return True
        if self._db.execute("SELECT 1 FROM blobs WHERE hash = ?", (key,)).fetchone() is None:
            return False
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known.add(key)
        return True

    def _stream(self, trial: str, attempt: int) -> int:
        found = self._all("SELECT id FROM streams WHERE trial = ? AND attempt = ?", trial, attempt)
        if not found:
            names = self._all("SELECT DISTINCT trial FROM streams")
            # A list of thousands of trials helps nobody.
            hint = nearest(trial, (name for (name,) in names)) if len(names) <= 50 else ""
            raise InputError(f"{self._name} has no trial {trial!r}, attempt {attempt}{hint}")
        number: int = found[0][0]
        return number


_INSERT_STREAM = """
INSERT INTO streams (id, trial, attempt, genesis, hash)
SELECT coalesce(max(id), 0) + 1, ?, ?, ?, ? FROM streams
"""

_INSERT_EVENT = """
INSERT INTO events (stream, position, id, kind, time, scope, causes, body, blobs, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

_INSERT_BLOB = """
INSERT INTO blobs (number, hash, stored, stored_hash, size)
SELECT coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM blobs
"""

_LAST_EVENT = """
SELECT position, hash FROM events WHERE stream = ? ORDER BY position DESC LIMIT 1
"""

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
