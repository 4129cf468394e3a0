"""Tables of the context track: compliance and lift, where dropped content survived, what was shown."""

from collections.abc import Callable, Iterator, Sequence

from runs.figures import rate_interval_text, rate_text, signed_text
from runs.labels import row_labels
from runs.spelling import spelled
from runs.tables import Row, Table, distinct, factor_text, heading, varying
from simulator.events import Json

COMPLIANCE_TITLE = "Compliance by kind of probe, beside the same tasks without the planting"
FORGETTING_TITLE = "Where withdrawn and deleted content survived"
LOSS_TITLE = "What went with it"
SURVIVAL_TITLE = "Planted probes whose essentials the test's prompt still shows"
PHRASING_TITLE = (
    "Can it be read at all: compliance by phrasing in full context without a compaction"
)
RETENTION_TITLE = "Known when asked, beside kept when it mattered"
INFLUENCE_TITLE = "What withdrawn content moved after its notice"
UNDIAGNOSTIC_TITLE = "Tasks that are not diagnostic: their twins mostly comply"

INFERENCE = "What an agent infers from permitted facts is not detected: no exposure seen is no proof of none."
"""Stands under every table about revocation."""

_NOTHING = "-"
Column = tuple[str, Sequence[str | None]]
"""Heading and cells; None is nothing."""


def context_tables(found: Row) -> list[Table]:
    """Return the tables of a comparison that have something to say, in their order."""
    made = (
        compliance_table(found["context"]),
        forgetting_table(found["forgetting"]),
        loss_table(found["forgetting"]),
        influence_table(found.get("influence", [])),
        retention_table(found.get("retention", [])),
        survival_table(found["survival"]),
        phrasing_table(found["phrasing"]),
        undiagnostic_table(found["not_diagnostic"]),
    )
    return [table for table in made if table is not None]


