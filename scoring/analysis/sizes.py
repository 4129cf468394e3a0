"""How many clusters the differences that were seen would need to be found."""

from collections.abc import Sequence

from scoring.analysis.hypotheses import Comparison
from scoring.analysis.verdicts import families
from scoring.power import Needed, needed, observed
from scoring.statistics import Direction


def needed_clusters(made: Sequence[Comparison]) -> dict[int, Needed]:
    """Return for each tested comparison, by its place, the study that it needs; by family."""
    found: dict[int, Needed] = {}
    for family in families(made):
        results = [result for place in family if (result := made[place].result) is not None]
        directions: list[Direction] = [made[place].hypothesis.direction for place in family]
        draw = observed([result.data for result in results])
        found.update(zip(family, needed(draw, directions), strict=True))
    return found
