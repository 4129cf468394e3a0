"""Grids and plots of the context track, from the tables that `memtrial compare` prints."""

from collections.abc import Iterator, Sequence

from runs.context import (
    compliance_table,
    cuts_text,
    forgetting_table,
    influence_table,
    loss_table,
    phrasing_table,
    retention_table,
    survival_table,
    undiagnostic_table,
)
from runs.labels import row_labels
from runs.report.grids import NOTHING, Cell, Grid
from runs.report.plots import Plot, Point, lift_plot, success_plot
from runs.spelling import spelled
from runs.tables import Row, Table, distinct


def compliance_grids(found: Row) -> Iterator[Grid]:
    """Yield what was complied with and what could be read at all, and which tasks say nothing."""
    for table in (
        compliance_table(found["context"]),
        retention_table(found.get("retention", [])),
        survival_table(found["survival"]),
        phrasing_table(found["phrasing"]),
        undiagnostic_table(found["not_diagnostic"]),
    ):
        yield from _grid(table)


def forgetting_grids(found: Row) -> Iterator[Grid]:
    """Yield where dropped content survived, with examples of its use, and what went with it."""
    yield from _grid(forgetting_table(found["forgetting"], examples=False))
    yield from _examples(found["forgetting"])
    yield from _grid(loss_table(found["forgetting"]))
    yield from _grid(influence_table(found.get("influence", [])))


def _grid(table: Table | None) -> Iterator[Grid]:
    """Yield a printed table as a grid."""
    if table is not None:
        rows = [[Cell(NOTHING if cell == "-" else cell) for cell in row] for row in table.rows]
        yield Grid(f"{table.title}.", table.columns, len(table.text), rows, table.notes)


_MEASURES = ("residues", "presentations", "exposures", "derived")
_MOST = 60


def _examples(rows: Sequence[Row]) -> Iterator[Grid]:
    found = {
        (measure, each["trial"], each["position"], row["path"]): each
        for row in rows
        if row["path"] != "any"
        for measure in _MEASURES
        for each in row["examples"].get(measure, ())
    }
    listed = sorted(found, key=lambda key: _MEASURES.index(key[0]), reverse=True)
    cells = [
        [
            Cell(measure),
            Cell(path),
            Cell(trial),
            Cell(spelled(found[key]["text"])),
            Cell(str(position)),
        ]
        for key in listed[:_MOST]
        for measure, trial, position, path in [key]
    ]
    if cells:
        caption = f"Examples with their evidence, the gravest first; {len(listed)} are in --json."
        yield Grid(caption, ["measure", "path", "trial", "what holds it", "position"], 4, cells)


def context_plots(found: Row) -> list[Plot]:
    """Return lift by kind, and survival by number of compactions, where the run has any."""
    return [*_lift(found["context"]), *_survival(found["survival"])]


def _lift(rows: Sequence[Row]) -> Iterator[Plot]:
    labels = _labels(rows)
    points = [
        Point(labels[row["run"], row["arm"]], row["probe_kind"], row["lift"], *row["lift_ci"])
        for row in rows
        if row["lift"] is not None
    ]
    if points:
        yield lift_plot(points, "Lift by kind of probe: marks, with 95 % intervals as bars.")


def _survival(rows: Sequence[Row]) -> Iterator[Plot]:
    pooled = [row for row in rows if row["probe_kind"] is None]
    if len(distinct(pooled, "compactions")) > 1:
        labels = _labels(pooled)
        points = [
            Point(
                labels[row["run"], row["arm"]],
                cuts_text(row["compactions"]),
                row["survival"],
                *row["survival_ci"],
            )
            for row in pooled
        ]
        caption = "Planted probes that the test's prompt still shows, by number of compactions."
        yield success_plot(points, caption, "share whose essentials are all shown")


def _labels(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    own = ("probe_kind", "compactions", "levels")
    arms = {
        (row["run"], row["arm"]): {k: v for k, v in row.items() if k not in own} for row in rows
    }
    return dict(zip(arms, row_labels(list(arms.values())), strict=True))
