"""Grids and plots of conduct and worth: outcomes, stale-memory harm, what a success costs."""

from collections.abc import Sequence

from runs.conduct import occurring_outcomes, p_text
from runs.labels import row_labels
from runs.report.bars import outcome_pieces, outcomes_plot
from runs.report.grids import NOTHING, Cell, Grid, rate_cell
from runs.report.plots import Plot
from runs.tables import Row, rate_text
from runs.worth import NOT_APPLICABLE, number_text


def outcomes_grid(rows: Sequence[Row]) -> Grid:
    """Return what dependent decisions came to: a row an arm, a column an outcome that occurs."""
    names = occurring_outcomes(rows)
    return Grid(
        "What dependent decisions came to: one outcome each, the first that fits.",
        ["memory", "decisions", *names],
        1,
        [
            [Cell(label), Cell(str(row["n_dependent"])), *(_outcome(row, name) for name in names)]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
    )


def _outcome(row: Row, name: str) -> Cell:
    found = row["outcomes"][name]
    if not found["n"]:
        return Cell(NOTHING)
    return Cell(str(found["n"]), str(rate_text(found["share"])), share=found["share"])


def outcome_bars(rows: Sequence[Row]) -> Plot | None:
    """Return the same as stacked bars; None without a decision."""
    labels = row_labels(rows)
    parts = [
        piece
        for label, row in zip(labels, rows, strict=True)
        for piece in outcome_pieces(
            label, {name: each["n"] for name, each in row["outcomes"].items()}, row["n_dependent"]
        )
    ]
    caption = "What dependent decisions came to: green is right, blue is asked or declined."
    return outcomes_plot(labels, parts, caption) if parts else None


def harm_grid(rows: Sequence[Row]) -> Grid | None:
    """Return stale-memory harm by arm; None where no clean and corrupted arcs were played."""
    harmed = [
        (label, row)
        for label, row in zip(row_labels(rows), rows, strict=True)
        if row["smh"] is not None
    ]
    if not harmed:
        return None
    tested = any(row["smh_p_holm"] is not None for _, row in harmed)
    columns = ["memory", "SMH", "pairs", "acted on corrupted", "re-verified"]
    return Grid(
        "Stale-memory harm: success on clean arcs less that on their corrupted versions.",
        [*columns, *(["p (Holm)"] if tested else [])],
        1,
        [
            [
                Cell(label),
                Cell(f"{row['smh']:+.2f}", interval_text(row["smh_ci"])),
                Cell(str(row["smh_pairs"]), f"{row['smh_clusters']} clusters"),
                rate_cell(row, "corrupted_used_rate", "n_corrupted_used"),
                rate_cell(row, "reverified_rate", "n_reverified"),
                *([Cell(p_text(row["smh_p_holm"]))] if tested else []),
            ]
            for label, row in harmed
        ],
    )


def interval_text(ends: Sequence[float]) -> str:
    """Return the interval of a difference."""
    return f"[{ends[0]:+.2f}, {ends[1]:+.2f}]"


def worth_grid(rows: Sequence[Row]) -> Grid | None:
    """Return what a success cost by arm and domain; None where no arm has a utility."""
    if all(row["camu"] is None for row in rows):
        return None
    columns = [
        "memory",
        "gain",
        "USD for 1,000 sessions",
        "CAMU",
        "break-even USD",
        "USD a success",
    ]
    return Grid(
        "CAMU is the success gained over no memory for each USD that a session costs more; "
        "break-even is what a success must be worth. n/a: the memory costs no more than none.",
        columns,
        1,
        [
            [
                Cell(label),
                Cell(NOTHING if row["tsr_gain"] is None else f"{row['tsr_gain']:+.2f}"),
                Cell(_thousand(row["episode_cost"])),
                *(_ratio(row, name) for name in ("camu", "break_even", "cost_per_success")),
            ]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
    )


def _thousand(cost: float | None) -> str:
    return NOTHING if cost is None else number_text(cost * 1000)


def _ratio(row: Row, name: str) -> Cell:
    value, ends = row[name], row[f"{name}_ci"]
    if value is None:
        return Cell(NOT_APPLICABLE)
    between = NOT_APPLICABLE if ends is None else ", ".join(map(number_text, ends))
    return Cell(number_text(value), f"[{between}]")
