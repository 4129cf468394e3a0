"""`memtrial lint`, `graph` and `import`: work on scenario files."""

from pathlib import Path

import typer

from probes.linting.lint import lint as lint_paths
from probes.scenario import read_scenario
from runs.commands.output import print_json, print_table, progress, refuse_used
from simulator.events.errors import InputError


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


def import_statebench(
    files: list[Path], out: Path, per_arc: int, sample: int | None, seed: int, as_json: bool
) -> None:
    """Write StateBench timelines as scenarios and say what can be scored."""
    from probes.importers.statebench import import_statebench as import_files

    refuse_used(out)
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
