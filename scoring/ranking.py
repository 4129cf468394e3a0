"""Ranks and tie groups of the arms of one cell."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from scoring.contrasts import verdict
from scoring.statistics import Unit, holm, paired

Units = Mapping[Hashable, Unit]
"""Instance, such as (arc, probe, seed), to its unit; 1 is good and 0 is bad."""


class Place(NamedTuple):
    """Where an arm stands among the arms of its cell.

    Attributes:
        rank: 1 is best; arms of one rate share a rank. None where arms are not ranked.
        tie_group: Number of its tie group, from 1; None likewise.
    """

    rank: int | None
    tie_group: int | None


def places(arms: Sequence[Units]) -> list[Place]:
    """Return the place of each arm by the mean of its units; each arm has at least one.

    All pairs of arms are tested, with Holm's correction within the cell. From the best arm down,
    an arm joins the tie group of the arm that leads it as long as the two are a tie.
    """
    means = [sum(unit.value for unit in units.values()) / len(units) for units in arms]
    order = sorted(range(len(arms)), key=lambda at: -means[at])
    groups = _groups(order, _ties(arms))
    return [
        Place(1 + sum(mean > mine for mean in means), groups[at]) for at, mine in enumerate(means)
    ]


def _groups(order: Sequence[int], ties: Mapping[frozenset[int], bool]) -> dict[int, int]:
    groups: dict[int, int] = {}
    leader = -1
    for at in order:
        if leader >= 0 and ties[frozenset((leader, at))]:
            groups[at] = groups[leader]
        else:
            groups[at] = groups.get(leader, 0) + 1
            leader = at
    return groups


def _ties(arms: Sequence[Units]) -> dict[frozenset[int], bool]:
    pairs = list(combinations(range(len(arms)), 2))
    results = [paired(arms[one], arms[other]) for one, other in pairs]
    # Arms that share no decision cannot be told apart.
    adjusted = holm([1.0 if each is None else each.p for each in results])
    return {
        frozenset(pair): each is None or verdict(each, p) == "tie"
        for pair, each, p in zip(pairs, results, adjusted, strict=True)
    }
