"""What keeps a log append-only, and what shows it: are they as the migrations made them?

Whoever owns a file can drop a trigger, write, and make the trigger again; then only the hashes
tell. One that was dropped for good lets anybody write.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from simulator.log import schema

Fittings = Mapping[tuple[str, str], str]
"""Type and name of an object of the schema to what it does."""


def faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what is missing, changed or added, and what is wrong with the log's own notes."""
    version = schema.schema_version(connection)
    made = _made(tuple(schema.MIGRATIONS[:version]))
    found = _fittings(connection)
    yield from _told("missing", [each for each in made if each not in found])
    yield from _told(
        "changed", [each for each in made if found.get(each, made[each]) != made[each]]
    )
    # Another view or index does nothing to a log; another trigger may.
    added = [each for each in found if each not in made and each[0] == "trigger"]
    yield from _told("not MemTrial's", added)
    notes = connection.execute("SELECT key, value FROM meta ORDER BY key").fetchall()
    if notes != _notes(version):
        yield "the notes on the format and its migrations were changed"


def _told(what: str, fittings: Sequence[tuple[str, str]]) -> Iterator[str]:
    if fittings:
        kind, name = fittings[0]
        more = f", and {len(fittings) - 1} more" if len(fittings) > 1 else ""
        yield f"of the log's schema is {what}: {kind} {name}{more}"


def _notes(version: int) -> list[tuple[str, str]]:
    numbered = enumerate(schema.MIGRATIONS[:version], start=1)
    made = [(f"migration-{number}", each.__name__) for number, each in numbered]
    return sorted([("format", schema.FORMAT), *made])


@lru_cache(maxsize=4)
def _made(migrations: tuple[schema.Migration, ...]) -> Fittings:
    """Return what migrations make in an empty file."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        schema.migrate(connection, migrations)
        return _fittings(connection)
    finally:
        connection.close()


def _fittings(connection: sqlite3.Connection) -> Fittings:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(kind, name): _does(kind, sql) for kind, name, sql in rows}


def _does(kind: str, sql: str) -> str:
    """Return what is compared: triggers whole, views without how their names are quoted.

    How a table is written is the affair of a library; that its columns are right shows in what is
    read from it.
    """
    if kind == "trigger":
        return sql
    return sql.partition(" AS ")[2].strip() if kind == "view" else ""
