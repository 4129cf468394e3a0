"""What is told of tables of scored rows beside the comparison itself."""

from collections.abc import Sequence

from runs.labels import row_labels
from runs.tables import Row, Table, rate_text
from simulator.events import Json


def had_table(rows: Sequence[Row]) -> Table | None:
    """Return what blocks held and what of it was used; None where the tables do not say."""
    if all(row["n_use_all"] is None for row in rows):
        return None
    return Table(
        title="What blocks held, and what was used",
        columns=("memory", "n dep.", "had", "used", "use", "ignore"),
        rows=[[label, *_use(row)] for label, row in zip(row_labels(rows), rows, strict=True)],
        text=("memory",),
        notes=("had: dependent rows without an error whose block held all that was needed.",),
    )


def _use(row: Row) -> list[str]:
    had, use, ignored = row["n_use_all"], row["use_rate_all"], row["ignore_rate"]
    used = 0 if use is None else round(use * had)
    rates = [rate_text(use) or "-", rate_text(ignored) or "-"]
    return [str(row["n_dependent"]), str(had), str(used), *rates]


def external_notes(told: dict[str, Json]) -> list[str]:
    """Return where the rows come from and how they were read."""
    named = {
        ", ".join(f"{k}={'+'.join(v)}" for k, v in c.items()) for c in told["columns"].values()
    }
    notes = [
        f"External: {told['rows']:,} rows of {', '.join(told['files'])}.",
        *(f"Read as {each}." for each in sorted(named)),
        f"Held against: {_arm(told['baseline'])} (no memory), {_arm(told['control'])} (replay).",
    ]
    if told["unused"]:
        notes.append(f"Columns that were not read: {', '.join(told['unused'])}.")
    return notes


def _arm(name: str | None) -> str:
    return name or "nothing"
