"""`memtrial verify`."""

from pathlib import Path

import typer

from runs.commands.output import PROCESSES, print_json
from runs.plan import unfinished
from runs.verifying import verify_run
from scoring.run import load_run
from simulator.log.findings import Verification

_NAMED = 10
"""Unfinished trials that are named; --json names all."""


def verify(folder: Path, root: str | None, report: Path | None, as_json: bool) -> None:
    """Check a run; exit 1 when something was changed, or the root or report is another run's."""
    found = verify_run(folder, root, report, PROCESSES)
    missing = _unfinished(folder) if found.ok else list(found.unfinished)
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "events": found.events,
                "root": found.root,
                "heads": found.heads,
                "unfinished": missing,
                "faults": [
                    {"trial": fault.trial, "position": fault.position, "what": fault.what}
                    for fault in found.faults
                ],
            }
        )
    else:
        _tell(found, missing)
    if not found.ok:
        raise typer.Exit(1)


def _unfinished(folder: Path) -> list[str]:
    with load_run(folder) as run:
        return unfinished(run)


def _tell(found: Verification, missing: list[str]) -> None:
    for fault in found.faults:
        place = "" if fault.position is None else f" event {fault.position}"
        print(f"{fault.trial or 'the log'}{place}: {fault.what}")
    for name in missing[:_NAMED]:
        print(f"{name}: unfinished")
    if len(missing) > _NAMED:
        print(f"and {len(missing) - _NAMED} more unfinished; --json names all")
    state = "all hashes hold" if found.ok else f"{len(found.faults) + found.unlisted} faults"
    print(f"{len(found.heads)} trials, {found.events} events, {state}\nroot {found.root}")
