"""Numbers that one or two operations on other numbers give, by exact arithmetic.

A withdrawn figure that follows from figures that may be used shows nothing: who states it may have
worked it out. Floating point only narrows the search; what counts is settled by fractions.
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Not the digits of a name, a version, a time or an id such as DOC-1001; `24-month` has a number.
_NUMBER = re.compile(
    r"(?<![\w.,:/])(?<![^\W_]-)"
    r"(?:\d{1,3}(?:[,']\d{3})+|\d+)(?:\.\d+)?"
    r"(?!\w|[.,:/'-]\d)"
)
_MARKS = {ord(","): None, ord("'"): None}
_SLACK = 1e-9

Operands = tuple[Fraction, Fraction]
Exact = Callable[[Fraction, Fraction], Fraction]
Floats = NDArray[np.float64]


class Operation(NamedTuple):
    """One operation on two numbers.

    Attributes:
        said: How it is written, with `{0}` and `{1}`.
        exact: The operation; it divides by zero as it pleases.
        floats: The same on floating-point numbers, with infinities for that.
    """

    said: str
    exact: Exact
    floats: Callable[[Floats, Floats], Floats]


OPERATIONS = (
    Operation("{0} + {1}", lambda a, b: a + b, lambda a, b: a + b),
    Operation("{0} - {1}", lambda a, b: a - b, lambda a, b: a - b),
    Operation("{0} × {1}", lambda a, b: a * b, lambda a, b: a * b),
    Operation("{0} ÷ {1}", lambda a, b: a / b, lambda a, b: a / b),
    Operation("{0} percent of {1}", lambda a, b: a * b / 100, lambda a, b: a * b / 100),
    Operation("{0} in percent of {1}", lambda a, b: a / b * 100, lambda a, b: a / b * 100),
    Operation(
        "the change from {0} to {1} in percent",
        lambda a, b: (b - a) / a * 100,
        lambda a, b: (b - a) / a * 100,
    ),
)


@lru_cache(maxsize=16_384)
def numbers_in(text: str) -> tuple[Decimal, ...]:
    """Return the numbers that stand in a text by themselves, in order, each once.

    `1,284.50` and `1'284.50` are one number; the digits of ids, versions, dates and times are none.
    """
    found = (Decimal(each[0].translate(_MARKS)) for each in _NUMBER.finditer(text))
    return tuple(dict.fromkeys(found))


def derivation(value: Decimal, known: Iterable[Decimal]) -> str | None:
    """Return how a number follows from known ones, None when it does not.

    It follows when it is one of them, or when one or two of the `OPERATIONS` on them give it,
    rounded to as many decimals as it is written with. Operands may be used more than once; the
    result of the first operation is not rounded, and may stand on either side of the second.
    """
    return _derivation(value, tuple(sorted(set(known))))


@lru_cache(maxsize=16_384)
def _derivation(value: Decimal, known: tuple[Decimal, ...]) -> str | None:
    half = Fraction(1, 2 * 10 ** max(0, -_exponent(value)))
    wanted = _Wanted(Fraction(value), half)
    for each in known:
        if wanted.hit(Fraction(each)):
            return str(each)
    made = _single(known)
    with np.errstate(all="ignore"):
        for place in wanted.near(made.floats):
            if wanted.hit(made.exact(place)):
                return made.said(place)
        return _double(wanted, made)


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


class _Wanted(NamedTuple):
    """A number as it is written: everything within half a unit of its last decimal."""

    value: Fraction
    half: Fraction

    def hit(self, found: Fraction | None) -> bool:
        return found is not None and abs(found - self.value) <= self.half

    def near(self, found: Floats) -> list[int]:
        """Return the places whose floating-point number may be it."""
        slack = float(self.half) + _SLACK * max(1.0, abs(float(self.value)))
        return [int(place) for place in np.flatnonzero(np.abs(found - float(self.value)) <= slack)]


class _Single(NamedTuple):
    """Everything that one operation on the known numbers gives.

    Attributes:
        known: The known numbers.
        floats: The results, each one once.
        places: Where each result comes from: operation, first and second operand, as one number.
    """

    known: tuple[Decimal, ...]
    floats: Floats
    places: NDArray[np.int64]

    def parts(self, place: int) -> tuple[Operation, Decimal, Decimal]:
        operation, operands = divmod(int(self.places[place]), len(self.known) ** 2)
        first, second = divmod(operands, len(self.known))
        return OPERATIONS[operation], self.known[first], self.known[second]

    def exact(self, place: int) -> Fraction | None:
        operation, first, second = self.parts(place)
        return _exactly(operation, Fraction(first), Fraction(second))

    def said(self, place: int) -> str:
        operation, first, second = self.parts(place)
        return operation.said.format(first, second)


@lru_cache(maxsize=1_024)
def _single(known: tuple[Decimal, ...]) -> _Single:
    values = np.array([float(each) for each in known])
    first, second = np.repeat(values, len(values)), np.tile(values, len(values))
    with np.errstate(all="ignore"):
        results = np.concatenate([each.floats(first, second) for each in OPERATIONS])
    places = np.flatnonzero(np.isfinite(results))
    floats, firsts = np.unique(results[places], return_index=True)
    return _Single(known, floats, places[firsts])


def _double(wanted: _Wanted, made: _Single) -> str | None:
    for each in made.known:
        other = np.full_like(made.floats, float(each))
        for operation in OPERATIONS:
            for swapped in (False, True):
                operands = (other, made.floats) if swapped else (made.floats, other)
                for place in wanted.near(operation.floats(*operands)):
                    first, found = made.exact(place), Fraction(each)
                    if first is None:
                        continue
                    exact = (found, first) if swapped else (first, found)
                    if wanted.hit(_exactly(operation, *exact)):
                        said = (str(each), f"({made.said(place)})")
                        return operation.said.format(*(said if swapped else said[::-1]))
    return None


def _exactly(operation: Operation, first: Fraction, second: Fraction) -> Fraction | None:
    try:
        return operation.exact(first, second)
    except ZeroDivisionError:
        return None
