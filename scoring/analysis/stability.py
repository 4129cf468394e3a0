"""Do the memories stand in the same order under every model, and how far above the others?"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt

from scoring.analysis.pairing import memory_name, model_name
from scoring.analysis.sheets import Sheet
from scoring.contrasts import TESTED
from scoring.grouping import MEMORY_SIDE
from scoring.metrics import Group
from simulator.events import Json, canonical_json

Rates = dict[str, dict[str, float]]
"""Model to memory to dependent success; every model has every memory."""


def stability(sheet: Sheet) -> dict[str, Json] | None:
    """Return how the memories of a run stand under its models; None with fewer than two.

    Rates are dependent success on clean arcs, over memories that every model has. `premium` of a
    memory is its success less the mean of all memories under the same model, averaged over
    models, with its range. Orders are compared for evidence that may be ranked only.
    """
    rates, names = _rates(sheet)
    if len(rates) < 2 or not names:
        return None
    ranked = all(set(kind.split(" + ")) <= TESTED for kind in sheet.evidence.values())
    return {
        "run": sheet.setting.run,
        "models": list(rates),
        "orders": orders(rates) if ranked and len(names) > 1 else None,
        "premiums": [
            {"memory": memory_name(sheet.arms[arm]), "first_arm": arm, **premium(rates, memory)}
            for memory, arm in names.items()
        ],
    }


def _rates(sheet: Sheet) -> tuple[Rates, dict[str, str]]:
    """Return the rates, and the memories with the arm that has each under the first model."""
    found: Rates = {}
    arms: dict[str, str] = {}
    for arm, options in sheet.arms.items():
        memory = canonical_json({k: options.get(k) for k in MEMORY_SIDE if k != "arm"})
        seen = tuple(each.observed for each in sheet.cells(arm, {}, ())[()])
        rate = Group(seen).tsr(True)
        if rate is not None:
            found.setdefault(_model(sheet, arm), {})[memory] = rate
            arms.setdefault(memory, arm)
    every = [name for name in arms if all(name in each for each in found.values())]
    kept = {model: {name: of[name] for name in every} for model, of in found.items()}
    return kept, {name: arms[name] for name in every}


def _model(sheet: Sheet, arm: str) -> str:
    """Return a model's name; its arms' other settings too where several models share the name."""
    arms = sheet.arms
    name = model_name(arms[arm])
    alike = {sheet.setting.rest(each) for each in arms if model_name(arms[each]) == name}
    return name if len(alike) == 1 else f"{name} {sheet.setting.rest(arm)}"


def orders(rates: Mapping[str, Mapping[str, float]]) -> dict[str, Json]:
    """Return how the order of the memories agrees over all pairs of models.

    `tau` is Kendall's tau-b of each pair (None where one model's memories are all equal);
    `same_order` the share of pairs of models with the very same order, ties included.
    """
    pairs = list(combinations(rates, 2))
    taus = [kendall([*rates[a].values()], [*rates[b].values()]) for a, b in pairs]
    known = [tau for tau in taus if tau is not None]
    same = [_signs([*rates[a].values()]) == _signs([*rates[b].values()]) for a, b in pairs]
    return {
        "pairs": [
            {"first": a, "second": b, "tau": tau} for (a, b), tau in zip(pairs, taus, strict=True)
        ],
        "mean_tau": sum(known) / len(known) if known else None,
        "least_tau": min(known) if known else None,
        "same_order": sum(same) / len(same),
    }


def kendall(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Kendall's tau-b, (C − D) / √((n0 − n1)(n0 − n2)); None where one is constant.

    C and D count concordant and discordant pairs, n0 all pairs, n1 and n2 those tied in one.
    """
    one, other = _signs(first), _signs(second)
    free = sqrt(sum(map(abs, one)) * sum(map(abs, other)))
    agreeing = sum(a * b for a, b in zip(one, other, strict=True))
    return agreeing / free if free else None


def _signs(values: Sequence[float]) -> list[int]:
    return [(a > b) - (a < b) for a, b in combinations(values, 2)]


def premium(rates: Mapping[str, Mapping[str, float]], memory: str) -> dict[str, float]:
    """Return a memory's mean premium over models, with the lowest and the highest."""
    found = [of[memory] - sum(of.values()) / len(of) for of in rates.values()]
    return {"premium": sum(found) / len(found), "lowest": min(found), "highest": max(found)}
