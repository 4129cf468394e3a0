"""Copying a log while others may be writing it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from simulator.events.errors import InputError
from simulator.log.errors import LogRefused
from simulator.log.files import open_file

_PAGES = 4_096
"""Pages that are copied at once; progress is told in between."""


def copy_log(source: Path, target: Path, report: Callable[[int, int], None]) -> None:
    """Copy a log as it stands at one instant into a file that does not exist; writers go on.

    `report` is told how many pages are copied, of how many.

    Raises:
        InputError: when `source` is no log that this version can open, or `target` exists.
        LogRefused: when it cannot be read to its end, or `target` cannot be written.
    """
    with closing(open_file(source, write=False)) as log:
        try:
            target.touch(exist_ok=False)
        except FileExistsError:
            raise InputError("the file exists", file=str(target)) from None
        try:
            # Held open, so that every page is of this instant: the copy would begin again
            # whenever somebody writes, and never end.
            log.execute("BEGIN")
            log.execute("SELECT 1 FROM sqlite_master").fetchone()
            with closing(sqlite3.connect(target, isolation_level=None)) as copy:
                log.backup(copy, pages=_PAGES, progress=lambda _, left, of: report(of - left, of))
        except sqlite3.Error as error:
            raise LogRefused(f"{target}: the copy was not made: {error}") from error
