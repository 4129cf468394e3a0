"""The Python API for notebooks: the commands as functions that return plain values."""

from collections.abc import Sequence
from pathlib import Path

from runs.folder import DEFAULT_HOME
from runs.judging import open_judge
from runs.plan import plan
from runs.runner import RunResult, run_plan
from runs.tracing import trace_trial
from scoring.bills import costs as cost_table
from scoring.compare import compare as compare_runs
from scoring.power import assumed, needed
from scoring.run import load_run
from scoring.statistics import Direction
from simulator.events import Json


def play(
    suite: str, out: Path | str | None = None, workers: int = 1, resume: bool = False
) -> tuple[Path, RunResult]:
    """Play a suite, given by shipped name or path, and return its folder and what it came to.

    With `resume` a run that was cut off goes on in its folder. Where the suite names a judge, it is
    asked too.

    Raises:
        InputError: for anything that is wrong with the suite or the folder.
    """
    planned = plan(suite)
    folder = Path(out) if out is not None else DEFAULT_HOME / planned.suite.name
    with open_judge(planned) as judge:
        played = run_plan(planned, folder, workers=workers, resume=resume, report=_silently)
        if judge is not None:
            judge.judge(folder, _silently)
    return folder, played


def _silently(done: int, of: int) -> None:
    """Report nothing."""


def rows(runs: Sequence[Path | str], by: Sequence[str] | None = None) -> list[dict[str, Json]]:
    """Return the rows of a comparison, one an arm and group; see docs/scoring.md for columns."""
    opened = [load_run(Path(folder)) for folder in runs]
    found = compare_runs(opened, list(by) if by is not None else None)["rows"]
    for run in opened:
        run.close()
    return list(found)


def costs(run: Path | str, as_model: str | None = None) -> Json:
    """Return what each arm used and cost, in decimal strings of USD."""
    with load_run(Path(run)) as opened:
        return cost_table(opened, None, as_model)


def clusters_needed(
    p0: float,
    p1: float,
    rho: float,
    *,
    decisions: int = 1,
    family: int = 1,
    direction: Direction = "two-sided",
) -> int | None:
    """Return how many clusters a study needs for a power of 0.8, before anything is played.

    `p0` and `p1` are the rates of the second and the first arm, `rho` the correlation within a
    cluster of `decisions` decisions, `family` the number of tests that share Holm's correction;
    see `scoring.power.assumed`. None when 1,000 are not enough.
    """
    draw = assumed(p0, p1, rho, decisions, family)
    return needed(draw, [direction] * family)[0].clusters


def trace(run: Path | str, trial: str) -> Json:
    """Return what happened in one trial, decision by decision."""
    return trace_trial(Path(run), trial)
