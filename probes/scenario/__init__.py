"""Scenario files: a script and its key, or a task in verbs, read with lines and written back."""

from probes.scenario.files import (
    load,
    load_all,
    read_folder,
    read_scenario,
    read_scenarios,
    refuse_equal_arcs,
    scenario_files,
    write_scenario,
)
from probes.scenario.model import Loaded, Scenario

__all__ = [
    "Loaded",
    "Scenario",
    "load",
    "load_all",
    "read_folder",
    "read_scenario",
    "read_scenarios",
    "refuse_equal_arcs",
    "scenario_files",
    "write_scenario",
]
