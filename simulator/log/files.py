"""Opening the log's file: what is refused, and with which words."""

import shutil
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from simulator.events.errors import InputError
from simulator.log.errors import LogRefused, NoSpace
from simulator.log.schema import SCHEMA_VERSION, migrate, schema_version

MEMORY = ":memory:"
"""Path of a log that lives in this process's memory only."""

BUSY_SECONDS = 60
"""How long a writer waits for another one before it gives up."""

_TURN_SECONDS = 0.01
"""How long it waits between two tries where SQLite does not wait by itself."""

MAX_ROW = 2**28
"""Most bytes of a row that are read or written, whatever a file claims to hold."""

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; SQLite's message may quote bytes that are no UTF-8."""

_INDEX_BYTES = 32_768
"""What SQLite needs beside a log to open it: one region of the index of its journal."""
_ALONE = "ro&immutable=1"
"""How SQLite is told that it needs no journal to read a file."""

_OLDEST_SQLITE = (3, 38, 0)  # the first with strict tables and the operators ->, ->>
_IN_WAL = b"\x02\x02"
"""The versions in a file's header, at bytes 18 and 19, while changes go to a journal first."""


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
        _prepare_writer(connection, path)
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
    alone = lacks_journal(path)
    # An ordinary reader would make a journal, and the file look whole to the next one.
    reading = _ALONE if alone else "ro"
    connection, version = _probe(path, "rw" if write else reading)
    fault = _unfit(version, alone)
    if fault:
        connection.close()
        raise InputError(fault, file=str(path))
    if write:
        _begin_writing(connection, path)
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


def own_files(path: Path) -> tuple[Path, ...]:
    """Return the files that SQLite may keep for a log, the log itself last."""
    return (*(_beside(path, end) for end in ("journal", "shm", "wal")), path)


def close_writer(connection: sqlite3.Connection, path: Path) -> None:
    """Close a writer's connection; the last one leaves a file that is whole by itself.

    SQLite sees to it that this is the last one: where another connection is at work, or the
    disk is full, the journal stays, and so does the mark that the file is not whole without it.
    """
    with suppress(OSError, sqlite3.OperationalError):
        _beside(path, "journal").touch()  # so that it never looks like a copy, as above
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


def lacks_journal(path: Path) -> bool:
    """Return whether a file was being written, and stands here without its journal.

    So does a copy of `events.db` alone that was made while writers were at work; what they
    committed last may be missing from it. Of a run that was killed the journal is still there.
    """
    with path.open("rb") as file:
        versions = file.read(20)[18:]
    if versions != _IN_WAL or _journal(path).exists() or _beside(path, "journal").exists():
        return False
    index = _beside(path, "shm")
    return not index.exists() or index.stat().st_size > 0  # an empty one: see _prepare_writer


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
            return _probe(path, _ALONE)
        if mode == "ro" and _code(error) == sqlite3.SQLITE_READONLY_ROLLBACK:
            # A writer was killed while it took the file over; only a writer can undo that.
            _connect(path, "rw").execute("SELECT 1 FROM sqlite_master").connection.close()
            return _probe(path, mode)
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


def _begin_writing(connection: sqlite3.Connection, path: Path) -> None:
    try:
        _prepare_writer(connection, path)
    except (OSError, sqlite3.Error) as error:
        connection.close()
        raise InputError(f"the log cannot be written: {error}", file=str(path)) from error


def _prepare_writer(connection: sqlite3.Connection, path: Path) -> None:
    # The journal is made a moment after the mode is set. A process killed in between must not
    # leave a file that looks like a copy; SQLite makes this file too, and fills it, just after.
    _beside(path, "shm").touch()
    _journal_first(connection)
    connection.execute("SELECT 1 FROM sqlite_master")
    # With WAL a killed process loses nothing; a power cut may lose the last commits, never
    # tear one.
    connection.execute("PRAGMA synchronous = NORMAL")


def _journal_first(connection: sqlite3.Connection) -> None:
    # Of two writers that change the mode at once SQLite refuses one without waiting, since both
    # read the file already; it gets its turn as soon as the other is through.
    latest = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or monotonic() >= latest:
                raise
        sleep(_TURN_SECONDS)


def _journal(path: Path) -> Path:
    return _beside(path, "wal")


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}-{end}")


def _unfit(version: int, alone: bool) -> str | None:
    if version == 0:
        copied = " without its journal" if alone else ""
        return f"this is no MemTrial log{copied}"
    if version > SCHEMA_VERSION:
        return (
            f"the log has schema {version}, this version of MemTrial reads up to "
            f"{SCHEMA_VERSION}; use a newer MemTrial"
        )
    return None
