"""The table of pairs: each memory held against no memory and against full replay."""

from collections.abc import Sequence

from runs.conduct import difference_text, p_text
from runs.labels import row_labels
from runs.tables import Row, Table, distinct

TITLE = "Held against a baseline, instance by instance"


def pairs_table(rows: Sequence[Row]) -> Table | None:
    """Return the rows of `pairs` of a comparison; None without any."""
    if not rows:
        return None
    # A memory is in the table once a baseline, so its label is made among those of one.
    ordered = sorted(rows, key=lambda row: str(row["baseline"]))
    labels = [
        label
        for baseline in distinct(ordered, "baseline")
        for label in row_labels([row for row in ordered if row["baseline"] == baseline])
    ]
    return Table(
        title=TITLE,
        columns=(
            "memory",
            "against",
            "pairs",
            "clusters",
            "difference [95 %]",
            "p",
            "p (Holm)",
            "verdict",
        ),
        rows=[
            [
                label,
                str(row["against"]),
                str(row["pairs"]),
                str(row["clusters"]),
                difference_text(row["difference"], row["difference_ci"]),
                p_text(row["p"]),
                p_text(row["p_holm"]),
                str(row["verdict"] or "-"),
            ]
            for label, row in zip(labels, ordered, strict=True)
        ],
        text=("memory", "against", "verdict"),
        notes=(
            "Difference of dependent success on instances that both ended without an error, with "
            "its 95 % interval over clusters; p by sign-flip over clusters, adjusted by Holm over "
            "all rows against one baseline. Verdict: tie unless test and interval agree.",
        ),
    )
