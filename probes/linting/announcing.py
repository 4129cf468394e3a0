"""Announcements: is what a probe says was withdrawn or deleted announced, and nothing of it wanted?"""

from collections.abc import Iterator, Mapping

from probes.scenario.structure import Before, Fault, is_unplanted, plain_checks
from scoring.keys import CitesCheck, Key, Probe, QuotesCheck
from simulator.effects.environment import Environment, Hearing
from simulator.events import Script
from simulator.events.errors import InputError, nearest
from simulator.events.scripted import (
    AccessGranted,
    AccessWithdrawn,
    Announcement,
    DocumentDeleted,
    Notice,
)

_ANNOUNCED: Mapping[str, tuple[type[Announcement], str]] = {
    "revocation": (AccessWithdrawn, "withdraws access to anything"),
    "deletion": (DocumentDeleted, "deletes anything"),
}


def planting_faults(probe: Probe, key: Key, before: Before) -> Iterator[Fault]:
    """Yield what a probe's planting says and its events do not; places are relative to the probe."""
    planting = probe.planting
    if planting is None or is_unplanted(probe, key):
        return
    events = [before.events[name] for name in planting.events]
    if probe.kind in _ANNOUNCED:
        kind, what = _ANNOUNCED[probe.kind]
        if not any(isinstance(event, kind) for event in events):
            message = f"probe {probe.id!r} is a {probe.kind}, and no event that plants it {what}"
            yield Fault("planting.events", message)
    named = {s for event in events if isinstance(event, Announcement) for s in event.sources}
    for k, source in enumerate(planting.sources):
        if source not in named:
            message = f"no event that plants it is about {source!r}{nearest(source, named)}"
            yield Fault(f"planting.sources.{k}", f"probe {probe.id!r}: {message}")


def closed_faults(
    probe: Probe, script: Script, before: Before, environment: Environment
) -> Iterator[Fault]:
    """Yield what a probe wants cited or quoted though nobody may use it at its decision."""
    closed = _closed(probe.decision, script, before, environment)
    for place, check in plain_checks(probe):
        if isinstance(check, CitesCheck | QuotesCheck) and check.source in closed:
            wanted = "cited" if isinstance(check, CitesCheck) else "quoted"
            message = f"wants {check.source} {wanted}, which is {closed[check.source]} by then"
            yield Fault(f"{place}.source", f"probe {probe.id!r} {message}")


def _closed(
    decision: str, script: Script, before: Before, environment: Environment
) -> dict[str, str]:
    """Return what is withdrawn or deleted before a decision, with the word for it."""
    closed: dict[str, str] = {}
    for name, event in before.events.items():
        if not isinstance(event, Announcement) or not before(name, decision):
            continue
        for thing in covered(event, script, environment):
            if isinstance(event, DocumentDeleted):
                closed[thing] = "deleted"
            elif isinstance(event, AccessWithdrawn):
                closed.setdefault(thing, "withdrawn")
            elif isinstance(event, AccessGranted) and closed.get(thing) == "withdrawn":
                del closed[thing]
    return closed


def covered(event: Announcement, script: Script, environment: Environment) -> tuple[str, ...]:
    """Return the things of the world that an announcement is about, parts of documents included."""
    return with_parts(event.things, event.notice, event.at, script, environment)


def with_parts(
    things: tuple[str, ...],
    notice: Notice,
    at: int,
    script: Script,
    environment: Environment | None,
) -> tuple[str, ...]:
    """Return things of the initial world and their parts, as an announcement at `at` covers them."""
    if not things or not isinstance(environment, Hearing):
        return things
    try:
        return environment.announced(script.world, notice, things, at).things
    except InputError:
        return things  # what it is about is for the check of the world to refuse
