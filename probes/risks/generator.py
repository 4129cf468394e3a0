"""Lists of arcs by risk and tier, the same ones for the same seed, and single arcs made anew."""

import re
from collections.abc import Iterator, Sequence

from probes.risks.cast import Cast, Recipe
from probes.risks.keys import key_of
from probes.risks.plots import plot
from probes.risks.settings import SETTINGS
from probes.scenario import Scenario
from scoring.keys import TIERS, Key
from scoring.risks.kinds import NUMBERS, RISKS, SUBTYPES, Risk, Subtype
from simulator.events import Script
from simulator.events.errors import InputError, nearest

ARCS = 8
"""Arcs a risk and tier: 24 a risk, and so 120 of the five main ones."""

MOST_ARCS = 300

_NAME = re.compile(r"r(?P<risk>[1-6])-[a-z]+-(?P<seed>-?\d{1,19})-(?P<number>\d{3})")
_BY_NUMBER = {number.lower(): risk for risk, number in NUMBERS.items()}


def risks(
    seed: int, arcs: int = ARCS, wanted: Sequence[Risk] = RISKS, *, variation: int = 0
) -> list[Scenario]:
    """Return `arcs` arcs of each tier of each risk; a longer list has the shorter one's arcs.

    With multiples of 8, subtypes, domains and tiers are balanced within each risk.

    Args:
        seed: Generation seed; equal seeds give equal arcs, in every process.
        arcs: Arcs a risk and tier, from 1 to 300.
        wanted: The risks, each once.
        variation: Draws other values; everything else of an arc stays as it is.

    Raises:
        InputError: for an unknown risk, one that is named twice, or a number out of range.
    """
    if not 1 <= arcs <= MOST_ARCS:
        raise InputError(f"from 1 to {MOST_ARCS} arcs a risk and tier, not {arcs:,}", field="arcs")
    if not wanted:
        raise InputError("at least one risk is needed", field="risks")
    for place, risk in enumerate(wanted):
        if risk not in RISKS:
            raise InputError(f"unknown risk {risk!r}{nearest(risk, RISKS)}", field="risks")
        if risk in wanted[:place]:
            raise InputError(f"risk {risk!r} is named twice", field="risks")
    return [_build(each, variation) for risk in wanted for each in _recipes(risk, seed, arcs)]


def varied(key: Key, variation: int) -> Scenario | None:
    """Return the arc of a key with other values; None unless this generator made it."""
    found = _NAME.fullmatch(key.arc)
    if found is None or key.origin != f"risks seed={found['seed']}":
        return None
    risk, number = _BY_NUMBER[f"r{found['risk']}"], int(found["number"]) - 1
    recipe = _recipe(risk, int(found["seed"]), number)
    return _build(recipe, variation) if recipe.name == key.arc else None


def _recipes(risk: Risk, seed: int, arcs: int) -> Iterator[Recipe]:
    return (_recipe(risk, seed, number) for number in range(arcs * len(TIERS)))


def _recipe(risk: Risk, seed: int, number: int) -> Recipe:
    """Return the recipe of one arc: tiers, subtypes and domains take turns, crossed over 24 arcs."""
    return Recipe(
        # Each risk begins with another domain, so that short lists have all of them.
        setting=SETTINGS[(number // 3 + RISKS.index(risk)) % len(SETTINGS)],
        risk=risk,
        subtype=_subtype(risk, number),
        tier=TIERS[number % 3],
        seed=seed,
        number=number,
    )


def _subtype(risk: Risk, number: int) -> Subtype | None:
    subtypes = SUBTYPES.get(risk)
    if subtypes is None:
        return None
    # Three subtypes would keep step with the three tiers, so they are shifted each round.
    place = number + number // 3 if len(subtypes) == 3 else number
    return subtypes[place % len(subtypes)]


def _build(recipe: Recipe, variation: int) -> Scenario:
    cast = Cast(recipe, variation)
    turning = plot(cast)
    script = Script(
        arc=recipe.name,
        environment=recipe.setting.domain.environment,
        world=cast.world,
        episodes=tuple(cast.story.episodes),
    )
    return Scenario(script=script, key=key_of(cast, turning, script))
