"""Lists of arcs by tier, the same ones for the same settings, and single arcs made anew."""

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from probes.ladder.arcs import build
from probes.ladder.domains import DOMAINS
from probes.ladder.shapes import DEPENDENT, Recipe, Shape, count, shapes
from probes.scenario import Scenario
from scoring.keys import TIERS, Key, Tier
from simulator.events.errors import InputError, nearest

MOST_ARCS = 10_000
MOST_DISTRACTORS = 20

_MISSED = 0.05
"""A share that is missed by as much, and by a probe at least, is said to be."""

_ORIGIN = re.compile(
    r"ladder seed=(?P<seed>-?\d{1,20})(?: dependent=(?P<dependent>[01](?:\.\d{1,20})?))?"
    r"(?: distractors=(?P<distractors>\d{1,2}))?(?: paraphrase=\S+)?"
)


def ladder(
    environment: str,
    seed: int,
    arcs: int,
    tiers: Sequence[Tier] = TIERS,
    *,
    dependent: float = DEPENDENT,
    distractors: int = 0,
    variation: int = 0,
) -> list[Scenario]:
    """Return `arcs` arcs of each tier; a longer list starts with the shorter one's arcs.

    Args:
        environment: Name of an environment that has a ladder.
        seed: Generation seed; equal seeds give equal arcs, in every process.
        arcs: Arcs a tier, from 1 to 10,000.
        tiers: `easy` (one fact), `medium` (two or three facts from as many sessions), `hard` (a
            fact with a history; its five kinds take turns).
        dependent: Share of the sessions that end in a probe, over all arcs and without the
            distractors, as near as the facts that a probe needs beforehand allow; every arc has
            at least one. `shortfalls` says where it is missed.
        distractors: Sessions an arc, beyond the 4 to 6, that state facts nobody will ask for.
        variation: Draws other gold values; everything else of an arc stays as it is.

    Raises:
        InputError: for another environment or tier, no tier, or a number out of range.
    """
    recipes = _recipes(environment, seed, arcs, tiers, dependent, distractors)
    return [
        build(recipe, shape, number, variation)
        for recipe in recipes
        for number, shape in enumerate(itertools.islice(shapes(recipe), arcs), 1)
    ]


def shortfalls(
    environment: str,
    seed: int,
    arcs: int,
    tiers: Sequence[Tier] = TIERS,
    *,
    dependent: float = DEPENDENT,
) -> list[str]:
    """Return a line for each tier whose dependent share is not the wanted one.

    Raises:
        InputError: as `ladder`.
    """
    recipes = _recipes(environment, seed, arcs, tiers, dependent, distractors=0)
    found = [(recipe.tier, *count(recipe, arcs)) for recipe in recipes]
    return [
        f"{probes / sessions:.2f} of the {tier} sessions end in a probe, not {dependent:g}: "
        "every arc has a probe, and every probe its facts in sessions before it"
        for tier, probes, sessions in found
        if abs(probes - dependent * sessions) >= max(1, _MISSED * sessions)
    ]


def varied(key: Key, variation: int) -> Scenario | None:
    """Return the arc of a key with other gold values; None unless a ladder of ours made it.

    A corrupted arc is given back clean.
    """
    found = _ORIGIN.fullmatch(key.origin)
    if found is None or key.tier is None or key.domain not in DOMAINS:
        return None
    name = key.clean or key.arc
    number = name.rpartition("-")[2]
    dependent = float(found["dependent"] or DEPENDENT)
    recipe = Recipe(
        DOMAINS[key.domain],
        key.tier,
        int(found["seed"]),
        dependent,
        int(found["distractors"] or 0),
    )
    if not re.fullmatch(r"\d{3,5}", number) or not 1 <= int(number) <= MOST_ARCS:
        return None
    if recipe.name(int(number)) != name or not 0 < dependent <= 1:
        return None
    shape = _list_of(key.domain, key.tier, recipe.seed, dependent).shape(int(number))
    return build(recipe, shape, int(number), variation)


class _List:
    """The shapes of a list of arcs, worked out as far as they are asked for."""

    def __init__(self, recipe: Recipe) -> None:
        self._rest = shapes(recipe)
        self._made: list[Shape] = []

    def shape(self, number: int) -> Shape:
        missing = max(number - len(self._made), 0)
        self._made.extend(itertools.islice(self._rest, missing))
        return self._made[number - 1]


@lru_cache(maxsize=64)
def _list_of(environment: str, tier: Tier, seed: int, dependent: float) -> _List:
    # The distractors come on top of a shape and do not change it.
    return _List(Recipe(DOMAINS[environment], tier, seed, dependent, distractors=0))


def _recipes(
    environment: str,
    seed: int,
    arcs: int,
    tiers: Sequence[Tier],
    dependent: float,
    distractors: int,
) -> list[Recipe]:
    if environment not in DOMAINS:
        message = f"no ladder for environment {environment!r}{nearest(environment, DOMAINS)}"
        raise InputError(message, field="environment")
    if not 1 <= arcs <= MOST_ARCS:
        raise InputError(f"from 1 to {MOST_ARCS:,} arcs a tier, not {arcs:,}", field="arcs")
    if not 0 < dependent <= 1:
        raise InputError(f"a share lies above 0 and up to 1, not {dependent:g}", field="dependent")
    if not 0 <= distractors <= MOST_DISTRACTORS:
        message = f"from 0 to {MOST_DISTRACTORS} distractors an arc, not {distractors}"
        raise InputError(message, field="distractors")
    domain = DOMAINS[environment]
    return [Recipe(domain, tier, seed, dependent, distractors) for tier in _tiers(tiers)]


def _tiers(tiers: Sequence[Tier]) -> Sequence[Tier]:
    if not tiers:
        raise InputError("at least one tier is needed", field="tiers")
    for place, tier in enumerate(tiers):
        if tier not in TIERS:
            raise InputError(f"unknown tier {tier!r}{nearest(tier, TIERS)}", field="tiers")
        if tier in tiers[:place]:
            raise InputError(f"tier {tier!r} is named twice", field="tiers")
    return tiers
