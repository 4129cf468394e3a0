"""The analysis as tables for a terminal: hypotheses, controls, seeds, models."""

from collections.abc import Iterator, Sequence

from runs.tables import Row, Table, rate_interval_text, rate_text
from scoring.analysis.gates import ENDINGS, is_gated
from simulator.events import Json

_MOST_ROWS = 200
"""A terminal table stops here; --json has every row."""

_TEST = (
    "p: sign-flip test over clusters, one-sided where a direction is declared, else two-sided. "
    "p Holm is adjusted within a family: the tests of one name under one model."
)
_SAYS = {"higher": "first higher", "lower": "first lower", "two-sided": "they differ"}


def analysis_tables(found: Row) -> Iterator[Table]:
    """Yield the tables that a comparison's analysis has something for."""
    for made in (
        hypotheses_table(found["hypotheses"]),
        controls_table(found["controls"]),
        seeds_table(found["seeds"]),
        *(stability_table(each) for each in found["stability"]),
    ):
        if made is not None:
            yield made


def shown_hypotheses(rows: Sequence[Row]) -> list[Row]:
    """Return the suite's own hypotheses, and of the default families what was tested."""
    return [row for row in rows if row["kind"] == "own" or row["p"] is not None]


def hypotheses_table(rows: Sequence[Row]) -> Table | None:
    """Return a line a hypothesis, pair of arms and cell; None without any to show."""
    shown = shown_hypotheses(rows)
    if not shown:
        return None
    told = shown[:_MOST_ROWS]
    columns = hypothesis_columns(told)
    notes = [_TEST] if any(row["p"] is not None for row in told) else []
    if any(row["status"] == "exploratory" for row in told):
        notes.append(
            "Exploratory: asked after the first trial, so its p is a hint for the next study only."
        )
    if len(shown) > len(told):
        notes.append(f"{len(shown) - len(told)} more rows; --json has them all.")
    return Table(
        title="Hypotheses",
        columns=tuple(columns),
        rows=[list(line) for line in zip(*columns.values(), strict=True)],
        text=("hypothesis", "first", "against", "model", "cell", "says", "status", "verdict"),
        notes=tuple(notes),
    )


