"""`memtrial fork`."""

from collections.abc import Iterator
from pathlib import Path

from runs.commands.output import print_json, progress
from runs.forking import ForkResult, Wanted, fork_run


def fork(
    folder: Path,
    trial: str,
    at: str,
    out: Path,
    wanted: tuple[str | None, str | None, int | None, str | None],
    as_json: bool,
) -> None:
    """Fork a trial and say what came of it; `wanted` is memory, model, budget, without."""
    with progress("decisions") as report:
        result = fork_run(folder, trial, at, Wanted(*wanted), out, report)
    if as_json:
        print_json(vars(result))
    else:
        print("\n".join(_ending(result, at, folder)))


def _ending(result: ForkResult, at: str, folder: Path) -> Iterator[str]:
    place = f"{result.position} ({result.event})"
    if result.position != result.asked_at:
        yield f"{at} is not where something begins while nothing is under way; {place} is"
    yield f"{result.parent} forked at {place}, {result.change}"
    yield f"{result.trial}: {result.events} events, {result.errors} errors in {result.run}"
    yield f"{result.reused_calls} calls reused, {result.new_calls} new; root {result.root}"
    yield f"next: memtrial compare {folder} {result.run}"
