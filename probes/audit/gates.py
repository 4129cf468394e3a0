"""What of an item can be scored: phrases that a gate takes out, and phrases that cannot match."""

from dataclasses import dataclass
from functools import cached_property

from probes.audit.items import Item
from scoring.admissibility import inadmissible, query_aware
from simulator.events.folding import fold

CUT_TRACK = "causality"
CUTS = (10, 15, 20)
"""Where the data's author cut a sentence of that track to get a forbidden phrase, characters."""

EMPTY = "folds to nothing"
CUT = "a sentence cut off after {} characters"


def unmatchable(phrase: str, group: str) -> str | None:
    """Return why a phrase is no phrase that a text could assert, None when it is one.

    The track causality forbids the openings of wrong answers, cut by number of characters ("Yes,
    10 hours i"). Those that end in a letter or digit are cut inside a word or number (one, "Yes,
    $15,000 is", just after a word) and are not found where that word goes on.
    """
    if not fold(phrase):
        return EMPTY
    opens = fold(phrase).startswith(("yes", "no"))
    if group == CUT_TRACK and opens and len(phrase) in CUTS and phrase[-1].isalnum():
        return CUT.format(len(phrase))
    return None


@dataclass(frozen=True)
class Gated:
    """An item, and which of its forbidden phrases can be scored.

    Attributes:
        item: The item.
    """

    item: Item

    @cached_property
    def inadmissible(self) -> tuple[str, ...]:
        """Phrases that the headline gate takes out, which sees the phrase alone."""
        return tuple(p for p in self.item.forbidden if inadmissible(p) is not None)

    @cached_property
    def unmatchable(self) -> tuple[str, ...]:
        """Admissible phrases that cannot match."""
        admissible = (p for p in self.item.forbidden if p not in self.inadmissible)
        return tuple(p for p in admissible if unmatchable(p, self.item.group) is not None)

    @cached_property
    def scored(self) -> tuple[str, ...]:
        """Phrases that are admissible and can match."""
        out = {*self.inadmissible, *self.unmatchable}
        return tuple(p for p in self.item.forbidden if p not in out)

    @cached_property
    def aware(self) -> tuple[str, ...]:
        """Those of them that stand neither in the prompt nor in the required content."""
        item = self.item
        return tuple(p for p in self.scored if query_aware(p, item.prompt, item.required) is None)
