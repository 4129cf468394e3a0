"""Arcs: one timeline, or several that share one memory so that its budget binds."""

from collections.abc import Sequence
from string import ascii_uppercase

from probes.importers.statebench.story import moment
from probes.importers.statebench.telling import Telling, Thread
from probes.importers.statebench.templates import template
from probes.importers.statebench.timelines import Timeline
from probes.scenario import Scenario
from scoring.keys import Key
from simulator.events import Script
from simulator.events.errors import InputError
from simulator.events.seeds import stream

ENVIRONMENT = "conversation"
LABELS = ascii_uppercase
"""Names of the threads of an arc: letters, since no phrase of the data is a single letter."""

MIXED = "statebench"
"""Domain of an arc whose timelines are of several tracks; its probes carry their own."""


def interleave(timelines: Sequence[Timeline], per_arc: int, seed: int) -> list[Scenario]:
    """Return arcs of at most `per_arc` timelines each, sizes differing by one at most.

    Timelines are dealt by the seed, the fullest track first and no track twice in an arc where
    that can be helped. With `per_arc` 1 every timeline is an arc of its own, in the given order.

    Raises:
        InputError: when `per_arc` is not from 1 to 26.
    """
    if not 1 <= per_arc <= len(LABELS):
        raise InputError(
            f"{per_arc} timelines an arc; 1 to {len(LABELS)} can share one", field="per_arc"
        )
    if per_arc == 1:
        return [scenario((timeline,), timeline.id) for timeline in timelines]
    return [
        scenario(group, f"statebench-{number:04d}")
        for number, group in enumerate(_groups(timelines, per_arc, seed), start=1)
    ]


def _groups(timelines: Sequence[Timeline], per_arc: int, seed: int) -> list[tuple[Timeline, ...]]:
    shuffled = list(timelines)
    stream("statebench", seed, "interleave").shuffle(shuffled)
    tracks: dict[str, list[Timeline]] = {}
    for timeline in shuffled:
        tracks.setdefault(timeline.track, []).append(timeline)
    arcs = -(-len(shuffled) // per_arc)
    return [
        _deal(tracks, len(shuffled) // arcs + (number < len(shuffled) % arcs))
        for number in range(arcs)
    ]


def _deal(tracks: dict[str, list[Timeline]], size: int) -> tuple[Timeline, ...]:
    """Take `size` timelines, each from the fullest track that was taken from least."""
    taken = dict.fromkeys(tracks, 0)
    group: list[Timeline] = []
    for _ in range(size):
        track = min(
            (name for name in tracks if tracks[name]),
            key=lambda name: (taken[name], -len(tracks[name]), name),
        )
        taken[track] += 1
        group.append(tracks[track].pop())
    return tuple(group)


def scenario(timelines: Sequence[Timeline], arc: str) -> Scenario:
    """Return the timelines as one arc: a session ends before each question.

    Several timelines start at the same moment, each keeping its own intervals, and every line of
    theirs names its thread, since their questions alone do not say which story they mean.
    """
    shared = len(timelines) > 1
    threads = [
        Thread(timeline, f"[thread {letter}] " if shared else "")
        for letter, timeline in zip(LABELS, timelines, strict=False)
    ]
    telling = Telling()
    for at, order, position in _merged(threads):
        telling.add(at, threads[order], position, shared)
    script = Script(arc=arc, environment=ENVIRONMENT, episodes=tuple(telling.finished))
    return Scenario(script=script, key=_key(arc, timelines, telling))


def _merged(threads: Sequence[Thread]) -> list[tuple[int, int, int]]:
    """Return time, thread and position of every line; ties go to the earlier thread."""
    start = max(thread.start for thread in threads)
    return sorted(
        (moment(item) - thread.start + start, order, position)
        for order, thread in enumerate(threads)
        for position, item in enumerate(thread.story)
    )


def _key(arc: str, timelines: Sequence[Timeline], telling: Telling) -> Key:
    tracks = sorted({timeline.track for timeline in timelines})
    templates = sorted({template(timeline) for timeline in timelines})
    origins = (f"{timeline.file} {timeline.id}" for timeline in timelines)
    return Key(
        arc=arc,
        domain=tracks[0] if len(tracks) == 1 else MIXED,
        cluster=templates[0] if len(templates) == 1 else arc,
        probes=tuple(telling.probes),
        revisions=tuple(telling.revisions),
        origin=f"statebench {', '.join(origins)}",
    )
