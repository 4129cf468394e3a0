"""`memtrial verify`."""

from pathlib import Path

import typer

from runs.commands.output import PROCESSES, print_json
from runs.plan import unfinished
from runs.verifying import verify_run
from scoring.judge.opinions import JUDGE_LOG, verify_opinions
from scoring.run import load_run
from simulator.events import Json
from simulator.log.findings import Verification

_NAMED = 10
"""Unfinished trials that are named; --json names all."""


def verify(folder: Path, root: str | None, report: Path | None, as_json: bool) -> None:
    """Check a run; exit 1 when something was changed, or the root or report is another run's."""
    found = verify_run(folder, root, report, PROCESSES)
    missing = _unfinished(folder) if found.ok else list(found.unfinished)
    judge = verify_opinions(folder, found.heads)
    sound = found.ok and (judge is None or judge.ok)
    if as_json:
        print_json(
            {
                "ok": sound,
                "events": found.events,
                "root": found.root,
                "heads": found.heads,
                "unfinished": missing,
                "faults": [*_faults(found), *(_faults(judge, f"{JUDGE_LOG}: ") if judge else ())],
                "judge": judge and _judge(judge),
            }
        )
    else:
        _tell(found, missing)
        if judge is not None:
            _tell_judge(judge)
    if not sound:
        raise typer.Exit(1)


def _faults(found: Verification, where: str = "") -> list[Json]:
    return [
        {"trial": fault.trial, "position": fault.position, "what": f"{where}{fault.what}"}
        for fault in found.faults
    ]


def _judge(found: Verification) -> Json:
    """Return what the judge's own log comes to."""
    return {
        "ok": found.ok,
        "events": found.events,
        "root": found.root,
        "heads": found.heads,
        "unfinished": list(found.unfinished),
    }


def _unfinished(folder: Path) -> list[str]:
    with load_run(folder) as run:
        return unfinished(run)


def _tell(found: Verification, missing: list[str]) -> None:
    _tell_faults(found, "the log")
    for name in missing[:_NAMED]:
        print(f"{name}: unfinished")
    if len(missing) > _NAMED:
        print(f"and {len(missing) - _NAMED} more unfinished; --json names all")
    state = "all hashes hold" if found.ok else f"{len(found.faults) + found.unlisted} faults"
    print(f"{len(found.heads)} trials, {found.events} events, {state}\nroot {found.root}")


def _tell_faults(found: Verification, log: str) -> None:
    for fault in found.faults:
        place = "" if fault.position is None else f" event {fault.position}"
        print(f"{fault.trial or log}{place}: {fault.what}")


def _tell_judge(found: Verification) -> None:
    _tell_faults(found, JUDGE_LOG)
    for name in found.unfinished[:_NAMED]:
        print(f"{name}: not judged to its end")
    state = "all hashes hold" if found.ok else f"{len(found.faults) + found.unlisted} faults"
    print(
        f"{JUDGE_LOG}: {len(found.heads)} trials judged, {found.events} events, {state}, "
        f"root {found.root}"
    )
