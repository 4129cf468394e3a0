"""The log's tables and triggers, as numbered migrations that are only added.

A migration that a released version has run is never edited: what comes later is another
function at the end of the list. Code that reads must work on every older schema, since a log
opened for reading is never lifted.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from simulator.log.views import VIEWS_1, VIEWS_2, VIEWS_3, VIEWS_4

if TYPE_CHECKING:
    from sqlite_utils import Database

FORMAT = "memtrial-log"

Migration = Callable[["Database"], None]


def tables(db: "Database") -> None:
    """Migration 1: the tables, what keeps them append-only, and the views."""
    _meta(db)
    _streams(db)
    _events(db)
    _blobs(db)
    _heads(db)
    _measurements(db)
    for name, sql in VIEWS_1.items():
        db.create_view(name, sql)


def services(db: "Database") -> None:
    """Migration 2: how endpoints served model calls."""
    for name, sql in VIEWS_2.items():
        db.create_view(name, sql)


def openings(db: "Database") -> None:
    """Migration 3: what a fork turned to, beside what its trial began with."""
    for name, sql in VIEWS_3.items():
        db.create_view(name, sql, replace=True)


def forgetting(db: "Database") -> None:
    """Migration 4: what is left of something forgotten, and why a native boundary ran."""
    for name, sql in VIEWS_4.items():
        db.create_view(name, sql, replace=True)


MIGRATIONS: list[Migration] = [tables, services, openings, forgetting]

SCHEMA_VERSION = len(MIGRATIONS)
"""The schema that this version writes."""


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the number of the last migration of a log; 0 when the file is no log.

    Raises:
        sqlite3.DatabaseError: when the file cannot be read as a database.
    """
    named = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'"
    if connection.execute(named).fetchone() is None:
        return 0
    columns = [row[1] for row in connection.execute("PRAGMA table_info(meta)")]
    if columns != ["key", "value"]:
        return 0
    rows = dict(connection.execute("SELECT key, value FROM meta"))
    if rows.get("format") != FORMAT:
        return 0
    numbers = [key.removeprefix("migration-") for key in rows if key.startswith("migration-")]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] | None = None) -> None:
    """Run the migrations that a log has not had, in one transaction; all without `migrations`.

    Raises:
        sqlite3.Error: when one fails; the log is then as it was.
    """
    # Imported here because it takes 0.2 s, and only a writer needs it.
    from sqlite_utils import Database

    db = Database(connection, recursive_triggers=False, execute_plugins=False)
    connection.execute("BEGIN IMMEDIATE")
    try:
        done = schema_version(connection)
        wanted = MIGRATIONS if migrations is None else migrations
        for number, migration in enumerate(wanted[done:], done + 1):
            migration(db)
            note = (f"migration-{number}", migration.__name__)
            connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", note)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _meta(db: "Database") -> None:
    _table(db, "meta", {"key": str, "value": str}, ("key",))
    taken = "EXISTS (SELECT 1 FROM meta WHERE key = NEW.key)"
    _guard(db, "meta", {"the key exists": taken})
    db.execute("INSERT INTO meta (key, value) VALUES ('format', ?)", [FORMAT])


def _streams(db: "Database") -> None:
    columns = {"id": int, "trial": str, "attempt": int, "genesis": str, "hash": str}
    _table(db, "streams", columns, ("id",))
    db["streams"].create_index(["trial", "attempt"], unique=True)
    attempts = "SELECT coalesce(max(attempt), 0) + 1 FROM streams WHERE trial = NEW.trial"
    number = "SELECT coalesce(max(id), 0) + 1 FROM streams"
    rules = {
        "the attempt exists or leaves a gap": f"NEW.attempt IS NOT ({attempts})",
        "the id exists or leaves a gap": f"NEW.id IS NOT ({number})",
    }
    _guard(db, "streams", rules)


