"""Verifying a run: its log, what is frozen beside it, a published root, a report of it."""

import re
from collections.abc import Iterator
from pathlib import Path

from runs.folder import KEYS, SCRIPTS
from scoring.names import named
from scoring.run import Run, load_run, log_path
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.log.errors import LogDamaged
from simulator.log.findings import LogFault, Verification
from simulator.log.rows import RUN_STREAM
from simulator.log.verify import verify

_ROOT = re.compile("[0-9a-f]{64}")


def verify_run(
    folder: Path, root: str | None = None, report: Path | None = None, workers: int = 1
) -> Verification:
    """Check a run, and with `root` or `report` whether it is the one that they are of.

    The frozen scripts and keys are held against the manifest, and so is what each trial began
    with; neither is checked where the log itself is not what it was.

    Raises:
        InputError: when there is no run, `root` is none, or the file `report` is no report.
    """
    if root is not None and not _ROOT.fullmatch(root):
        raise InputError("a root is 64 lowercase hex digits", field="--root")
    path = log_path(folder)
    if not path.is_file():
        raise InputError("this folder is no run: it has no events.db", file=str(folder))
    found = verify(path)
    faults = [*_beside(folder, found), *_published(found, root)]
    if report is not None and found.ok and not faults:
        faults.extend(_reported(folder, report, workers))
    listed = (*found.faults, *faults)
    return found.model_copy(update={"ok": not listed, "faults": listed})


def _beside(folder: Path, found: Verification) -> Iterator[LogFault]:
    if found.ok:
        with load_run(folder) as run:
            yield from _frozen(run)
            yield from _begun(run)


def _frozen(run: Run) -> Iterator[LogFault]:
    for name, arc in run.manifest.arcs.items():
        for place, content in ((SCRIPTS, arc["script"]), (KEYS, arc["key"])):
            try:
                run.frozen(place, content)
            except (InputError, LogDamaged) as error:
                what = error.message if isinstance(error, InputError) else error
                yield _fault(f"{place}/{content}.json, arc {name}: {what}")


def _begun(run: Run) -> Iterator[LogFault]:
    """Hold what trials began with against the manifest, which stands in another stream."""
    for name, attempt, sealed, _ in run.log.streams():
        if not sealed or name == RUN_STREAM:
            continue
        arc, arm, _ = named(name)
        planned: Json = {
            "script": run.manifest.arcs.get(arc, {}).get("script"),
            "options": run.manifest.arms.get(arm),
        }
        begun = run.log.genesis(name, attempt)
        # A trial may begin with more than that, as a fork does; then it says so itself.
        if begun.keys() == planned.keys() and begun != planned:
            yield LogFault(
                trial=name, position=None, what="it began with another script or arm than planned"
            )


def _published(found: Verification, root: str | None) -> Iterator[LogFault]:
    if root is not None and root != found.root:
        yield _fault(f"the root is {found.root}, not {root}")


def _reported(folder: Path, report: Path, workers: int) -> list[LogFault]:
    # Imported here because plots take their time to load, and are seldom asked for.
    from runs.report.checking import report_faults

    with load_run(folder) as run:
        return [_fault(what) for what in report_faults(report, run, workers)]


def _fault(what: str) -> LogFault:
    return LogFault(trial=None, position=None, what=what)
