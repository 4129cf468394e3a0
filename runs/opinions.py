"""The judge's table for a terminal: a model's opinion beside the scorer, apart from the comparison."""

from collections.abc import Sequence

from runs.tables import Table, rate_interval_text
from simulator.events import Json

OWN_MODEL = "A model judged its own answers: models are known to favour those."
SCRIPTED = "A scripted judge tests the machinery and is no evidence."


def judge_table(found: Json) -> Table:
    """Return the `judge` of a comparison as a table, with the notes that belong below it."""
    rows = found["rows"]
    several = len({row["run"] for row in rows}) > 1
    columns = ("arm", "judge", "answers", "undecided", "errors", "agree [95 %]", "kappa [95 %]")
    models = sorted({str(row["model"]) for row in rows})
    return Table(
        title="Judge: a model's opinion, in no column above",
        columns=("run", *columns) if several else columns,
        rows=[[row["run"], *_cells(row)] if several else _cells(row) for row in rows],
        text=("run", "arm", "judge"),
        notes=(found["note"], *judge_warnings(rows), f"Judged by {', '.join(models)}."),
    )


def judge_warnings(rows: Sequence[Json]) -> list[str]:
    """Return what a reader of the judge's rows must not overlook."""
    notes = [OWN_MODEL] if any(row["own_model"] for row in rows) else []
    if any(row["scripted"] for row in rows):
        notes.append(SCRIPTED)
    unasked = sum(row["unasked"] for row in rows if row["arm"] is not None)
    if unasked:
        notes.append(f"{unasked} answers were not put to the judge.")
    return notes


def _cells(row: Json) -> list[str]:
    return [
        row["arm"] or "all",
        row["judge"],
        str(row["n"]),
        str(row["undecided"]),
        str(row["errors"]),
        rate_interval_text(row["agreement"], row["agreement_ci"]) or "-",
        kappa_text(row),
    ]


def kappa_text(row: Json) -> str:
    """Return kappa with its interval, `-` where it is not defined."""
    if row["kappa"] is None:
        return "-"
    low_high = row["kappa_ci"]
    between = "" if low_high is None else f" [{low_high[0]:.2f}, {low_high[1]:.2f}]"
    return f"{row['kappa']:.2f}{between}"
