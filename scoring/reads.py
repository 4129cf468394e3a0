"""Reads of a memory that ranks: did it choose, or give back everything that it held?"""

from collections.abc import Iterable
from typing import NamedTuple

from scoring.run import Event


class Reads(NamedTuple):
    """Reads in which a memory ranked items.

    Attributes:
        ranked: How many there were.
        whole: How many of them gave back at least as many items as were held and not hidden, so
            that nothing was chosen: retrieval had become full replay.
    """

    ranked: int
    whole: int


def ranked_reads(events: Iterable[Event]) -> Reads:
    """Count the ranked reads of one trial, events in order."""
    shown: set[str] = set()
    ranked = whole = 0
    for event in events:
        if event.kind == "memory_change":
            shown.difference_update(event.body["gone"])
            for item in event.body["written"]:
                (shown.discard if item["hidden"] else shown.add)(item["id"])
        elif event.kind == "memory_read" and any(
            item.get("rank") is not None for item in event.body["items"]
        ):
            ranked += 1
            whole += len(event.body["items"]) >= len(shown)
    return Reads(ranked, whole)
