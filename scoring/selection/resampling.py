"""Two ways to ask how sure a subset's figures are.

MemRiskBench draws the seed of the selection again and holds the benchmark fixed: what does not
draw then has no spread at all. The episode bootstrap draws the episodes again instead, chooses
anew, and also holds the subset against the episodes that were not drawn.
"""

from collections.abc import Callable, Sequence

import numpy as np

from scoring.selection.matrix import Floats, Ints, Matrix
from scoring.selection.measures import Measured, Objective, correlation, standings
from scoring.selection.selectors import Problem, Selector
from scoring.statistics import LEVEL
from simulator.events import Json

MEASURES = ("psi", "spearman", "coverage", "coverage_tiers", "high_risk", "fail_coverage")

Report = Callable[[int, int], None]
"""Is told (done, of)."""


class Steps:
    """Counts the steps of long work and reports each."""

    def __init__(self, report: Report, of: int) -> None:
        self._report = report
        self._of = of
        self._done = 0

    def tick(self) -> None:
        """Report that one more step is done."""
        self._done += 1
        self._report(self._done, self._of)


def summarised(measured: Measured) -> dict[str, Json]:
    """Return the mean of each measure over draws with its 95 % percentile interval."""
    found: dict[str, Json] = {}
    for name in MEASURES:
        values: Floats = getattr(measured, name)
        found[name] = float(values.mean())
        found[f"{name}_ci"] = percentiles(values)
    return found


def percentiles(values: Floats) -> list[float]:
    """Return the ends of the 95 % percentile interval."""
    tail = (1 - LEVEL) / 2
    return [float(each) for each in np.quantile(values, [tail, 1 - tail])]


def bootstrap(
    problem: Problem, selector: Selector, seed: int, resamples: int, steps: Steps
) -> dict[str, Json] | None:
    """Return intervals of a selector's figures over resamples of the episodes.

    Of each resample a subset of size k is chosen anew. `spearman` and `high_risk` hold it against
    the resample that it was chosen from, `spearman_unseen` and `high_risk_unseen` against the
    episodes that were not drawn, about a third. None without resamples.
    """
    if not resamples:
        return None
    rows = []
    for number, draw in enumerate(_draws(problem.matrix, seed, resamples)):
        rows.append(_one(problem, selector, draw, seed + number))
        steps.tick()
    found = np.array(rows).T
    names = ("spearman", "high_risk", "spearman_unseen", "high_risk_unseen")
    told: dict[str, Json] = {"resamples": resamples}
    for name, values in zip(names, found, strict=True):
        told |= {name: float(values.mean()), f"{name}_ci": percentiles(values)}
    return told


def _draws(matrix: Matrix, seed: int, resamples: int) -> Sequence[Ints]:
    episodes = len(matrix.episodes)
    rng = np.random.default_rng([seed, *b"episodes"])
    return [rng.integers(0, episodes, episodes) for _ in range(resamples)]


def _one(
    problem: Problem, selector: Selector, draw: Ints, seed: int
) -> tuple[float, float, float, float]:
    resample = problem.matrix.drawn(draw)
    drawn = Problem(resample, problem.size, problem.weights)
    subset = selector.subsets(drawn, seed, 1)
    measured = Objective(resample, problem.weights).measure(subset)
    unseen = np.setdiff1d(np.arange(len(draw)), draw)
    held = _against(problem.matrix, draw[subset[0]], unseen)
    return float(measured.spearman[0]), float(measured.high_risk[0]), *held


def _against(matrix: Matrix, subset: Ints, others: Ints) -> tuple[float, float]:
    """Return ρ and high-risk detection of a subset against other episodes."""
    rows = [matrix.passed[:, part].sum(axis=1, dtype=np.int64) for part in (subset, others)]
    ranks, high = standings(np.stack(rows), matrix.high)
    found = float(np.minimum(high[0], high[1]).sum()) / matrix.high
    return float(correlation(ranks[:1], ranks[1])[0]), found
