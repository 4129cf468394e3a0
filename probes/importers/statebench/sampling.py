"""Samples: a few timelines that cover every track with different questions."""

from collections.abc import Sequence
from dataclasses import dataclass

from probes.importers.statebench.rules import judge
from probes.importers.statebench.templates import template
from probes.importers.statebench.timelines import Timeline
from simulator.events.errors import InputError
from simulator.events.seeds import stream


@dataclass(frozen=True)
class _Candidate:
    timeline: Timeline
    template: str
    scorable: bool


def sample(timelines: Sequence[Timeline], n: int, seed: int) -> list[Timeline]:
    """Return `n` timelines, stratified by track and template, in the order they were given.

    First one of every track, then from the tracks with the fewest; everywhere a template not
    yet taken goes before one that is, and a timeline with a scorable question before one
    without; the seed breaks ties.

    Raises:
        InputError: when `n` is below 1 or above the number of timelines.
    """
    if not 1 <= n <= len(timelines):
        raise InputError(f"{n} of {len(timelines)} timelines cannot be sampled", field="sample")
    left = [_candidate(timeline) for timeline in timelines]
    stream("statebench", seed, "sample").shuffle(left)
    tracks = dict.fromkeys((candidate.timeline.track for candidate in left), 0)
    templates: set[str] = set()
    chosen: set[str] = set()

    def cost(candidate: _Candidate) -> tuple[bool, bool, bool, int]:
        already = tracks[candidate.timeline.track]
        return already > 0, candidate.template in templates, not candidate.scorable, already

    for _ in range(n):
        best = min(left, key=cost)
        left.remove(best)
        tracks[best.timeline.track] += 1
        templates.add(best.template)
        chosen.add(best.timeline.id)
    return [timeline for timeline in timelines if timeline.id in chosen]


def _candidate(timeline: Timeline) -> _Candidate:
    scorable = any(asked.rule is None for asked in judge(timeline))
    return _Candidate(timeline, template(timeline), scorable)
