"""The factors of a context task, and one cell of their crossing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from scoring.planting import PHRASINGS, POSITIONS, Phrasing, Position

FAMILIES: tuple[str, ...] = (
    "vendor-renewal",
    "incident-review",
    "hiring-packet",
    "contract-redline",
    "board-report",
    "customer-escalation",
    "budget-revision",
    "access-audit",
)
"""The families in the order in which the design counts them."""

COMPACTIONS = (0, 1, 2, 4, 8)
"""How many times the context is compacted; the ends of sessions are cuts too and do not count."""

Sessions = Literal["one", "several"]
Overlap = Literal["high", "low"]
"""Whether the last request shares words with what was planted."""

Binding = Literal["standing", "conditional", "lifted"]
"""How the constraint binds: without a condition, until something that has not come, or until
something that came, so that it was lifted before the test."""

Footing = Literal["open", "withdrawn"]
"""Whether what the obligation wants stands in a document that can still be read."""


@dataclass(frozen=True)
class Cell:
    """One combination of levels: what makes a task of a family and a seed.

    Attributes:
        family: Whose people, documents and words it has.
        phrasing: How everything that is planted is said.
        position: Where it stands relative to the cuts.
        compactions: How many compactions there are.
        sessions: `one`, or `several`: three, whose ends are cuts too.
        overlap: Whether the last request shares words with what was planted.
        constraint: Whether the constraint has a condition, and whether it was lifted.
        obligation: Whether the obligation rests on the document that is withdrawn.
    """

    family: str
    phrasing: Phrasing
    position: Position
    compactions: int
    sessions: Sessions
    overlap: Overlap
    constraint: Binding
    obligation: Footing

    @property
    def cuts(self) -> int:
        """How many cuts the working context has: compactions and ends of sessions."""
        return self.compactions + (len(SESSIONS_OF[self.sessions]) - 1)

    @property
    def order(self) -> str:
        """What comes first, the last cut or the revocation; `uncut` without a cut."""
        if not self.cuts:
            return "uncut"
        return "cut_first" if self.position == "after" else "revocation_first"

    def levels(self) -> dict[str, str | int]:
        """Return the level of each factor, as a key has them."""
        named = {name: getattr(self, name) for name in LEVELS}
        return named | {"order": self.order}

    def arc(self, seed: int) -> str:
        """Return the name of the task."""
        crossed = f"{self.phrasing}-{self.compactions}-{self.position}-{self.sessions}"
        return f"context-{self.family}-{seed}-{crossed}"


SESSIONS_OF: Mapping[Sessions, tuple[str, ...]] = {"one": ("s1",), "several": ("s1", "s2", "s3")}
"""The ids of the episodes."""

LEVELS: Mapping[str, tuple[str | int, ...]] = {
    "family": FAMILIES,
    "phrasing": PHRASINGS,
    "compactions": COMPACTIONS,
    "position": POSITIONS,
    "sessions": get_args(Sessions),
    "overlap": get_args(Overlap),
    "constraint": get_args(Binding),
    "obligation": get_args(Footing),
}
"""The levels of each factor. Half of the constraints are `standing`; of the conditional half, half
are `lifted`."""
