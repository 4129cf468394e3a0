"""`memtrial generate risks`: writes arcs of the risk track as scenario files."""

from pathlib import Path

from probes.risks import risks
from probes.risks.generator import ARCS
from probes.scenario import write_scenario
from runs.commands.output import print_json, refuse_used
from scoring.risks.kinds import RISKS, Risk
from simulator.events.errors import InputError, nearest


def generate(out: Path, seed: int, arcs: int | None, wanted: str | None, as_json: bool) -> None:
    """Write arcs of the wanted risks, of all six where none is named, one file each."""
    refuse_used(out)
    names = RISKS if wanted is None else tuple(map(_risk, wanted.split(",")))
    made = risks(seed, ARCS if arcs is None else arcs, names)
    out.mkdir(parents=True, exist_ok=True)
    for scenario in made:
        write_scenario(scenario, out / f"{scenario.script.arc}.yaml")
    if as_json:
        print_json({"out": str(out), "scenarios": [each.script.arc for each in made]})
    else:
        print(f"{len(made)} scenarios in {out}")


def _risk(given: str) -> Risk:
    name = given.strip()
    for risk in RISKS:
        if risk == name:
            return risk
    raise InputError(f"unknown risk {name!r}{nearest(name, RISKS)}", field="risks")
