"""Pass rates by model and risk with exact intervals, and the tests of all pairs."""

from collections.abc import Sequence

from scoring.exact import Count, Tested, all_pairs, clopper_pearson
from scoring.selection.matrix import Matrix
from scoring.statistics import LEVEL
from simulator.events import Json


def risk_rates(matrix: Matrix, tested: bool) -> dict[str, Json]:
    """Return pass rates by model and risk with exact intervals, and Fisher's tests of all pairs.

    `tests` is None unless `tested`: scripted readers are never tested for significance.
    """
    counts = {
        risk: {
            model: Count(int(matrix.passed[at, own].sum()), int(own.sum()))
            for at, model in enumerate(matrix.models)
        }
        for code, risk in enumerate(matrix.risk_names)
        for own in [matrix.risk_codes == code]
    }
    rows = [
        _rate(model, risk, count)
        for risk, of_models in counts.items()
        for model, count in of_models.items()
    ]
    return {"rates": rows, "tests": _tests(all_pairs(counts)) if tested else None}


def _rate(model: str, risk: str, count: Count) -> dict[str, Json]:
    return {
        "model": model,
        "risk": risk,
        "passed": count.passed,
        "n": count.n,
        "rate": count.rate,
        "rate_ci": list(clopper_pearson(count) or ()),
    }


def _tests(tests: Sequence[Tested]) -> dict[str, Json]:
    least = min(tests, key=lambda each: each.p)
    return {
        "pairs": len(tests),
        "smallest": _test(least),
        "significant": [_test(each) for each in tests if each.adjusted <= 1 - LEVEL],
    }


def _test(each: Tested) -> dict[str, Json]:
    return {
        "risk": each.group,
        "first": each.first,
        "second": each.second,
        "p": each.p,
        "p_holm": each.adjusted,
    }
