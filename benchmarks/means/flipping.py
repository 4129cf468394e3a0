"""Single-byte changes to a log, and whether verification names each where it is."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.means.owner import owner
from simulator.events.errors import InputError
from simulator.log.files import UNREADABLE
from simulator.log.findings import Verification
from simulator.log.rows import RUN_STREAM
from simulator.log.verify import verify

BYTES = "raw bytes"
"""The share whose changes are made in the file, not in a stored value."""

SHARES: dict[str, tuple[tuple[str, str], ...]] = {
    "events": tuple(
        ("events", column)
        for column in (
            *("stream", "position", "id", "kind", "time"),
            *("scope", "causes", "body", "blobs", "hash"),
        )
    ),
    "heads": (
        *(("heads", column) for column in ("stream", "events", "head")),
        *(("streams", column) for column in ("id", "trial", "attempt", "genesis", "hash")),
    ),
    "manifest": tuple(("events", column) for column in ("id", "kind", "time", "body", "hash")),
    "contents": tuple(
        ("blobs", column) for column in ("number", "hash", "stored", "stored_hash", "size")
    ),
}
"""A share's tables and columns; the manifest is the events of the run-level stream."""

KEYS = {
    "events": ("stream", "position"),
    "heads": ("stream",),
    "streams": ("id",),
    "blobs": ("number",),
}
TABLES = ("meta", *KEYS)

Place = tuple[str | None, int | None]
Values = dict[str, list[tuple[Any, ...]]]

_NOWHERE: Place = (None, None)


class Flip(NamedTuple):
    """One changed value: its table and column, its row as it was, and what it is now."""

    table: str
    column: str
    row: dict[str, Any]
    new: int | bytes


class Original:
    """A log as it was before it was changed: what stands where."""

    def __init__(self, path: Path) -> None:
        self.values = stored(path)
        self.trials: dict[int, str] = {row[0]: row[1] for row in self.values["streams"]}

    @cached_property
    def root(self) -> set[Place]:
        """Where the root stands, if it does."""
        events = [(self.trials[each[0]], each[1], each[3]) for each in self.values["events"]]
        return {(RUN_STREAM, at) for trial, at, kind in events if (trial, kind) == _ROOT}

    @cached_property
    def first_use(self) -> dict[str, Place]:
        """Content to the first event that refers to it, in the order of trials."""
        found: dict[str, Place] = {}
        for row in sorted(self.values["events"], key=lambda row: (self.trials[row[0]], row[1])):
            for content in contents_of(row[8]):
                found.setdefault(content, (self.trials[row[0]], row[1]))
        return found

    def end(self, number: int) -> set[Place]:
        """Return the place after the last event of a stream; none where there is no stream."""
        if number not in self.trials:
            return set()
        return {(self.trials[number], sum(row[0] == number for row in self.values["events"]))}


_ROOT = (RUN_STREAM, "root")


def stored(path: Path) -> Values:
    """Return every value of a log, by table, and which contents are found by their hash.

    Raises:
        sqlite3.DatabaseError: when it cannot be read.
    """
    with closing(sqlite3.connect(path)) as db:
        # Bytes that are no UTF-8 are kept apart from all others.
        db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        sql = "SELECT * FROM {} ORDER BY 1, 2"
        values = {table: db.execute(sql.format(table)).fetchall() for table in TABLES}
        look = "SELECT hash FROM blobs WHERE hash = CAST(? AS TEXT)"  # the index has bytes too
        values["found"] = [
            db.execute(look, (_bytes(row[1]),)).fetchone() for row in values["blobs"]
        ]
        return values


def _bytes(value: Any) -> Any:
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value


def contents_of(blobs: str) -> list[str]:
    """Return the hashes of an event's list of contents."""
    return blobs[2:-2].split('","') if blobs != "[]" else []


def flip_value(path: Path, share: str, chance: Random) -> Flip:
    """Change one byte of one stored value; where the file refuses the new one, of another."""
    with closing(owner(path)) as db:
        while True:
            table, column = chance.choice(SHARES[share])
            flip = _draw(db, table, column, share == "manifest", chance)
            keys = " AND ".join(f"{name} = :{name}" for name in KEYS[table])
            cast = "CAST(:new AS TEXT)" if isinstance(flip.row[column], str) else ":new"
            values = {name: flip.row[name] for name in KEYS[table]} | {"new": flip.new}
            try:
                db.execute(f"UPDATE {table} SET {column} = {cast} WHERE {keys}", values)
            except sqlite3.IntegrityError:
                continue  # another row has this key
            return flip


