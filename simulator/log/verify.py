"""Verification: is every event, content, head and the root what it was when it was written?

One pass over the contents, then one over each stream, within a single read snapshot; memory
grows with the number of trials and of faults, not with events or contents.

What cannot be seen: events cut off the end of a stream that is not sealed, and a log whose
owner rewrote all of it, hashes included. The second shows against a published root.
"""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from simulator.events.canonical import sha256_bytes
from simulator.events.recorded import RootSealed
from simulator.log import fittings
from simulator.log.chain import StoredStream, StreamCheck
from simulator.log.files import UNREADABLE, lacks_journal, open_file
from simulator.log.findings import MAX_LISTED, Findings, LogFault, Verification, printable
from simulator.log.packing import unpack
from simulator.log.rows import RUN_STREAM, Row, root_hash

__all__ = ["LogFault", "Verification", "verify"]

INCOMPLETE = (
    "this is a copy of a log that was being written, made without its journal: what was recorded "
    "last may be missing; `memtrial backup` makes a whole copy"
)

_REMEMBERED = 65_536
_KEYS = TypeAdapter(list[str])

# Strict tables see to these; a damaged file may hold anything.
_CONTENT_TYPES = (str, bytes, str, int)
_STREAM_TYPES = {
    (int, str, int, str, str, type(None), type(None)),
    (int, str, int, str, str, int, str),
}


def verify(path: Path | str) -> Verification:
    """Check a whole log.

    Raises:
        InputError: when there is no log at `path` that this version can open.
    """
    connection = open_file(Path(path), write=False)
    alone = lacks_journal(Path(path))
    # Bytes that are no UTF-8 must reach the hash, and fail there.
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    audit = _Audit(connection)
    try:
        connection.execute("BEGIN")
        audit.run()
    except UNREADABLE as error:
        audit.findings.add(audit.at, None, f"the file is damaged: {error}")
    finally:
        connection.close()
    if alone and not audit.sealed:
        audit.findings.add(None, None, INCOMPLETE)
    return audit.result()


