"""Harm: what a memory costs where none is needed, and what wrong records in it do.

Both are differences on paired instances, tested like every other contrast.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.contrasts import TESTED, baseline
from scoring.grouping import Bucket
from scoring.metrics import Observed, Played
from scoring.statistics import Paired, Unit, holm, paired
from simulator.events import Json, canonical_json


@dataclass(frozen=True)
class Difference:
    """One row's difference, and whether a p-value may be given."""

    result: Paired
    tested: bool


def harm_columns(found: Sequence[Bucket]) -> list[dict[str, Json]]:
    """Return the columns of distraction cost and stale-memory harm, a dict a bucket.

    - `distraction`: success of `none` less the arm's, on the independent decisions.
    - `smh`: success on clean arcs less that on their corrupted versions, on the dependent
      decisions of the same run, arm, probe and trial seed; None where a row has no corrupted arc,
      or its clean version was not played.

    A decision that ended in an error on either side is left out. A family of Holm's correction is
    every tested difference of one kind under one model and run.
    """
    clean = _clean(found)
    kinds = {
        "distraction": [_distraction(each, found) for each in found],
        "smh": [_harm(each, clean) for each in found],
    }
    columns: list[dict[str, Json]] = [{} for _ in found]
    for name, results in kinds.items():
        adjusted = _adjusted(found, results)
        for place, each in enumerate(results):
            columns[place] |= _columns(name, each, adjusted.get(place))
    return columns


def _distraction(bucket: Bucket, among: Sequence[Bucket]) -> Difference | None:
    none = baseline(bucket, among, "none")
    if none is None or none is bucket:
        return None
    result = paired(_independent(none), _independent(bucket))
    tested = {bucket.evidence, none.evidence} <= TESTED
    return None if result is None else Difference(result, tested)


def _independent(bucket: Bucket) -> dict[Hashable, Unit]:
    return {
        (each.arc, each.probe, each.seed): _unit(each)
        for each in bucket.group.part(False)
        if not each.errored
    }


def _unit(seen: Observed) -> Unit:
    return Unit(seen.cluster, float(seen.success))


def _clean(found: Iterable[Bucket]) -> Mapping[Hashable, Observed]:
    """Return the scored dependent decisions of clean arcs by run, arm, arc, probe and seed."""
    return {
        (played.run, played.arm, each.arc, each.probe, each.seed): each
        for bucket in found
        for played in bucket.finished
        for each in played.observed
        if each.clean is None and each.dependent and each.skipped is None
    }


def _harm(bucket: Bucket, clean: Mapping[Hashable, Observed]) -> Difference | None:
    before: dict[Hashable, Unit] = {}
    after: dict[Hashable, Unit] = {}
    for played, each in _corrupted(bucket):
        other = clean.get((played.run, played.arm, each.clean, each.probe, each.seed))
        if other is not None and not (each.errored or other.errored):
            name = (played.run, played.arm, each.arc, each.probe, each.seed)
            before[name], after[name] = _unit(other), _unit(each)
    result = paired(before, after)
    return None if result is None else Difference(result, bucket.evidence in TESTED)


def _corrupted(bucket: Bucket) -> Iterable[tuple[Played, Observed]]:
    mine = {id(each) for each in bucket.group.part(True) if each.clean is not None}
    for played in bucket.finished if mine else ():
        yield from ((played, each) for each in played.observed if id(each) in mine)


def _adjusted(found: Sequence[Bucket], results: Sequence[Difference | None]) -> dict[int, float]:
    families: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, (bucket, each) in enumerate(zip(found, results, strict=True)):
        if each is not None and each.tested:
            family = canonical_json([bucket.values["run"], bucket.rest])
            families[family].append((place, each.result.p))
    return {
        place: p
        for family in families.values()
        for (place, _), p in zip(family, holm([p for _, p in family]), strict=True)
    }


def _columns(name: str, found: Difference | None, adjusted: float | None) -> dict[str, Json]:
    result = None if found is None else found.result
    tested = found is not None and found.tested
    return {
        name: result and result.difference,
        f"{name}_ci": result and list(result.interval),
        f"{name}_p": result.p if result and tested else None,
        f"{name}_p_holm": adjusted,
        f"{name}_pairs": result and result.pairs,
        f"{name}_clusters": result and result.clusters,
    }
