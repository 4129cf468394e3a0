"""The report on tables of scored rows: the same tables and plots, marked as external."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runs.external.telling import external_notes, had_table
from runs.held import pairs_table
from runs.labels import arm_labels, row_labels
from runs.report.analysis import analysis_grids
from runs.report.conduct import worth_grid
from runs.report.grids import Cell, Grid, rate_cell, success_cell
from runs.report.page import check_out, fill, write_page
from runs.report.plots import Plot, Point, price_plot, success_plot
from runs.tables import Row, Table
from runs.worth import best_table
from simulator.events import Json


@dataclass(frozen=True)
class ExternalContent:
    """Everything that the page shows, in its order.

    Attributes:
        name: What the tables are called together.
        notes: Where the rows come from and how they were read.
        warnings: What a reader must not overlook.
        grids: The tables.
        plots: Success by arm, then against cost.
    """

    name: str
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    grids: tuple[Grid, ...]
    plots: tuple[Plot, ...]


def write_external_report(compared: Mapping[str, Json], out: Path) -> Path:
    """Write the report on what `runs.external.compare_tables` returned, and return `out`.

    Raises:
        InputError: when `out` is a folder or cannot be written.
    """
    check_out(out)
    return write_page(fill("external.html.j2", external_content(compared)), out)


def external_content(compared: Mapping[str, Json]) -> ExternalContent:
    """Return what the page says."""
    rows: list[Row] = compared["rows"]
    told = compared["external"]
    tables = (
        had_table(rows),
        pairs_table(compared["pairs"]),
        best_table(compared["best"], arm_labels(rows)),
    )
    grids = [_success(rows), worth_grid(compared["worth"]), *map(_grid, tables)]
    found = [*(grid for grid in grids if grid is not None), *analysis_grids(compared)]
    return ExternalContent(
        name=", ".join(Path(file).name for file in told["files"][:6]),
        notes=tuple(external_notes(told)),
        warnings=tuple(compared["warnings"]),
        grids=tuple(found),
        plots=tuple(_plots(rows, compared["worth"])),
    )


def _success(rows: Sequence[Row]) -> Grid:
    return Grid(
        "Success on rows that need an earlier session, with 95 % intervals and denominators; "
        "errors are in the denominator.",
        ["memory", "dependent", "independent", "errors"],
        1,
        [
            [
                Cell(label),
                success_cell(row),
                rate_cell(row, "tsr_independent", "n_independent"),
                Cell(str(row["errors"]), of=f"of {row['n']}"),
            ]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
    )


def _grid(table: Table | None) -> Grid | None:
    """Return a terminal's table as one of the page; its notes become the caption."""
    if table is None:
        return None
    caption = ". ".join((table.title, *table.notes))
    return Grid(
        caption, table.columns, len(table.text), [[Cell(c) for c in row] for row in table.rows]
    )


def _plots(rows: Sequence[Row], worth: Sequence[Row]) -> Iterator[Plot]:
    points = [_point(*each) for each in zip(row_labels(rows), rows, strict=True)]
    known = [point for point in points if point is not None]
    if known:
        yield success_plot(known, "Dependent success: marks, with 95 % intervals as bars.")
    labelled = zip(row_labels(worth), worth, strict=True)
    priced = [
        _point(label, row, row["episode_cost"] * 1000)
        for label, row in labelled
        if row["episode_cost"] is not None
    ]
    paid = [point for point in priced if point is not None]
    if paid:
        yield price_plot(paid, "USD for 1,000 episodes", "Success against what an episode cost.")


def _point(label: str, row: Row, price: float = 0.0) -> Point | None:
    value = row["tsr_dependent"]
    if value is None:
        return None
    low, high = row["tsr_dependent_ci"] or (value, value)
    return Point(label, "", value, low, high, price)
