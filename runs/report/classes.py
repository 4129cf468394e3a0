"""Tables of the report about violations, how much arms say, and what a judge thinks."""

from collections.abc import Mapping, Sequence

from runs.opinions import judge_warnings, kappa_text
from runs.report.grids import NOTHING, Cell, Grid, rate_cell
from runs.tables import Row, rate_text
from scoring.failures import CLASSES
from simulator.events import Json


def failures_grid(overall: Sequence[Row], labels: Mapping[str, str]) -> Grid | None:
    """Return the failure classes by arm, by query and by phrase; None where nothing is forbidden."""
    rows = [
        [
            Cell(labels[row["arm"]]),
            Cell(name),
            _of(row["failures"][name]["by_query"], row["failures"][name]["query_rate_ci"]),
            _of(row["failures"][name]["by_query_without_errors"]),
            _of(row["failures"][name]["by_phrase"]),
            _of(row["failures_query_aware"][name]["by_query"]),
        ]
        for row in overall
        for name in _held(row)
    ]
    if not rows:
        return None
    columns = ["memory", "class", "queries", "without errors", "phrases", "query-aware gate"]
    return Grid(
        "Forbidden values that were used, by failure class, with denominators and 95 % intervals. "
        "Interruption is a part of resurrection; any counts a decision with several classes once.",
        columns,
        2,
        rows,
    )


def _held(row: Row) -> list[str]:
    """Return the classes that a row has queries of; `any` only beside several."""
    held = [name for name in CLASSES if row["failures"][name]["by_query"][1]]
    several = len({"resurrection", "leakage", "fabrication"} & {*held}) > 1
    return [name for name in held if name != "any" or several]


def _of(counts: Sequence[int], interval: Sequence[float] | None = None) -> Cell:
    if not counts[1]:
        return Cell(NOTHING)
    share = counts[0] / counts[1]
    between = "" if interval is None else f"[{interval[0]:.2f}, {interval[1]:.2f}]"
    return Cell(str(rate_text(share)), between, f"{counts[0]}/{counts[1]}", share)


def engagement_grid(overall: Sequence[Row], labels: Mapping[str, str]) -> Grid:
    """Return how much each arm says, what it rules out, and whether violations go along with it."""
    rows = [
        [
            Cell(labels[row["arm"]]),
            Cell(_number(row["answer_tokens"], ".1f"), of=f"of {row['n_answers']}"),
            _of(row["rejected"]),
            Cell(_number(row["violation_by_length"], "+.2f")),
            Cell(_number(row["violation_by_rejection"], "+.2f")),
            Cell(str(row["n_correlated"])),
        ]
        for row in overall
    ]
    return Grid(
        "How long answers are, how many forbidden values are named only to rule them out, and how "
        "violations correlate with each (Pearson's r, phi), over decisions without an error.",
        ["memory", "answer tokens", "ruled out", "r with length", "phi with ruling out", "queries"],
        1,
        rows,
    )


def _number(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)


def judge_grid(found: Json, labels: Mapping[str, str]) -> Grid:
    """Return a judge's opinions beside the scorer; the caption says what they are worth."""
    rows = [
        [
            Cell("all" if row["arm"] is None else labels[row["arm"]]),
            Cell(str(row["judge"]), str(row["model"])),
            Cell(str(row["n"])),
            Cell(str(row["undecided"])),
            Cell(str(row["errors"])),
            _agreement(row),
            Cell(kappa_text(row)),
        ]
        for row in found["rows"]
    ]
    return Grid(
        " ".join([found["note"], *judge_warnings(found["rows"])]),
        ["memory", "judge", "answers", "undecided", "errors", "agreement", "kappa"],
        2,
        rows,
    )


def _agreement(row: Row) -> Cell:
    cell = rate_cell(row, "agreement", "decided")
    interval = row["agreement_ci"]
    return (
        cell if interval is None else cell._replace(small=f"[{interval[0]:.2f}, {interval[1]:.2f}]")
    )
