"""Scenario files: a script and its key, or a task in verbs, in one YAML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from probes.scenario.model import Loaded, Scenario
from probes.scenario.nodes import Node, compose, lines_of, read_text
from probes.scenario.structure import structure_faults
from probes.scenario.typing_nodes import explained, typed
from probes.scenario.writing import to_yaml
from simulator.events import Episode
from simulator.events.errors import InputError
from simulator.events.times import MINUTE

SUFFIXES = (".yaml", ".yml")

_MORE: dict[type, tuple[str, ...]] = {Episode: ("at",)}
"""Fields that only the file has: an episode's `at` is the time of its first event."""


def read_scenario(path: str | Path) -> Scenario:
    """Read a scenario and check its structure; of a task in verbs, the task itself.

    Raises:
        InputError: with file, line and field, for what is no scenario, a faulty episode graph, an
            id that stands for nothing, or evidence that does not come before its probe.
    """
    return _sound(load(path))


def read_scenarios(path: str | Path) -> list[Scenario]:
    """Read all arcs of a file: the scenario, or a task in verbs and its twins.

    Raises:
        InputError: as `read_scenario`.
    """
    return [_sound(loaded) for loaded in load_all(path)]


def load(path: str | Path) -> Loaded:
    """Read a scenario without a check of its structure; of a task in verbs, the task itself.

    Raises:
        InputError: with file, line and field, for what is no scenario.
    """
    return load_all(path)[0]


def load_all(path: str | Path) -> list[Loaded]:
    """Read all arcs of a file without a check of their structure.

    Raises:
        InputError: with file, line and field, for what is no scenario.
    """
    return parse(read_text(Path(path)), str(path))


def parse(text: str, file: str) -> list[Loaded]:
    """Read all arcs of the text of a file, as `load_all` does.

    Raises:
        InputError: with the file as it is named here, line and field.
    """
    try:
        return _all(compose(text), file)
    except InputError as error:
        raise InputError(error.message, file=file, line=error.line, field=error.field) from None


def _all(root: Node, file: str) -> list[Loaded]:
    # Here, since verbs are read by what this package reads scripts with.
    from probes.authoring import compiled, is_task

    lines = dict(lines_of(root))
    if not is_task(root):
        return [Loaded(_scenario(root), file, lines)]
    scenarios, places = compiled(root)
    return [Loaded(each, file, lines, places.of(each.script, each.key)) for each in scenarios]


def _sound(loaded: Loaded) -> Scenario:
    for fault in structure_faults(loaded.scenario.script, loaded.scenario.key):
        field, line = loaded.locate(fault.place)
        raise InputError(fault.message, file=loaded.file, line=line, field=field)
    return loaded.scenario


def write_scenario(scenario: Scenario, path: str | Path) -> None:
    """Write a scenario so that it reads back equal; an existing file is replaced.

    Raises:
        InputError: when it holds a float or a lone surrogate.
    """
    key = scenario.key
    text = to_yaml({"script": scenario.script, "key": key})
    Path(path).write_bytes(text.encode("utf-8"))


def read_folder(folder: str | Path) -> list[Scenario]:
    """Read every scenario (`*.yaml`, `*.yml`) of a folder, in the order of their file names.

    Raises:
        InputError: as `read_scenario`; also when there is none, or two have the same arc.
    """
    found = [(each, str(file)) for file in scenario_files(folder) for each in read_scenarios(file)]
    scenarios = [scenario for scenario, _ in found]
    refuse_equal_arcs(scenarios, [file for _, file in found])
    return scenarios


def scenario_files(folder: str | Path) -> list[Path]:
    """Return the scenario files of a folder, sorted by name.

    Raises:
        InputError: when it is no folder, or holds none.
    """
    if not Path(folder).is_dir():
        raise InputError("there is no such folder", file=str(folder))
    files = sorted(each for each in Path(folder).iterdir() if each.suffix in SUFFIXES)
    if not files:
        raise InputError("the folder holds no *.yaml file", file=str(folder))
    return files


def refuse_equal_arcs(scenarios: Sequence[Scenario], files: Sequence[str]) -> None:
    """Refuse two scenarios with one arc name.

    Raises:
        InputError: naming both files.
    """
    first: dict[str, str] = {}
    for scenario, file in zip(scenarios, files, strict=True):
        arc = scenario.script.arc
        if arc in first:
            message = f"arc {arc!r} stands in {first[arc]} too"
            raise InputError(message, file=file, field="script.arc")
        first[arc] = file


def _scenario(root: Node) -> Scenario:
    data: dict[str, Any] = typed(root, Scenario, "", _MORE)
    script = data.get("script", {})
    _fill_times(script.get("episodes", []))
    if "key" in data and "arc" in script:
        key = {"arc": script["arc"], "cluster": script["arc"]} | data["key"]
        data["key"] = {"domain": script.get("environment")} | key
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        raise explained(error, root, "") from None


def _fill_times(episodes: list[dict[str, Any]]) -> None:
    """Fill in what may be left out: the causes (the event before) and the time (a minute later)."""
    for place, episode in enumerate(episodes):
        before: dict[str, Any] | None = None
        start = episode.pop("at", None)
        for event in episode.get("events", []):
            if before is None:
                _start(event, start, place)
            else:
                event.setdefault("at", before["at"] + MINUTE)
                event.setdefault("causes", [before["id"]] if "id" in before else [])
            before = event


def _start(event: dict[str, Any], start: int | None, place: int) -> None:
    if start is not None:
        event.setdefault("at", start)
    if "at" not in event:
        message = "the first event needs an `at`, or its episode does"
        raise InputError(message, field=f"script.episodes.{place}.at")
