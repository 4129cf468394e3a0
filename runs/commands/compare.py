"""`memtrial compare`."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from runs.commands.output import print_json, print_table
from runs.errors import errors_table
from runs.opinions import judge_table
from runs.plan import unfinished
from runs.tables import Row, comparison_table
from runs.why import causes_table, occurring
from scoring.compare import compare as compare_runs
from scoring.grouping import DEFAULT
from scoring.run import Run, load_run
from simulator.events import Json

_MOST_DOMAINS = 3
"""A table of more domains than this pools them, unless the user says what to group by."""


def compare(folders: list[Path], by: str | None, as_json: bool) -> None:
    """Print a row an arm and group."""
    columns = [part.strip() for part in by.split(",")] if by is not None else None
    with ExitStack() as stack:
        runs = [stack.enter_context(load_run(folder)) for folder in folders]
        missing = [name for run in runs for name in unfinished(run)]
        if as_json:
            print_json({**compare_runs(runs, columns), "unfinished": missing})
            return
        domains = _domains(runs) if columns is None else frozenset()
        pooled = len(domains) > _MOST_DOMAINS
        if pooled:
            columns = [name for name in DEFAULT if name != "domain"]
        found = compare_runs(runs, columns)
    table = comparison_table(found["rows"])
    print_table(table.title, table.columns, table.rows, text=table.text)
    notes = [
        *table.notes,
        *_print_errors(found["rows"]),
        *(f"Warning: {warning}." for warning in found["warnings"]),
    ]
    if pooled:
        notes.append(
            f"{len(domains)} domains are pooled; `--by memory,domain` shows each by itself."
        )
    if missing:
        notes.append(
            f"Interrupted: {len(missing)} trials of the plan are not finished, such as "
            f"{missing[0]}; nothing is known about them."
        )
    for note in notes:
        print(note)
    _print_causes(found["causes"])
    _print_judge(found["judge"])


def _print_causes(rows: list[Row]) -> None:
    if not occurring(rows):
        return
    table = causes_table(rows)
    print()
    print_table(table.title, table.columns, table.rows, text=table.text, wrap=table.columns[2:])
    for note in table.notes:
        print(note)


def _print_errors(rows: Sequence[Row]) -> tuple[str, ...]:
    """Print who is to blame for the errors, where there are any; return what must be said of it."""
    table = errors_table(rows)
    if table is None:
        return ()
    print()
    print_table(table.title, table.columns, table.rows, text=table.text)
    return table.notes


def _print_judge(found: Json) -> None:
    """Print what the judge says, apart from everything that the log alone says."""
    if found is not None:
        table = judge_table(found)
        print()
        print_table(table.title, table.columns, table.rows, text=table.text)
        print("\n".join(table.notes))


def _domains(runs: Sequence[Run]) -> frozenset[str]:
    keys = (run.key(arc) for run in runs for arc in run.manifest.arcs)
    return frozenset(probe.domain or key.domain for key in keys for probe in key.probes)
