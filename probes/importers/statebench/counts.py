"""Counts: what became of the questions, in all and by track; what is set aside is never hidden."""

from collections import Counter
from collections.abc import Sequence

from probes.importers.statebench.rules import judge
from probes.importers.statebench.templates import template
from probes.importers.statebench.timelines import Timeline
from simulator.events import Frozen


class Counts(Frozen):
    """Counts of some timelines.

    Attributes:
        timelines: Timelines.
        templates: Distinct templates among them, which intervals resample.
        queries: Their questions; those below add up to it.
        scorable: Questions that are scored.
        excluded: Rule to number of questions that it excludes as unfair or contradictory.
        not_scorable: Rule to number of questions that show nothing when passed.
    """

    timelines: int
    templates: int
    queries: int
    scorable: int
    excluded: dict[str, int]
    not_scorable: dict[str, int]


class Summary(Counts):
    """Counts of an import.

    Attributes:
        arcs: Scenarios made, one file each.
        tracks: Track to its counts.
    """

    arcs: int
    tracks: dict[str, Counts]


def summarize(timelines: Sequence[Timeline], arcs: int) -> Summary:
    """Return the counts of the timelines, in all and by track in order of name."""
    by_track: dict[str, list[Timeline]] = {}
    for timeline in timelines:
        by_track.setdefault(timeline.track, []).append(timeline)
    tracks = {track: count(by_track[track]) for track in sorted(by_track)}
    return Summary(arcs=arcs, tracks=tracks, **count(timelines).model_dump())


def count(timelines: Sequence[Timeline]) -> Counts:
    """Return the counts of the timelines; each question counts under one rule at most."""
    rules = Counter(asked.rule for timeline in timelines for asked in judge(timeline))
    met = [(rule, n) for rule, n in rules.items() if rule is not None]
    return Counts(
        timelines=len(timelines),
        templates=len({template(timeline) for timeline in timelines}),
        queries=rules.total(),
        scorable=rules[None],
        excluded={rule.value: n for rule, n in sorted(met) if rule.excludes},
        not_scorable={rule.value: n for rule, n in sorted(met) if not rule.excludes},
    )
