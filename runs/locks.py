"""Who writes a run: one process at a time, with its workers.

Locks are on folders, so they leave nothing behind, and the system takes them back from whoever
is killed.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from simulator.events.errors import InputError


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a run's folder.

    Raises:
        InputError: when another process plays this run.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        _claim(handle, folder)
        yield
    finally:
        os.close(handle)


def _claim(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError("another process is playing this run", file=str(folder)) from None


def join(folder: Path) -> None:
    """Count this process among a run's workers, to its end."""
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)


def outlast_workers(folder: Path) -> None:
    """Wait until the workers of a run that was killed are gone; they end by themselves."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    finally:
        os.close(handle)
