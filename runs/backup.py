"""A backup: one file that is a whole run, taken while the run may still be going on.

It is the run's log, copied as it stood at one instant, which also holds the frozen scripts and
keys as contents under their hashes. Every command that reads a run reads it like a folder.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from runs.folder import KEYS, SCRIPTS
from scoring.run import Run, load_run, log_path
from simulator.events.errors import InputError
from simulator.log.copying import copy_log
from simulator.log.files import own_files
from simulator.log.store import EventLog
from simulator.log.verify import INCOMPLETE


@dataclass(frozen=True)
class Backup:
    """What a backup holds.

    Attributes:
        trials: Finished trials.
        unfinished: Trials that were being played.
        root: Root over the finished ones.
    """

    trials: int
    unfinished: int
    root: str


def back_up(folder: Path, file: Path, report: Callable[[int, int], None]) -> Backup:
    """Copy a run into one file, whole or not at all.

    Raises:
        InputError: when there is no such run, its frozen copies are not what they were, it is
            itself an incomplete copy, or `file` exists or cannot be made.
        LogRefused: when the copy cannot be written.
    """
    if file.exists():
        raise InputError("the file exists; a backup is never written over one", file=str(file))
    if not file.parent.is_dir():
        raise InputError("there is no such folder to write it into", file=str(file))
    part = file.with_name(f"{file.name}.part")
    with load_run(folder) as run:
        if run.log.incomplete:
            raise InputError(INCOMPLETE, file=str(folder))
        for _ in _frozen(run):
            pass  # better refused now than after a long copy
        try:
            _remove(part)
            copy_log(log_path(folder), part, report)
            made = _complete(run, part)
            os.replace(part, file)
        except OSError as error:
            message = f"the backup cannot be written: {error.strerror}"
            raise InputError(message, file=str(file)) from None
        finally:
            _remove(part)
    return made


def _complete(run: Run, part: Path) -> Backup:
    """Put the frozen scripts and keys into the copy of the log."""
    with EventLog.open(part, write=True) as log:
        for hashed, content in _frozen(run):
            log.keep({hashed: content})
        with load_run(part) as copied:
            return Backup(len(copied.sealed), len(copied.unfinished), log.root())


def _frozen(run: Run) -> Iterator[tuple[str, bytes]]:
    for arc in run.manifest.arcs.values():
        yield arc["script"], run.frozen(SCRIPTS, arc["script"])
        yield arc["key"], run.frozen(KEYS, arc["key"])


def _remove(part: Path) -> None:
    for path in own_files(part):
        path.unlink(missing_ok=True)