def _draw(db: sqlite3.Connection, table: str, column: str, of_run: bool, chance: Random) -> Flip:
    run = f" WHERE stream = (SELECT id FROM streams WHERE trial = '{RUN_STREAM}')"
    found = db.execute(f"SELECT * FROM {table}{run if of_run else ''} ORDER BY 1, 2")
    names = [name for name, *_ in found.description]
    row = dict(zip(names, chance.choice(found.fetchall()), strict=True))
    return Flip(table, column, row, _changed(row[column], chance))


def _changed(value: int | str | bytes, chance: Random) -> int | bytes:
    """Return a value with one byte changed; a text's bytes may then be no text."""
    if isinstance(value, int):
        data = bytearray(value.to_bytes(8, "big", signed=True))
    else:
        data = bytearray(value.encode() if isinstance(value, str) else value)
    data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    return int.from_bytes(data, "big", signed=True) if isinstance(value, int) else bytes(data)


def rightly(original: Original, flip: Flip, found: Verification) -> bool:
    """Return whether what was found names the place of a changed value, and no other place."""
    at: set[Place] = {(fault.trial, fault.position) for fault in found.faults}
    return bool(at) and _JUDGES[flip.table](original, flip, at)


def _event(original: Original, flip: Flip, at: set[Place]) -> bool:
    here = (original.trials[flip.row["stream"]], flip.row["position"])
    if flip.column == "stream":  # missing here, and one too many where it stands now
        assert isinstance(flip.new, int)
        return here in at and at <= {here, _NOWHERE, *original.end(flip.new)}
    if flip.column == "position":
        return here in at and {trial for trial, _ in at} == {here[0]}
    return at == {here}


def _head(original: Original, flip: Flip, at: set[Place]) -> bool:
    if flip.column == "stream":  # nobody's head now; its trial is unfinished, says the root
        return _NOWHERE in at and at <= {_NOWHERE, *original.root}
    return at == {(original.trials[flip.row["stream"]], None)}


def _stream(original: Original, flip: Flip, at: set[Place]) -> bool:
    if flip.column == "id":  # events and head are nobody's now
        return _NOWHERE in at and at <= {_NOWHERE, *original.root}
    trial = flip.row["trial"]
    if flip.column == "trial":  # nobody knows the old name
        assert isinstance(flip.new, bytes)
        name = flip.new.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()
        return (name, None) in at and at <= {(name, None), *original.root}
    return at == {(trial, None)}


def _content(original: Original, flip: Flip, at: set[Place]) -> bool:
    if flip.column == "number":
        return at == {_NOWHERE}
    return at - {_NOWHERE} == {original.first_use[flip.row["hash"]]}


_JUDGES: dict[str, Callable[[Original, Flip, set[Place]], bool]] = {
    "events": _event,
    "heads": _head,
    "streams": _stream,
    "blobs": _content,
}


def outcome(original: Original, path: Path, share: str, chance: Random) -> str:
    """Change one byte of the log at `path`, a copy of the original, and say what came of it.

    `found`; `misattributed`; `missed`; and of a raw byte also `refused`, where the file is no
    log any more, and `equal`, where it lay in unused space, so that every value is what it was.
    """
    if share == BYTES:
        return _outcome_of_byte(original, path, chance)
    flip = flip_value(path, share, chance)
    found = verify(path)
    if found.ok:
        return "missed"
    return "found" if rightly(original, flip, found) else "misattributed"


def _outcome_of_byte(original: Original, path: Path, chance: Random) -> str:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
    path.write_bytes(data)
    try:
        found = verify(path)
    except InputError:
        return "refused"
    try:
        now = stored(path)
    except UNREADABLE:
        return "missed" if found.ok else "found"
    if found.ok:
        return "equal" if now == original.values else "missed"
    named = {fault.trial for fault in found.faults} - {None, RUN_STREAM}
    return "misattributed" if named & _untouched(original, now) else "found"


def _untouched(original: Original, now: Values) -> set[str]:
    """Return the trials of which every value, contents included, is what it was."""
    if any(original.values[each] != now[each] for each in ("blobs", "found")):
        return set()
    tables = ("streams", "events", "heads")
    return {
        trial
        for number, trial in original.trials.items()
        if all(_of(original.values[each], number) == _of(now[each], number) for each in tables)
    }


def _of(rows: list[tuple[Any, ...]], number: int) -> list[tuple[Any, ...]]:
    return [row for row in rows if row[0] == number]
