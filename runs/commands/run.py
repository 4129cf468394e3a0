"""`memtrial run`."""

from collections.abc import Iterator
from pathlib import Path

import typer

from runs.commands.output import print_json, progress
from runs.folder import DEFAULT_HOME
from runs.plan import plan
from runs.runner import RunResult, run_plan


def run(
    suite: str, out: Path | None, workers: int, shard: str | None, strict: bool, as_json: bool
) -> None:
    """Play a suite and say what came of it."""
    planned = plan(suite)
    folder = out or DEFAULT_HOME / planned.suite.name
    with progress("trials") as report:
        result = run_plan(planned, folder, workers=workers, part=shard, report=report)
    if as_json:
        print_json({"run": str(folder), **vars(result)})
    else:
        print("\n".join(_ending(result, folder)))
    if strict and result.errors:
        raise typer.Exit(1)


def _ending(result: RunResult, folder: Path) -> Iterator[str]:
    yield f"{result.trials} trials, {result.events} events, {result.errors} errors in {folder}"
    yield f"root {result.root}"
    if result.errors:
        yield "errors stay in every denominator; `memtrial compare` counts them beside each arm"
    yield f"next: memtrial compare {folder}"
