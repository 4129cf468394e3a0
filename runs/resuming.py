"""Before a run goes on: is it still the run that was begun, and do its events come out again?"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from runs.plan import TrialPlan
from runs.replaying import explain, rerun
from scoring.run import Run
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.recorded import ManifestRecorded
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.replay import Diverged

_SHOWN = 20
"""Differences that a message lists."""

_LONGEST = 100
"""Characters of a value that a message shows."""

_BEFORE = 30
"""Characters shown before the first that differs."""

_FIELDS = ("suite", "arcs", "arms")


def refuse_changed(folder: Path, recorded: ManifestRecorded, now: ManifestRecorded) -> None:
    """Refuse to go on when suite, scenarios, arms, models or embedders are not what they were.

    Of `now`, only arms that still have trials to play need identities.

    Raises:
        InputError: naming each field that changed, with what it was and what it is.
    """
    changed = [
        each
        for field in _FIELDS
        for each in differences(getattr(recorded, field), getattr(now, field), field)
    ]
    for arm in sorted(recorded.identities.keys() & now.identities.keys()):
        place = f"identities.{arm}"
        changed.extend(differences(recorded.identities[arm], now.identities[arm], place))
    if changed:
        what = "this is no longer the run that was begun, so it cannot go on; what changed:"
        raise InputError(_listed(what, changed), file=str(folder))


def changed_packages(recorded: ManifestRecorded, now: ManifestRecorded) -> list[str]:
    """Return a line for each package whose version is not the one that the run began with."""
    return list(differences(recorded.packages, now.packages, "packages"))


def refuse_diverging(run: Run, trials: Sequence[TrialPlan], left: Sequence[TrialPlan]) -> None:
    """Refuse to go on when this code makes other events than the recorded ones.

    Held against the record are all trials that were cut off and, for each arm with trials left
    to play, one of its `trials` that was finished.

    Raises:
        InputError: with the first event that differs.
    """
    cut = [stream.trial for stream in run.log.streams() if not stream.sealed and stream.events]
    cut = [name for name in cut if name != RUN_STREAM]
    for name in [*cut, *_samples(run, trials, left)]:
        try:
            rerun(run, name, whole=name not in cut)
        except Diverged as diverged:
            raise refusal(diverged, run.log) from None


def refusal(diverged: Diverged, log: EventLog) -> InputError:
    """Return why a run cannot go on: the first event that does not come out again."""
    found = explain(diverged, log)
    what = (
        "the run cannot go on, for this code makes other events than the record has; the first is "
        f"event {found.position} of trial {found.trial}:"
    )
    return InputError(
        _listed(what, list(differences(_told(found.recorded), _told(found.replayed), "event")))
    )


def _samples(run: Run, trials: Sequence[TrialPlan], left: Sequence[TrialPlan]) -> list[str]:
    """Return the first finished trial of each arm that has trials left."""
    waiting, sealed = {trial.arm.id for trial in left}, frozenset(run.sealed)
    first = {trial.arm.id: trial.id for trial in reversed(trials) if trial.id in sealed}
    return [name for arm, name in first.items() if arm in waiting]


def _told(event: Json) -> Json:
    """Return an event without its hash, which differs with everything else."""
    return event and {key: value for key, value in event.items() if key != "hash"}


def differences(was: Json, now: Json, place: str) -> Iterator[str]:
    """Yield a line for each value that differs: its dotted place, what it was and what it is."""
    if isinstance(was, list | tuple) and isinstance(now, list | tuple):
        was, now = dict(enumerate(was)), dict(enumerate(now))
    if not (isinstance(was, dict) and isinstance(now, dict)):
        old, new = canonical_json(was), canonical_json(now)
        if old != new:
            start = max(0, len(os.path.commonprefix([old, new])) - _BEFORE)
            yield f"{place}: was {_short(old, start)}, is {_short(new, start)}"
        return
    for key in dict.fromkeys([*was, *now]):
        if key not in now:
            yield f"{place}.{key}: was {_short(canonical_json(was[key]))}, is gone"
        elif key not in was:
            yield f"{place}.{key}: is new, {_short(canonical_json(now[key]))}"
        else:
            yield from differences(was[key], now[key], f"{place}.{key}")


def _short(text: str, start: int = 0) -> str:
    """Return the part of a long value that is worth showing: from just before what differs."""
    if len(text) <= _LONGEST:
        return text
    before, after = "…" if start else "", "…" if len(text) > start + _LONGEST else ""
    return f"{before}{text[start : start + _LONGEST]}{after}"


def _listed(what: str, lines: Sequence[str]) -> str:
    more = [f"and {len(lines) - _SHOWN} more"] if len(lines) > _SHOWN else []
    return "\n  ".join([what, *lines[:_SHOWN], *more])
