"""What a cause is: the closed list of names, and the evidence that goes with one."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import get_args

from simulator.events import Json
from simulator.events.faults import Culprit

NEVER_WRITTEN = "never written"
LOST = "lost at compaction"
NOT_RETRIEVED = "not retrieved"
IGNORED = "retrieved and ignored"
STALE = "stale copy used"
DERIVED = "forgotten but a derived copy used"
MODEL_ERROR = "model error"
NO_VALUE = "no value to look for"

ERRORS = tuple(f"error: {culprit}" for culprit in get_args(Culprit) if culprit != "model")

CAUSES = (
    NEVER_WRITTEN,
    LOST,
    NOT_RETRIEVED,
    IGNORED,
    STALE,
    DERIVED,
    MODEL_ERROR,
    NO_VALUE,
    *ERRORS,
)
"""Every cause there is, in the order of tables: along a value's way, then errors."""


@dataclass(frozen=True)
class Cause:
    """Why one decision failed, with the evidence; what does not apply is None or empty.

    Attributes:
        name: One of `CAUSES`.
        reason: One sentence for people.
        value: The gold value that was missing or ignored, or the wrong one that was used.
        events: Ids of the events that show it: those that state the value, or the error.
        items: Ids of the memory's items that hold the value, or held it last.
        place: Where the value was shown: `block`, `session`, `request`, `tool result`.
        path: How a forgotten value came to be shown (see `places`).
        compaction: The boundary of the trial, from 1, that lost the value, or that handed over
            what was never written.
        how: What became of the items that held a lost value.
        by: Ids of the items or the notice that took their place.
        rank: Rank of the nearest item that holds the value, among `of` items.
        distance: Its cosine distance to the request × 10⁶.
        of: How many items were ranked.
        left_out: Why a held value is not in the block: `scope`, `budget` or `order`.
        culprit: Who failed, for errors.
        half: Which half of a `hybrid` showed a wrong value that was used: `lines` (and no fact
            did), `facts` (and no line did) or `both`.
        also: Beside a copy that was used, why the right value was not given; None if it was.
    """

    name: str
    reason: str
    value: str | None = None
    events: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    place: str | None = None
    path: str | None = None
    compaction: int | None = None
    how: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    rank: int | None = None
    distance: int | None = None
    of: int | None = None
    left_out: str | None = None
    culprit: str | None = None
    half: str | None = None
    also: "Cause | None" = None

    def as_json(self) -> dict[str, Json]:
        """Return the fields, lists for tuples."""
        return {each.name: _json(getattr(self, each.name)) for each in fields(self)}


def _json(value: Json) -> Json:
    if isinstance(value, Cause):
        return value.as_json()
    return list(value) if isinstance(value, tuple) else value


def listed(names: Sequence[str]) -> str:
    """Return names for a sentence, each once."""
    return ", ".join(dict.fromkeys(names))
