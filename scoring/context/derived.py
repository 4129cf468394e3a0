"""Derived numbers: sums, differences, percentages and rounded forms of other numbers.

A number is derived from dropped ones when an expression of one or two operations gives it that
needs one of them: the same number cannot be had so from permitted numbers alone. All arithmetic
that decides is exact. What is inferred in any other way is not recognised. Scenarios are checked
with the same rules that score them: a dropped figure must not follow from permitted ones.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.events.folding import fold

Floats = NDArray[np.float64]

# Not the digits of a name, a version, a time or an id such as DOC-1001; `24-month` has a number.
_NUMBER = re.compile(
    r"(?<![\w.,:/])(?<![^\W_]-)[$\u00a3\u20ac]?"
    r"(?P<digits>\d{1,3}(?:[,']\d{3})+|\d+)(?P<part>\.\d+)?"
    r"(?!\w|[.,:/'-]\d)"
)
_MOST_DIGITS = 15
_SIGNIFICANT = 2
"""A result of a single digit is met by chance too often to say anything."""
_SLACK = 1e-9
MOST = 800
"""Permitted numbers whose results are tried; the tables grow with the square of it."""


class Number(NamedTuple):
    """A number of a text.

    Attributes:
        value: Its exact value.
        decimals: Digits behind the point, as it is written.
        text: How it is written, folded.
    """

    value: Fraction
    decimals: int
    text: str

    @property
    def half(self) -> Fraction:
        """Half a unit of its last digit: what rounding may have taken away or added."""
        return Fraction(1, 2 * 10**self.decimals)

    @property
    def telling(self) -> bool:
        """It has enough digits that to meet it by chance is unlikely."""
        digits = self.text.translate(_NO_MARKS).lstrip("0")
        return len(digits if self.decimals else digits.rstrip("0")) >= _SIGNIFICANT


_NO_MARKS = {ord(char): None for char in "$\u00a3\u20ac,'."}


@lru_cache(maxsize=16_384)
def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text, each once; ids, dates, times and versions are none."""
    found = dict.fromkeys(_NUMBER.finditer(fold(text)))
    read: dict[tuple[Fraction, int], Number] = {}
    for each in found:
        whole, part = each["digits"].translate(_NO_MARKS), each["part"] or ""
        if len(whole) + len(part) <= _MOST_DIGITS:
            number = Number(Fraction(Decimal(whole + part)), max(len(part) - 1, 0), each[0])
            read.setdefault((number.value, number.decimals), number)
    return tuple(read.values())


class _Operation(NamedTuple):
    """One operation with its inverses: which first, or second, operand gives a result."""

    said: str
    of: Callable[[Any, Any], Any]
    first: Callable[[Floats, Floats], Floats]
    second: Callable[[Floats, Floats], Floats]


_OPERATIONS = (
    _Operation("{0} + {1}", lambda a, b: a + b, lambda t, b: t - b, lambda t, a: t - a),
    _Operation("{0} - {1}", lambda a, b: a - b, lambda t, b: t + b, lambda t, a: a - t),
    _Operation("{0} × {1}", lambda a, b: a * b, lambda t, b: t / b, lambda t, a: t / a),
    _Operation("{0} ÷ {1}", lambda a, b: a / b, lambda t, b: t * b, lambda t, a: a / t),
    _Operation(
        "{0} in percent of {1}",
        lambda a, b: 100 * a / b,
        lambda t, b: t * b / 100,
        lambda t, a: 100 * a / t,
    ),
    _Operation(
        "the change to {0} from {1} in percent",
        lambda a, b: 100 * (a - b) / b,
        lambda t, b: b * (1 + t / 100),
        lambda t, a: a / (1 + t / 100),
    ),
    _Operation(
        "{0} percent of {1}",
        lambda a, b: a * b / 100,
        lambda t, b: 100 * t / b,
        lambda t, a: 100 * t / a,
    ),
)
OPERATIONS = tuple((each.said, each.of) for each in _OPERATIONS)
"""How each operation that counts as one is written, and what it is."""


