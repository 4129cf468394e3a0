"""Grants: what is given back must be told in full, and what a probe tests must not be given back."""

from collections.abc import Iterator

from probes.linting.announcing import covered
from probes.scenario.structure import Before, Fault
from scoring.keys import Probe
from simulator.effects.environment import Environment
from simulator.events import Script
from simulator.events.scripted import AccessGranted, AccessWithdrawn, Announcement, is_event


def forgotten_faults(probe: Probe, before: Before) -> Iterator[Fault]:
    """Yield withdrawn values that an event states which nothing withdraws.

    Forgetting goes by the events that an announcement names: a read that the script tells stands
    for itself alone. Places are relative to the probe.
    """
    planting = probe.planting
    if planting is None or not planting.sources:
        return
    for i, each in probe.withdrawn:
        for k, event in enumerate(each.evidence):
            if event in before.events and event not in planting.sources:
                message = (
                    f"probe {probe.id!r}: event {event!r} states {each.value!r}, and no source of "
                    "its planting names it, so it is not forgotten"
                )
                yield Fault(f"forbidden.{i}.evidence.{k}", message)


def regranted_faults(
    probe: Probe, script: Script, before: Before, environment: Environment
) -> Iterator[Fault]:
    """Yield that what a probe says was withdrawn is given back before its decision."""
    planting = probe.planting
    if planting is None or probe.kind != "revocation":
        return
    withdrawn = [before.events[name] for name in planting.events if name in before.events]
    named = {
        source
        for event in withdrawn
        if isinstance(event, AccessWithdrawn)
        for source in _named(event, script, environment)
    }
    for name, event in before.events.items():
        if not isinstance(event, AccessGranted) or not before(name, probe.decision):
            continue
        if not any(before(first, name) for first in planting.events if first in before.events):
            continue
        back = named & _named(event, script, environment)
        if back:
            some = "" if back == named else "a part of "
            message = f"event {name!r} gives {some}it back before its decision"
            yield Fault("planting.events", f"probe {probe.id!r}: {message}, so it tests nothing")


def granting_faults(script: Script, before: Before, environment: Environment) -> Iterator[Fault]:
    """Yield events that were withdrawn with something and stay so when that is given back."""
    for name, grant in before.events.items():
        if not isinstance(grant, AccessGranted):
            continue
        given = _named(grant, script, environment)
        for first, event in before.events.items():
            if not isinstance(event, AccessWithdrawn) or not before(first, name):
                continue
            things = set(covered(event, script, environment))
            left = [source for source in event.sources if is_event(source) and source not in given]
            if things and things <= given and left:
                message = (
                    f"event {name!r} gives back what {first!r} withdrew, but not {left[0]!r}, which "
                    "stays withdrawn"
                )
                yield Fault(before.places[name].dotted("sources"), message)


def _named(event: Announcement, script: Script, environment: Environment) -> set[str]:
    return {*event.sources, *covered(event, script, environment)}
