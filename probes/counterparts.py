"""Counterparts of a task: the same story with one thing changed, to be held against it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from probes.fillers import filler, other_value
from probes.linting.permitted import open_numbers
from probes.scenario import Scenario
from probes.scenario.structure import Before
from scoring.context.derived import derivations, numbers
from scoring.keys import Check, Key, Probe, Revision
from scoring.matching import occurrences
from scoring.planting import Counterpart, CounterpartKind
from simulator.engine.parts import make_environment
from simulator.events import Episode, Json, Script, event_id
from simulator.events.errors import InputError
from simulator.events.nested import leaves
from simulator.events.scripted import ScriptedEvent, is_event


def with_twins(scenario: Scenario) -> list[Scenario]:
    """Return a task and after it the twin of each probe that was planted, in the key's order."""
    planted = [probe for probe in scenario.key.probes if probe.planting is not None]
    return [scenario, *(twin(scenario, probe) for probe in planted)]


def twin(scenario: Scenario, probe: Probe) -> Scenario:
    """Return the same task without the events that plant a probe; its arc is `ARC.twin-PROBE`.

    An event that waited for one that is left out waits for what that one waited for, and a session
    in which nothing else happens is left out too. The probe
    stays in the key, for the twin says how often it is passed by chance or by habit.

    Raises:
        ValueError: when the probe was not planted.
    """
    if probe.planting is None:
        raise ValueError(f"probe {probe.id!r} was not planted")
    left_out = frozenset(probe.planting.events)
    return _changed(
        scenario,
        Counterpart(of=scenario.script.arc, kind="twin", probe=probe.id),
        _Change(
            episode=lambda episode: _without(episode, left_out),
            probe=lambda each: _without_evidence(each, left_out),
            revision=lambda each: each.event not in left_out,
        ),
    )


def with_influence(scenario: Scenario) -> list[Scenario]:
    """Return, for each probe of withdrawn values, the three counterparts without them.

    `swap` has other values of the same form in the withdrawn content, so that what goes on to
    differ was moved by it. `absent` has talk of the same length in its place, and `filler` other
    talk: how these two differ is the noise that no content explains.

    Raises:
        InputError: with the field of the key, when no other value can stand in the place of one.
    """
    return [made for probe in moving(scenario.key) for made in moved(scenario, probe)]


def moving(key: Key) -> list[Probe]:
    """Return the probes of withdrawn values: others can stand in the place of what they forbid."""
    return [probe for probe in key.probes if probe.kind == "revocation" and probe.withdrawn]


def swaps(scenario: Scenario, probe: Probe) -> dict[str, str]:
    """Return each withdrawn value with the one that stands in its place in the `swap` counterpart.

    No number of the other one follows from those that may be used either. What is a part of a longer
    value becomes that part of the other one.

    Raises:
        InputError: with the field of the key, when no other value can stand in the place of one.
    """
    texts = [text for text in _texts(scenario) if text]
    script = scenario.script
    withdrawn = [each for each in scenario.key.probes if each.kind == "revocation"]
    environment = make_environment(script.environment)
    known = derivations((), open_numbers(script, withdrawn, Before(script), environment))

    def secret(value: str) -> bool:
        return not any(known.follows(number) for number in numbers(value))

    found: dict[str, str] = {}
    for number, each in sorted(probe.withdrawn, key=lambda entry: -len(entry[1].value)):
        taken, field = [*texts, *found.values()], _field(scenario, probe, number)
        other = _part(each.value, found) or _other(each.value, taken, secret, field)
        found[each.value] = other
    return found


def _part(value: str, found: Mapping[str, str]) -> str | None:
    """Return what stands in the place of a value that is a part of a longer one; it is as long."""
    parts = (
        other[span.start : span.end]
        for longer, other in found.items()
        for span in occurrences(value, longer)
    )
    return next(parts, None)


def _other(value: str, taken: Sequence[str], secret: Callable[[str], bool], field: str) -> str:
    try:
        return other_value(value, taken, secret)
    except InputError as error:
        raise InputError(error.message, field=field) from None


def _field(scenario: Scenario, probe: Probe, number: int) -> str:
    return f"key.probes.{scenario.key.probes.index(probe)}.forbidden.{number}.value"


