"""Lint: is a scenario sound, and does its key mean what it says?

The last clause is settled by the scorer itself: the reference must pass every check, and doing
nothing must fail.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from probes.linting.leaks import leak_faults
from probes.linting.rehearsal import rehearse
from probes.scenario import Loaded, Scenario, load, scenario_files
from probes.scenario.structure import Before, Fault, structure_faults
from scoring.keys import Key, Probe
from scoring.matching import occurrences
from simulator.effects.environment import Environment
from simulator.effects.registry import lookup
from simulator.events import Script
from simulator.events.errors import InputError

Source = str | Path | Scenario

_ACTS = frozenset({"world", "called"})


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scenario.

    Attributes:
        file: The file as it was named; for a scenario that is in no file, its arc.
        line: Line, counted from 1, where it is known.
        field: Dotted place in the file, where it is known.
        message: What is wrong, one sentence.
        invalid: True when the scenario cannot be played or scored at all (every command refuses
            it); False when it can, and would mean something else than it says.
    """

    file: str
    line: int | None
    field: str | None
    message: str
    invalid: bool


def lint(sources: Sequence[Source]) -> list[Problem]:
    """Return the problems of scenarios, files and folders, in the order given.

    Raises:
        InputError: when a folder is missing or holds no scenario.
    """
    problems: list[Problem] = []
    arcs: dict[str, str] = {}
    for source in _each(sources):
        try:
            loaded = _loaded(source)
        except InputError as error:
            file = error.file or str(source)
            problems.append(Problem(file, error.line, error.field, error.message, invalid=True))
            continue
        problems.extend(_same_arc(loaded, arcs))
        problems.extend(_problems(loaded))
    return problems


def _each(sources: Sequence[Source]) -> Iterator[Source]:
    for source in sources:
        if not isinstance(source, Scenario) and Path(source).is_dir():
            yield from scenario_files(source)
        else:
            yield source


def _loaded(source: Source) -> Loaded:
    if isinstance(source, Scenario):
        return Loaded(source, source.script.arc, {})
    return load(source)


def _same_arc(loaded: Loaded, arcs: dict[str, str]) -> Iterator[Problem]:
    arc = loaded.scenario.script.arc
    if arc in arcs:
        fault = Fault("script.arc", f"arc {arc!r} stands in {arcs[arc]} too")
        yield _problem(loaded, fault, invalid=True)
    arcs.setdefault(arc, loaded.file)


def _problems(loaded: Loaded) -> Iterator[Problem]:
    script, key = loaded.scenario.script, loaded.scenario.key
    faults = [*structure_faults(script, key)]
    if faults:
        yield from (_problem(loaded, fault, invalid=True) for fault in faults)
        return
    environment = None
    try:
        environment = _environment(script)
    except InputError as error:
        place = f"script.{error.field or 'environment'}"
        yield _problem(loaded, Fault(place, error.message), invalid=True)
    for fault in _meaning_faults(script, key, environment):
        yield _problem(loaded, fault, invalid=False)


def _problem(loaded: Loaded, fault: Fault, *, invalid: bool) -> Problem:
    return Problem(loaded.file, loaded.line(fault.place), fault.place, fault.message, invalid)


def _environment(script: Script) -> Environment:
    environment: Environment = lookup("environment", script.environment)()
    environment.check_world(script.world)
    return environment


def _meaning_faults(script: Script, key: Key, environment: Environment | None) -> Iterator[Fault]:
    before = Before(script)
    for number, probe in enumerate(key.probes):
        if probe.excluded is None and probe.not_scorable is None:
            place = f"key.probes.{number}"
            yield from _check_faults(probe, place)
            yield from _evidence_faults(probe, place, before)
            yield from _stale_faults(probe, place, key, before)
            yield from leak_faults(script, probe, number, environment)
    if environment is not None:
        yield from rehearse(script, key, environment)


def _check_faults(probe: Probe, place: str) -> Iterator[Fault]:
    if not probe.checks:
        yield Fault(f"{place}.checks", f"probe {probe.id!r} has no checks: everybody passes it")
    if probe.dependent and not probe.gold:
        message = f"probe {probe.id!r} depends on an earlier session, but no gold says on what"
        yield Fault(f"{place}.gold", message)
    if probe.reference is None and any(check.check in _ACTS for check in probe.checks):
        message = f"probe {probe.id!r} has no reference: nothing shows that it can be passed"
        yield Fault(f"{place}.reference", message)
    values = {gold.value: index for index, gold in enumerate(probe.gold)}
    for forbidden in probe.forbidden:
        if forbidden.value in values:
            message = f"probe {probe.id!r} wants and forbids {forbidden.value!r}"
            yield Fault(f"{place}.gold.{values[forbidden.value]}.value", message)


def _evidence_faults(probe: Probe, place: str, before: Before) -> Iterator[Fault]:
    for index, gold in enumerate(probe.gold):
        where = f"{place}.gold.{index}.evidence"
        if not gold.evidence:
            yield Fault(where, f"probe {probe.id!r}: no event states {gold.value!r}")
        for k, name in enumerate(gold.evidence):
            surface = before.events[name].surface(name, 0)
            if surface is None or not occurrences(gold.value, surface.text):
                message = f"probe {probe.id!r}: event {name!r} does not contain {gold.value!r}"
                yield Fault(f"{where}.{k}", message)


def _stale_faults(probe: Probe, place: str, key: Key, before: Before) -> Iterator[Fault]:
    """Yield gold that an event replaced before the probe and that none states again later."""
    for index, gold in enumerate(probe.gold):
        for revision in key.revisions:
            if revision.was != gold.value or not before(revision.event, probe.decision):
                continue
            if not any(before(revision.event, name) for name in gold.evidence):
                message = (
                    f"probe {probe.id!r} of episode {probe.decision.partition('/')[0]!r} wants "
                    f"{gold.value!r}, which event {revision.event!r} replaced by {revision.now!r}"
                )
                yield Fault(f"{place}.gold.{index}.value", message)
