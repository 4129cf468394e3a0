"""Writes a subset: a suite that `memtrial run` accepts, its scenarios, and its evidence."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from probes.scenario import Scenario, write_scenario
from runs.suite import Suite
from runs.toml import to_toml
from scoring.run import Run
from scoring.selection.summary import Selection
from simulator.events import Json, canonical_json

SUITE, EVIDENCE, DRAWN, SCENARIOS = "suite.toml", "evidence.json", "drawn.json", "scenarios"

_LEFT_OUT = frozenset({"name", "description", "scenarios", "analysis"})
"""A subset has its own; an analysis that was declared is about all arcs."""


def write_evidence(out: Path, told: Json, made: Selection) -> None:
    """Write what is known of a subset, and every subset that a baseline drew, as places from 0."""
    out.mkdir(parents=True, exist_ok=True)
    _write(out / EVIDENCE, canonical_json(told))
    subsets = {
        str(size): {name: rows.tolist() for name, rows in of_size.items()}
        for size, of_size in made.drawn.items()
    }
    drawn = {"episodes": list(made.episodes), "subsets": subsets}
    _write(out / DRAWN, canonical_json(drawn))


def write_suite(out: Path, runs: Sequence[Run], arcs: Sequence[str], about: str) -> Path:
    """Write the arcs of runs as scenario files, and a suite of their memories and models.

    Memories and models are those of all runs, everything else is the first run's.
    """
    folder = out / SCENARIOS
    folder.mkdir(parents=True)
    for arc in arcs:
        run = next(each for each in runs if arc in each.manifest.arcs)
        scenario = Scenario(script=run.script(arc), key=run.key(arc))
        write_scenario(scenario, folder / f"{arc}.yaml")
    suites = [run.manifest.suite for run in runs]
    name = re.sub("[^A-Za-z0-9._-]", "-", suites[0]["name"])[:50]
    kept = {k: v for k, v in suites[0].items() if k in Suite.model_fields and k not in _LEFT_OUT}
    values = {
        "name": f"{name}-subset",
        "description": about,
        **kept,
        "memories": _distinct(part for suite in suites for part in suite.get("memories", [])),
        "models": _distinct(part for suite in suites for part in suite.get("models", [])),
        "scenarios": [{"files": [SCENARIOS]}],
    }
    text = f"# {about}\n# Why these: {EVIDENCE}, beside this file.\n{to_toml(values)}"
    _write(out / SUITE, text)
    return out / SUITE


def _distinct(parts: Iterable[Json]) -> list[Json]:
    return list({canonical_json(part): part for part in parts}.values())


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8") + (b"" if text.endswith("\n") else b"\n"))
