"""What must hold between the parts of a scenario before anything can be played or scored."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import networkx as nx

from scoring.keys import EitherCheck, Key, PlainCheck, Probe, WorldCheck
from scoring.risks.kinds import SUBTYPES
from simulator.events import Episode, Script, event_id
from simulator.events.errors import nearest, shown
from simulator.events.graph import episode_graph, graph_faults
from simulator.events.scripted import Announcement, Decision, ScriptedEvent, is_event

_POINTER = re.compile("(/([^/~]|~[01])*)*")
"""A JSON Pointer (RFC 6901); the empty one is the whole world."""


class Fault(NamedTuple):
    """One thing that is wrong, at a dotted place of the file (`script.episodes.0.events.2.id`)."""

    place: str
    message: str


class Place(NamedTuple):
    """Where an event stands in a script: indices of its episode and of itself."""

    episode: int
    event: int

    def dotted(self, field: str = "") -> str:
        """Return the place in the file, of the event or one of its fields."""
        event = f"script.episodes.{self.episode}.events.{self.event}"
        return f"{event}.{field}" if field else event


def places(script: Script) -> dict[str, Place]:
    """Return where each event (full id) stands; of two with one id, the first."""
    found: dict[str, Place] = {}
    for i, episode in enumerate(script.episodes):
        for j, event in enumerate(episode.events):
            found.setdefault(event_id(episode.id, event.id), Place(i, j))
    return found


def events_by_id(script: Script) -> dict[str, ScriptedEvent]:
    """Return the events by full id."""
    return {
        event_id(episode.id, event.id): event
        for episode in script.episodes
        for event in episode.events
    }


def structure_faults(script: Script, key: Key) -> Iterator[Fault]:
    """Yield what is wrong; what refers to events is looked at only when all graphs are sound."""
    faults = [*_episode_faults(script)]
    yield from faults
    if faults:
        return
    before = Before(script)
    yield from _access_faults(script, before)
    yield from _probe_faults(key, before)
    for i, revision in enumerate(key.revisions):
        yield from _unknown(revision.event, before, f"key.revisions.{i}.event")


class Before:
    """Tells what surely happens before what."""

    def __init__(self, script: Script) -> None:
        self.places = places(script)
        self.events = events_by_id(script)
        self._graphs = [episode_graph(episode) for episode in script.episodes]
        self._causes: dict[str, set[str]] = {}

    def __call__(self, earlier: str, later: str) -> bool:
        """Say whether `earlier` is over before `later`, by episode or by causes."""
        first, second = self.places[earlier], self.places[later]
        if first.episode != second.episode:
            return first.episode < second.episode
        return earlier.partition("/")[2] in self.causes(later)

    def causes(self, name: str) -> set[str]:
        """Return the ids of the events of its session that are over before an event."""
        if name not in self._causes:
            graph = self._graphs[self.places[name].episode]
            self._causes[name] = nx.ancestors(graph, name.partition("/")[2])
        return self._causes[name]


def _episode_faults(script: Script) -> Iterator[Fault]:
    seen = Counter(episode.id for episode in script.episodes)
    for i, episode in enumerate(script.episodes):
        if seen[episode.id] > 1:
            message = f"{seen[episode.id]} episodes have the id {episode.id!r}"
            yield Fault(f"script.episodes.{i}.id", message)
        for fault in graph_faults(episode):
            place = Place(i, _last_place(episode, fault.event)).dotted(fault.field)
            yield Fault(place, f"event {fault.event!r}: {fault.message}")


def _last_place(episode: Episode, name: str) -> int:
    return max(place for place, event in enumerate(episode.events) if event.id == name)


def _access_faults(script: Script, before: Before) -> Iterator[Fault]:
    for name, event in before.events.items():
        if not isinstance(event, Announcement):
            continue
        for k, source in enumerate(event.sources):
            if not is_event(source):
                continue  # a thing of the world, which only the environment knows
            place = before.places[name].dotted(f"sources.{k}")
            yield from _unknown(source, before, place)
            if source in before.events and not before(source, name):
                yield Fault(place, f"{source!r} does not come before {name!r}")


def _probe_faults(key: Key, before: Before) -> Iterator[Fault]:
    ids = Counter(probe.id for probe in key.probes)
    first: dict[str, Probe] = {}
    for i, probe in enumerate(key.probes):
        place = f"key.probes.{i}"
        if ids[probe.id] > 1:
            yield Fault(f"{place}.id", f"{ids[probe.id]} probes have the id {probe.id!r}")
        yield from _shared_faults(probe, first.setdefault(probe.decision, probe), place)
        yield from _decision_faults(probe, key, place, before)
        yield from _planting_faults(probe, place)
        yield from _risk_faults(probe, place)
        yield from _path_faults(probe, place)


def _shared_faults(probe: Probe, first: Probe, place: str) -> Iterator[Fault]:
    """Yield what keeps two probes from testing one decision: it has one right way to act."""
    if probe is first:
        return
    if not (probe.in_context and first.in_context):
        message = f"several probes test {probe.decision!r}, and not all are of the context track"
        yield Fault(f"{place}.decision", message)
    elif probe.reference != first.reference:
        message = f"probes {first.id!r} and {probe.id!r} test one decision by two references"
        yield Fault(f"{place}.reference", message)


def _planting_faults(probe: Probe, place: str) -> Iterator[Fault]:
    """Yield what does not go together: a kind of probe, its planting and `dependent`."""
    wants = probe.in_context and probe.kind != "task"
    if wants and probe.planting is None:
        message = f"probe {probe.id!r} is a {probe.kind}, so it needs a `planting`"
        yield Fault(f"{place}.kind", message)
    if probe.planting is not None and not wants:
        message = f"probe {probe.id!r} is of kind {probe.kind!r}, which plants nothing"
        yield Fault(f"{place}.planting", message)
    if probe.in_context and probe.dependent:
        message = f"probe {probe.id!r}: of kind {probe.kind!r}, its twin says what it depends on"
        yield Fault(f"{place}.dependent", message)


def _risk_faults(probe: Probe, place: str) -> Iterator[Fault]:
    """Yield what does not go together: a risk, its subtype, and what its scoring rests on."""
    if probe.risk is None:
        if probe.subtype is not None:
            yield Fault(f"{place}.subtype", f"probe {probe.id!r} has a subtype of no risk")
        return
    if probe.in_context:
        message = f"probe {probe.id!r} is of the context track, so it tests no risk of the other"
        yield Fault(f"{place}.risk", message)
    known = SUBTYPES.get(probe.risk, ())
    if known and probe.subtype not in known:
        message = f"probe {probe.id!r}: {probe.risk} has the subtypes {', '.join(known)}"
        yield Fault(f"{place}.subtype", message)
    elif not known and probe.subtype is not None:
        yield Fault(f"{place}.subtype", f"probe {probe.id!r}: {probe.risk} has no subtypes")
    if probe.risk == "contamination" and not any(each.evidence for each in probe.forbidden):
        message = f"probe {probe.id!r}: no forbidden value says which source is contaminated"
        yield Fault(f"{place}.forbidden", message)


def _path_faults(probe: Probe, place: str) -> Iterator[Fault]:
    """Yield paths that no scorer could follow, before a run is played for them."""
    for inner, check in plain_checks(probe):
        if isinstance(check, WorldCheck) and not _POINTER.fullmatch(check.path):
            message = f"{shown(check.path)} is no JSON Pointer, such as /orders/O-2210/address"
            yield Fault(f"{place}.{inner}.path", message)


def plain_checks(probe: Probe) -> Iterator[tuple[str, PlainCheck]]:
    """Yield the checks of a probe with their places in it, alternatives one by one."""
    for i, check in enumerate(probe.checks):
        if isinstance(check, EitherCheck):
            yield from ((f"checks.{i}.of.{j}", each) for j, each in enumerate(check.of))
        else:
            yield f"checks.{i}", check


def _decision_faults(probe: Probe, key: Key, place: str, before: Before) -> Iterator[Fault]:
    known = [name for name, event in before.events.items() if isinstance(event, Decision)]
    if probe.decision not in known:
        message = f"there is no decision {probe.decision!r}{nearest(probe.decision, known)}"
        yield Fault(f"{place}.decision", message)
        return
    named = [*_evidence(probe, place)]
    if not is_unplanted(probe, key):
        named += _planted(probe, place)
    for where, source in named:
        yield from _unknown(source, before, where)
        if source in before.events and not before(source, probe.decision):
            what = "planting" if ".planting." in where else "evidence"
            message = f"probe {probe.id!r} at {probe.decision!r}: its {what} {source!r}"
            yield Fault(where, f"{message} does not come before it")


def _evidence(probe: Probe, place: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the event id of everything a probe names as evidence."""
    for j, gold in enumerate(probe.gold):
        for k, source in enumerate(gold.evidence):
            yield f"{place}.gold.{j}.evidence.{k}", source
    for j, forbidden in enumerate(probe.forbidden):
        for k, source in enumerate(forbidden.evidence):
            yield f"{place}.forbidden.{j}.evidence.{k}", source


def _planted(probe: Probe, place: str) -> Iterator[tuple[str, str]]:
    planting = probe.planting
    if planting is None:
        return
    for k, source in enumerate(planting.events):
        yield f"{place}.planting.events.{k}", source
    for k, source in enumerate(planting.sources):
        if is_event(source):  # a thing of the world is the environment's to know
            yield f"{place}.planting.sources.{k}", source


def is_unplanted(probe: Probe, key: Key) -> bool:
    """Return whether an arc is the probe's twin, which lacks the events that plant it."""
    other = key.counterpart
    return other is not None and other.kind == "twin" and other.probe == probe.id


def _unknown(name: str, before: Before, place: str) -> Iterator[Fault]:
    if name not in before.events:
        message = f"there is no event {name!r}{nearest(name, before.events)}"
        yield Fault(place, message)