class _Results:
    """All results of one operation on pairs of numbers, by size; only those that are met are exact."""

    def __init__(self, pairs: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> None:
        self._pairs = pairs
        tables = [_table(operation, *pair) for pair in pairs for operation in _OPERATIONS]
        self._ends = np.cumsum([len(table) for table in tables])
        flat = np.concatenate(tables)
        self._order = np.argsort(flat, kind="stable")
        self.values: Floats = flat[self._order]  # what has no value is NaN and stands last

    def exactly(self, at: int) -> Fraction:
        """Return a result by its place in the order of size."""
        operation, one, other = self._parts(at)
        made: Fraction = operation.of(one, other)
        return made

    def said(self, at: int) -> str:
        """Return how it is come by."""
        operation, one, other = self._parts(at)
        return operation.said.format(_shown(one), _shown(other))

    def _parts(self, at: int) -> tuple[_Operation, Fraction, Fraction]:
        flat = int(self._order[at])
        table = int(np.searchsorted(self._ends, flat, "right"))
        inside = flat - (int(self._ends[table - 1]) if table else 0)
        pair, operation = divmod(table, len(_OPERATIONS))
        ones, others = self._pairs[pair]
        one, other = divmod(inside, len(others))
        return _OPERATIONS[operation], ones[one], others[other]

    def within(self, low: float, high: float) -> range:
        """Return the places of the results in an interval; floats may be off in their last bits."""
        slack = _SLACK * max(1.0, abs(low), abs(high))
        start = int(np.searchsorted(self.values, low - slack, "left"))
        return range(start, int(np.searchsorted(self.values, high + slack, "right")))


def _table(operation: _Operation, ones: Sequence[Fraction], others: Sequence[Fraction]) -> Floats:
    one = np.array([float(each) for each in ones])[:, None]
    other = np.array([float(each) for each in others])[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        made = np.asarray(operation.of(one, other), dtype=np.float64).ravel()
    return np.where(np.isfinite(made), made, np.nan)


class Derivations:
    """What can be had from dropped and permitted numbers by one or two operations."""

    def __init__(self, dropped: Iterable[Fraction], permitted: Iterable[Fraction]) -> None:
        """Prepare for one set of numbers; a dropped number that is permitted too is permitted."""
        self._known = frozenset(permitted)
        self.permitted = tuple(sorted(self._known))
        self.dropped = tuple(sorted(set(dropped) - self._known))
        self._all = tuple(sorted({*self.dropped, *self.permitted}))
        self._made: dict[str, _Results] = {}

    def derives(self, number: Number) -> bool:
        """Return whether a number is a result that needs a dropped one.

        So is a dropped number in another form, such as `4.1` for `4.10`. Where more than `MOST`
        numbers are permitted, most others can be had from them, and nothing is said to be derived.
        """
        if not self.dropped or not self.asks(number):
            return False
        if number.value in self.dropped:
            return True  # no chance result of others makes the very value less of a secret
        return self._needs(number) and self.follows(number) is None

    def follows(self, number: Number) -> str | None:
        """Return how permitted numbers alone give a number, of however few digits; None if not."""
        for each in self.permitted:
            if _rounds(each, number):
                return _shown(each)
        results = self._results("permitted")
        return self._one(results, number) or self._two(results, self.permitted, number)

    def asks(self, number: Number) -> bool:
        """Return whether a number is one of which it has to be asked; that much is quickly told."""
        few = len(self.permitted) <= MOST
        return few and number.telling and number.value not in self._known

    def _needs(self, number: Number) -> bool:
        if any(_rounds(each, number) for each in self.dropped):
            return True
        mixed, permitted = self._results("mixed"), self._results("permitted")
        return bool(
            self._one(mixed, number)
            or self._two(mixed, self._all, number)
            or self._two(permitted, self.dropped, number)
        )

    def _results(self, name: str) -> _Results:
        if name not in self._made:
            pairs = [(self.permitted, self.permitted)]
            if name == "mixed":
                pairs = [(self.dropped, self._all), (self.permitted, self.dropped)]
            self._made[name] = _Results(pairs)
        return self._made[name]

    def _one(self, results: _Results, number: Number) -> str | None:
        low, high = float(number.value - number.half), float(number.value + number.half)
        for at in results.within(low, high):
            if _rounds(results.exactly(at), number):
                return results.said(at)
        return None

    def _two(self, results: _Results, others: Sequence[Fraction], number: Number) -> str | None:
        """Return which operation on a result and another number gives the number."""
        for operation in _OPERATIONS:
            for first in (True, False):
                found = self._met(results, others, number, operation, first)
                if found is not None:
                    return found
        return None

    def _met(
        self,
        results: _Results,
        others: Sequence[Fraction],
        number: Number,
        operation: _Operation,
        first: bool,
    ) -> str | None:
        """Return the first hit; the result is the operation's first operand or its second."""
        known = np.array([float(each) for each in others])
        inverse = operation.first if first else operation.second
        ends = float(number.value - number.half), float(number.value + number.half)
        with np.errstate(divide="ignore", invalid="ignore"):
            lows, highs = (inverse(np.array(end), known) for end in ends)
        for at, span in enumerate(zip(lows, highs, strict=True)):
            if all(map(np.isfinite, span)):
                for found in results.within(min(span), max(span)):
                    made = _applied(operation, results.exactly(found), others[at], first)
                    if made is not None and _rounds(made, number):
                        said = (f"({results.said(found)})", _shown(others[at]))
                        return operation.said.format(*(said if first else said[::-1]))
        return None


def _shown(value: Fraction) -> str:
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def _applied(operation: _Operation, one: Fraction, other: Fraction, first: bool) -> Fraction | None:
    try:
        made: Fraction = operation.of(one, other) if first else operation.of(other, one)
    except ZeroDivisionError:
        return None
    return made


def _rounds(value: Fraction, number: Number) -> bool:
    """Return whether an exact value is a number, to the digits that are written; either way at half."""
    return abs(value - number.value) <= number.half


@lru_cache(maxsize=64)
def derivations(dropped: tuple[Fraction, ...], permitted: tuple[Fraction, ...]) -> Derivations:
    """Return what can be derived; the same for all arms of a task."""
    return Derivations(dropped, permitted)
