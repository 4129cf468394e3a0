"""What memories held and spent, a row an arm, and which block sizes spend alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from scoring.grouping import ARM_FACTORS, Bucket
from scoring.metrics import cost_columns
from scoring.use import use
from scoring.write_recall import recall_columns
from simulator.events import Json

Row = Mapping[str, Json]


def kept_rows(found: Iterable[Bucket]) -> list[dict[str, Json]]:
    """Return a row an arm: planted facts, what the block really had, what an episode spent.

    `block_fill` is the mean share of the token budget that blocks used; None without a budget.
    """
    return [_kept(bucket) for bucket in found]


def _kept(bucket: Bucket) -> dict[str, Json]:
    dependent = bucket.group.part(True)
    blocks = [each.block_tokens for each in dependent if each.block_tokens is not None]
    columns, spent = cost_columns(bucket.finished)
    episodes, budget = columns["episodes"], bucket.values.get("token_budget")
    used = fmean(blocks) if blocks else None
    return {
        **{name: bucket.values.get(name) for name in ("run", "arm", *ARM_FACTORS)},
        "n_dependent": len(dependent),
        "tsr_dependent": bucket.group.tsr(True),
        **recall_columns([fact for each in dependent for fact in each.planted]),
        **{name: use(dependent).columns()[name] for name in ("use_rate_values", "n_use_values")},
        "block_tokens": used,
        "block_fill": used / budget if used is not None and budget else None,
        "episode_tokens": spent.tokens / episodes if episodes else None,
        "evidence": bucket.evidence,
    }


def spend_rows(kept: Sequence[Row]) -> list[dict[str, Json]]:
    """Return success at equal spend, for arms that were played with several token budgets.

    A level is what an episode costs at one block size: the mean, over such arms, of all tokens of
    an episode, whatever they went into. For each level and arm the row is that of the largest block
    whose episodes cost no more; its `token_budget` and what follows are None where none does.
    """
    families = {name: arms for name, arms in _families(kept).items() if len(arms) > 1}
    levels = dict.fromkeys(_levels([row for arms in families.values() for row in arms]))
    return [
        {
            **{name: arms[0].get(name) for name in ("run", *ARM_FACTORS)},
            "arm": family.arm,
            "level": level,
            **_within(arms, level),
        }
        for level in levels
        for family, arms in families.items()
    ]


@dataclass(frozen=True)
class _Family:
    run: str
    arm: str


def _families(kept: Sequence[Row]) -> dict[_Family, list[Row]]:
    """Return the rows of arms that differ in their token budget alone, smallest budget first."""
    found: dict[_Family, list[Row]] = {}
    for row in sorted(kept, key=lambda row: row["token_budget"] or 0):
        if row["token_budget"] is not None and row["memory"] != "none":
            # The budget is a part of an arm's id.
            parts = [e for e in str(row["arm"]).split("+") if e != str(row["token_budget"])]
            found.setdefault(_Family(row["run"], "+".join(parts)), []).append(row)
    return found


def _levels(rows: Sequence[Row]) -> list[float]:
    by_budget: dict[int, list[float]] = {}
    for row in rows:
        if row["episode_tokens"] is not None:
            by_budget.setdefault(row["token_budget"], []).append(row["episode_tokens"])
    return [fmean(by_budget[budget]) for budget in sorted(by_budget)]


def _within(arms: Sequence[Row], level: float) -> dict[str, Json]:
    names = ("token_budget", "episode_tokens", "tsr_dependent")
    affordable = [
        e for e in arms if e["episode_tokens"] is not None and e["episode_tokens"] <= level
    ]
    return {name: affordable[-1][name] if affordable else None for name in names}
