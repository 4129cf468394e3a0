"""The analysis as tables of the report; what they say is what the terminal says."""

from collections.abc import Iterator, Mapping, Sequence

from runs.analysis import analysis_tables
from runs.report.grids import Cell, Grid
from runs.tables import Row, Table
from scoring.analysis.gates import NO_STATEMENT


def analysis_grids(found: Row) -> Iterator[Grid]:
    """Yield a grid for each table that a comparison's analysis has something for."""
    for table in analysis_tables(found):
        yield grid_of(table)


def grid_of(table: Table) -> Grid:
    """Return a table as a grid, text columns first, with its notes in the caption."""
    order = sorted(range(len(table.columns)), key=lambda at: table.columns[at] not in table.text)
    return Grid(
        " ".join([f"{table.title}.", *table.notes]),
        [table.columns[at] for at in order],
        len([name for name in table.columns if name in table.text]),
        [[Cell(line[at]) for at in order] for line in table.rows],
    )


def held_against(pairs: Sequence[Row], labels: Mapping[str, str]) -> str:
    """Return in one sentence what the tests against no memory say."""
    tested = [row for row in pairs if row["baseline"] == "none" and row["verdict"] is not None]
    found = [row for row in tested if row["verdict"] != NO_STATEMENT]
    if not tested:
        return "Nothing is ranked and nothing is tested for significance here."
    if not found:
        return "The model fails its replay control, so no statement about memories follows."
    by_verdict: dict[str, list[str]] = {}
    for row in found:
        by_verdict.setdefault(row["verdict"], []).append(labels[row["arm"]])
    told = "; ".join(f"{verdict}: {', '.join(arms)}" for verdict, arms in by_verdict.items())
    return f"Held against no memory, corrected for the number of comparisons: {told}."
