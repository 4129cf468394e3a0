"""Every selector by its name: ours, and the baselines that they are held against."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.selection import features as of_features
from scoring.selection.clustering import medoids, ward_medoids
from scoring.selection.drawing import at_random, by_risk, in_middle_range, of_middle_range
from scoring.selection.greedy import Minima, greedy_swap
from scoring.selection.matrix import Floats, Ints, Matrix
from scoring.selection.measures import Objective, Weights
from simulator.events.errors import InputError, nearest


@dataclass(frozen=True)
class Problem:
    """What a selector is asked: so many episodes of this matrix.

    Attributes:
        matrix: Passes of the models that may be looked at.
        size: Number of episodes, k.
        weights: Weights of Ψ.
    """

    matrix: Matrix
    size: int
    weights: Weights = Weights()

    def __post_init__(self) -> None:
        """Refuse a size that cannot be.

        Raises:
            InputError: for a subset that is empty or larger than everything.
        """
        check_size(self.size, len(self.matrix.episodes))


Draw = Callable[[Problem, int, np.random.Generator], Ints]


@dataclass(frozen=True)
class Selector:
    """A way to choose a subset.

    Attributes:
        name: Its name.
        what: What it does, a phrase.
        draw: Returns subsets, shape (draws, k); one row when it does not draw.
        draws: Whether chance has a part in it.
        labels: Whether it looks at passes.
        static: Whether it needs static features.
    """

    name: str
    what: str
    draw: Draw
    draws: bool = False
    labels: bool = True
    static: bool = False

    def subsets(self, problem: Problem, seed: int, draws: int) -> Ints:
        """Return subsets: as many as are drawn, or the one that there is."""
        rng = np.random.default_rng([seed, *self.name.encode()])
        return self.draw(problem, draws if self.draws else 1, rng)

    def missing(self, matrix: Matrix) -> str | None:
        """Return why it cannot be used on this matrix; None where it can."""
        known = of_features.static_columns(matrix).values()
        if self.static and not any(np.ptp(values) > 0 for values in known):
            return "no static feature differs between episodes"
        if self.name == "difficulty" and not {"tier", "length"} & set(matrix.features):
            return "neither tier nor length of the episodes is known"
        return None


def _fixed(choose: Callable[[Problem], Ints]) -> Draw:
    return lambda problem, draws, rng: choose(problem)[None, :]


def _psi(problem: Problem) -> Ints:
    return greedy_swap(Objective(problem.matrix, problem.weights), problem.size)


def _balanced(problem: Problem) -> Ints:
    minima = Minima(problem.matrix, problem.size)
    return greedy_swap(Objective(problem.matrix, problem.weights), problem.size, minima)


def _hardest(problem: Problem) -> Ints:
    known = problem.matrix.features
    keys = [-known[name] for name in ("length", "tier") if name in known]
    return _first(np.lexsort(keys), problem.size)


def _disputed(problem: Problem) -> Ints:
    # Counts instead of rates, so that 1 of 3 and 2 of 3 are exactly as far from the middle.
    passes = problem.matrix.passed.sum(axis=0)
    variance = passes * (len(problem.matrix.models) - passes)
    return _first(np.argsort(-variance, kind="stable"), problem.size)


def _first(order: Ints, size: int) -> Ints:
    return np.sort(order[:size])


def _points(matrix: Matrix, static: bool) -> Floats:
    known = of_features.static_columns(matrix) if static else of_features.columns(matrix)
    return of_features.standardised(known)


OURS = (
    Selector("psi", "greedy with swaps on Ψ, from pass labels", _fixed(_psi)),
    Selector(
        "features",
        "greedy on the feature vector and the risks covered",
        _fixed(lambda problem: of_features.by_features(problem.matrix, problem.size)),
    ),
    Selector("balanced", "psi with minima of each risk and tier", _fixed(_balanced)),
)

BASELINES = (
    Selector(
        "random",
        "any episodes",
        lambda problem, draws, rng: at_random(
            len(problem.matrix.episodes), problem.size, draws, rng
        ),
        draws=True,
        labels=False,
    ),
    Selector(
        "stratified",
        "as many of each risk as its share",
        lambda problem, draws, rng: by_risk(problem.matrix, problem.size, draws, rng),
        draws=True,
        labels=False,
    ),
    Selector("difficulty", "the hardest tier, then the longest", _fixed(_hardest), labels=False),
    Selector("disagreement", "the largest variance of passes", _fixed(_disputed)),
    Selector(
        "k-medoids",
        "medoids by all features",
        _fixed(lambda problem: medoids(_points(problem.matrix, static=False), problem.size)),
    ),
    Selector(
        "trace-features",
        "medoids of clusters by static features",
        _fixed(lambda problem: ward_medoids(_points(problem.matrix, static=True), problem.size)),
        labels=False,
        static=True,
    ),
    Selector(
        "mid-range",
        "of those that 30 to 70 % of the models pass",
        lambda problem, draws, rng: of_middle_range(problem.matrix, problem.size, draws, rng),
        draws=True,
    ),
)

MID_RANGE_ALL = Selector(
    "mid-range-all",
    "all that 30 to 70 % of the models pass, however many",
    _fixed(lambda problem: in_middle_range(problem.matrix)),
)
"""The published filter, which has no k: its subset is of another size than all others."""

SELECTORS = (*OURS, *BASELINES)


def selector(name: str) -> Selector:
    """Return one of our selectors.

    Raises:
        InputError: for an unknown name, with the nearest one.
    """
    for each in OURS:
        if each.name == name:
            return each
    known = nearest(name, [each.name for each in OURS])
    raise InputError(f"unknown selector {name!r}{known}", field="selector")


def size_of(fraction: float, episodes: int) -> int:
    """Return k, the number of episodes that are a fraction of all, rounded, at least 1.

    Raises:
        InputError: for a fraction that is not above 0 and at most 1.
    """
    if not 0 < fraction <= 1:
        raise InputError(
            f"a subset is a fraction above 0 and at most 1 of all episodes; got {fraction}",
            field="fraction",
        )
    return max(1, int(fraction * episodes + 0.5))


def check_size(size: int, episodes: int) -> None:
    """Refuse a subset that is empty or larger than everything.

    Raises:
        InputError: saying how many episodes there are.
    """
    if not 1 <= size <= episodes:
        raise InputError(f"a subset of {size} episodes cannot be chosen of {episodes}")
