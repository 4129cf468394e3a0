"""One selection with everything that is known of it: `docs/selection.md` has the keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.selection.asked import Asked
from scoring.selection.drift import drift
from scoring.selection.features import OURS as OUR_FEATURES
from scoring.selection.features import columns
from scoring.selection.figures import FRACTIONS, ablation, figures, fractions
from scoring.selection.matrix import Ints, Matrix, NewModel
from scoring.selection.predicting import predicted_discrimination
from scoring.selection.rates import risk_rates
from scoring.selection.resampling import MEASURES, Report, Steps, bootstrap
from scoring.selection.selectors import BASELINES, MID_RANGE_ALL, OURS, SELECTORS, Problem, selector
from simulator.events import Json, content_hash


@dataclass(frozen=True)
class Selection:
    """A subset and what is known of it.

    Attributes:
        subset: Places of its episodes.
        told: Everything as JSON.
        episodes: The names that places in subsets are about.
        drawn: Each k to the name of each drawing baseline and the subsets that it drew, shape
            (draws, k).
    """

    subset: Ints
    told: dict[str, Json]
    episodes: Sequence[str]
    drawn: Mapping[int, Mapping[str, Ints]]


def select(matrix: Matrix, asked: Asked, new: Sequence[NewModel], report: Report) -> Selection:
    """Choose a subset, hold every selector to it, and report how far that is, (done, of).

    Raises:
        InputError: for an unknown selector, a fraction or a number that cannot be, or a new model
            without a verdict on some episode of the subset.
    """
    asked.check()
    problem = asked.problem(matrix)
    chosen = selector(asked.selector)
    subset = chosen.subsets(problem, asked.seed, 1)[0]
    drawn = _drawn(matrix, asked)
    told = {
        "subset": [matrix.episodes[at] for at in subset],
        **_named(problem, asked),
        "composition": composition(matrix, subset),
        "drift": [drift(problem, chosen, each, asked.seed).told() for each in new],
        "drawn_sha256": {
            str(size): {name: content_hash(rows.tolist()) for name, rows in of_size.items()}
            for size, of_size in drawn.items()
        },
        **_compared(problem, asked, report),
        "features": {
            "used": list(columns(matrix)),
            "ours": [name for name in columns(matrix) if name in OUR_FEATURES],
        },
        "discrimination": predicted_discrimination(matrix),
        **risk_rates(matrix, asked.tested),
        "warnings": list(_warnings(matrix)),
    }
    return Selection(subset, told, matrix.episodes, drawn)


def _drawn(matrix: Matrix, asked: Asked) -> dict[int, dict[str, Ints]]:
    """Return what the drawing baselines draw at the fraction that is asked for and those tabled."""
    problems = (asked.problem(matrix, fraction) for fraction in (None, *FRACTIONS))
    return {
        problem.size: {
            each.name: each.subsets(problem, asked.seed, asked.draws)
            for each in BASELINES
            if each.draws
        }
        for problem in problems
    }


def _named(problem: Problem, asked: Asked) -> dict[str, Json]:
    """Return what the answer is about."""
    weights, matrix = asked.weights, problem.matrix
    return {
        "k": problem.size,
        "fraction": asked.fraction,
        "episodes": len(matrix.episodes),
        "models": list(matrix.models),
        "high": matrix.high,
        "selector": asked.selector,
        "seed": asked.seed,
        "draws": asked.draws,
        "weights": [weights.rank, weights.coverage, weights.high_risk],
    }


def _compared(problem: Problem, asked: Asked, report: Report) -> dict[str, Json]:
    """Return the figures of the chosen selector and of all others beside it."""
    every = (*SELECTORS, MID_RANGE_ALL)
    steps = Steps(report, len(every) + len(FRACTIONS) * len(SELECTORS) + asked.bootstrap)
    found = {}
    for each in every:
        found[each.name] = figures(problem, each, asked)
        steps.tick()
    chosen = found[asked.selector]
    return {
        **{name: chosen[name] for name in (*MEASURES, "held_out")},
        "selectors": {each.name: found[each.name] for each in OURS},
        "baselines": {each.name: found[each.name] for each in (*BASELINES, MID_RANGE_ALL)},
        "fractions": fractions(problem.matrix, asked, steps),
        "ablation": ablation(problem, asked),
        "bootstrap": bootstrap(
            problem, selector(asked.selector), asked.seed, asked.bootstrap, steps
        ),
    }


def composition(matrix: Matrix, subset: Ints) -> list[Json]:
    """Return a row each risk and tier: episodes in the subset, and in everything."""
    size = len(matrix.stratum_names)
    kept = np.bincount(matrix.stratum_codes[subset], minlength=size)
    whole = np.bincount(matrix.stratum_codes, minlength=size)
    return [
        {"risk": risk, "tier": tier, "subset": int(kept[at]), "all": int(whole[at])}
        for at, (risk, tier) in enumerate(matrix.stratum_names)
    ]


def _warnings(matrix: Matrix) -> list[str]:
    found = []
    if not np.ptp(matrix.counts):
        found.append(
            "every model passes as many episodes as any other: there is no ranking to keep, so ρ "
            "is 0, and no model is at higher risk than another"
        )
    if len(matrix.models) < 3:
        found.append("with two models nothing can be held out")
    return found
