"""Errors as a table: a row an arm, a column a culprit, so that nobody is charged with another's."""

from collections.abc import Sequence
from typing import get_args

from runs.tables import Row, Table, distinct, memory_name
from simulator.events.faults import Culprit

CULPRITS: tuple[str, ...] = get_args(Culprit)

_NOTE = (
    "A decision counts under the part that ended it, or that ended the trial before it. Elsewhere: "
    "errors outside of any decision, such as of a memory at a compaction."
)


def errors_table(rows: Sequence[Row]) -> Table | None:
    """Return the errors of a comparison's rows by arm and culprit; None when there are none."""
    lines = [_line([row for row in rows if row.get("arm") == arm]) for arm in distinct(rows, "arm")]
    if not any(cell not in ("0", "-") for line in lines for cell in line[2:]):
        return None
    columns = ("arm", "decisions", *CULPRITS, "elsewhere")
    title = "Errors by culprit"
    return Table(title, columns, lines, text=("arm",), notes=(_NOTE,))


def _line(pool: Sequence[Row]) -> list[str]:
    name = pool[0].get("arm") or memory_name(pool[0]) or "all"
    counts = [sum(row["errors_by_culprit"][culprit] for row in pool) for culprit in CULPRITS]
    elsewhere = [row["errors_elsewhere"] for row in pool]
    return [
        str(name),
        str(sum(row["n"] for row in pool)),
        *map(str, counts),
        "-" if None in elsewhere else str(sum(elsewhere)),
    ]
