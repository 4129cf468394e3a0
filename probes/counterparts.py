"""Counterparts of a task: the same story with one thing changed, to be held against it."""

from collections.abc import Iterator

from probes.scenario import Scenario
from scoring.keys import Key, Probe
from scoring.planting import Counterpart
from simulator.events import Episode, Script, event_id
from simulator.events.scripted import ScriptedEvent


def with_twins(scenario: Scenario) -> list[Scenario]:
    """Return a task and after it the twin of each probe that was planted, in the key's order."""
    planted = [probe for probe in scenario.key.probes if probe.planting is not None]
    return [scenario, *(twin(scenario, probe) for probe in planted)]


def twin(scenario: Scenario, probe: Probe) -> Scenario:
    """Return the same task without the events that plant a probe; its arc is `ARC.without-PROBE`.

    An event that waited for one that is left out waits for what that one waited for. The probe
    stays in the key, for the twin says how often it is passed by chance or by habit.

    Raises:
        ValueError: when the probe was not planted.
    """
    if probe.planting is None:
        raise ValueError(f"probe {probe.id!r} was not planted")
    return _version(scenario, probe, frozenset(probe.planting.events))


def _version(scenario: Scenario, probe: Probe, left_out: frozenset[str]) -> Scenario:
    script, key = scenario.script, scenario.key
    arc = f"{script.arc}.without-{probe.id}"
    episodes = tuple(_episode(each, left_out) for each in script.episodes)
    fields = {name: getattr(key, name) for name in Key.model_fields} | {
        "arc": arc,
        "counterpart": Counterpart(of=script.arc, kind="twin", probe=probe.id),
        "revisions": tuple(each for each in key.revisions if each.event not in left_out),
        "probes": tuple(_without_evidence(each, left_out) for each in key.probes),
    }
    told = {name: getattr(script, name) for name in Script.model_fields}
    return Scenario(script=Script(**told | {"arc": arc, "episodes": episodes}), key=Key(**fields))


def _without_evidence(probe: Probe, left_out: frozenset[str]) -> Probe:
    """Return a probe whose values do not rest on what is left out."""
    update = {
        name: tuple(
            each.model_copy(
                update={"evidence": tuple(e for e in each.evidence if e not in left_out)}
            )
            for each in getattr(probe, name)
        )
        for name in ("gold", "forbidden")
    }
    return probe.model_copy(update=update)


def _episode(episode: Episode, left_out: frozenset[str]) -> Episode:
    gone = {event.id: event for event in episode.events if _named(episode, event) in left_out}
    kept = (event for event in episode.events if event.id not in gone)
    return episode.model_copy(update={"events": tuple(_rewired(each, gone) for each in kept)})


def _named(episode: Episode, event: ScriptedEvent) -> str:
    return event_id(episode.id, event.id)


def _rewired(event: ScriptedEvent, gone: dict[str, ScriptedEvent]) -> ScriptedEvent:
    causes = tuple(dict.fromkeys(_remaining(event, gone)))
    return event if causes == event.causes else event.model_copy(update={"causes": causes})


def _remaining(event: ScriptedEvent, gone: dict[str, ScriptedEvent]) -> Iterator[str]:
    for cause in event.causes:
        if cause in gone:
            yield from _remaining(gone[cause], gone)
        else:
            yield cause
