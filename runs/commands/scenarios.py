"""`memtrial lint`, `graph`, `generate` and `import`: work on scenario files."""

from pathlib import Path
from typing import cast, get_args

import typer

from probes.linting.lint import lint as lint_paths
from probes.scenario import read_scenario, write_scenario
from runs.commands.output import print_json, print_table, progress
from scoring.keys import Tier
from simulator.effects.registry import lookup
from simulator.events.errors import InputError, nearest

_TRACKS = ("ladder",)


def lint(paths: list[Path], as_json: bool) -> None:
    """Check scenario files; exit 2 when one cannot be played at all, 1 for any other problem."""
    problems = lint_paths(paths)
    if as_json:
        rows = [
            {"file": each.file, "line": each.line, "field": each.field, "message": each.message}
            for each in problems
        ]
        print_json({"ok": not problems, "problems": rows})
    else:
        for each in problems:
            print(InputError(each.message, file=each.file, line=each.line, field=each.field))
        count = len(problems)
        print("no problems" if not count else f"{count} problem{'s' if count > 1 else ''}")
    if problems:
        raise typer.Exit(2 if any(each.invalid for each in problems) else 1)


def graph(path: Path, out: Path | None) -> None:
    """Print a scenario's episodes, or draw them into a file."""
    from probes.drawing import draw, outline

    scenario = read_scenario(path)
    if out is None:
        print(outline(scenario))
        return
    draw(scenario, out)
    print(f"drawn in {out}")


def generate(
    track: str, out: Path, seed: int, environment: str, arcs: int, tiers: str, as_json: bool
) -> None:
    """Write generated scenarios as YAML files, one an arc."""
    from probes.ladder import ladder

    if track not in _TRACKS:
        raise InputError(f"unknown generator {track!r}{nearest(track, _TRACKS)}")
    lookup("environment", environment)
    _refuse_used(out)
    made = ladder(environment, seed, arcs, [_tier(name) for name in tiers.split(",")])
    out.mkdir(parents=True, exist_ok=True)
    for scenario in made:
        write_scenario(scenario, out / f"{scenario.script.arc}.yaml")
    if as_json:
        print_json({"out": str(out), "scenarios": [each.script.arc for each in made]})
    else:
        print(f"{len(made)} scenarios in {out}")


def _tier(name: str) -> Tier:
    tier = name.strip()
    if tier not in get_args(Tier):
        raise InputError(f"unknown tier {tier!r}{nearest(tier, get_args(Tier))}")
    return cast(Tier, tier)


def _refuse_used(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("this is no empty folder; choose another with --out", file=str(out))


def import_statebench(
    files: list[Path], out: Path, per_arc: int, sample: int | None, seed: int, as_json: bool
) -> None:
    """Write StateBench timelines as scenarios and say what can be scored."""
    from probes.importers.statebench import import_statebench as import_files

    _refuse_used(out)
    with progress("arcs") as report:
        found = import_files(files, out, per_arc=per_arc, sample=sample, seed=seed, progress=report)
    if as_json:
        print_json({"out": str(out), **found.model_dump(mode="json")})
        return
    rows = [
        (
            name,
            count.timelines,
            count.queries,
            count.scorable,
            sum(count.excluded.values()),
            sum(count.not_scorable.values()),
        )
        for name, count in found.tracks.items()
    ]
    columns = ("track", "timelines", "queries", "scorable", "excluded", "not scorable")
    print_table(f"{found.arcs} arcs in {out}", columns, rows, text=("track",))
    print(f"{found.timelines} timelines, {found.queries} queries, {found.scorable} scorable")
    for what, reasons in (("excluded", found.excluded), ("not scorable", found.not_scorable)):
        for reason, count in reasons.items():
            print(f"{count:5d}  {what}: {reason}")
