"""Lint: is a scenario sound, and does its key mean what it says?

The last clause is settled by the scorer itself, which judges what a right, a wrong and an evasive
agent would do at every probe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from probes.linting.soundness import probe_faults, story_faults
from probes.scenario import Loaded, Scenario, load_all, scenario_files
from probes.scenario.structure import Fault, structure_faults
from probes.scenario.worlds import checked_environment
from simulator.events.errors import InputError

Source = str | Path | Scenario


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
            arcs_of_file = _loaded(source)
        except InputError as error:
            file = error.file or str(source)
            problems.append(Problem(file, error.line, error.field, error.message, invalid=True))
            continue
        # What is wrong with a task in verbs is wrong with its twins, and told once.
        found = (each for loaded in arcs_of_file for each in _all(loaded, arcs))
        problems.extend(dict.fromkeys(found))
    return problems


def _each(sources: Sequence[Source]) -> Iterator[Source]:
    for source in sources:
        if not isinstance(source, Scenario) and Path(source).is_dir():
            yield from scenario_files(source)
        else:
            yield source


def _loaded(source: Source) -> list[Loaded]:
    if isinstance(source, Scenario):
        return [Loaded(source, source.script.arc, {})]
    return load_all(source)


def _all(loaded: Loaded, arcs: dict[str, str]) -> Iterator[Problem]:
    yield from _same_arc(loaded, arcs)
    yield from _problems(loaded)


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
        environment = checked_environment(script)
    except InputError as error:
        place = f"script.{error.field or 'environment'}"
        yield _problem(loaded, Fault(place, error.message), invalid=True)
    for fault in story_faults(script, key, environment):
        yield _problem(loaded, fault, invalid=False)
    for _, fault in probe_faults(script, key, environment):
        yield _problem(loaded, fault, invalid=False)


def _problem(loaded: Loaded, fault: Fault, *, invalid: bool) -> Problem:
    field, line = loaded.locate(fault.place)
    return Problem(loaded.file, line, field, fault.message, invalid)
