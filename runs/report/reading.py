"""Everything that a report needs of the trials, in one pass over them."""

from collections.abc import Callable

from runs.report.examples import Gathered, look
from scoring.compare import CURRENT, scoring
from scoring.metrics import Played
from scoring.passes import each_trial
from scoring.run import Run, Trial


def read(run: Run, workers: int) -> tuple[list[Played], Gathered]:
    """Score every trial and gather what went wrong, in several processes for a long run."""
    played, gathered = [], Gathered()
    for scored, seen in each_trial(run, _reading, workers):
        played.append(scored)
        gathered.add(seen)
    return played, gathered


def _reading(run: Run) -> Callable[[Trial], tuple[Played, Gathered]]:
    score = scoring(run.name, CURRENT, None, None, run)
    return lambda trial: (score(trial), look(trial))
