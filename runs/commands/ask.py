"""`memtrial ask`."""

import sys
from functools import partial
from pathlib import Path

import typer

from runs.asking import AskResult, ask_run
from runs.commands.output import print_json, progress
from runs.commands.run import budget_of
from runs.stops import SpendingStopped


def ask(
    folder: Path,
    out: Path | None,
    workers: int,
    resume: bool,
    max_usd: str | None,
    prices: Path | None,
    as_json: bool,
) -> None:
    """Ask the retention questions of a run and say what came of it."""
    try:
        with progress("forks") as report:
            result = ask_run(
                folder,
                out,
                workers=workers,
                resume=resume,
                budget=partial(budget_of, max_usd, prices),
                report=report,
            )
    except SpendingStopped as stopped:
        print(f"memtrial: {stopped}", file=sys.stderr, flush=True)
        raise typer.Exit(1) from None
    if as_json:
        print_json(vars(result))
    else:
        print(_ending(result, folder))


def _ending(result: AskResult, folder: Path) -> str:
    return (
        f"{result.questions} questions on {result.trials} forks, {result.errors} errors in "
        f"{result.run}\nroot {result.root}\nnext: memtrial compare {folder}"
    )
