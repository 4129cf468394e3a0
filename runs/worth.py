"""Tables of worth: what a success cost, and the best memory beside full replay."""

from collections.abc import Iterable, Mapping, Sequence
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
            "distr.",
            "USD/1k ep.",
            "CAMU [95 %]",
            "break-even/1k [95 %]",
            "USD/1k succ. [95 %]",
        ),
        rows=[[label, *_cells(row)] for label, row in zip(row_labels(rows), rows, strict=True)],
        text=("memory",),
        notes=tuple(_notes(rows)),
    )


def _cells(row: Row) -> list[str]:
    cost = row["episode_cost"]
    return [
        rate_text(row["tsr_dependent"]) or "-",
        *(
            "-" if row[name] is None else f"{row[name]:+.2f}"
            for name in ("tsr_gain", "distraction")
        ),
        "-" if cost is None else number_text(cost * 1000),
        " ".join(split_ratio(row, "camu")).strip(),
        " ".join(split_ratio(row, "break_even", 1000)).strip(),
        " ".join(split_ratio(row, "cost_per_success", 1000)).strip(),
    ]


def split_ratio(row: Row, name: str, times: int = 1) -> tuple[str, str]:
    """Return a ratio and its interval: `758` and `[664, 872]`; `n/a` and nothing without one."""
    value, interval = row[name], row[f"{name}_ci"]
    if value is None:
        return NOT_APPLICABLE, ""
    if interval is None:
        return number_text(value * times), f"[{NOT_APPLICABLE}]"
    return number_text(value * times), f"[{', '.join(number_text(e * times) for e in interval)}]"


def number_text(value: float) -> str:
    """Return a number with three figures at least, never with an exponent."""
    if value == 0:
        return "0"
    places = max(0, 2 - floor(log10(abs(value))))
    return f"{value:,.{places}f}"


def _notes(rows: Sequence[Row]) -> Iterable[str]:
    yield (
        "CAMU: success gained over no memory for each USD that an episode costs more; break-even: "
        "USD that 1,000 successes must be worth; USD/1k succ.: what they cost; distr.: success "
        "lost where no earlier session is needed."
    )
    priced = "as the tables give them" if _external(rows) else "as-if dollars"
    yield (
        f"Costs: {priced}, over all episodes. Intervals draw clusters and work the ratio out anew; "
        "n/a where the cost difference is not positive (docs/metrics.md)."
    )


def _external(rows: Sequence[Row]) -> bool:
    return all(row["evidence"] == "external" for row in rows)


def best_table(rows: Sequence[Row], labels: Mapping[str, str]) -> Table | None:
    """Return the best memory of each domain beside unbudgeted replay; None without any.

    `labels` has short names of arms.
    """
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
                ", ".join(labels.get(arm, arm) for arm in row["best"]) or "-",
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
