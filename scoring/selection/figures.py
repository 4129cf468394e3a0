"""Figures of selectors side by side: what each keeps, and what it says of held-out models."""

from collections.abc import Collection

import numpy as np

from scoring.selection.asked import Asked
from scoring.selection.features import GROUPS, by_features
from scoring.selection.held_out import held_out
from scoring.selection.matrix import Ints, Matrix
from scoring.selection.measures import Objective
from scoring.selection.resampling import MEASURES, Steps, summarised
from scoring.selection.selectors import SELECTORS, Problem, Selector
from simulator.events import Json

FRACTIONS = (0.1, 0.2, 0.3)
"""Those that MemRiskBench tables."""

NOTHING = np.zeros((1, 0), dtype=np.int64)


def figures(problem: Problem, each: Selector, asked: Asked) -> dict[str, Json]:
    """Return a selector's measures and held-out errors; None with `missing` where it has none."""
    missing = each.missing(problem.matrix)
    subsets = NOTHING if missing else each.subsets(problem, asked.seed, asked.draws)
    if not subsets.shape[1]:
        names = [end for name in MEASURES for end in (name, f"{name}_ci")]
        why = missing or "no episode is passed by 30 to 70 % of the models"
        return {
            "what": each.what,
            "k": None,
            "subset": None,
            "draws": each.draws,
            **dict.fromkeys(names),
            "held_out": None,
            "missing": why,
        }
    held = held_out(problem, each, asked.seed)
    episodes = problem.matrix.episodes
    return {
        "what": each.what,
        "k": subsets.shape[1],
        "subset": None if each.draws else [episodes[at] for at in subsets[0]],
        "draws": each.draws,
        **summarised(Objective(problem.matrix, problem.weights).measure(subsets)),
        "held_out": held and held.told(),
        "missing": None,
    }


def fractions(matrix: Matrix, asked: Asked, steps: Steps) -> list[Json]:
    """Return the figures of every selector at 10, 20 and 30 %."""
    rows = []
    for fraction in FRACTIONS:
        problem = asked.problem(matrix, fraction)
        for each in SELECTORS:
            found = figures(problem, each, asked)
            steps.tick()
            held = found["held_out"] or {}
            kept = {end: found[end] for name in MEASURES for end in (name, f"{name}_ci")}
            names = ("rank_error", "pass_error", "high_risk", "worst_rank_error")
            errors = {f"held_out_{name}": held.get(name) for name in names}
            named = {"fraction": fraction, "k": problem.size, "selector": each.name}
            named |= {"draws": each.draws}
            rows.append({**named, **kept, **errors})
    return rows


def ablation(problem: Problem, asked: Asked) -> list[Json]:
    """Return what the feature selector keeps without each group of features."""
    objective = Objective(problem.matrix, problem.weights)
    rows = []
    for left_out in (None, *GROUPS):
        ablated = feature_selector(() if left_out is None else (left_out,))
        measured = objective.measure(ablated.subsets(problem, asked.seed, 1))
        held = held_out(problem, ablated, asked.seed)
        rows.append(
            {
                "without": left_out,
                **{name: float(getattr(measured, name)[0]) for name in MEASURES},
                "held_out_rank_error": held and float(held.rank_error.mean()),
            }
        )
    return rows


def feature_selector(left_out: Collection[str]) -> Selector:
    """Return the feature selector without these groups of features."""

    def draw(problem: Problem, draws: int, rng: np.random.Generator) -> Ints:
        return by_features(problem.matrix, problem.size, left_out)[None, :]

    return Selector("features", "an ablation", draw)