def hypothesis_columns(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return the columns of hypotheses by heading; what says nothing here is left out."""
    columns = {
        "hypothesis": [str(row["name"]) for row in rows],
        "first": [str(row["first_memory"]) for row in rows],
        "against": [str(row["second_memory"]) for row in rows],
        "run": [str(row["run"]) for row in rows],
        "model": [str(row["model"]) for row in rows],
        "cell": [_cell(row) for row in rows],
        "metric": [str(row["metric"]) for row in rows],
        "says": [_SAYS[row["direction"]] for row in rows],
        "difference [95 %]": [difference_text(row) for row in rows],
        "clusters": [str(row["clusters"]) for row in rows],
        "p": [p_text(row["p"]) for row in rows],
        "p Holm": [p_text(row["p_holm"]) for row in rows],
        "verdict": [str(row["verdict"] or "-") for row in rows],
        "confirmed": [_YES[row["confirmed"]] for row in rows],
        "needs": [_needs(row) for row in rows],
        "status": [str(row["status"]) for row in rows],
    }
    plain = {"cell": "", "metric": "tsr_dependent", "confirmed": "-", "needs": "-"}
    return {
        name: cells
        for name, cells in columns.items()
        if not (name in ("run", "model") and len(set(cells)) == 1)
        and not (name in plain and set(cells) == {plain[name]})
        and not (name in ("first", "against") and _says_all(rows))
        and not (name in ("p", "p Holm") and set(cells) == {"-"})
    }


def _says_all(rows: Sequence[Row]) -> bool:
    """Return whether the names alone tell the pairs of arms apart."""
    pairs = {(row["name"], row["first_memory"], row["second_memory"]) for row in rows}
    return len({name for name, _, _ in pairs}) == len(pairs)


_YES: dict[bool | None, str] = {True: "yes", False: "no", None: "-"}


def _cell(row: Row) -> str:
    named = {**row["where"], **row["cell"]}
    return " ".join(
        "/".join(map(str, value)) if isinstance(value, list) else str(value)
        for value in named.values()
    )


def _needs(row: Row) -> str:
    if row["power"] is None:
        return "-"
    return "> 1000" if row["clusters_needed"] is None else str(row["clusters_needed"])


def difference_text(row: Row) -> str:
    """Return a difference with its interval, `+0.25 [+0.10, +0.41]`; `-` without one."""
    if row["difference"] is None:
        return "-"
    low, high = row["difference_ci"]
    return f"{row['difference']:+.2f} [{low:+.2f}, {high:+.2f}]"


def p_text(value: float | None) -> str:
    """Return a p with three decimals; what is smaller is never shown as 0."""
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def tested_controls(rows: Sequence[Row]) -> list[Row]:
    """Return the controls of real models."""
    return [row for row in rows if is_gated(row["evidence"], row["passed"])]


def controls_table(rows: Sequence[Row]) -> Table | None:
    """Return a line a model: what it does when everything is shown to it; None without models."""
    shown = tested_controls(rows)
    if not shown:
        return None
    columns = ("model", "success [95 %]", *(e.replace("_", " ") for e in ENDINGS), "indep", "")
    note = (
        "Replay control: dependent decisions with the whole history in the block. Did not act: it "
        "asked back or refused. Model error: its calls did not parse, or it ran out of steps."
    )
    lines = [
        [
            str(row["model"]),
            rate_interval_text(row["tsr_dependent"], row["tsr_dependent_ci"]) or "-",
            *(str(row[name]) for name in ENDINGS),
            rate_text(row["tsr_independent"]) or "-",
            control_text(row),
        ]
        for row in shown
    ]
    return Table("Replay control by model", columns, lines, text=("model", ""), notes=(note,))


def control_text(row: Row) -> str:
    """Return what follows from a control."""
    if row["passed"] is None:
        return "no control"
    return "passed" if row["passed"] else "no statement about memories follows"


def seeds_table(rows: Sequence[Row]) -> Table | None:
    """Return a line an arm and cell that has a gap between seeds; None without any.

    Of arms that do the same under every trial seed the repeats are warned of.
    """
    shown = [row for row in rows if {row["trial_gap"], row["generation_gap"]} != {None}]
    if not shown:
        return None
    cells = [_cell({**row, "where": {}}) for row in shown]
    columns = ["arm", *(["cell"] if any(cells) else [])]
    lines = [
        [
            str(row["arm"]),
            *([cell] if any(cells) else []),
            *seed_cells(row),
        ]
        for row, cell in zip(shown, cells, strict=True)
    ]
    return Table(
        title="Dependent success by seed",
        columns=(*columns, *SEED_COLUMNS),
        rows=lines,
        text=("arm", "cell"),
        notes=(
            "Gap: highest less lowest rate. Noise: differences between two identical arms stay "
            "below this in 95 % of cases.",
        ),
    )


SEED_COLUMNS = ("trial seeds", "gap", "noise", "generation seeds", "gap of these")


def seed_cells(row: Row) -> list[str]:
    """Return the cells of one arm's seeds."""
    trial = "deterministic" if row["deterministic"] else _rates(row["tsr_by_trial_seed"])
    return [
        trial,
        rate_text(row["trial_gap"]) or "n/a",
        rate_text(row["noise_floor"]) or "n/a",
        _rates(row["tsr_by_generation_seed"]),
        rate_text(row["generation_gap"]) or "n/a",
    ]


def _rates(found: Json) -> str:
    return " ".join(f"{seed}: {rate_text(rate)}" for seed, rate in found.items()) or "-"


def stability_table(found: Row) -> Table:
    """Return a line a memory: how far it stands above the mean of all, over models."""
    lines = [
        [
            str(row["memory"]),
            f"{row['premium']:+.2f}",
            f"{row['lowest']:+.2f} to {row['highest']:+.2f}",
        ]
        for row in found["premiums"]
    ]
    return Table(
        title=f"Premium over {len(found['models'])} models",
        columns=("memory", "mean", "range"),
        rows=lines,
        text=("memory",),
        notes=(
            "Premium: dependent success less the mean of all memories under the same model.",
            *([order_text(found["orders"])] if found["orders"] else []),
        ),
    )


def order_text(orders: Row) -> str:
    """Return how far the models agree on the order of the memories."""
    if orders["mean_tau"] is None:
        return "Order of the memories: some model shows no difference at all, so no tau."
    return (
        f"Order of the memories: mean Kendall tau {orders['mean_tau']:+.2f}, least "
        f"{orders['least_tau']:+.2f}; the same in {orders['same_order']:.0%} of pairs of models."
    )
