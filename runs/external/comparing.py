"""Comparing tables: the rows, tests and ratios of a run's comparison, marked as external."""

from collections.abc import Sequence
from pathlib import Path

from runs.external.columns import FILE, Columns, Sources
from runs.external.reading import read_table
from runs.external.rows import Row, read_rows
from runs.external.scored import as_scored, roles
from scoring.causes.counts import count
from scoring.compare import compare_scored
from scoring.failures import failure_columns
from scoring.grouping import DEFAULT, check_factors
from scoring.outcomes import outcome_columns
from simulator.events import Json

UNKNOWN = frozenset(
    {
        *outcome_columns([]),
        *failure_columns([]),
        *count([]),
        "use_rate_values",
        "n_use_values",
        "use_by_needed",
        "use_by_sibling",
        "gold_rank",
        "n_gold_rank",
        "gold_ranks",
        "stale_used",
        "errors_by_culprit",
        "errors_elsewhere",
        "calls",
        "type_faults",
        "type_faults_coerced",
        "type_faults_refused",
        "block_tokens",
        "tokens_by_purpose",
        "spend",
        "usd_as_if",
        "usd_uncached",
        "usd_as_if_uncached",
        "scorer",
        "keys",
    }
)
"""Columns that no table of rows can give; they are None."""

_DEPENDS = {
    "had": ("use_rate_all", "n_use_all", "ignore_rate", "gold_in_block", "n_gold_in_block"),
    "tokens": ("tokens", "episode_tokens", "replay_episode_tokens", "times_tokens"),
}
"""Columns of somebody's table to what is None without them."""


def compare_tables(
    files: Sequence[Path], columns: Columns | None = None, by: list[str] | None = None
) -> dict[str, Json]:
    """Compare the arms of tables of scored rows, as `scoring.compare` compares those of runs.

    The answer has its keys `rows`, `pairs`, `worth`, `best` and `warnings`, with None for what rows cannot
    tell, and `external`: the files, which column said what, and which arms are held against.

    Raises:
        InputError: naming file, line and field of what is wrong with a table or the mapping.
    """
    factors = check_factors(by)
    mapping = columns or Columns()
    rows: list[Row] = []
    sources: dict[str, Sources] = {}
    unused: dict[str, None] = {}
    for file in files:
        table = read_table(file)
        found, said = read_rows(table, mapping)
        rows += found
        sources[table.file] = said
        read = {each for names in said.values() for each in names}
        unused |= dict.fromkeys(name for name in table.headings if name not in read)
    who = roles(rows, mapping)
    compared = compare_scored(as_scored(rows, _name(files), who), factors)
    known = {name for said in sources.values() for name in said}
    none = _nothing(known)
    return {
        **{name: [{**row, **_only(none, row)} for row in compared[name]] for name in _TABLES},
        "warnings": [*compared["warnings"], *_unshared(compared["pairs"], rows)],
        "external": {
            "files": list(sources),
            "rows": len(rows),
            "columns": {file: _told(said) for file, said in sources.items()},
            "unused": list(unused),
            "baseline": who.baseline,
            "control": who.control,
        },
        "by": list(factors if by else DEFAULT),
    }


_TABLES = ("rows", "pairs", "worth", "best")


def _name(files: Sequence[Path]) -> str:
    names = [file.stem for file in files]
    return "+".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more"


def _nothing(known: set[str]) -> dict[str, Json]:
    """Return None for every column that the tables cannot fill."""
    missing = [name for lack, names in _DEPENDS.items() if lack not in known for name in names]
    factors = [name for name in ("domain", "probe_kind", "seed") if name not in known]
    return dict.fromkeys([*UNKNOWN, *missing, *factors])


def _only(none: dict[str, Json], row: dict[str, Json]) -> dict[str, Json]:
    return {name: None for name in none if name in row}


def _told(sources: Sources) -> dict[str, Json]:
    return {name: list(names) for name, names in sources.items()}


def _unshared(pairs: Sequence[dict[str, Json]], rows: Sequence[Row]) -> list[str]:
    if pairs or len({row.arm for row in rows}) < 2:
        return []
    return [f"no two arms share an instance; {FILE} or another column may be missing from it"]
