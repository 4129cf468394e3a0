"""Scenario files: a script and its key in one YAML file, read with lines and written back."""

from probes.scenario.files import (
    Loaded,
    Scenario,
    load,
    read_folder,
    read_scenario,
    refuse_equal_arcs,
    scenario_files,
    write_scenario,
)

__all__ = [
    "Loaded",
    "Scenario",
    "load",
    "read_folder",
    "read_scenario",
    "refuse_equal_arcs",
    "scenario_files",
    "write_scenario",
]