def moved(scenario: Scenario, probe: Probe) -> Iterator[Scenario]:
    """Yield the counterparts of one probe of withdrawn values, as `with_influence` does.

    Raises:
        InputError: as `with_influence`.
    """
    exchanged = swaps(scenario, probe)

    def swapped(text: str) -> str:
        return _exchanged(text, exchanged)

    def talk(number: int) -> Callable[[str], str]:
        return lambda text: filler(text, number)

    yield _rewritten(scenario, probe, "swap", swapped, exchanged)
    yield _rewritten(scenario, probe, "absent", talk(0), {})
    yield _rewritten(scenario, probe, "filler", talk(1), {})


def _rewritten(
    scenario: Scenario,
    probe: Probe,
    kind: CounterpartKind,
    say: Callable[[str], str],
    exchanged: Mapping[str, str],
) -> Scenario:
    """Return a task with the withdrawn content in other words, in its events and in the world."""
    assert probe.planting is not None
    sources = frozenset(filter(is_event, probe.planting.sources))
    values = [each.value for _, each in probe.withdrawn]

    def world(value: Json) -> Json:
        if isinstance(value, dict):
            return {name: world(each) for name, each in value.items()}
        if isinstance(value, list):
            return [world(each) for each in value]
        held = isinstance(value, str) and any(occurrences(each, value) for each in values)
        return say(value) if held else value

    def rested(each: Probe) -> Probe:
        if each.id != probe.id:
            return each
        return _exchanged_probe(each, exchanged) if exchanged else _unsaid(each)

    return _changed(
        scenario,
        Counterpart(of=scenario.script.arc, kind=kind, probe=probe.id),
        _Change(
            episode=lambda episode: _said(episode, sources, say),
            probe=rested,
            revision=lambda each: True,
            world=world,
        ),
    )


@dataclass(frozen=True)
class _Change:
    """What a counterpart makes other of each part of a task."""

    episode: Callable[[Episode], Episode]
    probe: Callable[[Probe], Probe]
    revision: Callable[[Revision], bool]
    world: Callable[[Json], Json] = lambda world: world


def _changed(scenario: Scenario, made: Counterpart, change: _Change) -> Scenario:
    script, key = scenario.script, scenario.key
    arc = f"{script.arc}.{made.kind}-{made.probe}"
    meaning = _fields(key) | {
        "arc": arc,
        "counterpart": made,
        "revisions": tuple(filter(change.revision, key.revisions)),
        "probes": tuple(map(change.probe, key.probes)),
    }
    told = _fields(script) | {
        "arc": arc,
        "episodes": tuple(each for each in map(change.episode, script.episodes) if each.events),
        "world": change.world(script.world),
    }
    # Built anew, since a copy would keep the hash of the old one.
    return Scenario(script=Script(**told), key=Key(**meaning))


def _fields(model: Script | Key) -> dict[str, Any]:
    return {name: getattr(model, name) for name in type(model).model_fields}


def _texts(scenario: Scenario) -> Iterator[str]:
    yield from (str(leaf) for leaf in leaves(scenario.script.model_dump(mode="json")))
    yield from (str(leaf) for leaf in leaves(scenario.key.model_dump(mode="json")))


def _exchanged(text: str, values: Mapping[str, str]) -> str:
    spots = sorted((span, new) for old, new in values.items() for span in occurrences(old, text))
    for span, new in reversed(spots):
        text = text[: span.start] + new + text[span.end :]
    return text


def _exchanged_probe(probe: Probe, values: Mapping[str, str]) -> Probe:
    forbidden = tuple(
        each.model_copy(update={"value": values.get(each.value, each.value)})
        for each in probe.forbidden
    )
    checks = tuple(_exchanged_check(check, values) for check in probe.checks)
    return probe.model_copy(update={"forbidden": forbidden, "checks": checks})


def _exchanged_check(check: Check, values: Mapping[str, str]) -> Check:
    if check.check != "never_says":
        return check
    return check.model_copy(update={"phrase": values.get(check.phrase, check.phrase)})


def _unsaid(probe: Probe) -> Probe:
    """Return a probe whose forbidden values nothing states any more."""
    forbidden = tuple(each.model_copy(update={"evidence": ()}) for each in probe.forbidden)
    return probe.model_copy(update={"forbidden": forbidden})


def _said(episode: Episode, sources: frozenset[str], say: Callable[[str], str]) -> Episode:
    def other(event: ScriptedEvent) -> ScriptedEvent:
        if _named(episode, event) not in sources or not hasattr(event, "text"):
            return event
        return event.model_copy(update={"text": say(event.text)})

    return episode.model_copy(update={"events": tuple(map(other, episode.events))})


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


def _without(episode: Episode, left_out: frozenset[str]) -> Episode:
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
