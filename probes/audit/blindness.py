"""Blindness: can a measure tell a rejection from its violating twin?

The twins are equally long and share every token but two an occurrence: "It is not X; that was
superseded." and "It is now X; that was confirmed.", each after the required content.
"""

from collections.abc import Callable, Sequence
from statistics import fmean

from probes.audit.gates import Gated
from probes.audit.overlap import METRICS, tokens
from probes.audit.scorers import SCORERS, Scorer
from probes.audit.texts import CONSTRUCTED, rejecting, required, violating
from simulator.events import Json

_TEXTS = {**CONSTRUCTED, "violating": violating}


def blindness(items: Sequence[Gated]) -> dict[str, Json]:
    """Return how each metric and scorer ranks the twins, over items that require something.

    `pairs` counts the items. Each metric has `means` by kind of text, with the required content
    as the reference, and `ranks` as `[rejection better, equal, violation better]`. For a scorer
    a text is better when it is not flagged.
    """
    chosen = [gated for gated in items if gated.item.required and gated.scored]
    return {
        "pairs": len(chosen),
        "metrics": {name: _metric(chosen, name) for name in METRICS} if chosen else {},
        "scorers": {name: _scorer(chosen, scorer) for name, scorer in SCORERS.items()},
    }


def _metric(items: Sequence[Gated], name: str) -> dict[str, Json]:
    metric = METRICS[name]
    values: dict[str, list[float]] = {kind: [] for kind in _TEXTS}
    for gated in items:
        reference = tokens(required(gated.item))
        for kind, text in _TEXTS.items():
            values[kind].append(metric(tokens(text(gated.item)), reference))
    return {
        "means": {kind: fmean(each) for kind, each in values.items()},
        "ranks": _ranks(values["rejecting"], values["violating"]),
    }


def _scorer(items: Sequence[Gated], scorer: Scorer) -> dict[str, Json]:
    return {"ranks": _ranks(_clean(items, scorer, rejecting), _clean(items, scorer, violating))}


def _clean(items: Sequence[Gated], scorer: Scorer, text: Callable[..., str]) -> list[float]:
    return [float(not scorer.flags(gated, text(gated.item))) for gated in items]


def _ranks(right: Sequence[float], violation: Sequence[float]) -> list[int]:
    pairs = list(zip(right, violation, strict=True))
    better = sum(one > other for one, other in pairs)
    worse = sum(one < other for one, other in pairs)
    return [better, len(pairs) - better - worse, worse]
