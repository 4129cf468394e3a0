"""Errors as a table: a row an arm, a column a culprit, so that nobody is charged with another's."""

from collections.abc import Sequence
from typing import get_args

from runs.tables import Row, Table, pools_by_name
from simulator.events.faults import Culprit

CULPRITS: tuple[str, ...] = get_args(Culprit)

_NOTE = (
    "A decision counts under the part that ended it, or that ended the trial before it. Elsewhere: "
    "errors outside of any decision, such as of a memory at a compaction."
)


def errors_table(rows: Sequence[Row]) -> Table | None:
    """Return the errors by arm and culprit, or by what the rows are of; None when there are none."""
    lines = [_line(name, pool) for name, pool in pools_by_name(rows).items()]
    if not any(cell not in ("0", "-") for line in lines for cell in line[2:]):
        return None
    columns = ("arm", "decisions", *CULPRITS, "elsewhere")
    title = "Errors by culprit"
    return Table(title, columns, lines, text=("arm",), notes=(_NOTE,))


def _line(name: str, pool: Sequence[Row]) -> list[str]:
    counts = [sum(row["errors_by_culprit"][culprit] for row in pool) for culprit in CULPRITS]
    elsewhere = [row["errors_elsewhere"] for row in pool]
    return [
        name,
        str(sum(row["n"] for row in pool)),
        *map(str, counts),
        "-" if None in elsewhere else str(sum(elsewhere)),
    ]
