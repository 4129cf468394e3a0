"""From a suite's sources to its scenarios."""

import os
from collections.abc import Iterable
from pathlib import Path

from probes.linting.soundness import exclude_unsound
from probes.scenario import Scenario
from runs.suite import Ladder, Source, StateBench
from simulator.events.errors import InputError

DATA_VARIABLE = "MEMTRIAL_DATA"


def scenarios(sources: Iterable[Source], base: Path) -> list[Scenario]:
    """Return the scenarios of all sources, in order.

    Paths are relative to `base`, the folder of the suite. Imported scenarios keep their unsound
    probes, `excluded`.

    Raises:
        InputError: for what cannot be read or two arcs of one name.
    """
    made = [exclude_unsound(each) for source in sources for each in _load(source, base)]
    seen: set[str] = set()
    for scenario in made:
        if scenario.script.arc in seen:
            raise InputError(f"two arcs are called {scenario.script.arc!r}", field="scenarios")
        seen.add(scenario.script.arc)
    return made


def _load(source: Source, base: Path) -> list[Scenario]:
    if isinstance(source, Ladder):
        from probes.ladder import ladder

        return ladder(source.environment, source.seed, source.arcs, source.tiers)
    if isinstance(source, StateBench):
        from probes.importers.statebench import scenarios_from

        files = [data_folder() / "statebench" / name for name in source.statebench]
        return scenarios_from(files, per_arc=source.per_arc, sample=source.sample, seed=source.seed)
    return [scenario for name in source.files for scenario in _read(base / name)]


def _read(path: Path) -> list[Scenario]:
    from probes.scenario import read_folder, read_scenario

    return read_folder(path) if path.is_dir() else [read_scenario(path)]


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
