"""Contrasts: an arm held against the arm without memory and against the replay control."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from scoring.grouping import MEMORY_SIDE, Bucket
from scoring.statistics import Paired, Unit, holm, paired, smallest_p
from simulator.events import Json, canonical_json

LEVEL = 0.05
TESTED = frozenset({"local model", "hosted model", "other model", "external"})
"""Evidence that may be tested for significance; scripted readers and oracles never are."""


def baseline(bucket: Bucket, among: Iterable[Bucket], memory: str) -> Bucket | None:
    """Return the bucket that differs from this one on the memory's side only, or None.

    `memory` is `none`, or `replay` for its unbudgeted control. Of several, the one with the
    same token budget is taken, else the first.
    """
    found = [
        other
        for other in among
        if other.values["memory"] == memory
        and (memory != "replay" or _unbudgeted(other))
        and _comparable(bucket, other)
    ]
    same = [each for each in found if each.values["token_budget"] == bucket.values["token_budget"]]
    return next(chain(same, found), None)


def _unbudgeted(bucket: Bucket) -> bool:
    return bucket.values["token_budget"] is None and bucket.values["arm"] is not None


def _comparable(one: Bucket, other: Bucket) -> bool:
    if one.values["arm"] is None or other.values["arm"] is None:
        return False
    return one.rest == other.rest and all(
        one.key[name] == other.key[name] for name in one.key if name not in MEMORY_SIDE
    )


@dataclass(frozen=True)
class Contrast:
    """One arm against one baseline on the dependent decisions of a cell."""

    bucket: Bucket
    against: Bucket
    memory: str
    result: Paired

    @property
    def evidence(self) -> str:
        """Evidence of the arm."""
        return self.bucket.evidence

    @property
    def tested(self) -> bool:
        """True when a p-value may be given."""
        return {self.evidence, self.against.evidence} <= TESTED


def contrasts(found: Sequence[Bucket]) -> list[Contrast]:
    """Return every arm against `none` and against the unbudgeted replay control."""
    made = []
    for memory in ("none", "replay"):
        for bucket in found:
            against = baseline(bucket, found, memory)
            if against is None or against is bucket or bucket.values["memory"] == memory:
                continue
            result = compare_pairs(bucket, against)
            if result is not None:
                made.append(Contrast(bucket, against, memory, result))
    return made


def compare_pairs(one: Bucket, other: Bucket) -> Paired | None:
    """Compare two buckets on the dependent decisions that both ended without an error."""
    first, second = _instances(one), _instances(other)
    clean = [{k: unit for k, unit in part.items() if unit is not None} for part in (first, second)]
    result = paired(clean[0], clean[1])
    if result is None:
        return None
    dropped = len(first.keys() | second.keys()) - result.pairs
    return Paired(
        result.difference, result.interval, result.p, result.pairs, result.clusters, dropped
    )


def _instances(bucket: Bucket) -> dict[Hashable, Unit | None]:
    """Return instance (arc, probe, seed) to its unit, or to None where it ended in an error."""
    return {
        (each.arc, each.probe, each.seed): (
            None if each.errored else Unit(each.cluster, float(each.success))
        )
        for each in bucket.group.part(True)
    }


def contrast_rows(made: Sequence[Contrast]) -> tuple[list[dict[str, Json]], list[str]]:
    """Return table rows with Holm-adjusted p-values, and warnings.

    A family is every tested contrast against one kind of baseline under one model and run.
    """
    adjusted: dict[int, float] = {}
    families: dict[str, list[int]] = defaultdict(list)
    for index, each in enumerate(made):
        if each.tested:
            families[
                canonical_json([each.bucket.values["run"], each.bucket.rest, each.memory])
            ].append(index)
    warnings = []
    for indices in families.values():
        adjusted.update(zip(indices, holm([made[at].result.p for at in indices]), strict=True))
        warnings.extend(_hopeless([made[at] for at in indices]))
    rows = [_row(each, adjusted.get(index)) for index, each in enumerate(made)]
    return rows, warnings


def _hopeless(family: Sequence[Contrast]) -> list[str]:
    """Warn where even the smallest possible p cannot pass the first step of Holm."""
    best = min(smallest_p(each.result.clusters) for each in family)
    if best * len(family) < LEVEL:
        return []
    against = family[0].memory
    return [
        f"against {against}: with {len(family)} contrasts and these few clusters the smallest "
        f"possible adjusted p is {min(1.0, best * len(family)):.3g}; none can be significant"
    ]


def _row(each: Contrast, adjusted: float | None) -> dict[str, Json]:
    result = each.result
    return {
        **{k: v for k, v in each.bucket.values.items() if k in each.bucket.key},
        "against": each.against.values["arm"],
        "baseline": each.memory,
        "evidence": each.evidence,
        "difference": result.difference,
        "difference_ci": list(result.interval),
        "pairs": result.pairs,
        "clusters": result.clusters,
        "dropped": result.dropped,
        "p": result.p if each.tested else None,
        "p_holm": adjusted,
        "verdict": None if adjusted is None else verdict(result, adjusted),
    }


def verdict(result: Paired, adjusted: float) -> str:
    """Return `higher`, `lower`, or `tie` where test or interval cannot tell the two apart."""
    if result.tie or adjusted >= LEVEL:
        return "tie"
    return "higher" if result.difference > 0 else "lower"
