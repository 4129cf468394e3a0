"""Somebody who owns a log's file, and leaves no trace of it but what was changed."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path


class Owner(sqlite3.Connection):
    """A connection for which no trigger is in force; `close` makes them again."""

    triggers: Sequence[tuple[str, str]] = ()

    def close(self) -> None:
        """Make the triggers again of the tables that are still there."""
        if self.triggers:
            tables = {name for (name,) in self.execute("SELECT name FROM sqlite_master")}
            for table, sql in self.triggers:
                if table in tables:
                    self.execute(sql)
            self.triggers = ()
        super().close()


def owner(path: Path) -> Owner:
    """Open a file as its owner."""
    connection = sqlite3.connect(path, isolation_level=None, factory=Owner)
    connection.execute("PRAGMA synchronous = OFF")  # the file need not outlast a power cut
    named = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger'"
    found = connection.execute(named).fetchall()
    for name, _, _ in found:
        connection.execute(f"DROP TRIGGER {name}")
    connection.triggers = [(table, sql) for _, table, sql in found]
    return connection
