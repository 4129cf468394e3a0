"""Pass matrices whose truth is known: a two-parameter logistic model with stated abilities.

P(model m passes episode e) = σ(a_e · (θ_m,r(e) − b_e)), where θ_m,r = λ_r·θ_m + s·ε_m,r: the
ability on a risk is the model's own, as far as the risk loads on it, and a part of its own.
Abilities are evenly spaced. Static features follow difficulty and discrimination as closely as
`informative` says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from scoring.keys import TIERS
from scoring.selection.features import STATIC
from scoring.selection.matrix import Floats, Matrix

RISKS = ("R1", "R2", "R3", "R4", "R5")


@dataclass(frozen=True)
class Irt:
    """How a matrix is made.

    Attributes:
        models: Number of models.
        episodes: Number of episodes, dealt to the risks in turn.
        risks: Names of the risks.
        spacing: Distance between the abilities of neighbours, in logits.
        loadings: Risk to λ, how far the model's ability counts there; 1 where none is stated.
        own: s, the deviation of a model's own part in each risk, in logits.
        difficulty: Mean and deviation of b.
        discrimination: Mean and deviation of log a.
        informative: Correlation of static features with what they follow, in [0, 1].
    """

    models: int = 5
    episodes: int = 120
    risks: tuple[str, ...] = RISKS
    spacing: float = 0.3
    loadings: Mapping[str, float] = field(default_factory=dict)
    own: float = 0.3
    difficulty: tuple[float, float] = (-1.0, 1.5)
    discrimination: tuple[float, float] = (0.0, 0.4)
    informative: float = 0.6


@dataclass(frozen=True)
class Truth:
    """What is true of a made-up matrix.

    Attributes:
        ability: θ, shape (M,), rising.
        slope: a, shape (E,).
        difficulty: b, shape (E,).
        chance: Probability of each pass, shape (M, E).
    """

    ability: Floats
    slope: Floats
    difficulty: Floats
    chance: Floats

    @property
    def rates(self) -> Floats:
        """Expected pass rate of each model, shape (M,)."""
        found: Floats = self.chance.mean(axis=1)
        return found


def abilities(made: Irt) -> Floats:
    """Return evenly spaced abilities around 0, the lowest first."""
    places = np.arange(made.models) - (made.models - 1) / 2
    return np.asarray(places * made.spacing, dtype=np.float64)


def simulate(made: Irt, seed: int) -> tuple[Matrix, Truth]:
    """Return a matrix and what is true of it; the same for the same seed."""
    rng = np.random.default_rng([seed, made.models, made.episodes])
    of_risk = np.arange(made.episodes) % len(made.risks)
    ability = abilities(made)
    loads = np.array([made.loadings.get(risk, 1.0) for risk in made.risks])
    own = made.own * rng.standard_normal((made.models, len(made.risks)))
    difficulty = made.difficulty[0] + made.difficulty[1] * rng.standard_normal(made.episodes)
    log_slope = made.discrimination[0] + made.discrimination[1] * rng.standard_normal(made.episodes)
    slope = np.exp(log_slope)
    on_risk = ability[:, None] * loads + own
    chance = 1 / (1 + np.exp(-slope * (on_risk[:, of_risk] - difficulty)))
    passed = rng.random(chance.shape) < chance
    features = _static(made, difficulty, log_slope, rng)
    tiers = tuple(TIERS[int(tier)] for tier in features["tier"])
    matrix = Matrix(
        tuple(f"m{number:02d}" for number in range(made.models)),
        tuple(f"e{number:04d}" for number in range(made.episodes)),
        passed,
        tuple(made.risks[risk] for risk in of_risk),
        tiers,
        features,
    )
    return matrix, Truth(ability, slope, difficulty, chance)


def _static(
    made: Irt, difficulty: Floats, log_slope: Floats, rng: np.random.Generator
) -> dict[str, Floats]:
    """Return the static features: every other one follows discrimination, the rest difficulty."""
    shared, alone = made.informative, np.sqrt(1 - made.informative**2)
    found: dict[str, Floats] = {}
    for place, name in enumerate(STATIC):
        follows = difficulty if place % 2 == 0 else log_slope
        scaled = (follows - follows.mean()) / (follows.std() or 1.0)
        found[name] = shared * scaled + alone * rng.standard_normal(made.episodes)
    order = np.argsort(np.argsort(found["tier"], kind="stable"), kind="stable")
    found["tier"] = np.floor(order * len(TIERS) / made.episodes)
    return found
