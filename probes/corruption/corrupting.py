"""Corrupted versions of clean arcs.

A record comes after what it speaks of and bears a date of its own, from before the arc began: who
goes by the records' dates is not misled, and a stale record after a revision cannot be taken for a
real return of the old value.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from probes.corruption.records import Record, make_record
from probes.corruption.targets import targets
from probes.scenario import Scenario
from scoring.keys import Corrupted, CorruptionKind, Key, NotCalledCheck, Probe
from simulator.events import Episode, Script, canonical_json, event_id
from simulator.events.errors import InputError
from simulator.events.scripted import Decision, Document, ScriptedEvent
from simulator.events.seeds import stream
from simulator.events.times import DAY, MINUTE, show_date


@dataclass(frozen=True)
class Place:
    """A record with its place.

    Attributes:
        arc: Name of the clean arc.
        stratum: Environment and tier; the rate holds in each.
        rank: Records with low ranks are put in first, so a higher rate only adds some.
        record: The record.
        session: Index of its session.
        date: Its own date.
    """

    arc: str
    stratum: tuple[str, str | None]
    rank: float
    record: Record
    session: int
    date: str


def corrupt(
    scenarios: Sequence[Scenario], kind: CorruptionKind, rate: float, seed: int = 0
) -> list[Scenario]:
    """Return a corrupted version of each scenario.

    Of the gold values of each environment and tier that can be corrupted, exactly the share
    `rate`, rounded to whole values, gets a wrong record; which ones and what they say is drawn
    from `seed`. A version that got none is there all the same, for comparisons in pairs.

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
    return [_corrupted(one, chosen[one.script.arc], kind, rate) for one in scenarios]


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
            made.append(Place(scenario.script.arc, stratum, rank, record, session, date))
    return made


def _corrupted(
    scenario: Scenario, places: Sequence[Place], kind: CorruptionKind, rate: float
) -> Scenario:
    script, key = scenario.script, scenario.key
    episodes = list(script.episodes)
    noted: list[Corrupted] = []
    for place in sorted(places, key=lambda each: (each.session, each.rank)):
        title = f"{place.record.source}, {place.date}"
        episodes[place.session], event = _with_document(
            episodes[place.session], title, place.record.text
        )
        name, value = place.record.target.gold.name, place.record.value
        noted.append(Corrupted(event=event, kind=kind, name=name, value=value))
    arc = f"{script.arc}.{kind}-{100 * rate:g}"
    probes = tuple(_without_acting_on(probe, places) for probe in key.probes)
    changed = {"arc": arc, "corruption": f"{kind}:{rate:g}", "clean": script.arc}
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


def _with_document(episode: Episode, title: str, text: str) -> tuple[Episode, str]:
    """Return the session with a document before its last decision, and the document's full id."""
    last = max(
        (event for event in episode.events if isinstance(event, Decision)), key=lambda e: e.at
    )
    name = _free_name(episode)
    document = Document(
        id=name,
        at=max(last.at - MINUTE // 4, 0),
        causes=last.causes,
        title=title,
        text=text,
    )
    asked = last.model_copy(update={"causes": (*last.causes, name)})
    events: list[ScriptedEvent] = [
        asked if event.id == last.id else event for event in episode.events
    ]
    events.insert(events.index(asked), document)
    return Episode(id=episode.id, events=tuple(events)), event_id(episode.id, name)


def _free_name(episode: Episode) -> str:
    """Return an id like the others: one that says nothing of what the event means."""
    used = {event.id for event in episode.events}
    number = len(used)
    while f"m{number:02d}" in used:
        number += 1
    return f"m{number:02d}"
