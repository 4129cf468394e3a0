"""Corrupted versions of clean arcs.

A record comes after what it speaks of and bears a date of its own, from before the arc began: who
goes by the records' dates is not misled, and a stale record after a revision cannot be taken for a
real return of the old value.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from probes.corruption.records import Record, make_record
from probes.corruption.targets import targets
from probes.scenario import Scenario
from scoring.keys import Corrupted, CorruptionKind, CorruptionMode, Key, NotCalledCheck, Probe
from simulator.events import Episode, Script, canonical_json, event_id
from simulator.events.errors import InputError, nearest
from simulator.events.scripted import Decision, Document, Injected, ScriptedEvent
from simulator.events.seeds import stream
from simulator.events.times import DAY, MINUTE, show_date

Corruption = Literal["none"] | CorruptionKind
KINDS: tuple[Corruption, ...] = ("none", *get_args(CorruptionKind))
RATE = 0.3


@dataclass(frozen=True)
class Place:
    """A record with its place.

    Attributes:
        arc: Name of the clean arc.
        kind: What is wrong with the record.
        stratum: Environment and tier; the rate holds in each.
        rank: Records with low ranks are put in first, so a higher rate only adds some.
        record: The record.
        session: Index of its session.
        date: Its own date.
    """

    arc: str
    kind: CorruptionKind
    stratum: tuple[str, str | None]
    rank: float
    record: Record
    session: int
    date: str


def versions(
    clean: Sequence[Scenario],
    kinds: Sequence[Corruption],
    rate: float | None = None,
    seed: int = 0,
    mode: CorruptionMode = "event",
) -> list[Scenario]:
    """Return the clean arcs (`none`) and their corrupted versions, kind after kind.

    Args:
        clean: The clean arcs.
        kinds: What is wrong with the records of each version.
        rate: As in `corrupt`; None is 0.3.
        seed: As in `corrupt`.
        mode: As in `corrupt`.

    Raises:
        InputError: as `corrupt`; also for no kind, one named twice, and a rate without corruption.
    """
    for place, kind in enumerate(kinds):
        if kind not in KINDS:
            raise InputError(f"unknown kind {kind!r}{nearest(kind, KINDS)}", field="corruption")
        if kind in kinds[:place]:
            raise InputError(f"{kind!r} is named twice", field="corruption")
    if not kinds:
        raise InputError("name at least `none`", field="corruption")
    corrupted = [kind for kind in kinds if kind != "none"]
    if not corrupted:
        if rate is not None:
            raise InputError("a rate is for corrupted arcs, and none are asked for", field="rate")
        return list(clean)
    made = list(clean) if "none" in kinds else []
    for kind in corrupted:
        made += corrupt(clean, kind, RATE if rate is None else rate, seed, mode)
    return made


def corrupt(
    scenarios: Sequence[Scenario],
    kind: CorruptionKind,
    rate: float,
    seed: int = 0,
    mode: CorruptionMode = "event",
) -> list[Scenario]:
    """Return a corrupted version of each scenario.

    Of the gold values of each environment and tier that can be corrupted, exactly the share
    `rate`, rounded to whole values, gets a wrong record; which ones and what they say is drawn
    from `seed`. A version that got none is there all the same, for comparisons in pairs.

    Args:
        scenarios: Clean arcs.
        kind: What is wrong with the records.
        rate: The share, from 0 to 1.
        seed: Seed of the draws.
        mode: Whether a record is put before the agent or straight into its memory.

    Raises:
        InputError: for a rate outside [0, 1], or when nothing can be corrupted.
    """
    if not 0 <= rate <= 1:
        raise InputError(f"a rate lies from 0 to 1, not {rate:g}", field="rate")
    strata: dict[tuple[str, str | None], list[Place]] = defaultdict(list)
    for scenario in scenarios:
        for place in _places(scenario, kind, seed):
            strata[place.stratum].append(place)
    if not strata:
        raise InputError("no value that a probe needs can be corrupted", field="corruption")
    chosen: dict[str, list[Place]] = defaultdict(list)
    for found in strata.values():
        for place in sorted(found, key=lambda each: each.rank)[: round(rate * len(found))]:
            chosen[place.arc].append(place)
    told = f"{kind}:{rate:g}" if mode == "event" else f"{kind}:{rate:g}:{mode}"
    suffix = told.replace(f"{rate:g}", f"{100 * rate:g}").replace(":", "-")
    return [_corrupted(one, chosen[one.script.arc], mode, told, suffix) for one in scenarios]


def _places(scenario: Scenario, kind: CorruptionKind, seed: int) -> list[Place]:
    """Return a place for every record that can be made; each has a random stream of its own."""
    begin = min(event.at for event in scenario.script.episodes[0].events)
    taken = canonical_json(scenario.script.model_dump(mode="json"))
    made = []
    for target in targets(scenario):
        purpose = f"corruption {kind} {target.probe.id} {target.gold.name}"
        source = stream(scenario.script.arc, seed, purpose)
        rank, session = source.random(), source.choice(target.sessions)
        date = show_date(begin - source.randrange(30, 300) * DAY)
        record = make_record(scenario, target, kind, taken, source)
        if record is not None:
            taken += f"\n{record.text}"
            stratum = scenario.script.environment, scenario.key.tier
            arc = scenario.script.arc
            made.append(Place(arc, kind, stratum, rank, record, session, date))
    return made


def _corrupted(
    scenario: Scenario, places: Sequence[Place], mode: CorruptionMode, told: str, suffix: str
) -> Scenario:
    script, key = scenario.script, scenario.key
    episodes = list(script.episodes)
    noted: list[Corrupted] = []
    for place in sorted(places, key=lambda each: (each.session, each.rank)):
        episodes[place.session], event = _with_record(episodes[place.session], place, mode)
        noted.append(
            Corrupted(
                event=event,
                kind=place.kind,
                name=place.record.target.gold.name,
                value=place.record.value,
            )
        )
    arc = f"{script.arc}.{suffix}"
    probes = tuple(_without_acting_on(probe, places) for probe in key.probes)
    changed = {"arc": arc, "corruption": told, "clean": script.arc}
    return Scenario(
        script=Script(**_fields(script) | {"arc": arc, "episodes": tuple(episodes)}),
        key=Key(**_fields(key) | {**changed, "corrupted": tuple(noted), "probes": probes}),
    )


def _fields(model: Script | Key) -> dict[str, object]:
    return {name: getattr(model, name) for name in type(model).model_fields}


def _without_acting_on(probe: Probe, places: Sequence[Place]) -> Probe:
    """Return a probe that nobody passes who first acted on a wrong record of its own values."""
    checks = list(probe.checks)
    for place in places:
        target = place.record.target
        if target.probe.id == probe.id:
            wrong = {**target.about, target.gold.name: place.record.value}
            check = NotCalledCheck(tool=target.call.tool, arguments=wrong)
            if check not in checks:
                checks.append(check)
    return probe.model_copy(update={"checks": tuple(checks)})


def _with_record(episode: Episode, place: Place, mode: CorruptionMode) -> tuple[Episode, str]:
    """Return the session with a record at its end, and the record's full id.

    A document comes right before the session's last decision.
    """
    last = max(
        (event for event in episode.events if isinstance(event, Decision)), key=lambda e: e.at
    )
    name = _free_name(episode)
    record = (Document if mode == "event" else Injected)(
        id=name,
        at=max(last.at - MINUTE // 4, 0),
        causes=last.causes,
        title=f"{place.record.source}, {place.date}",
        text=place.record.text,
    )
    causes = (*last.causes, name) if mode == "event" else last.causes
    events: list[ScriptedEvent] = [*episode.events]
    at = events.index(last)
    events[at : at + 1] = [record, last.model_copy(update={"causes": causes})]
    return Episode(id=episode.id, events=tuple(events)), event_id(episode.id, name)


def _free_name(episode: Episode) -> str:
    """Return an id like the others: one that says nothing of what the event means."""
    used = {event.id for event in episode.events}
    number = len(used)
    while f"m{number:02d}" in used:
        number += 1
    return f"m{number:02d}"
