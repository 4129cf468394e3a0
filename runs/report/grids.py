"""Tables of the report: what the template draws, and how comparison rows become them."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from runs.labels import arm_labels
from runs.tables import Row, money_text, rate_text
from simulator.events import Json

NOTHING = "–"


class Cell(NamedTuple):
    """One cell.

    Attributes:
        text: What it says.
        small: A second line in small letters.
        of: Its denominator, on the same line.
        share: A share in [0, 1] that is drawn behind it, or None.
    """

    text: str
    small: str = ""
    of: str = ""
    share: float | None = None


class Grid(NamedTuple):
    """One table.

    Attributes:
        caption: What it shows, one sentence.
        columns: Headings.
        text: How many columns from the left are text; the others are numbers.
        rows: The cells.
        notes: What must be known to read it, a sentence each.
    """

    caption: str
    columns: Sequence[str]
    text: int
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str] = ()


def cells_by(overall: Sequence[Row], parts: Sequence[Row], factor: str) -> Grid:
    """Return dependent success: a row an arm, a column a value of the factor, then all."""
    labels = arm_labels(overall)
    values, found = _split(parts, factor)
    rows = []
    for row in overall:
        arm = row["arm"]
        split = [success_cell(found.get((arm, value))) for value in values]
        errors = Cell(str(row["errors"]), of=f"of {row['n']}")
        independent = rate_cell(row, "tsr_independent", "n_independent")
        overall_cell = success_cell(row)
        rows.append([Cell(labels[arm]), *split, overall_cell, independent, errors])
    named = [str(value) if value is not None else f"no {factor}" for value in values]
    return Grid(
        "Success on decisions that need an earlier session, with 95 % intervals and denominators; "
        "errors are in the denominator.",
        ["memory", *named, "all" if values else "dependent", "independent", "errors"],
        1,
        rows,
    )


def cells_across(overall: Sequence[Row], parts: Sequence[Row], factor: str) -> Grid:
    """Return dependent success: a row a value of the factor, a column an arm."""
    labels = arm_labels(overall)
    values, found = _split(parts, factor)
    rows = [
        [Cell(str(value or f"no {factor}")), *(success_cell(found.get((a, value))) for a in labels)]
        for value in values
    ]
    caption = f"The same by {factor}."
    return Grid(caption, [factor, *labels.values()], 1, rows)


def _split(parts: Sequence[Row], factor: str) -> tuple[list[Json], dict[tuple[str, Json], Row]]:
    values = list(dict.fromkeys(row[factor] for row in parts))
    return values, {(row["arm"], row[factor]): row for row in parts}


def success_cell(row: Row | None) -> Cell:
    """Return a row's dependent success with interval and denominator."""
    if row is None or row["tsr_dependent"] is None:
        return Cell(NOTHING)
    n, rate, interval = row["n_dependent"], row["tsr_dependent"], row["tsr_dependent_ci"]
    between = f"[{interval[0]:.2f}, {interval[1]:.2f}]" if interval else "no interval"
    return Cell(str(rate_text(rate)), between, f"{round(rate * n)}/{n}", rate)


def rate_cell(row: Row, rate: str, count: str) -> Cell:
    """Return a rate with its denominator."""
    value, whole = row[rate], row[count]
    if value is None:
        return Cell(NOTHING)
    return Cell(str(rate_text(value)), of=f"{round(value * whole)}/{whole}", share=value)


def use_grid(overall: Sequence[Row]) -> Grid:
    """Return what the block held and what of it was used."""
    labels = arm_labels(overall)
    rows = [
        [
            Cell(labels[row["arm"]]),
            Cell(NOTHING if row["block_tokens"] is None else f"{row['block_tokens']:.0f}"),
            rate_cell(row, "use_rate_values", "n_use_values"),
            rate_cell(row, "use_rate_all", "n_use_all"),
            rate_cell(row, "ignore_rate", "n_use_all"),
            Cell(str(row["stale_used"])),
        ]
        for row in overall
    ]
    columns = ["memory", "block tokens", "use, by value", "use, all values", "ignored"]
    return Grid(
        "What the memory gave back, and what of it was used.",
        [*columns, "superseded values used"],
        1,
        rows,
    )


def pairs_grid(pairs: Sequence[Row], labels: Mapping[str, str]) -> Grid:
    """Return each arm held against the arm without memory and the replay control."""
    tested = any(row["p_holm"] is not None for row in pairs)
    rows = [
        [
            Cell(labels[row["arm"]]),
            Cell(_BASELINES[row["baseline"]]),
            Cell(f"{row['difference']:+.2f}", _difference(row["difference_ci"])),
            Cell(str(row["pairs"]), f"{row['clusters']} clusters"),
            Cell(str(row["dropped"])),
            *([Cell(_p(row["p_holm"])), Cell(row["verdict"] or NOTHING)] if tested else []),
        ]
        for row in pairs
    ]
    columns = ["memory", "against", "difference", "pairs", "dropped"]
    return Grid(
        "Difference of dependent success on the decisions that both ended without an error.",
        [*columns, *(["p (Holm)", "verdict"] if tested else [])],
        2,
        rows,
    )


_BASELINES = {"none": "no memory", "replay": "unbudgeted replay"}


def _difference(interval: Sequence[float] | None) -> str:
    if interval is None:
        return "every cluster alike"
    return f"[{interval[0]:+.2f}, {interval[1]:+.2f}]"


def _p(value: float | None) -> str:
    if value is None:
        return NOTHING
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def costs_grid(costs: Row, labels: Mapping[str, str]) -> Grid:
    """Return the cost table, what was paid beside what a hosted model would have cost."""
    order = {arm: place for place, arm in enumerate(labels)}
    rows = [
        [
            Cell(labels.get(row["arm"], row["arm"])),
            Cell(row["purpose"]),
            Cell(str(row["role"]).replace("_", " ")),
            *(Cell(f"{row[name]:,}") for name in _COUNTS),
            Cell(money_text(row["usd"])),
            Cell(money_text(row["usd_as_if"])),
        ]
        for row in sorted(costs["rows"], key=lambda row: order.get(row["arm"], len(order)))
    ]
    total = [
        Cell("all"),
        Cell(""),
        Cell(""),
        *(Cell(f"{sum(row[name] for row in costs['rows']):,}") for name in _COUNTS),
        Cell(money_text(costs["total_usd"])),
        Cell(money_text(costs["total_usd_as_if"])),
    ]
    counts = ["calls", "input tokens", "of them cached", "output tokens"]
    return Grid(
        f"Prices: {costs['prices']}. “As if” prices every completion as {costs['as']}.",
        ["memory", "purpose", "part", *counts, "USD paid", "USD as if"],
        3,
        [*rows, total],
    )


_COUNTS = ("calls", "input_tokens", "cached_tokens", "output_tokens")


def skipped_grid(overall: Sequence[Row]) -> Grid:
    """Return how many probes were counted apart, by reason."""
    rows = []
    for kind, name in (("excluded", "excluded"), ("not scorable", "not_scorable")):
        for reason in sorted({reason for row in overall for reason in row[f"{name}_reasons"]}):
            most = max(row[f"{name}_reasons"].get(reason, 0) for row in overall)
            rows.append([Cell(kind), Cell(reason), Cell(str(most))])
    return Grid("Probes counted apart, an arm.", ["state", "reason", "probes"], 2, rows)


def per_episode(row: Row, value: Callable[[Row], Json]) -> float | None:
    """Return an amount of a row divided by its sessions; None where either is unknown."""
    amount, episodes = value(row), row["episodes"]
    return float(Decimal(str(amount)) / episodes) if amount is not None and episodes else None
