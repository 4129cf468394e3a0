"""The shapes of a list of arcs: how many sessions each has, and what its probes will need.

They are settled one after another for the whole list, before anything is named or said: so the
histories take turns over all arcs, and what one arc could not hold of the dependent share falls to
the arcs after it. A longer list begins with the shorter one's shapes.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from probes.ladder.domain import Domain
from probes.ladder.phrasing import Act
from scoring.keys import History, Tier
from simulator.events.seeds import stream

LENGTHS = (4, 5, 6)
"""Episodes of an arc without its distractors, each length as likely as any other."""

STEPS: dict[History, tuple[Act, ...]] = {
    "revised": ("state", "revise"),
    "revised_twice": ("state", "revise", "revise"),
    "returned": ("state", "revise", "restore"),
    "late_report": ("state_dated", "report_late"),
    "past_mention": ("state", "revise", "recall_past"),
}
"""What is said of a revised value, in this order and in sessions of their own."""

HISTORIES = tuple(STEPS)
DEPENDENT = 0.4
"""Share of dependent episodes in MERIT's hard tier: 20 of 50."""

COMPOSED = (2, 3)
"""How many facts a medium probe may need."""

Need = History | int
"""What a probe needs: a fact with a history, or so many facts."""


@dataclass(frozen=True)
class Recipe:
    """What the arcs of one tier are like.

    Attributes:
        domain: The domain.
        tier: `easy` (one fact), `medium` (two or three facts from as many sessions), `hard` (a
            fact with a history).
        seed: Generation seed.
        dependent: Share of the 4 to 6 sessions that end in a probe, over a list of arcs.
        distractors: Sessions, beyond the 4 to 6, that speak of facts nobody will ask for.
    """

    domain: Domain
    tier: Tier
    seed: int
    dependent: float
    distractors: int

    @property
    def origin(self) -> str:
        """What a key says of where its arc comes from; it can be made again by it."""
        told = [f"ladder seed={self.seed}"]
        if self.dependent != DEPENDENT:
            told.append(f"dependent={Decimal(repr(self.dependent)):f}")
        if self.distractors:
            told.append(f"distractors={self.distractors}")
        return " ".join(told)

    def name(self, number: int) -> str:
        """Return the name of the arc with this number, counted from 1."""
        return f"ladder-{self.domain.environment}-{self.tier}-{self.seed}-{number:03d}"


@dataclass(frozen=True)
class Shape:
    """The shape of one arc.

    Attributes:
        length: Its sessions, distractors left out.
        needs: What each of its probes needs.
    """

    length: int
    needs: tuple[Need, ...]


def steps(need: Need) -> int:
    """Return how many sessions before the probe a need takes."""
    return need if isinstance(need, int) else len(STEPS[need])


def shapes(recipe: Recipe) -> Iterator[Shape]:
    """Yield the shapes of the arcs in their order, without an end.

    An arc has at least one probe, and no more than find room behind their facts.
    """
    sessions = probes = 0
    for number in itertools.count(1):
        source = stream(recipe.name(number), recipe.seed, "shape")
        length = source.choice(LENGTHS)
        sessions += length
        wanted = max(1, min(round(recipe.dependent * sessions) - probes, length))
        # So many probes came before: the histories go on where they stopped.
        needs = [_need(recipe, probes + more, source) for more in range(wanted)]
        made = Shape(length, tuple(needs[: _fitting(needs, length)]))
        probes += len(made.needs)
        yield made


def share(recipe: Recipe, arcs: int) -> float:
    """Return the share of sessions that end in a probe, over the first arcs, distractors left out."""
    made = list(itertools.islice(shapes(recipe), arcs))
    return sum(len(each.needs) for each in made) / sum(each.length for each in made)


def _need(recipe: Recipe, turn: int, source: Random) -> Need:
    if recipe.tier == "hard":
        return HISTORIES[turn % len(HISTORIES)]
    if recipe.tier == "easy":
        return 1
    return source.choice([number for number in COMPOSED if recipe.domain.tasks_of(number)])


def _fitting(needs: Sequence[Need], length: int) -> int:
    """Return how many of the first needs find room for their probes behind their facts.

    The probe with the most facts may take the last place, the next one the last but one, …
    """
    for count in range(len(needs), 1, -1):
        tried = sorted(map(steps, needs[:count]), reverse=True)
        if all(facts < length - late for late, facts in enumerate(tried)):
            return count
    return 1
