"""Tables of the risk track: passes by risk and tier, refusals, tests, inversions, pedigrees."""

from collections.abc import Iterator, Sequence

from runs.conduct import p_text
from runs.labels import row_labels
from runs.tables import Row, Table, rate_text
from scoring.keys import TIERS
from scoring.risks.conduct import REFUSALS
from scoring.risks.kinds import NUMBERS, RISKS, SEPARATE
from scoring.risks.pedigree import PATHS
from scoring.risks.violations import VIOLATIONS
from simulator.events import Json

MOST = 12
"""Rows of a list that a terminal shows; the rest is counted, and --json has all."""

_MEMORY = ("memory",)


def risk_tables(found: Json) -> list[Table]:
    """Return the tables of `risks` of a comparison, in their order; none without the track."""
    if found is None:
        return []
    labels = _labels(found["rows"])
    made = (
        _passes(found["rows"], labels),
        _tiers(found["rows"], labels),
        _sensitivity(found["rows"], labels),
        _violations(found["rows"], labels),
        _memories(found["memories"]),
        _tests(found["tests"]),
        _inversions(found["inversions"]),
        _contamination(found, labels),
    )
    return [table for table in made if table is not None]


def _labels(rows: Sequence[Row]) -> dict[tuple[str, str], str]:
    """Return a label for each arm of each run: its memory and its model."""
    arms = {(row["run"], row["arm"]): _of_arm(row) for row in rows}
    return dict(zip(arms, row_labels(list(arms.values())), strict=True))


def _of_arm(row: Row) -> dict[str, Json]:
    return {name: value for name, value in row.items() if name != "risk"}


def _by_arm(rows: Sequence[Row]) -> dict[tuple[str, str], dict[str, Row]]:
    found: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        found.setdefault((row["run"], row["arm"]), {})[row["risk"]] = row
    return found


def _risks(rows: Sequence[Row]) -> list[str]:
    present = {row["risk"] for row in rows}
    return [risk for risk in RISKS if risk in present]


def _heading(risk: str) -> str:
    number = next(number for name, number in NUMBERS.items() if name == risk)
    return f"{number} {risk}"


def _passes(rows: Sequence[Row], labels: dict[tuple[str, str], str]) -> Table:
    risks = _risks(rows)
    sizes = sorted({row["n"] for row in rows})
    return Table(
        title="Risk track: passed, with the exact 95 % interval of the rate",
        columns=("memory", *map(_heading, risks)),
        rows=[
            [labels[arm], *(_interval(of_risk.get(risk)) for risk in risks)]
            for arm, of_risk in _by_arm(rows).items()
        ],
        text=_MEMORY,
        notes=(
            f"Of {' or '.join(map(str, sizes))} decisions each; an error counts as not passed. "
            "Intervals by Clopper and Pearson, each decision an arc of its own.",
            *_separate(risks),
        ),
    )


def _separate(risks: Sequence[str]) -> Iterator[str]:
    for risk in risks:
        if risk in SEPARATE:
            yield f"{_heading(risk)} is a track of its own; no rate over several risks counts it."


def _interval(row: Row | None) -> str:
    if row is None:
        return "-"
    low, high = row["pass_rate_ci"]
    return f"{row['passed']} [{low:.2f}, {high:.2f}]"


def _tiers(rows: Sequence[Row], labels: dict[tuple[str, str], str]) -> Table | None:
    risks = _risks(rows)
    if not any(row["tiers"][tier]["n"] for row in rows for tier in TIERS):
        return None
    return Table(
        title="Risk track: passed by tier (easy/medium/hard)",
        columns=("memory", *map(_heading, risks)),
        rows=[
            [labels[arm], *(_curve(of_risk.get(risk)) for risk in risks)]
            for arm, of_risk in _by_arm(rows).items()
        ],
        text=_MEMORY,
        notes=(),
    )


def _curve(row: Row | None) -> str:
    if row is None:
        return "-"
    return "/".join(str(row["tiers"][tier]["passed"]) for tier in TIERS)


def _sensitivity(rows: Sequence[Row], labels: dict[tuple[str, str], str]) -> Table | None:
    declined = [row for row in rows if sum(row["refusals"].values())]
    if not declined:
        return None
    return Table(
        title="Refusals: both variants side by side",
        columns=("memory", "risk", "n", "default", "safety-aware", *REFUSALS, "asked"),
        rows=[
            [
                labels[row["run"], row["arm"]],
                _heading(row["risk"]),
                str(row["n"]),
                str(rate_text(row["pass_rate"])),
                str(rate_text(row["pass_rate_safety"])),
                *(str(row["refusals"][sort]) for sort in REFUSALS),
                str(row["clarifications"]),
            ]
            for row in declined
        ],
        text=("memory", "risk"),
        notes=(
            "The safety-aware variant passes a refusal in leakage and decay only. Every other pair "
            "of memory and risk has no refusal, so both variants are the same; --json has them.",
        ),
    )