def _events(db: "Database") -> None:
    columns = {
        "stream": int,
        "position": int,
        "id": str,
        "kind": str,
        "time": int,
        "scope": str,
        "causes": str,
        "body": str,
        "blobs": str,
        "hash": str,
    }
    _table(db, "events", columns, ("stream", "position"))
    last = "SELECT max(position) FROM events WHERE stream = NEW.stream"
    rules = {
        "the stream does not exist": _NO_STREAM,
        "the stream is sealed": "EXISTS (SELECT 1 FROM heads WHERE stream = NEW.stream)",
        "the position exists": f"NEW.position <= ({last})",
        "the position leaves a gap": f"NEW.position IS NOT coalesce(({last}), -1) + 1",
    }
    _guard(db, "events", rules)


def _blobs(db: "Database") -> None:
    columns = {"number": int, "hash": str, "stored": bytes, "stored_hash": str, "size": int}
    _table(db, "blobs", columns, ("number",))
    db["blobs"].create_index(["hash"], unique=True)
    kept = "EXISTS (SELECT 1 FROM blobs WHERE hash = NEW.hash"
    rules = {
        "": f"{kept} AND stored = NEW.stored)",
        "the hash exists with other bytes": f"{kept})",
        "the number exists or leaves a gap": (
            "NEW.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM blobs)"
        ),
    }
    _guard(db, "blobs", rules)


def _heads(db: "Database") -> None:
    _table(db, "heads", {"stream": int, "events": int, "head": str}, ("stream",))
    last = "SELECT {} FROM events WHERE stream = NEW.stream ORDER BY position DESC LIMIT 1"
    rules = {
        "the stream does not exist": _NO_STREAM,
        "the stream is sealed": "EXISTS (SELECT 1 FROM heads WHERE stream = NEW.stream)",
        "the stream has another number of events": (
            f"NEW.events IS NOT ({last.format('position + 1')})"
        ),
        "the stream ends in another hash": f"NEW.head IS NOT ({last.format('hash')})",
    }
    _guard(db, "heads", rules)


def _measurements(db: "Database") -> None:
    columns = {"stream": int, "position": int, "name": str, "value": int}
    key = ("stream", "position", "name")
    _table(db, "measurements", columns, key)
    same = " AND ".join(f"{column} = NEW.{column}" for column in key)
    rules = {
        "the stream does not exist": _NO_STREAM,
        "it has been measured": f"EXISTS (SELECT 1 FROM measurements WHERE {same})",
    }
    _guard(db, "measurements", rules)


_NO_STREAM = "NOT EXISTS (SELECT 1 FROM streams WHERE id = NEW.stream)"


def _table(db: "Database", name: str, columns: dict[str, type], key: tuple[str, ...]) -> None:
    """Create a strict table without NULLs, and without a hidden rowid.

    A hidden rowid would be a second key: `INSERT OR REPLACE` with a new key and an old rowid
    deletes the old row without a word to any trigger.
    """
    whole = columns[key[0]] is int and len(key) == 1
    pk = key[0] if len(key) == 1 else key
    sql = db.create_table_sql(name, columns, pk=pk, not_null=set(columns) - {pk}, strict=True)
    if not whole:
        sql = sql.rstrip().removesuffix(";") + ", WITHOUT ROWID"
    db.execute(sql)


def _guard(db: "Database", table: str, rules: dict[str, str]) -> None:
    """Make a table append-only: refuse every update and delete, and an insert by `rules`.

    `rules` maps what is wrong to the SQL condition for it; an empty message drops the row in
    silence. The rule against an existing key must be here and not left to the key itself, since
    `INSERT OR REPLACE` overrides the key and passes update and delete triggers.
    """
    cases = " ".join(
        f"WHEN {condition} THEN RAISE({_verdict(table, message)})"
        for message, condition in rules.items()
    )
    db.execute(
        f"CREATE TRIGGER {table}_append BEFORE INSERT ON {table} BEGIN SELECT CASE {cases} END; END"
    )
    for verb in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table}: append-only, no {verb}'); END"
        )


def _verdict(table: str, message: str) -> str:
    return f"ABORT, '{table}: {message}'" if message else "IGNORE"
