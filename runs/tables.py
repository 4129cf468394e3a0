"""The comparison as a table for a terminal of 120 columns: a row an arm, a column a tier."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from runs.evidence import EVIDENCE as EVIDENCE
from runs.evidence import evidence_notes as evidence_notes
from runs.figures import money_text as money_text
from runs.figures import rate_interval_text as rate_interval_text
from runs.figures import rate_text as rate_text
from runs.figures import signed_text as signed_text
from simulator.events import Json

WIDTH = 120
"""Columns of text that a table may need; what does not fit is left out and named in a note."""

FACTORS = {
    "run": "run",
    "domain": "domain",
    "tier": "tier",
    "model": "model",
    "memory_model": "written by",
    "embedder": "embedder",
    "agent": "agent",
    "token_budget": "budget",
    "compaction": "compaction",
    "forgetting": "forgetting",
    "corruption": "corruption",
    "latency": "latency",
    "cluster": "cluster",
    "arc": "arc",
    "generation_seed": "made with",
    "seed": "seed",
    "probe_kind": "probe",
    "history": "history",
    "phrasing": "phrasing",
    "position": "position",
    "risk": "risk",
}
"""Factors besides the memory, and their headings; each is shown only where it varies."""

_BEFORE = ("run", "domain", "tier")
"""What rows are sorted by before the arm, so what is told before it; the first of `FACTORS`."""

_TITLED = ("run", "model", "domain", "token_budget")
_IDENTITY = ("arm", "memory", "implementation", *(name for name in FACTORS if name != "tier"))

Row = Mapping[str, Json]
"""A row of `scoring.compare`; a key that is missing counts as null."""

Pool = Sequence[Row]
"""Rows that one line of the table pools."""


class Table(NamedTuple):
    """A table as `print_table` takes it.

    Attributes:
        title: The heading.
        columns: Headings of the columns.
        rows: Cells, ready to print.
        text: Columns that are set left.
        notes: Sentences to print below.
    """

    title: str
    columns: tuple[str, ...]
    rows: list[list[str]]
    text: tuple[str, ...]
    notes: tuple[str, ...]


class _Column(NamedTuple):
    """One column: its heading, a cell a line (None is null), and whether it can be left out."""

    heading: str
    cells: list[str | None]
    text: bool = False
    spare: bool = False


def comparison_table(rows: Sequence[Row]) -> Table:
    """Return the rows of a comparison as a table; arms stay in the order of the rows.

    Where the rows have several tiers, each tier is a column of dependent success with its
    interval, and the other columns pool the tiers. Columns that are null everywhere are left
    out. Nothing is ranked.
    """
    tiers = [] if "tier" not in varying(rows) else distinct(rows, "tier")
    pools = _pools(rows, pivot=bool(tiers))
    columns = [
        *_names(rows, pools, pivot=bool(tiers)),
        *_success(pools, tiers),
        *_compliance(pools),
        *_measures(pools),
    ]
    filled = [each for each in columns if any(cell is not None for cell in each.cells)]
    kept, dropped = _fitting(filled)
    return Table(
        title=_title(rows),
        columns=tuple(each.heading for each in kept),
        rows=[["-" if c is None else c for c in line] for line in _lines(kept)],
        text=tuple(each.heading for each in kept if each.text),
        notes=tuple(_notes(rows, kept, dropped)),
    )


def _lines(columns: Sequence[_Column]) -> list[list[str | None]]:
    cells = zip(*(each.cells for each in columns), strict=True)
    return [list(line) for line in cells]


def _pools(rows: Sequence[Row], pivot: bool) -> list[Pool]:
    if not pivot:
        return [[row] for row in rows]
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(repr([row.get(name) for name in _IDENTITY]), []).append(row)
    return list(found.values())


def distinct(rows: Iterable[Row], name: str) -> list[Json]:
    """Return the values that a factor takes in the rows, in the order in which they come."""
    return list({repr(row.get(name)): row.get(name) for row in rows}.values())


def varying(rows: Sequence[Row]) -> list[str]:
    """Return the factors besides the memory in which the rows differ.

    One token budget and an unbudgeted control are no two budgets: the control's name says it. Nor
    does a memory that embeds nothing differ from one that does in the embedder.
    """
    crossed = dict.fromkeys(name for row in rows for name in row.get("levels") or ())
    return [
        name
        for name in (*FACTORS, *crossed)
        if len([value for value in distinct(rows, name) if _counts(name, value)]) > 1
    ]


def _counts(name: str, value: Json) -> bool:
    return name not in ("token_budget", "embedder") or value is not None


def heading(name: str) -> str:
    """Return the heading of a factor; what a generator crossed is headed by its own name."""
    return FACTORS.get(name, name)


def memory_name(row: Row) -> str | None:
    """Return a row's memory with its implementation, such as `facts/pattern`; None if pooled."""
    memory, implementation = row.get("memory"), row.get("implementation")
    if memory is None or implementation in (None, "standard"):
        return None if memory is None else str(memory)
    return f"{memory}/{implementation}"