class _Audit:
    """One verification: what has been read so far."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.db = connection
        self.findings = Findings()
        self.at: str | None = None
        self.events = 0
        self.sealed = False
        self.heads: dict[str, str] = {}
        self.proven: dict[str, str] = {}
        self.trials: set[str] = set()
        self.damaged: dict[str, str] = {}
        self.missing: set[str] = set()
        self.claim: tuple[int, RootSealed] | None = None
        self.holds = lru_cache(_REMEMBERED)(self._look_up)

    def result(self) -> Verification:
        return Verification(
            ok=not self.findings.faults,
            events=self.events,
            root=root_hash(self.heads),
            heads=self.heads,
            faults=tuple(self.findings.faults),
            unlisted=self.findings.unlisted,
            unfinished=tuple(sorted(self.trials - set(self.heads))),
        )

    def run(self) -> None:
        self._structure()
        self._contents()
        before: StoredStream | None = None
        for stream in self._streams():
            self._attempt(stream, before)
            self._stream(stream)
            before = stream
        self.at = None
        self._strays()
        for key, what in self.damaged.items():
            self.findings.add(None, None, f"content {key}, used by no sound event: {what}")
        self._root()
        for what in fittings.faults(self.db):
            self.findings.add(None, None, what)

    def _structure(self) -> None:
        """Ask SQLite whether tables and indexes agree."""
        for (what,) in self.db.execute("PRAGMA integrity_check(10)"):
            if what != "ok":
                self.findings.add(None, None, f"the file is damaged: {what}")

    def _contents(self) -> None:
        for fields in self.db.execute("SELECT hash, stored, stored_hash, size FROM blobs"):
            if tuple(map(type, fields)) != _CONTENT_TYPES:
                self.findings.add(None, None, "a column of a content has another type")
                continue
            key = fields[0]
            what = _content_fault(*fields)
            if what is not None and len(self.damaged) < MAX_LISTED:
                self.damaged[key] = what
            elif what is not None:
                self.findings.add(None, None, f"content {key}: {what}")

    def _streams(self) -> Iterator[StoredStream]:
        sql = """
            SELECT id, trial, attempt, genesis, hash, events, head
            FROM streams LEFT JOIN heads ON heads.stream = streams.id ORDER BY trial, attempt
        """
        for fields in self.db.execute(sql):
            if tuple(map(type, fields)) in _STREAM_TYPES:
                yield StoredStream(*fields)
            else:
                self.findings.add(None, None, "a column of a stream has another type")

    def _attempt(self, stream: StoredStream, before: StoredStream | None) -> None:
        """Attempts are in no hash; they are counted from 1 without a gap instead."""
        again = before is not None and before.trial == stream.trial
        expected = before.attempt + 1 if before is not None and again else 1
        if stream.attempt != expected:
            self.findings.add(stream.trial, None, f"attempt {expected} is missing")

    def _stream(self, stream: StoredStream) -> None:
        self.at = stream.trial
        check = StreamCheck(self.db, stream, self.findings, self._row)
        known = self.findings.count
        check.run()
        self.events += check.read
        name = printable(stream.trial)
        if stream.trial == RUN_STREAM:
            self.sealed = stream.head is not None
            if self.findings.count > known:
                self.claim = None  # a fault of this stream is named already
            return
        self.trials.add(name)
        if stream.head is not None:
            self.heads[name] = printable(stream.head)
            self.proven[name] = printable(check.head or stream.head)

    def _row(self, stream: StoredStream, row: Row) -> None:
        """Check what a sound event refers to."""
        for key in self._keys(stream, row):
            what = self.damaged.pop(key, None)
            if what is None and key not in self.missing and not self.holds(key):
                what = "it is missing"
                self.missing.add(key)
            if what is not None:
                self.findings.add(stream.trial, row.position, f"content {key}: {what}")
        if stream.trial == RUN_STREAM and row.kind == RootSealed.kind:
            try:
                self.claim = (row.position, RootSealed.model_validate_json(row.body))
            except ValidationError:
                self.findings.add(stream.trial, row.position, "the root event cannot be read")

    def _keys(self, stream: StoredStream, row: Row) -> list[str]:
        if row.blobs == "[]":
            return []
        try:
            return _KEYS.validate_json(row.blobs)
        except ValidationError:
            self.findings.add(stream.trial, row.position, "its list of contents cannot be read")
            return []

    def _look_up(self, key: str) -> bool:
        found = self.db.execute("SELECT 1 FROM blobs WHERE hash = ?", (key,))
        return found.fetchone() is not None

    def _strays(self) -> None:
        count, first, last = self.db.execute(
            "SELECT count(*), coalesce(min(id), 1), coalesce(max(id), 0) FROM streams"
        ).fetchone()
        if count != last:
            self.findings.add(None, None, f"the log has had {last} streams, and holds {count}")
        elif first < 1:
            self.findings.add(None, None, f"a stream has the number {first}")
        if not self.findings.count:
            self._numbers()
        for table in ("events", "heads"):
            for (number,) in self.db.execute(_STRAYS.format(table=table)):
                self.findings.add(None, None, f"{table} of stream {number}, which does not exist")

    def _numbers(self) -> None:
        """Contents are counted from 1; the numbers are in no hash, and a lost one shows above."""
        count, first, last = self.db.execute(
            "SELECT count(*), min(number), max(number) FROM blobs"
        ).fetchone()
        if count and (first, last) != (1, count):
            self.findings.add(
                None, None, f"the {count} contents are not numbered from 1 to {count}"
            )

    def _root(self) -> None:
        """Compare the recorded root with the one over the heads.

        A head that was changed is a fault of its trial; the root may also be right about the
        head that the trial's chain proves.
        """
        if self.claim is None:
            return
        position, claim = self.claim
        if claim.root not in (root_hash(self.heads), root_hash(self.proven)):
            here = len(self.heads)
            what = f"the root over {claim.trials} trials is not the root of the {here} here"
            self.findings.add(RUN_STREAM, position, what)


def _content_fault(key: str, stored: bytes, stored_hash: str, size: int) -> str | None:
    if sha256_bytes(stored) != stored_hash:
        return "its stored bytes are not those that were written"
    try:
        content = unpack(stored, size)
    except ValueError as error:
        return str(error)
    return None if sha256_bytes(content) == key else "it does not have the hash that it is named by"


# Steps from stream to stream by the key; DISTINCT would read every event. UNION ALL would step
# for ever in a damaged tree that leads back to a number it has given before.
_STRAYS = """
WITH RECURSIVE found(stream) AS (
    SELECT min(stream) FROM {table}
    UNION
    SELECT (SELECT min(stream) FROM {table} WHERE stream > found.stream)
    FROM found WHERE found.stream IS NOT NULL
)
SELECT stream FROM found
WHERE stream IS NOT NULL AND stream NOT IN (SELECT id FROM streams)
"""
