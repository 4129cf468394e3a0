"""The tasks of a folder: what a person reviews, apart from versions with one thing changed."""

from dataclasses import dataclass
from pathlib import Path

from probes.scenario import Loaded, load_all, scenario_files
from probes.scenario.keeping import reviewed
from probes.scenario.structure import structure_faults
from scoring.reviews import is_task
from simulator.events import content_hash
from simulator.events.errors import InputError


@dataclass(frozen=True)
class Task:
    """A task and the file that it stands in."""

    loaded: Loaded
    file: Path

    @property
    def name(self) -> str:
        """Its arc."""
        return self.loaded.scenario.script.arc

    @property
    def digest(self) -> str:
        """What a sheet is tied to: the task without its review, 16 hexadecimal digits."""
        bare = reviewed(self.loaded.scenario, None)
        return content_hash([bare.script.hash, bare.key.hash])[:16]


def tasks(path: Path) -> list[Task]:
    """Return the tasks of a folder, or of one scenario file, in the order of their files.

    Raises:
        InputError: with file, line and field: for what is no sound scenario, two tasks of one
            name, or none at all.
    """
    files = [path] if path.is_file() else scenario_files(path)
    found: dict[str, Task] = {}
    for file in files:
        for loaded in load_all(file):
            _refuse_unsound(loaded)
            if not is_task(loaded.scenario.key):
                continue
            task = Task(loaded, file)
            if task.name in found:
                message = f"arc {task.name!r} stands in {found[task.name].file} too"
                raise InputError(message, file=str(file), field="script.arc")
            found[task.name] = task
    if not found:
        raise InputError("there is no task here, only versions of others", file=str(path))
    return [*found.values()]


def _refuse_unsound(loaded: Loaded) -> None:
    """Refuse a scenario whose parts do not fit: a sheet of it would show what is not there."""
    scenario = loaded.scenario
    for fault in structure_faults(scenario.script, scenario.key):
        field, line = loaded.locate(fault.place)
        raise InputError(fault.message, file=loaded.file, line=line, field=field)
