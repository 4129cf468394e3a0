"""Use: what became of the gold values that only the memory block held, and where they stood."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.shown import Shown
from simulator.events import Json


class Used(Protocol):
    """What this module reads of a scored dependent decision."""

    @property
    def memory_values(self) -> int: ...
    @property
    def used_values(self) -> int: ...
    @property
    def memory_only(self) -> bool: ...
    @property
    def errored(self) -> bool: ...
    @property
    def shown(self) -> Shown | None: ...


@dataclass(frozen=True)
class Use:
    """Gold values that only the block held, over some decisions.

    Attributes:
        used: How many were used,
        values: of how many.
        complete_used: Decisions that used all of them,
        complete: of how many whose block held all that was needed.
    """

    used: int
    values: int
    complete_used: int
    complete: int

    def columns(self) -> dict[str, Json]:
        """Return the rates, each with its denominator; None without one."""
        by_decision = _share(self.complete_used, self.complete)
        return {
            "use_rate_values": _share(self.used, self.values),
            "n_use_values": self.values,
            "use_rate_all": by_decision,
            "n_use_all": self.complete,
            "ignore_rate": None if by_decision is None else 1 - by_decision,
        }


def use(found: Iterable[Used]) -> Use:
    """Count what became of gold values; whoever was cut off by an error has ignored nothing."""
    acted = [each for each in found if not each.errored]
    held = [each for each in acted if each.memory_only]
    return Use(
        used=sum(each.used_values for each in acted),
        values=sum(each.memory_values for each in acted),
        complete_used=sum(each.used_values == each.memory_values for each in held),
        complete=len(held),
    )


def use_columns(found: Sequence[Used]) -> dict[str, Json]:
    """Return the columns about use of scored dependent decisions.

    `use_by_needed` splits them by the number of gold values that a decision needs,
    `use_by_sibling` by whether the block also held a stale or misleading value.
    """
    return {
        **use(found).columns(),
        "use_by_needed": _split(found, lambda shown: shown.needed),
        "use_by_sibling": _split(found, lambda shown: "with" if shown.sibling else "without"),
        **block_columns([each.shown for each in found if each.shown is not None]),
    }


def _split(found: Iterable[Used], part: Callable[[Shown], Hashable]) -> dict[str, Json]:
    parts: dict[str, list[Used]] = {}
    for each in found:
        if each.shown is not None:
            parts.setdefault(str(part(each.shown)), []).append(each)
    return {name: use(parts[name]).columns() for name in sorted(parts)}


def block_columns(found: Sequence[Shown]) -> dict[str, Json]:
    """Return how often the block held all gold, and the place of gold in it.

    The denominator of `gold_in_block` is every decision that needs a gold value, errors
    included; that of `gold_rank` is every gold value that an item of a block holds.
    """
    ranks = [rank for each in found for rank in each.ranks]
    return {
        "gold_in_block": _share(sum(each.had for each in found), len(found)),
        "n_gold_in_block": len(found),
        "gold_rank": _share(sum(ranks), len(ranks)),
        "n_gold_rank": len(ranks),
        "gold_ranks": {str(rank): count for rank, count in sorted(Counter(ranks).items())},
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