def _violations(rows: Sequence[Row], labels: dict[tuple[str, str], str]) -> Table | None:
    arms = _by_arm(rows)
    counts = {
        arm: {kind: sum(row["violations"][kind] for row in of_risk.values()) for kind in VIOLATIONS}
        for arm, of_risk in arms.items()
    }
    kinds = [kind for kind in VIOLATIONS if any(each[kind] for each in counts.values())]
    if not kinds:
        return None
    return Table(
        title="Violations: decisions with at least one of each kind",
        columns=("memory", *kinds),
        rows=[[labels[arm], *(str(each[kind]) for kind in kinds)] for arm, each in counts.items()],
        text=_MEMORY,
        notes=("blend: both sides of a conflict at once; undone: what was to be done was not.",),
    )


def _memories(rows: Sequence[Row]) -> Table | None:
    sides = {row["side"]: _of_arm(row) | {"arm": row["side"]} for row in rows}
    if len(sides) < 2:
        return None
    labels = dict(zip(sides, row_labels(list(sides.values())), strict=True))
    risks = _risks(rows)
    cells = {(row["side"], row["risk"]): row for row in rows}
    return Table(
        title="Risk track by memory, over all models",
        columns=("memory", *map(_heading, risks)),
        rows=[
            [labels[side], *(_against(cells.get((side, risk))) for risk in risks)] for side in sides
        ],
        text=_MEMORY,
        notes=("In brackets the difference to unbudgeted replay, which filters nothing.",),
    )


def _against(row: Row | None) -> str:
    if row is None:
        return "-"
    rate = str(rate_text(row["pass_rate"]))
    difference = row["against_no_filter"]
    return rate if difference is None else f"{rate} ({difference:+.2f})"


def _tests(rows: Sequence[Row]) -> Table | None:
    if not rows:
        return None
    first = sorted(rows, key=lambda row: row["p"])[:MOST]
    families = sorted({row["tests"] for row in rows})
    flagged = any(row["quantisations"] for row in first)
    return Table(
        title="Pairs of models within a risk: Fisher's exact test, the smallest p first",
        columns=("risk", "memory", "first", "passed", "second", "passed ", "p", "p (Holm)"),
        rows=[
            [
                _heading(row["risk"]),
                _memory(row),
                str(row["first"]),
                f"{row['passed'][0]}/{row['n'][0]}",
                f"{row['second']}{' *' if row['quantisations'] else ''}",
                f"{row['passed'][1]}/{row['n'][1]}",
                p_text(row["p"]),
                p_text(row["p_holm"]),
            ]
            for row in first
        ],
        text=("risk", "memory", "first", "second"),
        notes=(
            f"{len(rows)} tests in all, in families of {' and '.join(map(str, families))} (all "
            "pairs of models within every risk under one memory), two-sided, corrected by Holm "
            "within each family.",
            *((_FLAG,) if flagged else ()),
        ),
    )


_SCRIPTED = "Scripted readers have one weakness each: none is weaker than another as a whole."
_FLAG = "*: the two are quantised differently, so a difference may be the quantisation's."


def _memory(row: Row) -> str:
    return (
        str(row["memory"])
        if row["implementation"] is None
        else (f"{row['memory']}/{row['implementation']}")
    )


def _inversions(rows: Sequence[Row]) -> Table | None:
    if not rows:
        return None
    first = sorted(rows, key=lambda row: row["passed"][1] - row["passed"][0])[:MOST]
    left = len(rows) - len(first)
    return Table(
        title="Inversions: a model that the suite names earlier, as weaker, passes more",
        columns=("risk", "memory", "weaker", "passed", "stronger", "passed "),
        rows=[
            [
                _heading(row["risk"]),
                _memory(row),
                str(row["weaker"]),
                f"{row['passed'][0]}/{row['n'][0]}",
                f"{row['stronger']}{' *' if row['quantisations'] else ''}",
                f"{row['passed'][1]}/{row['n'][1]}",
            ]
            for row in first
        ],
        text=("risk", "memory", "weaker", "stronger"),
        notes=(
            "Descriptive: whether a difference is more than chance, only the tests can say.",
            *((_SCRIPTED,) if any(row["evidence"] == "scripted" for row in first) else ()),
            *((f"{left} more; --json has all.",) if left else ()),
            *((_FLAG,) if any(row["quantisations"] for row in first) else ()),
        ),
    )


def _contamination(found: Json, labels: dict[tuple[str, str], str]) -> Table | None:
    rows = [row for row in found["contamination"] if row["reached"]]
    if not rows:
        return None
    undecided = [
        f"Undecided: {each['trial']} used {each['value']}: {each['reason']}."
        for each in found["undecided"]
    ]
    more = len(undecided) - MOST
    return Table(
        title="R6: decisions that a contaminated source's text reached, and by which way",
        columns=("memory", "n", "reached", *PATHS),
        rows=[
            [
                labels[row["run"], row["arm"]],
                str(row["n"]),
                str(row["reached"]),
                *(str(row["paths"][path]) for path in PATHS),
            ]
            for row in rows
        ],
        text=_MEMORY,
        notes=(
            "summary: an item made of the source's text, such as a digest's sentence or a fact; "
            "copy: its whole text; context: the running session showed it.",
            *undecided[:MOST],
            *((f"{more} more are undecided; --json has all.",) if more > 0 else ()),
        ),
    )
