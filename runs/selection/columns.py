"""A pass matrix from a table: which column says what, each cell checked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from runs.external.columns import FILE, Sources
from runs.external.reading import Line, Table, read_table
from scoring.keys import TIERS
from scoring.selection.features import STATIC
from scoring.selection.matrix import NO_TIER, Cell
from simulator.events import Json
from simulator.events.errors import InputError, nearest, shown

NEEDED = ("model", "episode", "risk", "pass")
FIELDS = (*NEEDED, "tier", *(name for name in STATIC if name != "tier"))
"""Everything that a column may say; a tier is a word, and its place among the tiers a feature."""

TEXTS = frozenset({"model", "episode", "risk", "tier"})
"""Fields that several columns may say together, joined by `/`."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,2})?")
_SAID = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True)
class Read:
    """Tables, read.

    Attributes:
        cells: A verdict a row.
        unused: Columns that say nothing here.
    """

    cells: list[Cell]
    unused: list[str]


def parse_mapping(text: str | None) -> Sources:
    """Read `model=system,episode=@file+task,pass=ok,…`.

    Raises:
        InputError: for what is no such list, an unknown or repeated field.
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in text.split(",") if text is not None else ():
        name, equals, named = (each.strip() for each in part.partition("="))
        columns = tuple(each.strip() for each in named.split("+"))
        if not equals or "" in columns:
            raise InputError(f"{part.strip()!r} is not FIELD=COLUMN", field="columns")
        if name not in FIELDS:
            raise InputError(f"unknown field {name!r}{nearest(name, FIELDS)}", field="columns")
        if name in found:
            raise InputError(f"{name!r} is mapped twice", field="columns")
        if name not in TEXTS and (len(columns) > 1 or FILE in columns):
            raise InputError(f"{name!r} has one column of its own", field="columns")
        found[name] = columns
    return found


def read_cells(files: Sequence[Path], mapping: Sources) -> Read:
    """Read the verdicts of tables, CSV or a JSON object a line.

    Raises:
        InputError: naming file, line and field of what is wrong.
    """
    cells: list[Cell] = []
    unused: dict[str, None] = {}
    for file in files:
        table = read_table(file)
        columns = _resolve(table, mapping)
        cells += [_Row(line, columns, table.name).cell() for line in table.lines]
        said = {each for named in columns.values() for each in named}
        unused |= dict.fromkeys(name for name in table.headings if name not in said)
    return Read(cells, list(unused))


def _resolve(table: Table, mapping: Sources) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name in FIELDS:
        columns = mapping.get(name, (name,))
        missing = [each for each in columns if each not in (FILE, *table.headings)]
        if not missing:
            found[name] = columns
        elif name in NEEDED or name in mapping:
            told = "" if name in mapping else f"; map it with --columns {name}=COLUMN"
            message = (
                f"there is no column {missing[0]!r}{nearest(missing[0], table.headings)}{told}"
            )
            raise InputError(message, file=table.file, line=1, field=name)
    return found


class _Row:
    def __init__(self, line: Line, columns: Sources, file: str) -> None:
        self._line = line
        self._columns = columns
        self._file = file

    def cell(self) -> Cell:
        tier = self._text("tier") if "tier" in self._columns else NO_TIER
        return Cell(
            model=self._text("model"),
            episode=self._text("episode"),
            passed=self._flag(),
            risk=self._text("risk"),
            tier=tier,
            features=dict(self._features(tier)),
            file=self._line.file,
            line=self._line.number,
        )

    def _features(self, tier: str) -> Iterator[tuple[str, float]]:
        if tier in TIERS:
            yield "tier", float(TIERS.index(tier))
        for name in STATIC:
            if name != "tier" and name in self._columns:
                yield name, self._number(name)

    def _values(self, name: str) -> Iterator[Json]:
        for column in self._columns[name]:
            if column != FILE and column not in self._line.cells:
                raise self._fault(name, f"this row has no {column!r}")
            yield self._file if column == FILE else self._line.cells[column]

    def _text(self, name: str) -> str:
        return "/".join(self._plain(name, value) for value in self._values(name))

    def _plain(self, name: str, value: Json) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._fault(name, f"{shown(value)} is neither a text nor a number")
        text = str(value).strip()
        if not text:
            raise self._fault(name, "this cell is empty")
        return text

    def _flag(self) -> bool:
        (value,) = self._values("pass")
        said = str(value).strip().lower()
        if said not in _SAID:
            raise self._fault("pass", f"{shown(value)} is neither yes nor no; write 1 or 0")
        return _SAID[said]

    def _number(self, name: str) -> float:
        text = self._text(name)
        if not _NUMBER.fullmatch(text):
            raise self._fault(name, f"{shown(text)} is no number")
        return float(text)

    def _fault(self, name: str, message: str) -> InputError:
        return InputError(message, file=self._line.file, line=self._line.number, field=name)
