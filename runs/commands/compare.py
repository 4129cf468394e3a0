"""`memtrial compare`."""

from pathlib import Path

from runs.commands.output import console, print_json, print_table
from runs.tables import comparison_table
from scoring.compare import compare as compare_runs
from scoring.run import load_run


def compare(folders: list[Path], by: str | None, as_json: bool) -> None:
    """Print a row an arm and group."""
    columns = [part.strip() for part in by.split(",")] if by else None
    found = compare_runs([load_run(folder) for folder in folders], columns)
    if as_json:
        print_json(found)
        return
    table = comparison_table(found["rows"])
    print_table(table.title, table.columns, table.rows, text=table.text)
    for note in table.notes:
        console().print(note, markup=False, soft_wrap=True)
