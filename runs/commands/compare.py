"""`memtrial compare`."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from runs.commands.output import PROCESSES, print_json, print_table
from runs.plan import unfinished
from runs.tables import comparison_table
from scoring.compare import compare as compare_runs
from scoring.grouping import DEFAULT
from scoring.run import Run, load_run

_MOST_DOMAINS = 3
"""A table of more domains than this pools them, unless the user says what to group by."""


def compare(folders: list[Path], by: str | None, as_json: bool) -> None:
    """Print a row an arm and group."""
    columns = [part.strip() for part in by.split(",")] if by is not None else None
    with ExitStack() as stack:
        runs = [stack.enter_context(load_run(folder)) for folder in folders]
        missing = [name for run in runs for name in unfinished(run)]
        copies = [run.folder for run in runs if run.log.incomplete]
        if as_json:
            print_json({**compare_runs(runs, columns, workers=PROCESSES), "unfinished": missing})
            return
        domains = _domains(runs) if columns is None else frozenset()
        pooled = len(domains) > _MOST_DOMAINS
        if pooled:
            columns = [name for name in DEFAULT if name != "domain"]
        found = compare_runs(runs, columns, workers=PROCESSES)
    table = comparison_table(found["rows"])
    print_table(table.title, table.columns, table.rows, text=table.text)
    notes = [*table.notes, *(f"Warning: {warning}." for warning in found["warnings"])]
    if pooled:
        notes.append(
            f"{len(domains)} domains are pooled; `--by memory,domain` shows each by itself."
        )
    notes += [f"Warning: {each} is an incomplete copy, see `memtrial verify`." for each in copies]
    if missing:
        notes.append(
            f"Interrupted: {len(missing)} trials of the plan are not finished, such as "
            f"{missing[0]}; nothing is known about them."
        )
    for note in notes:
        print(note)
    for name, root in found["roots"].items():
        print(f"root {root}" if len(runs) == 1 else f"root {root} of {name}")


def _domains(runs: Sequence[Run]) -> frozenset[str]:
    keys = (run.key(arc) for run in runs for arc in run.manifest.arcs)
    return frozenset(probe.domain or key.domain for key in keys for probe in key.probes)
