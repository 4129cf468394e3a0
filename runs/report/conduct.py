"""Grids and plots of conduct: outcomes, causes, stale-memory harm, what a success costs."""

from collections.abc import Sequence

from runs.conduct import occurring_outcomes, p_text
from runs.labels import row_labels
from runs.report.bars import causes_plot, outcome_pieces, outcomes_plot, pieces
from runs.report.grids import NOTHING, Cell, Grid, rate_cell
from runs.report.plots import Plot
from runs.tables import Row, rate_text
from runs.why import occurring
from runs.worth import number_text, split_ratio


def outcomes_grid(rows: Sequence[Row]) -> Grid:
    """Return what dependent decisions came to: a row an arm, a column an outcome that occurs."""
    names = occurring_outcomes(rows)
    return Grid(
        "What dependent decisions came to: one outcome each, the first that fits.",
        ["memory", "decisions", *names],
        1,
        [
            [
                Cell(label),
                Cell(str(row["n_dependent"])),
                *(_counted(row["outcomes"][name]) for name in names),
            ]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
    )


def _counted(found: Row) -> Cell:
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
        "break-even is the USD that 1,000 successes must be worth, and the last column what they "
        "cost. n/a: the memory costs no more than none. Distraction is success lost where no "
        "memory is needed.",
        ["memory", *columns],
        1,
        [
            [
                Cell(label),
                Cell(NOTHING if row["tsr_gain"] is None else f"{row['tsr_gain']:+.2f}"),
                _distraction(row),
                Cell(_thousand(row["episode_cost"])),
                _ratio(row, "camu"),
                _ratio(row, "break_even", 1000),
                _ratio(row, "cost_per_success", 1000),
            ]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
    )


def _thousand(cost: float | None) -> str:
    return NOTHING if cost is None else number_text(cost * 1000)


def _distraction(row: Row) -> Cell:
    if row["distraction"] is None:
        return Cell(NOTHING)
    return Cell(f"{row['distraction']:+.2f}", interval_text(row["distraction_ci"]))


def _ratio(row: Row, name: str, times: int = 1) -> Cell:
    value, between = split_ratio(row, name, times)
    return Cell(value, between)


def causes_grid(found: Sequence[Row], labels: dict[str, str]) -> Grid | None:
    """Return why dependent decisions failed: a row an arm, a column a cause; None without any."""
    names = occurring(found)
    if not names:
        return None
    rows = [
        [
            Cell(labels[row["arm"]]),
            Cell(str(row["failed_dependent"]), of=f"of {row['n_dependent']}"),
            *(_counted(row["causes"][name]) for name in names),
        ]
        for row in found
    ]
    caption = (
        "Failed dependent decisions, errors included: each has one cause, the first that fits."
    )
    return Grid(caption, ["memory", "failed", *names], 1, rows)


def cause_bars(found: Sequence[Row], labels: dict[str, str]) -> Plot | None:
    """Return the same as stacked bars; None without a failure."""
    parts = [
        piece
        for row in found
        for piece in pieces(
            labels[row["arm"]],
            {name: each["n"] for name, each in row["causes"].items()},
            row["n_dependent"],
        )
    ]
    caption = "Why dependent decisions failed: a bar is as long as the arm's share of failures."
    return causes_plot(list(labels.values()), parts, caption) if parts else None
