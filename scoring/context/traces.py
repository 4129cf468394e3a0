"""Traces: what was found of dropped content, where, and how long after it was dropped."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scoring.context.paths import ANY
from scoring.run import Trial

Measure = Literal["residue", "presentation", "exposure", "derived"]
"""`residue`: still held by a store. `presentation`: shown in a later prompt. `exposure`: used in a
later answer, executed argument or world change. `derived`: a number worked out from a dropped one
was used. Four counts, never mixed."""

SHOWN = 160
"""Characters of an example."""


class Distance(NamedTuple):
    """How far a trace is behind its notice: events, decisions and boundaries between the two."""

    events: int
    decisions: int
    boundaries: int


class Clock:
    """Distances in one trial."""

    def __init__(self, trial: Trial) -> None:
        """Note where decisions and boundaries are."""
        self._decisions = [e.position for e in trial.events if e.kind == "decision"]
        self._boundaries = [e.position for e in trial.events if e.kind == "boundary"]

    def between(self, notice: int, position: int) -> Distance:
        """Return the distance of a position from a notice."""
        return Distance(
            position - notice,
            _within(self._decisions, notice, position),
            _within(self._boundaries, notice, position),
        )


def _within(places: list[int], notice: int, position: int) -> int:
    return max(0, bisect_right(places, position) - bisect_left(places, notice))


class Example(NamedTuple):
    """One trace with its evidence.

    Attributes:
        trial: Name of the trial.
        position: Position of the event that shows it.
        text: What holds the content, cut.
        by: `pedigree`, or `text` where only its words give it away.
    """

    trial: str
    position: int
    text: str
    by: str


@dataclass(frozen=True)
class Tally:
    """Traces of one measure and path in one trial.

    Attributes:
        measure: What is counted.
        path: By which path.
        count: How many things hold it, how many prompts show it, how many acts use it.
        at_notice: Of residues, those that were there right after the notice was carried out.
        nearest: Distance of the first one.
        farthest: Distance of the last one.
        example: The first one.
    """

    measure: Measure
    path: str
    count: int
    at_notice: int
    nearest: Distance
    farthest: Distance
    example: Example


class Tallies:
    """Counts traces; each thing counts once by each path, and once by any."""

    def __init__(self) -> None:
        """Begin without any."""
        self._seen: set[tuple[Measure, str, str]] = set()
        self._found: dict[tuple[Measure, str], Tally] = {}

    def add(
        self,
        measure: Measure,
        path: str,
        thing: str,
        distance: Distance,
        example: Example,
        *,
        at_notice: bool = False,
        within: str | None = None,
    ) -> None:
        """Count a thing; `within` names what counts once for any path, the thing itself if None."""
        self._count(measure, path, thing, distance, example, at_notice)
        self._count(measure, ANY, within or f"{path} {thing}", distance, example, at_notice)

    def _count(
        self,
        measure: Measure,
        path: str,
        thing: str,
        distance: Distance,
        example: Example,
        at_notice: bool,
    ) -> None:
        if (measure, path, thing) in self._seen:
            return
        self._seen.add((measure, path, thing))
        known = self._found.get((measure, path))
        now = int(at_notice)
        if known is None:
            self._found[measure, path] = Tally(measure, path, 1, now, distance, distance, example)
        else:
            self._found[measure, path] = replace(
                known, count=known.count + 1, at_notice=known.at_notice + now, farthest=distance
            )

    def found(self) -> tuple[Tally, ...]:
        """Return all tallies."""
        return tuple(self._found.values())


def total(tallies: Iterable[Tally], measure: Measure) -> int:
    """Return how many traces of a measure there are, whatever their paths."""
    return sum(each.count for each in tallies if (each.measure, each.path) == (measure, ANY))
