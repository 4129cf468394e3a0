"""How much success moves with the seed of the trial, and with the seed that made the arcs."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np

from scoring.analysis.declared import Split
from scoring.analysis.pairing import model_name
from scoring.analysis.sheets import Cell, Seen, Sheet
from scoring.statistics import LEVEL, Floats, Unit, clustered, signs_of
from simulator.events import Json


def seed_rows(sheet: Sheet, by: Sequence[Split]) -> list[dict[str, Json]]:
    """Return a row an arm and cell that was played under several seeds of either kind.

    Gaps are max − min of dependent success on clean arcs; errors are failures, as in the tables.
    Trial seeds are held against each other on the arcs that all of them played. An arm that does
    the same under every trial seed has no gap and no noise.
    """
    rows = []
    for arm, options in sheet.arms.items():
        for cell, seen in sheet.cells(arm, {}, by).items():
            row = _row(cell, seen, arm in sheet.repeating)
            if row["deterministic"] or {row["trial_gap"], row["generation_gap"]} != {None}:
                named = {"run": sheet.setting.run, "arm": arm, "model": model_name(options)}
                rows.append({**named, "evidence": sheet.evidence[arm], **row})
    return rows


def _row(cell: Cell, seen: Sequence[Seen], repeating: bool) -> dict[str, Json]:
    dependent = [each for each in seen if each.observed.dependent]
    trials = _split(_played_by_all(dependent), lambda each: each.trial_seed)
    made = _split(
        [each for each in dependent if each.generation_seed is not None],
        lambda each: each.generation_seed or 0,
    )
    return {
        "cell": dict(cell),
        "deterministic": repeating,
        "tsr_by_trial_seed": _rates(trials),
        "trial_gap": _gap(trials),
        "noise_floor": noise_floor([_instances(each) for each in trials.values()]),
        "tsr_by_generation_seed": _rates(made),
        "generation_gap": _gap(made),
    }


def _split(seen: Sequence[Seen], key: Callable[[Seen], int]) -> dict[int, list[Seen]]:
    found: dict[int, list[Seen]] = defaultdict(list)
    for each in seen:
        found[key(each)].append(each)
    return dict(sorted(found.items()))


def _played_by_all(seen: Sequence[Seen]) -> list[Seen]:
    """Return the decisions in arcs that were played under every seed."""
    seeds: dict[str, set[int]] = defaultdict(set)
    for each in seen:
        seeds[each.observed.arc].add(each.trial_seed)
    every = set().union(*seeds.values())
    return [each for each in seen if seeds[each.observed.arc] == every]


def _rates(parts: Mapping[int, Sequence[Seen]]) -> dict[str, float]:
    return {
        str(seed): sum(each.observed.success for each in part) / len(part)
        for seed, part in parts.items()
    }


def _gap(parts: Mapping[int, Sequence[Seen]]) -> float | None:
    rates = _rates(parts).values()
    return max(rates) - min(rates) if len(rates) > 1 else None


def _instances(seen: Sequence[Seen]) -> dict[tuple[str, str], Unit]:
    """Return success by (arc, probe), so that one seed can be paired with another."""
    return {
        (each.observed.arc, each.observed.probe): Unit(
            each.observed.cluster, float(each.observed.success)
        )
        for each in seen
    }


def noise_floor(replicates: Sequence[Mapping[tuple[str, str], Unit]]) -> float | None:
    """Return the size that differences between two identical arms stay below in 95 % of cases.

    Two trial seeds of one arm are identical arms, so in each cluster their difference is as
    likely to be negative as positive. Over all pairs of seeds and all patterns of signs (10,000
    random ones beyond 16 clusters that differ) this is the 95 % quantile of the difference's
    size. None with fewer than two replicates.
    """
    sizes = [_flipped(one, other) for one, other in combinations(replicates, 2)]
    if not sizes:
        return None
    return float(np.quantile(np.concatenate(sizes), LEVEL, method="higher"))


def _flipped(one: Mapping[tuple[str, str], Unit], other: Mapping[tuple[str, str], Unit]) -> Floats:
    shared = [name for name in one if name in other]
    data = clustered(
        Unit(one[name].cluster, one[name].value - other[name].value) for name in shared
    )
    moving = data.sums[data.sums != 0]
    if not len(moving):
        return np.zeros(1)
    return np.concatenate([np.abs(signs @ moving) / len(shared) for signs in signs_of(len(moving))])
