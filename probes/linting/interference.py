"""Non-interference: what must not change when other gold values are planted."""

from collections.abc import Iterator, Mapping

import jsonpatch

from probes.scenario.structure import Fault, events_by_id, places
from scoring.keys import Key, Probe
from simulator.events import Script, canonical_json, event_id
from simulator.events.scripted import Message

PARAPHRASED = " paraphrase="
"""Stands in the origin of an arc whose sentences a model has written anew."""

_EDITED = "; an arc that was changed by hand has the origin 'authored'"


def shared_values(key: Key, scored: Mapping[int, Probe]) -> Iterator[tuple[int, Fault]]:
    """Yield gold values of a generated arc that another decision forbids, wants or acts with."""
    for number, probe in scored.items():
        for i, gold in enumerate(probe.gold):
            sharing = [
                other.id
                for place, other in enumerate(key.probes)
                if place != number and gold.value in _named(other)
            ]
            if sharing or [each.value for each in probe.gold].count(gold.value) > 1:
                of = ", ".join(sharing) or "another fact"
                message = f"probe {probe.id!r}: {gold.value!r} is a value of {of} too"
                yield number, Fault(f"key.probes.{number}.gold.{i}.value", message)


def _named(probe: Probe) -> set[str]:
    values = {each.value for each in probe.gold} | {each.value for each in probe.forbidden}
    for call in probe.reference.calls if probe.reference else ():
        values |= {value for value in call.arguments.values() if isinstance(value, str)}
    return values


def different_world(script: Script, other: Script) -> Iterator[Fault]:
    """Yield where the initial world depends on the gold values."""
    if canonical_json(script.world) == canonical_json(other.world):
        return
    first = jsonpatch.make_patch(other.world, script.world).patch[0]
    place = first["path"].replace("/", ".")
    message = f"{first['path']} of the world depends on the values that probes want"
    yield Fault(f"script.world{place}", message + _EDITED)


def different_sessions(script: Script, key: Key, other: Script, probe: Probe) -> Iterator[Fault]:
    """Yield what is said in a probe's session, or asked, and depends on the gold values.

    What states one of them is left out, and so is what was put in to mislead.
    """
    stating = {name for each in key.probes for name in _evidence(each)}
    stating |= {each.event for each in key.corrupted}
    episode = next(e for e in script.episodes if e.id == probe.decision.partition("/")[0])
    there = events_by_id(other)
    for event in episode.events:
        name = event_id(episode.id, event.id)
        if name in stating or (isinstance(event, Message) and PARAPHRASED in key.origin):
            continue
        said, elsewhere = event.surface(name, 0), there.get(name)
        if said is None or (elsewhere is not None and elsewhere.surface(name, 0) == said):
            continue
        message = f"what {name!r} says depends on the values that probes want"
        yield Fault(places(script)[name].dotted(), message + _EDITED)


def _evidence(probe: Probe) -> Iterator[str]:
    for gold in probe.gold:
        yield from gold.evidence
    for forbidden in probe.forbidden:
        yield from forbidden.evidence
