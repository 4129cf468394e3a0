"""Economy: what a memory is worth against no memory, and the best one against full replay."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import networkx as nx

from scoring.contrasts import TESTED, baseline
from scoring.grouping import Bucket
from scoring.metrics import Played, cost_columns
from scoring.prices import EXACT, ZERO
from scoring.ratios import RATIOS, Estimate, Ledger, estimates, points
from simulator.events import Json


def economy_columns(bucket: Bucket, none: Bucket | None) -> dict[str, Json]:
    """Return the columns about what an arm's success cost; None where a ratio means nothing.

    Costs are as-if dollars over all episodes. `none` is the arm without memory; without one, or
    for itself, there is neither CAMU nor a break-even value.
    """
    mine = ledger(bucket)
    theirs = None if none is None or none is bucket else ledger(none)
    columns: dict[str, Json] = {"episode_cost": _episode_cost(mine)}
    found = {} if mine is None else estimates(mine, theirs or mine)
    for name in RATIOS:
        known = name in found and (theirs is not None or name == "cost_per_success")
        columns |= _columns(name, found[name] if known else Estimate(None))
    return {**columns, **_gains(mine, theirs)}


def _columns(name: str, estimate: Estimate) -> dict[str, Json]:
    return {
        name: estimate.value,
        f"{name}_ci": None if estimate.interval is None else list(estimate.interval),
        f"{name}_undefined": estimate.undefined,
    }


def _gains(mine: Ledger | None, theirs: Ledger | None) -> dict[str, Json]:
    """Return the two differences that CAMU and the break-even value are ratios of."""
    if mine is None or theirs is None:
        return {"tsr_gain": None, "episode_cost_extra": None}
    success, floor = _success(mine), _success(theirs)
    cost, base = _episode_cost(mine), _episode_cost(theirs)
    return {
        "tsr_gain": None if success is None or floor is None else success - floor,
        "episode_cost_extra": None if cost is None or base is None else cost - base,
    }


def _success(ledger: Ledger) -> float | None:
    return _share(ledger, 0, 1)


def _episode_cost(ledger: Ledger | None) -> float | None:
    return None if ledger is None else _share(ledger, 2, 3)


def _share(ledger: Ledger, part: int, whole: int) -> float | None:
    of = sum(each[whole] for each in ledger.sums.values())
    return sum(each[part] for each in ledger.sums.values()) / of if of else None


def ledger(bucket: Bucket) -> Ledger | None:
    """Return what an arm achieved and spent by cluster; None where its costs are not known.

    That is where a row holds only some decisions of its trials, or a call has no price. Clusters
    that share a trial are drawn together, since nobody can divide what the trial cost.
    """
    if not bucket.whole or not bucket.finished:
        return None
    home = _homes(bucket.finished)
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for played in bucket.finished:
        spent = cost_columns([played])[1].usd_as_if
        if spent is None:
            return None
        sums[home[_clusters(played)[0]]].add(played, spent)
    return Ledger({name: each.floats() for name, each in sums.items()})


@dataclass
class _Sum:
    successes: int = 0
    decisions: int = 0
    cost: Decimal = ZERO
    episodes: int = 0

    def add(self, played: Played, spent: Decimal) -> None:
        scored = [each for each in played.observed if each.dependent and each.skipped is None]
        self.successes += sum(each.success for each in scored)
        self.decisions += len(scored)
        self.cost = EXACT.add(self.cost, spent)
        self.episodes += played.episodes

    def floats(self) -> tuple[float, float, float, float]:
        return self.successes, self.decisions, float(self.cost), self.episodes


def _clusters(played: Played) -> list[str]:
    return sorted({each.cluster for each in played.observed}) or [played.arc]


def _homes(trials: Iterable[Played]) -> dict[str, str]:
    """Return for each cluster the first of those that are drawn together with it."""
    graph: nx.Graph[str] = nx.Graph()
    for played in trials:
        nx.add_path(graph, _clusters(played))
    return {
        cluster: min(together)
        for together in nx.connected_components(graph)
        for cluster in together
    }


def best_rows(found: Sequence[Bucket]) -> list[dict[str, Json]]:
    """Return for each domain the memory of most utility, held against the full replay control.

    `found` has a bucket an arm and domain. There is no row without an unbudgeted replay control,
    and none where the evidence is not to be ranked. Memories of equal utility share a row; where
    none is of any, `best` is empty.
    """
    groups: dict[int, tuple[Bucket, list[Bucket]]] = {}
    for bucket in found:
        replay = baseline(bucket, found, "replay")
        if replay is not None and {bucket.evidence, replay.evidence} <= TESTED:
            groups.setdefault(id(replay), (replay, []))[1].append(bucket)
    rows = (_best(replay, group, found) for replay, group in groups.values())
    return [row for row in rows if row is not None]


def _best(
    replay: Bucket, group: Sequence[Bucket], among: Sequence[Bucket]
) -> dict[str, Json] | None:
    worth = [(_utility(bucket, among), bucket) for bucket in group]
    most = max((value for value, _ in worth if value is not None), default=None)
    if most is None:
        return None
    best = [bucket for value, bucket in worth if value == most and most > 0]
    mine = _tokens(best[0]) if best else None
    control, theirs = _utility(replay, among), _tokens(replay)
    return {
        **{name: replay.values.get(name) for name in ("run", "model", "domain", "corruption")},
        "best": [bucket.values["arm"] for bucket in best],
        "camu": most,
        "replay": replay.values["arm"],
        "replay_camu": control,
        "times_camu": most / control if control else None,
        "episode_tokens": mine,
        "replay_episode_tokens": theirs,
        "times_tokens": theirs / mine if mine and theirs else None,
    }


def _utility(bucket: Bucket, among: Sequence[Bucket]) -> float | None:
    none = baseline(bucket, among, "none")
    mine, theirs = ledger(bucket), None if none is None else ledger(none)
    return None if mine is None or theirs is None else points(mine, theirs)["camu"]


def _tokens(bucket: Bucket) -> float | None:
    columns, _ = cost_columns(bucket.finished)
    return columns["tokens"] / columns["episodes"] if columns["episodes"] else None
