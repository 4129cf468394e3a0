"""Rows: what each line of a table says, checked cell by cell."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal

from runs.external.columns import ARM_FACTORS, FILE, Columns, Sources, resolve
from runs.external.reading import Line, Table
from scoring.prices import EXACT, ZERO
from simulator.events import Json
from simulator.events.errors import InputError, shown

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_TRUE, _FALSE = frozenset({"1", "true"}), frozenset({"0", "false"})
_MOST_USD = Decimal(10) ** 9
_FINEST_USD = Decimal("1e-30")
_ROUNDING = Context(prec=60)
_MOST_TOKENS = 10**12


@dataclass(frozen=True)
class Row:
    """One scored row.

    Attributes:
        line: Where it stands.
        arm: The arm.
        cluster: What intervals resample.
        instance: What is paired between arms, with the cluster.
        dependent: Success needs something from an earlier session.
        success: The verdict.
        had: The block held everything that was needed; None where the table does not say.
        used: It was used, too.
        cost: USD; None where the table does not say.
        tokens: Tokens; None likewise.
        error: An error stands in the place of an outcome.
        factors: Factor to its value, of those that the table has.
    """

    line: Line
    arm: str
    cluster: str
    instance: str
    dependent: bool
    success: bool
    had: bool | None
    used: bool | None
    cost: Decimal | None
    tokens: int | None
    error: bool
    factors: dict[str, Json]

    @property
    def setting(self) -> dict[str, Json]:
        """The factors that are the arm's."""
        return {name: self.factors[name] for name in ARM_FACTORS if name in self.factors}


def read_rows(table: Table, columns: Columns) -> tuple[list[Row], Sources]:
    """Return the rows of a file, and which of its columns say what.

    Raises:
        InputError: naming file, line and field.
    """
    sources = resolve(columns, table.headings, table.file)
    return [_Cells(line, sources, table.name).row() for line in table.lines], sources


class _Cells:
    def __init__(self, line: Line, sources: Sources, name: str) -> None:
        self._line = line
        self._sources = sources
        self._name = name

    def row(self) -> Row:
        return Row(
            line=self._line,
            arm=self._text("arm"),
            cluster=self._text("cluster"),
            instance=self._text("instance"),
            dependent=self._flag("dependent"),
            success=self._flag("success"),
            had=self._flag("had") if "had" in self._sources else None,
            used=self._flag("used") if "used" in self._sources else None,
            cost=self._usd() if "cost" in self._sources else None,
            tokens=self._whole("tokens") if "tokens" in self._sources else None,
            error="error" in self._sources and self._flag("error"),
            factors=dict(self._factors()),
        )

    def _factors(self) -> Iterator[tuple[str, Json]]:
        for name in (*ARM_FACTORS, "domain", "tier", "corruption", "probe_kind"):
            if name in self._sources:
                whole = name == "token_budget"
                yield name, self._budget() if whole else self._text(name)
        if "seed" in self._sources:
            yield "seed", self._whole("seed")

    def _budget(self) -> int | None:
        cells = list(self._cells("token_budget"))
        return None if cells in ([""], [None]) else self._whole("token_budget")

    def _cells(self, name: str) -> Iterator[Json]:
        for source in self._sources[name]:
            if source == FILE:
                yield self._name
            elif source not in self._line.cells:
                raise self._fault(name, f"this row has no {source!r}")
            else:
                yield self._line.cells[source]

    def _text(self, name: str) -> str:
        parts = [self._plain(name, cell) for cell in self._cells(name)]
        return "/".join(parts)

    def _plain(self, name: str, cell: Json) -> str:
        if isinstance(cell, bool) or not isinstance(cell, str | int | float):
            raise self._fault(name, f"{shown(cell)} is neither a text nor a number")
        text = str(cell).strip()
        if not text:
            raise self._fault(name, "this cell is empty")
        return text

    def _flag(self, name: str) -> bool:
        (cell,) = self._cells(name)
        said = str(cell).strip().lower()
        if said not in _TRUE | _FALSE:
            raise self._fault(name, f"{shown(cell)} is neither yes nor no; write 1 or 0")
        return said in _TRUE

    def _number(self, name: str, cell: Json) -> Decimal:
        text = self._plain(name, cell)
        if not _NUMBER.fullmatch(text):
            raise self._fault(name, f"{shown(cell)} is no number")
        number = Decimal(text)
        if number < 0:
            raise self._fault(name, f"{text} is negative")
        return number

    def _usd(self) -> Decimal:
        total = ZERO
        for cell in self._cells("cost"):
            amount = self._number("cost", cell)
            if amount > _MOST_USD:
                raise self._fault("cost", f"{amount} USD for one row; at most 10^9")
            total = EXACT.add(total, amount.quantize(_FINEST_USD, context=_ROUNDING))
        return total

    def _whole(self, name: str) -> int:
        numbers = [self._number(name, cell) for cell in self._cells(name)]
        for number in numbers:
            if number > _MOST_TOKENS or number != number.to_integral_value():
                raise self._fault(name, f"{number} is no whole number up to 10^12")
        return sum(map(int, numbers))

    def _fault(self, name: str, message: str) -> InputError:
        return InputError(message, file=self._line.file, line=self._line.number, field=name)
