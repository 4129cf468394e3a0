"""Any single changed byte is found, and found where it is."""

import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simulator.events.errors import InputError
from simulator.log.findings import Verification
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.log.verify import verify
from tests.simulator.log.story import TRIALS, contents, finished_run, first_use, owner, places

CELLS = {
    "events": ("id", "kind", "time", "scope", "causes", "body", "blobs", "hash", "position"),
    "streams": ("trial", "genesis", "hash"),
    "heads": ("events", "head"),
    "blobs": ("hash", "stored", "stored_hash", "size"),
}


def flip(db: sqlite3.Connection, chance: random.Random) -> Callable[[Verification], bool]:
    """Change one byte of one stored cell; returns what says whether it was found rightly."""
    table = chance.choice(sorted(CELLS))
    column = chance.choice(CELLS[table])
    row = chance.choice(db.execute(f"SELECT * FROM {table}").fetchall())
    names = [name for name, *_ in db.execute(f"SELECT * FROM {table}").description]
    cells = dict(zip(names, row, strict=True))
    where = " AND ".join(f"{name} = :{name}" for name in names[:2])
    old = cells[column]
    new: bytes | int
    if isinstance(old, int):
        new, cast = old ^ (1 << chance.randrange(40)), ":new"
    else:
        data = bytearray(old.encode() if isinstance(old, str) else old)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        new, cast = bytes(data), "CAST(:new AS TEXT)" if isinstance(old, str) else ":new"
    db.execute(f"UPDATE {table} SET {column} = {cast} WHERE {where}", cells | {"new": new})
    return lambda found: rightly(found, table, column, cells, new)


def rightly(
    found: Verification,
    table: str,
    column: str,
    cells: dict[str, object],
    new: bytes | int,
) -> bool:
    at = set(places(found))
    if table == "blobs":
        return at - {(None, None)} == {first_use(str(cells["hash"]))}
    if (table, column) == ("streams", "trial"):
        name = bytes(new).decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()
        return (name, None) in at and at <= {(name, None), (RUN_STREAM, 2)}
    number = cells["id"] if table == "streams" else cells["stream"]
    trial = TRIALS_BY_NUMBER[number]
    if column == "position":
        return (trial, cells["position"]) in at and {name for name, _ in at} == {trial}
    return at == {(trial, cells.get("position"))}


TRIALS_BY_NUMBER: dict[object, str] = dict(enumerate((RUN_STREAM, *TRIALS), 1))


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32))
def test_any_changed_byte_is_found_and_attributed(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.db"
        path.write_bytes(finished_run())
        db = owner(path)
        try:
            judged = flip(db, random.Random(seed))
        except sqlite3.IntegrityError:
            db.close()
            assume(False)  # the new value is another row's key
        db.close()
        found = verify(path)
        assert not found.ok
        assert judged(found), found.faults


def contents_of(path: Path) -> Iterator[object]:
    with EventLog.open(path) as log:
        yield log.heads()
        for stream in log.streams():
            yield stream
            yield log.genesis(stream.trial)
            yield list(log.rows(stream.trial))
        for trial in TRIALS:
            yield {name: log.blob(name) for name in contents(trial)}


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32))
def test_any_changed_byte_of_the_file_is_found_or_changes_nothing(seed: int) -> None:
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        whole, path = Path(folder) / "whole.db", Path(folder) / "events.db"
        data = bytearray(finished_run())
        whole.write_bytes(data)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        try:
            found = verify(path)
        except InputError:
            return  # the header or the schema cannot be read: refused in one sentence
        if found.ok:
            assert list(contents_of(path)) == list(contents_of(whole))
