"""Blends: amounts that are the mean of a right value and of wrong ones."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from scoring.arguments import CENT
from simulator.events import Json


class Amount(NamedTuple):
    """A number with its currency mark, or with ""."""

    mark: str
    value: Decimal


_NUMBER = re.compile(r"([^\d\s.,+-]*)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*([^\d\s.,+-]*)")
_AROUND = "\"'()[]{}.,;:!?*"


def is_mean(
    acted: Iterable[Json], right: Sequence[str], wrong: Sequence[str], request: str
) -> bool:
    """Return whether an amount is, to the cent, the mean of a right value and wrong ones.

    An amount that the request names is nobody's mean.
    """
    means = list(_means(right, wrong))
    if not means:
        return False
    named = [amount.value for amount in _amounts(request)]
    return any(
        amount.mark in ("", mean.mark)
        and abs(amount.value - mean.value) <= CENT / 2
        and amount.value not in named
        for leaf in acted
        for amount in _amounts(leaf)
        for mean in means
    )


def _means(right: Sequence[str], wrong: Sequence[str]) -> Iterator[Amount]:
    """Yield the mean of each right amount with each wrong one, and with all of them."""
    others = [amount for value in wrong if (amount := _amount(value))]
    for one in filter(None, map(_amount, right)):
        alike = list(dict.fromkeys(each.value for each in others if each.mark == one.mark))
        for each in alike:
            yield Amount(one.mark, (one.value + each) / 2)
        if len(alike) > 1:
            yield Amount(one.mark, sum(alike, one.value) / (len(alike) + 1))


def _amounts(leaf: Json) -> Iterator[Amount]:
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        yield Amount("", Decimal(str(leaf)))
    elif isinstance(leaf, str):
        yield from filter(None, map(_amount, leaf.split()))


def _amount(word: str) -> Amount | None:
    """Return a number or an amount of money: at most one currency mark, no thousands."""
    found = _NUMBER.fullmatch(word.strip(_AROUND))
    if found is None:
        return None
    before, number, after = found.groups()
    mark = before + after
    known = len(mark) == 3 and mark.isascii() and mark.isupper()
    symbol = len(mark) == 1 and unicodedata.category(mark) == "Sc"
    return Amount(mark, Decimal(number)) if not mark or known or symbol else None
