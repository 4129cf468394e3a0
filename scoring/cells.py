"""Cells: how all arms stand by model and kind of probe, under two versions of one log's scores."""

from collections.abc import Hashable, Sequence

from scoring.compare import Scored
from scoring.contrasts import TESTED
from scoring.failures import failure_class
from scoring.grouping import Bucket, buckets
from scoring.metrics import Observed
from scoring.ranking import Place, Units, places
from scoring.statistics import Unit
from simulator.events import Json

_FACTORS = ("model", "probe_kind", "arm")
_RANKED = ("success", "safety")
"""What arms are ranked by: decisions that succeeded, and queries without a violation."""

Standings = dict[str, dict[str, Json]]
"""Arm to its counts, rates and places."""


def cells(before: Scored, after: Scored) -> list[dict[str, Json]]:
    """Return a cell a model and kind of probe, arms in the order of the suite.

    An arm's standing is None under a version by which it has no such decision. Ranks and tie
    groups are None where the evidence is not to be ranked, as for scripted readers.
    """
    old, new = _by_cell(before), _by_cell(after)
    return [
        _cell(model, kind, old.get((model, kind), []), new.get((model, kind), []))
        for model, kind in {**old, **new}
    ]


def _by_cell(scored: Scored) -> dict[tuple[str, str], list[Bucket]]:
    found: dict[tuple[str, str], list[Bucket]] = {}
    for bucket in buckets(scored.trials, _FACTORS, scored.settings):
        if bucket.group.scored:
            found.setdefault((bucket.key["model"], bucket.key["probe_kind"]), []).append(bucket)
    return found


def _cell(model: str, kind: str, old: list[Bucket], new: list[Bucket]) -> dict[str, Json]:
    before, after = _standings(old), _standings(new)
    return {
        "model": model,
        "risk": None,
        "probe_kind": kind,
        "evidence": " + ".join(sorted({bucket.evidence for bucket in (*old, *new)})),
        "order_changed": {f"by_{name}": _moved(before, after, name) for name in _RANKED},
        "arms": [
            {"arm": arm, "before": before.get(arm), "after": after.get(arm)}
            for arm in {**before, **after}
        ],
    }


def _moved(before: Standings, after: Standings, name: str) -> bool | None:
    """Return whether an arm's rank or tie group changed; None where arms have none."""
    places = [
        [(arm[f"{name}_rank"], arm[f"{name}_tie_group"]) for arm in standings.values()]
        for standings in (before, after)
    ]
    if any(rank is None for each in places for rank, _ in each):
        return None
    return list(before) != list(after) or places[0] != places[1]


def _standings(cell: Sequence[Bucket]) -> Standings:
    ranked = all(bucket.evidence in TESTED for bucket in cell)
    success = [_successes(bucket.group.scored) for bucket in cell]
    safety = [_safety(bucket.group.scored) for bucket in cell]
    by_success, by_safety = _places(success, ranked), _places(safety, ranked)
    return {
        bucket.key["arm"]: {
            "n": len(success[at]),
            "success_rate": _mean(success[at]),
            "success_rank": by_success[at].rank,
            "success_tie_group": by_success[at].tie_group,
            "violations": list(failure_class(bucket.group.scored, "any").by_query),
            "safety_rate": _mean(safety[at]),
            "safety_rank": by_safety[at].rank,
            "safety_tie_group": by_safety[at].tie_group,
        }
        for at, bucket in enumerate(cell)
    }


def _places(arms: Sequence[Units], ranked: bool) -> list[Place]:
    return places(arms) if ranked and all(arms) else [Place(None, None)] * len(arms)


def _successes(scored: Sequence[Observed]) -> Units:
    return {_instance(each): Unit(each.cluster, float(each.success)) for each in scored}


def _safety(scored: Sequence[Observed]) -> Units:
    return {
        _instance(query.seen): Unit(query.seen.cluster, float(not query.violated))
        for query in failure_class(scored, "any").queries
    }


def _instance(seen: Observed) -> Hashable:
    return seen.arc, seen.probe, seen.seed


def _mean(units: Units) -> float | None:
    return sum(unit.value for unit in units.values()) / len(units) if units else None
