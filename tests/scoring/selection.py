"""Pass matrices for tests, and what a subset is worth, worked out the long way."""

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st
from scipy import stats

from scoring.selection.matrix import Floats, Matrix


def matrix(
    rows: Sequence[str],
    risks: str | None = None,
    tiers: str | None = None,
    features: Mapping[str, Sequence[float]] | None = None,
) -> Matrix:
    """Return the matrix of rows such as `"1101"`, a letter an episode for risk and tier."""
    episodes = len(rows[0])
    made: dict[str, Floats] = {k: np.array(v, dtype=float) for k, v in (features or {}).items()}
    return Matrix(
        tuple(f"m{at}" for at in range(len(rows))),
        tuple(f"e{at:02d}" for at in range(episodes)),
        np.array([[letter == "1" for letter in row] for row in rows]),
        tuple(risks or "a" * episodes),
        tuple(tiers or "x" * episodes),
        made,
    )


@st.composite
def matrices(draw: st.DrawFn, most: int = 10) -> Matrix:
    """Draw a small matrix."""
    models, episodes = draw(st.integers(2, 6)), draw(st.integers(2, most))

    def text(letters: str) -> str:
        return "".join(
            draw(st.lists(st.sampled_from(letters), min_size=episodes, max_size=episodes))
        )

    rows = [text("01") for _ in range(models)]
    return matrix(rows, text("abc"), text("xy"))


def high_risk(rates: Sequence[float], high: int) -> list[float]:
    """Return how much of a high-risk model each one is: places at the cut are shared."""
    cut = sorted(rates)[high - 1]
    left = high - sum(rate < cut for rate in rates)
    tied = sum(rate == cut for rate in rates)
    return [1.0 if rate < cut else left / tied if rate == cut else 0.0 for rate in rates]


def rho(first: Sequence[float], second: Sequence[float]) -> float:
    """Return SciPy's Spearman, 0 for a constant vector."""
    if len(set(first)) == 1 or len(set(second)) == 1:
        return 0.0
    return float(stats.spearmanr(first, second).statistic)


def worth(made: Matrix, subset: Sequence[int]) -> dict[str, float]:
    """Return every measure of a subset, one loop each."""
    models = range(len(made.models))
    whole = [sum(made.passed[m]) / len(made.episodes) for m in models]
    part = [sum(made.passed[m, e] for e in subset) / len(subset) for m in models]
    high = min(max(2, round(0.4 * len(made.models))), len(made.models) - 1)
    shared = zip(high_risk(part, high), high_risk(whole, high), strict=True)
    found = sum(min(pair) for pair in shared) / high
    pairs = list(zip(made.risks, made.tiers, strict=True))
    fails = {(m, made.risks[e]) for m in models for e in range(len(pairs)) if not made.passed[m, e]}
    kept = {(m, made.risks[e]) for m in models for e in subset if not made.passed[m, e]}
    coverage = len({made.risks[e] for e in subset}) / len(set(made.risks))
    ranked = rho(part, whole)
    return {
        "psi": ranked + coverage + found,
        "spearman": ranked,
        "coverage": coverage,
        "coverage_tiers": len({pairs[e] for e in subset}) / len(set(pairs)),
        "high_risk": found,
        "fail_coverage": len(kept) / len(fails) if fails else 1.0,
    }
