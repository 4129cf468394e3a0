"""The table of causes: why dependent decisions failed, a row an arm."""

from collections.abc import Iterator, Sequence

from runs.labels import row_labels
from runs.tables import Row, Table, rate_text
from scoring.causes import CAUSES

TITLE = "Why dependent decisions failed"


def causes_table(rows: Sequence[Row]) -> Table:
    """Return the rows of `causes` of a comparison; causes that never occur have no column."""
    names = occurring(rows)
    return Table(
        title=TITLE,
        columns=("memory", "failed", *names),
        rows=[
            [label, failed_text(row), *(share_text(row, name) for name in names)]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
        text=("memory",),
        notes=tuple(_notes(rows, names)),
    )


def occurring(rows: Sequence[Row]) -> list[str]:
    """Return the causes that some row has, in the order of `CAUSES`."""
    return [name for name in CAUSES if any(row["causes"][name]["n"] for row in rows)]


def failed_text(row: Row) -> str:
    """Return a row's failed decisions of all dependent ones: `3/9`."""
    return f"{row['failed_dependent']}/{row['n_dependent']}"


def share_text(row: Row, name: str) -> str:
    """Return the number of a cause and its share of what failed: `2 (0.67)`; `-` for none."""
    found = row["causes"][name]
    return f"{found['n']} ({rate_text(found['share'])})" if found["n"] else "-"


def _notes(rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    if names:
        yield (
            "Each failure has one cause, the first that fits (docs/causes.md); shares are of what "
            "failed. `memtrial trace` shows the evidence."
        )
    for label, row in zip(row_labels(rows), rows, strict=True):
        lost = [f"{n} at {_when(at)}" for at, n in row["lost_at"].items()]
        if lost:
            yield f"{label}: lost {', '.join(lost)}."
        if row["n_stale_from_lines"]:
            yield (
                f"{label}: of {row['n_stale_from_lines']} wrong values used that the block showed, "
                f"{row['stale_from_lines']} stood in a retrieved line and in no fact."
            )
        beside = [f"{name} {n}" for name, n in row["copies_without_right_value"].items()]
        if beside:
            yield f"{label}: beside a copy that was used, the right value was {', '.join(beside)}."


def _when(at: str) -> str:
    return "a notice" if at == "notice" else f"compaction {at}"
