"""The event log: one SQLite file to which events are only added.

Several processes may write one file. Every write is one immediate transaction, so it waits its
turn, and is stored whole or not at all.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from simulator.events.canonical import Json, canonical_json, sha256_bytes
from simulator.log.errors import LogRefused
from simulator.log.files import MEMORY, close_writer, create_file, open_file, refusal
from simulator.log.packing import pack
from simulator.log.reader import LogReader, Measure, Stream
from simulator.log.rows import RUN_STREAM, Row, chain_hash, genesis_hash, hashed_fields

__all__ = ["EventLog", "Measure", "Stream"]

MAX_KNOWN = 100_000
"""Content hashes that a connection remembers to be in the log."""


class EventLog(LogReader):
    """An open log. Made by `create` or `open`; a context manager that closes itself.

    A log belongs to the process and the thread that opened it.
    """

    def __init__(self, connection: sqlite3.Connection, name: str, write: bool) -> None:
        super().__init__(connection, name)
        self._written = Path(name) if write and name != MEMORY else None
        self._known: set[str] = set()

    @classmethod
    def create(cls, path: Path | str) -> Self:
        """Create a log; `:memory:` is one that ends with the process.

        Raises:
            InputError: when the file exists, or cannot be created.
        """
        return cls(create_file(Path(path)), str(path), True)

    @classmethod
    def open(cls, path: Path | str, write: bool = False) -> Self:
        """Open a log; only a writer lifts one of an older schema.

        Raises:
            InputError: for a missing file, a folder, a file that is no log, and a log of a
                newer schema.
        """
        return cls(open_file(Path(path), write), str(path), write)

    def close(self) -> None:
        """Close the file; when the last writer has, `events.db` is whole without its journal."""
        written, self._written = self._written, None
        if written is None:
            super().close()
        else:
            close_writer(self._db, written)

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
        *,
        seal: bool = False,
    ) -> None:
        """Add events, with the contents that they refer to, in one transaction.

        `blobs` maps SHA-256 to content. A content that the log holds already is left as it is
        and not looked at again. With `seal` the stream is closed in the same transaction.

        Raises:
            InputError: when the stream has not begun.
            LogRefused: when the rows do not continue the stream, a content is missing or does
                not have its hash, the stream is sealed, or the log cannot be written.
        """
        with self._transaction():
            stream = self._stream(trial, attempt)
            self._append(stream, trial, rows, blobs)
            self._measure(stream, measures)
            if seal:
                self._seal(stream, trial)

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
        *,
        seal: bool = True,
    ) -> str:
        """Begin, append and seal in one transaction; returns the hash of the last event.

        Without `seal` the stream can be added to.

        Raises:
            LogRefused: as `begin`, `append` and `seal` do; nothing of the trial is then stored.
        """
        with self._transaction():
            self._begin(trial, genesis, attempt)
            stream = self._stream(trial, attempt)
            self._append(stream, trial, rows, blobs)
            self._measure(stream, measures)
            return self._seal(stream, trial) if seal else self._end(stream)[1]

    def keep(self, blobs: Mapping[str, bytes]) -> None:
        """Add contents that no event refers to, in one transaction.

        Raises:
            LogRefused: when a content does not have its hash, or the log cannot be written.
        """
        with self._transaction():
            self._store(blobs)

    def measure(self, trial: str, measures: Iterable[Measure], attempt: int = 1) -> None:
        """Add measurements, also to a sealed stream: they are no part of any hash.

        Raises:
            InputError: when the stream has not begun.
            LogRefused: when the same thing was measured before.
        """
        with self._transaction():
            self._measure(self._stream(trial, attempt), measures)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        done = False
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
            done = True
        except sqlite3.Error as error:
            raise refusal(self._name, error) from error
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