def line_names(rows: Sequence[Row]) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return headings and cells that tell lines apart, but for the kind of probe.

    A line is called by its arm where it has one; else by every factor in which rows differ.
    """
    if all(row.get("arm") for row in rows):
        arms = {(row["run"], row["arm"]): _plain(row) for row in rows}
        labels = dict(zip(arms, row_labels(list(arms.values())), strict=True))
        shown = _crossed(rows)
        cells = [[labels[row["run"], row["arm"]], *_levels(row, shown)] for row in rows]
        return ("memory", *map(heading, shown)), cells
    names = [name for name in ("memory", *varying(rows)) if name != "probe_kind"]
    shown = [name for name in names if len(distinct(rows, name)) > 1] or names[:1]
    return tuple(map(heading, shown)), [_levels(row, shown) for row in rows]


def _plain(row: Row) -> Row:
    """Return a row of an arm without what tells the lines of one arm apart."""
    own = {"levels", "phrasing", "position", "probe_kind", *(row.get("levels") or ())}
    return {name: value for name, value in row.items() if name not in own}


def _crossed(rows: Sequence[Row]) -> list[str]:
    names = dict.fromkeys(name for row in rows for name in row.get("levels") or ())
    planted = [name for name in ("phrasing", "position") if any(row.get(name) for row in rows)]
    return [*names, *planted]


def _levels(row: Row, names: Sequence[str]) -> list[str]:
    return [factor_text(row, name) or _NOTHING for name in names]


def compliance_table(rows: Sequence[Row]) -> Table | None:
    """Return compliance, lift and what stands beside them; None without planted probes."""
    if not rows:
        return None
    headings, names = line_names(rows)
    columns = [
        ("n", [_count(row["n_compliance"]) for row in rows]),
        ("compliance [95 %]", [_rate(row, "compliance") for row in rows]),
        ("twin", [rate_text(row["twin_compliance"]) for row in rows]),
        ("lift [95 %]", [signed_text(row["lift"], row["lift_ci"]) for row in rows]),
        ("task done", [rate_text(row["task_success"]) for row in rows]),
        ("over-retention", [_of(row, "over_retention", "n_lifted") for row in rows]),
        ("stale", [rate_text(row["stale_use"]) for row in rows]),
        ("verbatim", [rate_text(row["fidelity"]) for row in rows]),
        ("typographic", [rate_text(row["fidelity_typographic"]) for row in rows]),
        ("attributed", [rate_text(row["attribution"]) for row in rows]),
        ("tok/task", [_whole(row["tokens_per_task"]) for row in rows]),
        ("sim. s/task", [_seconds(row["latency_ms_per_task"]) for row in rows]),
    ]
    return _table(COMPLIANCE_TITLE, (*headings, "probe"), names, rows, columns, _compliance_notes)


def _compliance_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield (
        "lift = compliance less that of the same task without the planting (twin), paired by task; "
        "intervals resample whole tasks; errors stay in the denominators."
    )
    if any(row["n_lifted"] for row in rows):
        yield (
            "over-retention = what is allowed again was still not done; such constraints are in "
            "neither compliance nor lift."
        )
    yield "task done = the work itself was done, and nothing critical was used; see it beside compliance."
    yield "Simulated seconds are a function of tokens by the arm's latency profile; nothing was timed."
    if any(row["probe_kind"] in ("revocation", "deletion") for row in rows):
        yield INFERENCE


def _table(
    title: str,
    headings: Sequence[str],
    names: Sequence[Sequence[str]],
    rows: Sequence[Row],
    columns: Sequence[Column],
    notes: Callable[[Sequence[Row]], Iterator[str]],
) -> Table:
    """Return a table of lines by kind of probe; columns that are empty everywhere are left out."""
    filled = [each for each in columns if any(cell is not None for cell in each[1])]
    kinds = [[str(row["probe_kind"] or "all")] if "probe" in headings else [] for row in rows]
    cells = zip(*(cells for _, cells in filled), strict=True)
    return Table(
        title=title,
        columns=(*headings, *(name for name, _ in filled)),
        rows=[
            [*name, *kind, *(_NOTHING if cell is None else cell for cell in line)]
            for name, kind, line in zip(names, kinds, cells, strict=True)
        ],
        text=tuple(headings),
        notes=tuple(notes(rows)),
    )


def _count(value: int) -> str | None:
    return str(value) if value else None


def _rate(row: Row, name: str) -> str | None:
    return rate_interval_text(row[name], row[f"{name}_ci"])


def _of(row: Row, name: str, count: str) -> str | None:
    return None if row[name] is None else f"{rate_text(row[name])} of {row[count]}"


def _whole(value: float | None) -> str | None:
    return None if value is None else f"{value:.0f}"


def _seconds(value: float | None) -> str | None:
    return f"{value / 1000:.1f}" if value else None


def forgetting_table(rows: Sequence[Row], *, examples: bool = True) -> Table | None:
    """Return residues, presentations and exposures by path; None without a notice.

    With `examples` some exposures are told below.
    """
    if not rows:
        return None
    headings, names = line_names(rows)
    paths = [[*name, str(row["path"])] for name, row in zip(names, rows, strict=True)]
    columns: list[Column] = [
        ("notices", [str(row["n"]) for row in rows]),
        *((name, [_plain_count(row[name]) for row in rows]) for name in _COUNTS),
        ("<= 95 %", [rate_text(row["exposure_upper95"]) for row in rows]),
        ("tasks", [_count(row["clusters_exposures"]) for row in rows]),
    ]
    made = _table(FORGETTING_TITLE, (*headings, "path"), paths, rows, columns, _traced_notes)
    return made._replace(notes=(*made.notes, *_exposures(rows))) if examples else made


_COUNTS = ("residues", "presentations", "exposures", "derived")
_EXAMPLES = 3


def _plain_count(value: int | None) -> str | None:
    return None if value is None else str(value)


def _traced_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield (
        "residues = things that still held it after the notice; presentations = prompts that showed "
        "it; exposures = answers, calls that ran and world changes that used it; derived = those "
        "with a number worked out from it. Several paths may hold one copy, so they do not add up."
    )
    if any(row["exposure_upper95"] is not None for row in rows):
        yield (
            "<= 95 % = upper bound of the rate where no exposure was seen, 1 - 0.05^(1/n) of n "
            "independent tasks."
        )
    yield INFERENCE


def _exposures(rows: Sequence[Row]) -> Iterator[str]:
    told = [each for row in rows for each in row["examples"].get("exposures", ())]
    seen = {(each["trial"], each["position"]): each for each in told}
    for each in list(seen.values())[:_EXAMPLES]:
        yield f"Exposure in {spelled(each['trial'])} at {each['position']}: {spelled(each['text'])}"


def loss_table(rows: Sequence[Row]) -> Table | None:
    """Return permitted content that went with what was dropped; None where none was held."""
    found = [row for row in rows if row["collateral_held"]]
    if not found:
        return None
    headings, names = line_names(found)
    columns: list[Column] = [
        ("permitted texts held", [str(row["collateral_held"]) for row in found]),
        ("lost", [str(row["collateral_lost"]) for row in found]),
        ("share lost", [rate_text(row["collateral_loss"]) for row in found]),
        ("absorbed again", [str(row["reabsorbed_tokens"]) for row in found]),
        ("rebuild tokens", [str(row["rebuild_tokens"]) for row in found]),
        ("rebuild USD", [row["rebuild_usd"] or "unpriced" for row in found]),
    ]
    return _table(LOSS_TITLE, headings, names, found, columns, _loss_notes)


def _loss_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield (
        "Of the texts that other probes need and nothing took away: shown by memory or working "
        "context before the notice and no more when it had been carried out. Absorbed again = tokens "
        "of surviving events that a memory took in anew; rebuild tokens = what models read and wrote "
        "for that."
    )


def survival_table(rows: Sequence[Row]) -> Table | None:
    """Return survival: a line an arm and kind, a column a number of compactions."""
    if not rows:
        return None
    cuts = sorted({row["compactions"] for row in rows})
    found = {(row["run"], row["arm"], row["probe_kind"], row["compactions"]): row for row in rows}
    lines = {key[:3]: row for key, row in found.items()}
    headings, names = line_names([_plain_line(row) for row in lines.values()])

    def cell(line: tuple[Json, ...], cut: Json) -> str | None:
        row = found.get((*line, cut))
        return None if row is None else f"{rate_text(row['survival'])} of {row['n_survival']}"

    columns = [(cuts_text(cut), [cell(line, cut) for line in lines]) for cut in cuts]
    rows = list(lines.values())
    return _table(SURVIVAL_TITLE, (*headings, "probe"), names, rows, columns, _survival_notes)


def _plain_line(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in ("levels", "compactions")}


def cuts_text(number: Json) -> str:
    """Return a number of compactions in words."""
    return f"{number} compaction" + ("" if number == 1 else "s")


def _survival_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield "Shown in block and working context together, of the probes whose test was reached."


def phrasing_table(rows: Sequence[Row]) -> Table | None:
    """Return compliance by phrasing where everything said is still shown; None without such trials."""
    if not rows:
        return None
    shown = [name for name in ("run", "model", "forgetting") if len(distinct(rows, name)) > 1]
    names = [[*_levels(row, shown), str(row["probe_kind"]), str(row["phrasing"])] for row in rows]
    columns: list[Column] = [
        ("n", [str(row["n_compliance"]) for row in rows]),
        ("compliance [95 %]", [_rate(row, "compliance") for row in rows]),
        ("twin", [rate_text(row["twin_compliance"]) for row in rows]),
        ("legible", [_LEGIBLE[row["illegible"]] for row in rows]),
    ]
    headings = (*map(heading, shown), "kind", "phrasing")
    return _table(PHRASING_TITLE, headings, names, rows, columns, _phrasing_notes)


_LEGIBLE = {True: "no", False: "yes", None: "?"}


def _phrasing_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield (
        "Unbudgeted replay, no compaction. A phrasing that is followed no more often than the task "
        "without it (twin) is illegible for that model: what memories do with it says nothing. "
        "?: the twins are missing or mostly comply."
    )


def undiagnostic_table(rows: Sequence[Row]) -> Table | None:
    """Return how many tasks are not diagnostic, a line an arm and kind; None where all are."""
    found = [row for row in rows if row["not_diagnostic"]]
    if not found:
        return None
    headings, names = line_names(found)
    columns = [
        ("not diagnostic", [str(row["not_diagnostic"]) for row in found]),
        ("tasks", [str(row["tasks"]) for row in found]),
    ]
    return _table(
        UNDIAGNOSTIC_TITLE, (*headings, "probe"), names, found, columns, _undiagnostic_notes
    )


def _undiagnostic_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield "Their twins comply in more than half of the trials; --json names them."


def retention_table(rows: Sequence[Row]) -> Table | None:
    """Return what was known when asked beside what was kept; None where nothing was asked."""
    if not rows:
        return None
    headings, names = line_names(rows)
    columns: list[Column] = [
        ("asked", [str(row["n_retention"]) for row in rows]),
        ("known", [rate_text(row["retention"]) for row in rows]),
        *((text, [str(row[f"retention_{name}"]) for row in rows]) for name, text in _CELLS),
        ("errors", [_count(row["retention_errors"]) for row in rows]),
    ]
    return _table(
        RETENTION_TITLE, (*headings, "probe"), names, rows, columns, lambda _: iter((_ASKED,))
    )


_CELLS = (
    ("knew_kept", "knew and kept"),
    ("knew_broke", "knew and broke"),
    ("kept_only", "kept unknowing"),
    ("neither", "neither"),
)
_ASKED = (
    "Asked on forks at the decision, one question at a time and without tools; the branch that is "
    "scored heard none of it. An error knows nothing."
)


def influence_table(rows: Sequence[Row]) -> Table | None:
    """Return what withdrawn content moved after its notice; None without counterparts."""
    if not rows:
        return None
    headings, names = line_names(rows)
    columns: list[Column] = [
        ("tasks", [str(row["n"]) for row in rows]),
        ("other values", [str(row["swap_changed"]) for row in rows]),
        ("carried", [_count(row["carried"]) for row in rows]),
        ("derived", [_count(row["derived"]) for row in rows]),
        ("silent", [_count(row["silent"]) for row in rows]),
        ("lawful", [_count(row["lawful"]) for row in rows]),
        ("without it", [str(row["absent_changed"]) for row in rows]),
        ("noise", [str(row["noise_changed"]) for row in rows]),
        ("errors", [_count(row["errors"]) for row in rows]),
        (
            "influence [95 %]",
            [signed_text(row["influence"], row["influence_ci"]) for row in rows],
        ),
    ]
    return _table(INFLUENCE_TITLE, headings, names, rows, columns, _influence_notes)


def _influence_notes(rows: Sequence[Row]) -> Iterator[str]:
    yield (
        "Tasks whose acts or words after the notice differ when the withdrawn content had other "
        "values, of those with all counterparts; noise = where only the talk in its place differs. "
        "influence = other values less noise, paired by task. carried, derived: a withdrawn value, "
        "or a number worked out from it, stands there; silent: neither; lawful: only what the agent "
        "itself had put into the world before, which is not counted. An error is no difference."
    )
    yield INFERENCE
