"""From a suite's sources to its scenarios."""

import os
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import TypeVar

from probes.counterparts import moving, with_influence
from probes.linting.soundness import exclude_unsound
from probes.scenario import Scenario
from probes.scenario.worlds import checked_environment
from runs.suite import Context, Files, Ladder, Risks, Source, StateBench
from scoring.reviews import without_unsound
from simulator.events.errors import InputError

DATA_VARIABLE = "MEMTRIAL_DATA"


def scenarios(sources: Sequence[Source], base: Path) -> list[Scenario]:
    """Return the scenarios of all sources, in order.

    Paths are relative to `base`, the folder of the suite. Imported scenarios keep their unsound
    probes, `excluded`, and so do tasks that a person found unsound.

    Raises:
        InputError: for what cannot be read or played, or two arcs of one name; with the file
            and line of the scenario, or else with the field of the suite.
    """
    made: list[Scenario] = []
    seen: set[str] = set()
    for number, source in enumerate(sources):
        place = f"scenarios.{number}"
        try:
            found = _load(source, base)
        except InputError as error:
            field = error.field if error.file else ".".join(filter(None, (place, error.field)))
            raise InputError(error.message, file=error.file, line=error.line, field=field) from None
        for scenario in found:
            if scenario.script.arc in seen:
                message = f"two arcs are called {scenario.script.arc!r}"
                raise InputError(message, field=place)
            seen.add(scenario.script.arc)
            made.append(exclude_unsound(scenario))
    keys = without_unsound([scenario.key for scenario in made])
    return [
        each if key is each.key else Scenario(script=each.script, key=key)
        for each, key in zip(made, keys, strict=True)
    ]


def _load(source: Source, base: Path) -> list[Scenario]:
    if isinstance(source, Ladder):
        return _generate(source)
    if isinstance(source, Risks):
        from probes.risks import risks

        return risks(source.seed, source.arcs, source.risks)
    if isinstance(source, Context):
        from probes.context import context

        return context(
            source.seed,
            source.tasks,
            source.families,
            full=source.full,
            twins=source.twins,
            influence=source.influence,
            refill=source.refill,
        )
    if isinstance(source, StateBench):
        from probes.importers.statebench import scenarios_from

        files = [data_folder() / "statebench" / name for name in source.statebench]
        return scenarios_from(files, per_arc=source.per_arc, sample=source.sample, seed=source.seed)
    return _from_files(source, base)


def _from_files(source: Files, base: Path) -> list[Scenario]:
    found = [each for name in source.files for each in _read(base / name)]
    if not source.influence:
        return [scenario for scenario, _ in found]
    if not any(moving(scenario.key) for scenario, _ in found):
        message = "no task of these files withdraws a value, so there is no influence to measure"
        raise InputError(message, field="influence")
    there = frozenset(scenario.script.arc for scenario, _ in found)
    return [each for one, file in found for each in _followed(one, file, there)]


def _followed(scenario: Scenario, file: Path, there: Set[str]) -> Iterator[Scenario]:
    """Yield a task and those of its versions with other withdrawn content that are in no file."""
    yield scenario
    if scenario.key.counterpart is None:
        made = _located(scenario, file, with_influence)
        yield from (each for each in made if each.script.arc not in there)


def _generate(source: Ladder) -> list[Scenario]:
    from probes.corruption import versions
    from probes.ladder import ladder

    clean = ladder(
        source.environment,
        source.seed,
        source.arcs,
        source.tiers,
        dependent=source.dependent,
        distractors=source.distractors,
    )
    return versions(clean, source.corruption, source.rate, source.seed, source.corruption_mode)


def shortfalls(sources: Sequence[Source]) -> list[str]:
    """Return a line for each generated source that sets a share of probes and does not get it."""
    from probes.ladder import shortfalls as missed

    return [
        f"scenarios.{number}.dependent: {line}"
        for number, source in enumerate(sources)
        if isinstance(source, Ladder) and "dependent" in source.model_fields_set
        for line in missed(
            source.environment,
            source.seed,
            source.arcs,
            source.tiers,
            dependent=source.dependent,
        )
    ]


def _read(path: Path) -> list[tuple[Scenario, Path]]:
    """Return the arcs of a file or a folder, each with its file."""
    from probes.scenario import refuse_equal_arcs, scenario_files

    try:
        files = scenario_files(path) if path.is_dir() else [path]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    made = [(scenario, file) for file in files for scenario in _read_file(file)]
    refuse_equal_arcs([scenario for scenario, _ in made], [str(file) for _, file in made])
    return made


def _read_file(path: Path) -> list[Scenario]:
    """Return the arcs of a file: one, or a task in verbs and its twins."""
    from probes.scenario import read_scenarios

    scenarios = read_scenarios(path)
    for scenario in scenarios:
        _located(scenario, path, _check_script)
    return scenarios


T = TypeVar("T")


def _located(scenario: Scenario, path: Path, ask: Callable[[Scenario], T]) -> T:
    """Return what is asked of a scenario of a file; what is wrong is told with file and line."""
    from probes.scenario import load_all

    try:
        return ask(scenario)
    except InputError as error:
        (loaded,) = (each for each in load_all(path) if each.scenario == scenario)
        field, line = loaded.locate(error.field or "script")
        raise InputError(error.message, file=str(path), line=line, field=field) from None


def _check_script(scenario: Scenario) -> None:
    try:
        check_world(scenario)
    except InputError as error:
        place = f"script.{error.field or 'environment'}"
        raise InputError(error.message, field=place) from None


def check_world(scenario: Scenario) -> None:
    """Check that a scenario's environment exists, takes its world and knows what is announced.

    Raises:
        InputError: with the field of the script, or none when the environment is unknown.
    """
    checked_environment(scenario.script)


def data_folder() -> Path:
    """Return the folder of public data.

    Raises:
        InputError: when the environment variable is not set or names no folder.
    """
    value = os.environ.get(DATA_VARIABLE)
    if not value:
        raise InputError(f"set {DATA_VARIABLE} to the folder that holds the public data")
    if not Path(value).is_dir():
        raise InputError(f"{DATA_VARIABLE} is {value!r}, which is no folder")
    return Path(value)
