"""Opening the log's file: what is refused, and with which words."""

import shutil
import sqlite3
import stat
from pathlib import Path

from simulator.events.errors import InputError
from simulator.log.errors import LogRefused, NoSpace
from simulator.log.schema import SCHEMA_VERSION, migrate, schema_version

MEMORY = ":memory:"
"""Path of a log that lives in this process's memory only."""

BUSY_SECONDS = 60
"""How long a writer waits for another one before it gives up."""

MAX_ROW = 2**28
"""Most bytes of a row that are read or written, whatever a file claims to hold."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; SQLite's message may quote bytes that are no UTF-8."""

_INDEX_BYTES = 32_768
"""What SQLite needs beside a log to open it: one region of the index of its journal."""

_OLDEST_SQLITE = (3, 38, 0)  # the first with strict tables and the operators ->, ->>


def create_file(path: Path) -> sqlite3.Connection:
    """Create a log and return its connection.

    Raises:
        InputError: when the file exists, or cannot be created.
    """
    _check_sqlite()
    if str(path) == MEMORY:
        connection = sqlite3.connect(MEMORY, isolation_level=None)
        migrate(connection)
        return connection
    _claim(path)
    connection = _connect(path, "rw")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        _prepare_writer(connection)
        migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        for each in (path, _journal(path)):
            each.unlink(missing_ok=True)
        if _is_full(error, path):
            raise refusal(str(path), error) from error
        raise InputError(f"the log cannot be created: {error}", file=str(path)) from error
    return connection


def open_file(path: Path, write: bool) -> sqlite3.Connection:
    """Open a log and return its connection; a writer lifts an older schema.

    Raises:
        InputError: for what is no log, and for a log of a newer schema.
    """
    _check_sqlite()
    _check_is_file(path)
    connection, version = _probe(path, "rw" if write else "ro")
    fault = _unfit(version)
    if fault:
        connection.close()
        raise InputError(fault, file=str(path))
    if write:
        _prepare_writer(connection)
        if version < SCHEMA_VERSION:
            _lift(connection, path)
    return connection


def refusal(name: str, error: sqlite3.Error) -> LogRefused:
    """Return what to raise for an error that SQLite met while it wrote the log called `name`."""
    if _is_full(error, Path(name)):
        return NoSpace(f"{name}: nothing was written: its disk is full")
    return LogRefused(f"{name}: nothing was written: {error}")


def _is_full(error: Exception, path: Path) -> bool:
    """Return whether an error comes from a full disk; SQLite says so only of some writes."""
    code = _code(error) or 0
    if code == sqlite3.SQLITE_IOERR_SHMSIZE:
        return True  # there was no room for the index of its journal
    if code & 0xFF == sqlite3.SQLITE_IOERR and path.parent.is_dir():
        return shutil.disk_usage(path.parent).free < _INDEX_BYTES
    return code & 0xFF == sqlite3.SQLITE_FULL


def _check_is_file(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        raise InputError("there is no such log", file=str(path)) from None
    except OSError as error:
        raise InputError(f"the log cannot be read: {error.strerror}", file=str(path)) from None
    if stat.S_ISDIR(mode):
        raise InputError("this is a folder, not a MemTrial log", file=str(path))


def _lift(connection: sqlite3.Connection, path: Path) -> None:
    try:
        migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        what = f"the log cannot be lifted to schema {SCHEMA_VERSION}: {error}"
        raise InputError(what, file=str(path)) from error


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        wanted = ".".join(map(str, _OLDEST_SQLITE))
        raise InputError(f"SQLite {wanted} or newer is needed, not {sqlite3.sqlite_version}")


def _claim(path: Path) -> None:
    if _journal(path).exists() and not path.exists():
        # SQLite would play an old journal into the new file.
        raise InputError(f"{_journal(path).name} of another log stands here", file=str(path))
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise InputError("the file exists; a log is never overwritten", file=str(path)) from None
    except OSError as error:
        raise InputError(f"the log cannot be created: {error.strerror}", file=str(path)) from None


def _probe(path: Path, mode: str) -> tuple[sqlite3.Connection, int]:
    try:
        connection = _connect(path, mode)
        try:
            return connection, schema_version(connection)
        except UNREADABLE:
            connection.close()
            raise
    except UNREADABLE as error:
        if mode == "ro" and _on_read_only_medium(error, path):
            # Reading a WAL file makes a file beside it unless SQLite is told nobody can write.
            return _probe(path, "ro&immutable=1")
        if _is_full(error, path):
            raise NoSpace(f"{path}: the log cannot be opened: its disk is full") from error
        if _code(error) == sqlite3.SQLITE_NOTADB:
            raise InputError("this is no MemTrial log", file=str(path)) from None
        raise InputError(f"the log cannot be read: {error}", file=str(path)) from error


def _on_read_only_medium(error: Exception, path: Path) -> bool:
    codes = (sqlite3.SQLITE_READONLY_DIRECTORY, sqlite3.SQLITE_CANTOPEN)
    return _code(error) in codes and not _journal(path).exists()


def _code(error: Exception) -> int | None:
    # Errors that Python raises by itself carry none.
    return getattr(error, "sqlite_errorcode", None)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions are begun and ended by name
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW)
    return connection


def _prepare_writer(connection: sqlite3.Connection) -> None:
    # With WAL a killed process loses nothing; a power cut may lose the last commits, never
    # tear one.
    connection.execute("PRAGMA synchronous = NORMAL")


def _journal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _unfit(version: int) -> str | None:
    if version == 0:
        return "this is no MemTrial log"
    if version > SCHEMA_VERSION:
        return (
            f"the log has schema {version}, this version of MemTrial reads up to "
            f"{SCHEMA_VERSION}; use a newer MemTrial"
        )
    return None
