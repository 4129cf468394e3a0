"""Shown: how much of what a decision needed its memory block held, where, and beside what."""

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.decisions import DecisionRecord
from scoring.keys import Key
from scoring.spans import find_folded
from scoring.verdicts import Verdict
from scoring.wrong import corrupted_values, stale_values
from simulator.events.folding import fold


@dataclass(frozen=True)
class Shown:
    """What the block of a decision with gold values held.

    Attributes:
        needed: How many gold values the decision needs.
        had: The block held every one of them.
        ranks: For each gold value that an item of the block holds, the place of the first such
            item in the block, from 1.
        sibling: The block also held a value that is stale or was put in to mislead.
    """

    needed: int
    had: bool
    ranks: tuple[int, ...]
    sibling: bool


def shown(verdict: Verdict, key: Key) -> Shown | None:
    """Return what a decision's block held; None where the probe names no gold value."""
    if not verdict.gold:
        return None
    block = fold(verdict.record.block)
    wrong = [*stale_values(key, verdict.probe), *corrupted_values(key, verdict.probe)]
    return Shown(
        needed=len(verdict.gold),
        had=verdict.had_gold,
        ranks=tuple(_ranks(verdict.record, [each.value for each in verdict.gold])),
        sibling=any(find_folded(fold(value), block) for value in wrong),
    )


def _ranks(record: DecisionRecord, values: list[str]) -> Iterator[int]:
    texts = [fold(item["text"]) for item in record.items]
    for value in map(fold, values):
        holding = (place for place, text in enumerate(texts, 1) if find_folded(value, text))
        first = next(holding, None)
        if first is not None:
            yield first
