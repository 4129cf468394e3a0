"""Tables of conduct: what dependent decisions came to, and what wrong records did."""

from collections.abc import Iterator, Sequence

from runs.labels import row_labels
from runs.tables import Row, Table, rate_text
from scoring.outcomes import OUTCOMES

OUTCOMES_TITLE = "What dependent decisions came to"
HARM_TITLE = "Stale-memory harm"


def outcomes_table(rows: Sequence[Row]) -> Table:
    """Return the outcomes of the rows of `conduct`; what never occurs has no column."""
    names = occurring_outcomes(rows)
    return Table(
        title=OUTCOMES_TITLE,
        columns=("memory", "n dep.", *names),
        rows=[
            [label, str(row["n_dependent"]), *(outcome_text(row, name) for name in names)]
            for label, row in zip(row_labels(rows), rows, strict=True)
        ],
        text=("memory",),
        notes=tuple(_outcome_notes(rows, names)),
    )


def occurring_outcomes(rows: Sequence[Row]) -> list[str]:
    """Return the outcomes that some row has, in the order of `OUTCOMES`."""
    return [name for name in OUTCOMES if any(row["outcomes"][name]["n"] for row in rows)]


def outcome_text(row: Row, name: str) -> str:
    """Return the number of an outcome and its share: `2 (0.67)`; `-` for none."""
    found = row["outcomes"][name]
    return f"{found['n']} ({rate_text(found['share'])})" if found["n"] else "-"


def _outcome_notes(rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    if not names:
        return
    yield (
        "Each decision has one outcome, the first that fits (docs/metrics.md); shares are of all "
        "dependent decisions, and fresh is success."
    )
    silent = sum(row["answered_without_act"] for row in rows)
    if silent:
        yield f"refused: {silent} of them are answers without the act that was asked for."
    quoted = sum(row["quoted_not_acted"] for row in rows)
    if quoted:
        yield f"{quoted} decisions named a right value in their last words and did not act on it."


def harm_table(rows: Sequence[Row]) -> Table | None:
    """Return stale-memory harm by arm; None where no clean and corrupted arcs were played."""
    found = [row for row in rows if row["smh"] is not None]
    if not found:
        return None
    tested = any(row["smh_p_holm"] is not None for row in found)
    labels = [label for label, row in zip(row_labels(rows), rows, strict=True) if row in found]
    columns = ("memory", "pairs", "SMH [95 %]", "acted on corrupted", "re-verified")
    return Table(
        title=HARM_TITLE,
        columns=(*columns, *(("p (Holm)",) if tested else ())),
        rows=[
            [
                label,
                str(row["smh_pairs"]),
                difference_text(row["smh"], row["smh_ci"]),
                count_text(row, "corrupted_used"),
                count_text(row, "reverified"),
                *([p_text(row["smh_p_holm"])] if tested else []),
            ]
            for label, row in zip(labels, found, strict=True)
        ],
        text=("memory",),
        notes=(
            "SMH: dependent success on clean arcs less that on their corrupted versions, on "
            "decisions that both ended without an error; it cannot exceed the clean success. "
            "Re-verified: looked something up before the first call that changes the world.",
        ),
    )


def difference_text(value: float | None, interval: Sequence[float] | None) -> str:
    """Return a signed difference with its interval: `+0.30 [+0.10, +0.50]`; `-` for none."""
    if value is None:
        return "-"
    if interval is None:
        return f"{value:+.2f}"
    return f"{value:+.2f} [{interval[0]:+.2f}, {interval[1]:+.2f}]"


def count_text(row: Row, name: str) -> str:
    """Return how often something was so, of how often it could be: `3/9 (0.33)`; `-` for never."""
    whole = row[f"n_{name}"]
    return f"{row[name]}/{whole} ({rate_text(row[f'{name}_rate'])})" if whole else "-"


def p_text(value: float | None) -> str:
    """Return a p-value; `-` for none, and never `0`."""
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
