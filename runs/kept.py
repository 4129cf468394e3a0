"""Tables of what memories held of the planted facts, and of success at equal spend."""

from collections.abc import Sequence

from runs.labels import row_labels
from runs.tables import Row, Table, distinct, rate_text

TITLE = "What was planted, held and shown"
SPEND_TITLE = "Success at equal spend, whatever the block's size"
_PLACES = ("early", "middle", "late")


def kept_table(rows: Sequence[Row]) -> Table | None:
    """Return the rows of `kept` of a comparison; None where nothing was planted."""
    if not any(row["n_write_recall"] for row in rows):
        return None
    counts = distinct(rows, "n_write_recall")
    return Table(
        title=TITLE,
        columns=(
            "memory",
            "planted",
            "written",
            "held at ask",
            *_PLACES,
            "block tokens",
            "of budget",
            "tok/ep",
        ),
        rows=[[label, *_cells(row)] for label, row in zip(row_labels(rows), rows, strict=True)],
        text=("memory",),
        notes=tuple(_notes(len(counts) == 1)),
    )


def _cells(row: Row) -> list[str]:
    numbers = (row["block_tokens"], row["block_fill"], row["episode_tokens"])
    block, fill, episode = ("-" if each is None else each for each in numbers)
    return [
        str(row["n_write_recall"]),
        *(rate_text(row[name]) or "-" for name in ("write_recall", "recall_at_decision")),
        *(rate_text(row["gold_by_place"][place]["share"]) or "-" for place in _PLACES),
        block if isinstance(block, str) else f"{block:.0f}",
        fill if isinstance(fill, str) else f"{fill:.2f}",
        episode if isinstance(episode, str) else f"{episode:.0f}",
    ]


def _notes(equal: bool) -> Sequence[str]:
    notes = [
        "written, held at ask: planted facts that an item holds with entity, attribute and value, "
        "after the boundary that took them in and before the decision; early, middle, late: share "
        "in the block, by the third of what was said before in which they were planted "
        "(docs/metrics.md)."
    ]
    if not equal:
        notes.append("Arms were asked for different numbers of facts, so their shares differ in n.")
    return notes


def spend_table(rows: Sequence[Row]) -> Table | None:
    """Return the rows of `spend` of a comparison, a column a level; None without several budgets."""
    if not rows:
        return None
    levels = distinct(rows, "level")
    arms = list(dict.fromkeys((row["run"], row["arm"]) for row in rows))
    first = [next(row for row in rows if (row["run"], row["arm"]) == arm) for arm in arms]
    found = {(row["run"], row["arm"], row["level"]): row for row in rows}
    return Table(
        title=SPEND_TITLE,
        columns=("memory", *(f"≤ {level:.0f} tok/ep" for level in levels)),
        rows=[
            [label, *(_spend_cell(found[(*arm, level)]) for level in levels)]
            for label, arm in zip(row_labels(first), arms, strict=True)
        ],
        text=("memory",),
        notes=(
            "Success of the largest block whose episodes cost no more, with its token budget; - "
            "where every block costs more. A level is the mean cost of an episode at one block size, "
            "all calls.",
        ),
    )


def _spend_cell(row: Row) -> str:
    if row["token_budget"] is None:
        return "-"
    return f"{rate_text(row['tsr_dependent']) or '-'} ({row['token_budget']})"
