"""Cells that tell the memories apart from nothing: all at the floor, or all at the ceiling."""

from collections.abc import Iterable

from scoring.grouping import Bucket
from simulator.events import Json

FLOOR, CEILING = 0.05, 0.95
FACTORS = ("run", "domain", "tier", "corruption")
"""What a cell is, beside everything that its arms have in common."""


def uninformative(found: Iterable[Bucket]) -> tuple[list[dict[str, Json]], int]:
    """Return the cells in which no difference between memories can be seen, and how many there are.

    `found` are buckets by arm and by `FACTORS`. A cell is one model's; `none` is left out, since
    its floor is by construction, and a cell needs two other arms.
    """
    cells: dict[tuple[str, ...], list[Bucket]] = {}
    for bucket in found:
        if bucket.values["memory"] != "none" and bucket.group.tsr(True) is not None:
            place = (*(str(bucket.values[name]) for name in FACTORS), str(bucket.rest))
            cells.setdefault(place, []).append(bucket)
    whole = [of for of in cells.values() if len(of) > 1]
    return [row for of in whole if (row := _row(of)) is not None], len(whole)


def _row(of: list[Bucket]) -> dict[str, Json] | None:
    why = _why([bucket.group.tsr(True) or 0.0 for bucket in of])
    if why is None:
        return None
    cell = {name: of[0].values[name] for name in FACTORS}
    return {**cell, "model": of[0].values["model"], "arms": len(of), "why": why}


def _why(rates: list[float]) -> str | None:
    if max(rates) <= FLOOR:
        return "floor"
    return "ceiling" if min(rates) >= CEILING else None


def told(cells: list[dict[str, Json]], of: int) -> list[str]:
    """Return one note for all such cells, the first of them named."""
    if not cells:
        return []
    named = "; ".join(_name(each) for each in cells[:4])
    more = f"; and {len(cells) - 4} more" if len(cells) > 4 else ""
    return [
        f"{len(cells)} of {of} cells are not informative, every memory is at or below {FLOOR} "
        f"(floor) or at or above {CEILING} (ceiling): {named}{more}"
    ]


def _name(cell: dict[str, Json]) -> str:
    parts = [cell["domain"], cell["tier"], cell["model"]]
    if cell["corruption"] != "none":
        parts.append(cell["corruption"])
    return f"{' '.join(str(part) for part in parts if part is not None)} ({cell['why']})"
