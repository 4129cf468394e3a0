"""`memtrial verify`."""

from pathlib import Path

import typer

from runs.commands.output import print_json
from runs.folder import EVENTS
from simulator.log.verify import Verification
from simulator.log.verify import verify as verify_log


def verify(folder: Path, as_json: bool) -> None:
    """Check a run's log; exit 1 when something was changed."""
    found = verify_log(folder / EVENTS)
    if as_json:
        print_json(
            {
                "ok": found.ok,
                "events": found.events,
                "root": found.root,
                "heads": found.heads,
                "unfinished": list(found.unfinished),
                "faults": [
                    {"trial": fault.trial, "position": fault.position, "what": fault.what}
                    for fault in found.faults
                ],
            }
        )
    else:
        _tell(found)
    if not found.ok:
        raise typer.Exit(1)


def _tell(found: Verification) -> None:
    for fault in found.faults:
        print(f"{fault.trial} event {fault.position}: {fault.what}")
    for name in found.unfinished:
        print(f"{name}: unfinished")
    state = "all hashes hold" if found.ok else f"{len(found.faults)} faults"
    print(f"{len(found.heads)} trials, {found.events} events, {state}\nroot {found.root}")