def pools_by_name(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each arm under its name, or those of one value of each factor."""
    factors = varying(rows)
    pools: dict[str, list[Row]] = {}
    for row in rows:
        pools.setdefault(_pool_name(row, factors), []).append(row)
    return pools


def _pool_name(row: Row, factors: Sequence[str]) -> str:
    if row.get("arm") is not None:
        return str(row["arm"])
    parts = (memory_name(row), *(factor_text(row, name) for name in factors))
    return " · ".join(filter(None, parts)) or "all"


def factor_text(row: Row, name: str) -> str | None:
    """Return a factor of a row as tables show it."""
    value = row.get(name)
    if value is None:
        unbudgeted = name == "token_budget" and row.get("arm") is not None
        return "unbudgeted" if unbudgeted else None
    return str(value)


def _names(rows: Sequence[Row], pools: Sequence[Pool], pivot: bool) -> list[_Column]:
    """Return the columns that tell the lines apart."""
    shown = [name for name in varying(rows) if not (pivot and name == "tier")]
    factors = [
        _Column(heading(name), [factor_text(pool[0], name) for pool in pools], text=True)
        for name in shown
    ]
    memories = [memory_name(pool[0]) for pool in pools]
    told = list(zip(memories, *(each.cells for each in factors), strict=True))
    if len(set(told)) < len(told) and all(pool[0].get("arm") for pool in pools):
        # Two arms differ in options only; their full ids say which is which.
        memory = _Column("arm", [str(pool[0]["arm"]) for pool in pools], text=True)
    else:
        memory = _Column("memory", memories, text=True)
    before = sum(name in _BEFORE for name in shown)
    return [*factors[:before], memory, *factors[before:]]


def _success(pools: Sequence[Pool], tiers: Sequence[Json]) -> list[_Column]:
    if not tiers:
        counts = [_total(pool, "n_dependent") for pool in pools]
        if not any(counts) and any(map(_in_context, pools)):
            return []
        cells = [_interval_cell(pool) for pool in pools]
        return [_Column("n dep.", _texts(counts)), _Column("TSR dep. [95 %]", cells)]
    columns = []
    for tier in tiers:
        parts = [[row for row in pool if row.get("tier") == tier] for pool in pools]
        counts = [_total(part, "n_dependent") for part in parts]
        same = len(set(counts)) == 1 and counts[0] is not None
        heading = f"{tier or 'no tier'} n={counts[0]}" if same else str(tier or "no tier")
        columns.append(_Column(heading, [_interval_cell(part) for part in parts]))
        if not same:
            columns.append(_Column(f"n {tier or 'no tier'}", _texts(counts)))
    return columns


def _in_context(pool: Pool) -> bool:
    return any(row.get("n_compliance") for row in pool)


def _compliance(pools: Sequence[Pool]) -> list[_Column]:
    """Return the columns of the context track; null without its probes, so left out there."""

    def alone(name: str, show: Callable[[Json, Json], str | None]) -> list[str | None]:
        rows = (pool[0] if len(pool) == 1 else {} for pool in pools)
        return [show(row.get(name), row.get(f"{name}_ci")) for row in rows]

    return [
        _Column("compliance [95 %]", alone("compliance", rate_interval_text)),
        _Column("lift [95 %]", alone("lift", signed_text)),
        _Column("task done", alone("task_success", lambda rate, _: rate_text(rate))),
        _Column("exposures", _texts(_total(pool, "exposures") for pool in pools)),
        _Column(
            "lost beside", alone("collateral_loss", lambda rate, _: rate_text(rate)), spare=True
        ),
    ]


def _interval_cell(pool: Pool) -> str | None:
    """Return a single row's rate; several rows of one tier have no interval of their own."""
    if len(pool) == 1:
        return rate_interval_text(pool[0].get("tsr_dependent"), pool[0].get("tsr_dependent_ci"))
    return rate_text(_pooled(pool, "tsr_dependent", "n_dependent"))


def _measures(pools: Sequence[Pool]) -> list[_Column]:
    def rates(value: str, count: str) -> list[str | None]:
        return [rate_text(_pooled(pool, value, count)) for pool in pools]

    per_episode = [_per_episode(pool) for pool in pools]
    totals = _texts(_total(pool, "tokens") for pool in pools)
    tokens = per_episode if any(per_episode) else totals
    return [
        _Column("errors", _texts(_total(pool, "errors") for pool in pools)),
        _Column("indep", rates("tsr_independent", "n_independent")),
        _Column("use", rates("use_rate_values", "n_use_values"), spare=True),
        _Column("ignore", rates("ignore_rate", "n_use_all"), spare=True),
        _Column("tok/ep" if any(per_episode) else "tokens", tokens, spare=True),
        _Column("USD", _amounts(pools, "usd")),
        _Column("as-if", _amounts(pools, "usd_as_if"), spare=True),
    ]


def _texts(values: Iterable[int | None]) -> list[str | None]:
    return [None if value is None else str(value) for value in values]


def _total(pool: Pool, name: str) -> int | None:
    known = [int(row[name]) for row in pool if row.get(name) is not None]
    return sum(known) if known else None


def _pooled(pool: Pool, value: str, count: str) -> float | None:
    """Return a rate over all rows, from each row's rate and its own denominator."""
    if len(pool) == 1 and pool[0].get(count) is None:
        alone: float | None = pool[0].get(value)
        return alone
    known = [row for row in pool if row.get(value) is not None and row.get(count)]
    whole = sum(int(row[count]) for row in known)
    return sum(round(row[value] * row[count]) for row in known) / whole if whole else None


def _per_episode(pool: Pool) -> str | None:
    tokens, episodes = _total(pool, "tokens"), _total(pool, "episodes")
    return f"{tokens / episodes:.0f}" if tokens is not None and episodes else None


def _amounts(pools: Sequence[Pool], name: str) -> list[str | None]:
    """Return summed amounts; null where none is known at all or, for what was paid, all are 0."""
    sums = [_sum(pool, name) for pool in pools]
    known = [each for each in sums if each is not None]
    if not known or (name == "usd" and not any(known) and len(known) == len(sums)):
        return [None] * len(sums)
    return [money_text(each) for each in sums]


def _sum(pool: Pool, name: str) -> Decimal | None:
    amounts = [row.get(name) for row in pool]
    if any(amount is None for amount in amounts):
        return None
    return sum((Decimal(str(amount)) for amount in amounts), Decimal(0))


def _fitting(columns: list[_Column]) -> tuple[list[_Column], list[str]]:
    """Leave spare columns out, the last first, until the table fits."""
    kept, dropped = list(columns), list[str]()
    for spare in [each for each in reversed(columns) if each.spare]:
        if _width(kept) <= WIDTH:
            break
        kept.remove(spare)
        dropped.append(spare.heading)
    return kept, dropped


def _width(columns: Sequence[_Column]) -> int:
    widths = (max(len(c or "-") for c in (each.heading, *each.cells)) for each in columns)
    return sum(widths) + 2 * (len(columns) - 1)


def _title(rows: Sequence[Row]) -> str:
    same = [name for name in _TITLED if name not in varying(rows)]
    shown = [(FACTORS[name], *(v for v in distinct(rows, name) if v is not None)) for name in same]
    told = ", ".join(" ".join(map(str, each)) for each in shown if len(each) > 1)
    return f"Comparison: {told}" if told else "Comparison"


_LEGEND = {
    "compliance [95 %]": "compliance = planted probes that were honoured, errors in the denominator",
    "lift [95 %]": "lift = that less the compliance of the same tasks without the planting",
    "task done": "task done = the work itself was done and nothing critical was used",
    "exposures": "exposures = uses of what was withdrawn or deleted; what is inferred from permitted "
    "facts is not detected",
    "lost beside": "lost beside = permitted texts that went with what was dropped",
    "indep": "indep = success where no earlier session is needed",
    "use": "use = share used of the needed values that only the block held",
    "ignore": "ignore = share of complete blocks not used in full",
    "tok/ep": "tok/ep = tokens an episode, all calls",
    "as-if": "as-if = USD as the named hosted model",
}


def _notes(rows: Sequence[Row], kept: Sequence[_Column], dropped: Sequence[str]) -> Iterable[str]:
    headings = [each.heading for each in kept]
    if any("dep." in each or "n=" in each for each in headings) or not _in_context(rows):
        yield (
            "Dependent success (TSR) with its 95 % interval over clusters; errors stay in the "
            "denominator n. Ties are not ranked."
        )
    legend = "; ".join(text for heading, text in _LEGEND.items() if heading in headings)
    if legend:
        yield f"{legend}."
    if rows and "USD" not in headings:
        paid = [row.get("usd") for row in rows]
        if all(amount is not None for amount in paid):
            yield "Paid: 0 USD in every row."
    if dropped:
        yield f"Left out for width: {', '.join(dropped)}; --json has every column."
    yield from evidence_notes(rows)
    for note in (_without_errors, _unfinished, _not_scored):
        yield from note(rows)


def _without_errors(rows: Sequence[Row]) -> Iterable[str]:
    for name, pool in pools_by_name(rows).items():
        errors = _total(pool, "errors_dependent")
        if not errors:
            continue
        whole = (_total(pool, "n_dependent") or 0) - errors
        solved = sum(
            round((row.get("tsr_dependent") or 0) * (row.get("n_dependent") or 0)) for row in pool
        )
        clean = rate_text(solved / whole) if whole else None
        left = f"{clean} of the {whole} that had none" if clean else "no decision without one"
        yield f"{name}: {errors} dependent decisions ended in an error; {left}."


def _unfinished(rows: Sequence[Row]) -> Iterable[str]:
    count = _total(rows, "unfinished")
    if count:
        yield f"{count} trials were begun and not finished; they are not scored."


def _not_scored(rows: Sequence[Row]) -> Iterable[str]:
    pools = _pools(rows, pivot="tier" in varying(rows))
    excluded = max((_total(pool, "excluded") or 0 for pool in pools), default=0)
    not_scorable = max((_total(pool, "not_scorable") or 0 for pool in pools), default=0)
    if excluded or not_scorable:
        yield (
            f"Counted apart, in a line: up to {excluded} excluded and {not_scorable} not "
            "scorable probes; --json gives the reasons."
        )
