"""Limits of requests and tokens a minute, kept by all processes of this machine together.

What was sent in the last minute stands in a small SQLite file in the temporary folder, one for
each endpoint, model and key variable. So `--workers 8`, or two runs at a time, keep one limit.
"""

import hashlib
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from simulator.events.errors import InputError
from simulator.models.openai.options import OpenAIOptions

_MINUTE_MS = 60_000
_LOCK_S = 30.0


class Wall(Protocol):
    """The clock outside the simulation, in which endpoints live."""

    def now_ms(self) -> int:
        """Return ms since some moment that all processes of the machine share."""
        ...

    def sleep_ms(self, ms: int) -> None:
        """Let time pass."""
        ...


class RealWall:
    """The machine's own clock. It is asked for waiting only; nothing of it is logged."""

    def now_ms(self) -> int:
        """Return ms since the machine was started."""
        return time.monotonic_ns() // 1_000_000

    def sleep_ms(self, ms: int) -> None:
        """Sleep."""
        time.sleep(ms / 1000)


class Pace:
    """Keeps requests within the limits of the options; without limits it does nothing."""

    def __init__(self, options: OpenAIOptions, wall: Wall, folder: Path | None = None) -> None:
        self._requests = options.requests_per_minute
        self._tokens = options.tokens_per_minute
        self._wall = wall
        named = (options.base_url, options.model, options.api_key_env)
        name = hashlib.sha256("\x1f".join(named).encode()).hexdigest()[:24]
        self._path = (folder or _shared_folder()) / f"{name}.db"

    def enter(self, tokens: int) -> int | None:
        """Wait until a request of about `tokens` fits in; return what `settle` takes.

        Raises:
            InputError: when it could never fit in.
        """
        if self._requests is None and self._tokens is None:
            return None
        if self._tokens is not None and tokens > self._tokens:
            raise InputError(
                f"a call of about {tokens} tokens never fits into {self._tokens} a minute",
                field="tokens_per_minute",
            )
        while True:
            number, wait = self._try(tokens)
            if number is not None:
                return number
            self._wall.sleep_ms(wait)

    def settle(self, number: int | None, tokens: int) -> None:
        """Replace the estimate of an entered request by what it really used."""
        if number is not None:
            with self._open() as db:
                db.execute("UPDATE sent SET tokens = ? WHERE number = ?", (tokens, number))

    def _try(self, tokens: int) -> tuple[int | None, int]:
        """Return the number of the entered request, or None and the ms until another try."""
        with self._open() as db:
            now = self._wall.now_ms()
            # What seems to come from the future was sent before the machine was restarted.
            old = "DELETE FROM sent WHERE at <= ? OR at > ?"
            db.execute(old, (now - _MINUTE_MS, now))
            sent = db.execute("SELECT at, tokens FROM sent ORDER BY at").fetchall()
            if self._fits(len(sent), sum(each for _, each in sent), tokens):
                made = db.execute("INSERT INTO sent (at, tokens) VALUES (?, ?)", (now, tokens))
                return made.lastrowid, 0
            return None, sent[0][0] + _MINUTE_MS - now

    def _fits(self, requests: int, used: int, tokens: int) -> bool:
        if self._requests is not None and requests >= self._requests:
            return False
        return self._tokens is None or used + tokens <= self._tokens

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(self._path, timeout=_LOCK_S, isolation_level=None)
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute(
                "CREATE TABLE IF NOT EXISTS sent "
                "(number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER, tokens INTEGER)"
            )
            yield db
            db.execute("COMMIT")
        finally:
            db.close()


def _shared_folder() -> Path:
    """Return a folder of this user's in the temporary folder.

    Raises:
        InputError: when somebody else owns what has its name.
    """
    folder = Path(tempfile.gettempdir()) / f"memtrial-pace-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != os.getuid():
        raise InputError("the folder for rate limits belongs to somebody else", file=str(folder))
    return folder
