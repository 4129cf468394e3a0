"""`memtrial generate context`: writes tasks of the context track as scenario files."""

from dataclasses import dataclass
from pathlib import Path

from probes.context import REFILL, chosen, context
from probes.context.aliases import notes
from probes.context.factors import FAMILIES
from probes.scenario import write_scenario
from runs.commands.output import print_json, progress, refuse_used


@dataclass(frozen=True)
class Wanted:
    """What is asked for, as it was given.

    Attributes:
        out: Folder to write into.
        seed: Generation seed.
        tasks: How many tasks of the design, or None for all.
        full: The full crossing instead of the design.
        families: Families, separated by commas, or None for all.
        twins: Whether twins are written too.
        influence: Whether versions with other withdrawn content are written too.
        refill: Least tokens of new work in a segment, or None for the usual number.
    """

    out: Path
    seed: int
    tasks: int | None
    full: bool
    families: str | None
    twins: bool
    influence: bool
    refill: int | None


def generate(wanted: Wanted, as_json: bool) -> None:
    """Write tasks and their counterparts as YAML files; say what they cannot tell apart."""
    refuse_used(wanted.out)
    named = wanted.families
    families = FAMILIES if named is None else tuple(name.strip() for name in named.split(","))
    refill = REFILL if wanted.refill is None else wanted.refill
    made = context(
        wanted.seed,
        wanted.tasks,
        families,
        full=wanted.full,
        twins=wanted.twins,
        influence=wanted.influence,
        refill=refill,
    )
    aliased = notes(chosen(wanted.tasks, families, full=wanted.full))
    wanted.out.mkdir(parents=True, exist_ok=True)
    with progress("scenarios") as report:
        for number, scenario in enumerate(made, 1):
            write_scenario(scenario, wanted.out / f"{scenario.script.arc}.yaml")
            report(number, len(made))
    arcs = [each.script.arc for each in made]
    if as_json:
        print_json({"out": str(wanted.out), "scenarios": arcs, "notes": aliased})
        return
    print(f"{len(arcs)} scenarios in {wanted.out}")
    if aliased:
        print(f"{len(aliased)} things that these tasks cannot tell apart; --json lists them")
