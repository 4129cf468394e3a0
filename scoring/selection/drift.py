"""A drift alarm: does a new model fail otherwise than the reference models do?

A subset keeps a ranking as far as a model fails on what made the reference models fail. The pass
rates of the reference models, all shifted by one logit so that they add up to the new model's
score, say how likely its pattern of passes is (person fit: Drasgow, Levine and Williams 1985).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.exact import Count, clopper_pearson
from scoring.selection.held_out import subsets_without_each
from scoring.selection.matrix import Bools, Floats, Ints, Matrix, NewModel
from scoring.selection.selectors import Problem, Selector
from scoring.statistics import Interval
from simulator.events import Json
from simulator.events.errors import InputError

SIMULATED = 9_999
LEVEL = 0.05


@dataclass(frozen=True)
class Drift:
    """How far a model is from the reference set.

    Attributes:
        model: Its name.
        rate: Its pass rate on the subset.
        interval: The exact 95 % interval of that.
        reference: Lowest and highest pass rate of the reference models on the subset.
        fit: Standardised log-likelihood of its pattern given its score; low is unlike the rest.
        lowest: The lowest fit of a reference model, each held out in turn.
        p: Chance that a model of its score, failing as the reference set does, fits as badly.
    """

    model: str
    rate: float
    interval: Interval
    reference: Interval
    fit: float
    lowest: float
    p: float

    @property
    def why(self) -> str | None:
        """Why there is an alarm; None where there is none."""
        if self.interval.high < self.reference.low:
            return "it scores below every reference model"
        if self.interval.low > self.reference.high:
            return "it scores above every reference model"
        if self.p <= LEVEL and self.fit < self.lowest:
            return "it fails on other episodes than the reference models do"
        return None

    def told(self) -> dict[str, Json]:
        """Return it as JSON."""
        return {
            "model": self.model,
            "alarm": self.why is not None,
            "why": self.why,
            "rate": self.rate,
            "rate_ci": list(self.interval),
            "reference_rates": list(self.reference),
            "fit": self.fit,
            "reference_lowest_fit": self.lowest,
            "p": self.p,
        }


def drift(problem: Problem, selector: Selector, new: NewModel, seed: int) -> Drift:
    """Hold a new model against the reference models on the episodes that a selector chooses.

    What a reference model's fit would be is found as the new model's is: on a subset chosen
    without it, by the rates of the others. A new model that is one of them in all but name has
    the lowest fit, and so an alarm about other episodes, once in M + 1 times at most.

    Raises:
        InputError: when it has no verdict on one of the episodes; for two reference models.
    """
    matrix = problem.matrix
    if len(matrix.models) < 3:
        raise InputError("three reference models are needed to see drift", field="new")
    subset = selector.subsets(problem, seed, 1)[0]
    passed = _on(matrix, subset, new)
    part = matrix.passed[:, subset]
    rates = part.mean(axis=1)
    chance = expected(part, int(passed.sum()))
    without = subsets_without_each(problem, selector, seed, 1)
    others = [
        _own_fit(matrix.passed[:, subsets[0]], model) for model, subsets in enumerate(without)
    ]
    return Drift(
        model=new.name,
        rate=float(passed.mean()),
        interval=_interval(passed),
        reference=Interval(float(rates.min()), float(rates.max())),
        fit=fit(chance, passed),
        lowest=min(others),
        p=_as_bad(chance, passed, np.random.default_rng([seed, *b"drift"])),
    )


def _own_fit(passed: Bools, model: int) -> float:
    others = np.delete(passed, model, axis=0)
    return fit(expected(others, int(passed[model].sum())), passed[model])


def _interval(passed: Bools) -> Interval:
    found = clopper_pearson(Count(int(passed.sum()), len(passed)))
    return found if found is not None else Interval(0.0, 1.0)


def _on(matrix: Matrix, subset: Ints, new: NewModel) -> Bools:
    names: Sequence[str] = [matrix.episodes[at] for at in subset]
    missing = [name for name in names if name not in new.passed]
    if missing:
        raise InputError(
            f"the new model {new.name!r} has no verdict on {len(missing)} of the {len(names)} "
            f"episodes of the subset, such as {missing[0]!r}",
            field="new",
        )
    return np.array([new.passed[name] for name in names], dtype=bool)


def expected(reference: Bools, score: int) -> Floats:
    """Return the chance of each pass, shape (E,), for a model with this many passes.

    The reference models' rates, with half a pass and half a failure added to each, are shifted by
    one logit until they add up to the score; where all or nothing was passed they are 1 or 0.
    """
    from scipy.optimize import brentq

    models, episodes = reference.shape
    if score in (0, episodes):
        return np.full(episodes, float(score > 0))
    rates = (reference.sum(axis=0) + 0.5) / (models + 1)
    logits = np.log(rates / (1 - rates))
    shift = brentq(lambda by: float(_logistic(logits + by).sum()) - score, -40.0, 40.0)
    return _logistic(logits + float(shift))


def _logistic(logits: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-logits))
    return found


def fit(chance: Floats, passed: Bools) -> float:
    """Return the standardised log-likelihood of a pattern, l_z; 0 where it could be no other."""
    if chance[0] in (0.0, 1.0):
        return 0.0
    odds = np.log(chance / (1 - chance))
    variance = float((chance * (1 - chance) * odds**2).sum())
    above = float(((passed - chance) * odds).sum())
    return above / variance**0.5 if variance > 1e-12 else 0.0


def _as_bad(chance: Floats, passed: Bools, rng: np.random.Generator) -> float:
    if chance[0] in (0.0, 1.0):
        return 1.0
    odds = np.log(chance / (1 - chance))
    drawn = rng.random((SIMULATED, len(chance))) < chance
    seen = float((passed * odds).sum()) + 1e-9
    return float((1 + np.sum(drawn @ odds <= seen)) / (SIMULATED + 1))
