"""`memtrial run`."""

from collections.abc import Iterator
from pathlib import Path

import typer

from runs.commands.output import print_json, progress
from runs.folder import DEFAULT_HOME
from runs.judging import Judge, JudgeResult, open_judge
from runs.plan import plan
from runs.runner import RunResult, run_plan


def run(
    suite: str, out: Path | None, workers: int, shard: str | None, strict: bool, as_json: bool
) -> None:
    """Play a suite and say what came of it."""
    planned = plan(suite)
    folder = out or DEFAULT_HOME / planned.suite.name
    with open_judge(planned) as judge:
        with progress("trials") as report:
            result = run_plan(planned, folder, workers=workers, part=shard, report=report)
        judged = None if judge is None else _judge(judge, folder)
    if as_json:
        print_json({"run": str(folder), **vars(result), "judge": judged and vars(judged)})
    else:
        print("\n".join(_ending(result, judged, folder)))
    if strict and (result.errors or (judged and judged.errors)):
        raise typer.Exit(1)


def _judge(judge: Judge, folder: Path) -> JudgeResult:
    with progress("answers judged") as report:
        return judge.judge(folder, report)


def _ending(result: RunResult, judged: JudgeResult | None, folder: Path) -> Iterator[str]:
    yield f"{result.trials} trials, {result.events} events, {result.errors} errors in {folder}"
    yield f"root {result.root}"
    if result.errors:
        yield "errors stay in every denominator; `memtrial compare` counts them beside each arm"
    if judged is not None:
        yield (
            f"the judge was asked about {judged.answers} answers: {judged.undecided} undecided, "
            f"{judged.errors} errors; its opinions enter no headline"
        )
    yield f"next: memtrial compare {folder}"
