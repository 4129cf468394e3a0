"""Tables of worth: what a success cost, and the best memory beside full replay."""

from collections.abc import Iterable, Sequence
from math import floor, log10

from runs.labels import row_labels
from runs.tables import Row, Table, distinct, rate_text

TITLE = "What a success costs and is worth"
BEST_TITLE = "The memory of most utility, beside unbudgeted replay"
NOT_APPLICABLE = "n/a"


def worth_table(rows: Sequence[Row]) -> Table | None:
    """Return the rows of `worth` of a comparison; None where no arm has a utility."""
    if all(row["camu"] is None for row in rows):
        return None
    return Table(
        title=TITLE,
        columns=(
            "memory",
            "TSR dep.",
            "gain",
            "USD/1k ep.",
            "CAMU [95 %]",
            "break-even USD [95 %]",
            "USD/success [95 %]",
        ),
        rows=[[label, *_cells(row)] for label, row in zip(row_labels(rows), rows, strict=True)],
        text=("memory",),
        notes=tuple(_notes(rows)),
    )


def _cells(row: Row) -> list[str]:
    gain, cost = row["tsr_gain"], row["episode_cost"]
    return [
        rate_text(row["tsr_dependent"]) or "-",
        "-" if gain is None else f"{gain:+.2f}",
        "-" if cost is None else number_text(cost * 1000),
        ratio_text(row, "camu"),
        ratio_text(row, "break_even"),
        ratio_text(row, "cost_per_success"),
    ]


def ratio_text(row: Row, name: str) -> str:
    """Return a ratio with its interval: `758 [664, 872]`; `n/a` where it has none."""
    value, interval = row[name], row[f"{name}_ci"]
    if value is None:
        return NOT_APPLICABLE
    ends = map(number_text, interval) if interval is not None else (NOT_APPLICABLE,)
    return f"{number_text(value)} [{', '.join(ends)}]"


def number_text(value: float) -> str:
    """Return a number with three figures at least, never with an exponent."""
    if value == 0:
        return "0"
    places = max(0, 2 - floor(log10(abs(value))))
    return f"{value:,.{places}f}"


def _notes(rows: Sequence[Row]) -> Iterable[str]:
    yield (
        "CAMU: success gained over no memory for each USD that an episode costs more; break-even: "
        "the USD that a success must be worth; USD/success: cost of an episode over success. "
        "Costs are as-if dollars over all episodes; intervals draw clusters and work the ratio "
        "out anew; n/a where the cost difference is not positive (docs/metrics.md)."
    )


def best_table(rows: Sequence[Row]) -> Table | None:
    """Return the best memory of each domain beside unbudgeted replay; None without any."""
    if not rows:
        return None
    factors = [name for name in ("run", "model", "corruption") if len(distinct(rows, name)) > 1]
    return Table(
        title=BEST_TITLE,
        columns=("domain", *factors, "best", "CAMU", "replay", "times", "tokens/ep.", "replay's"),
        rows=[
            [
                str(row["domain"] or "all"),
                *(str(row[name]) for name in factors),
                ", ".join(row["best"]),
                number_text(row["camu"]),
                _or_none(row["replay_camu"]),
                _or_none(row["times_camu"]),
                _or_none(row["episode_tokens"]),
                _or_none(row["replay_episode_tokens"]),
            ]
            for row in rows
        ],
        text=("domain", *factors, "best"),
        notes=(),
    )


def _or_none(value: float | None) -> str:
    return NOT_APPLICABLE if value is None else number_text(value)
