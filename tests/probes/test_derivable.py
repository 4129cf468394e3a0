"""Numbers in texts, and whether one follows from others: held against brute force by fractions."""

import itertools
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from probes.derivable import derivation, numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It is $1,284.50, or 12% less.", ["1284.50", "12"]),
        ("DOC-1001 and P-2009, version v1 of v2", []),
        ("On 2025-03-03 at 09:00 for 24-month terms", ["24"]),
        ("the 30 September, 1'000 units, 8.4 percent.", ["30", "1000", "8.4"]),
        ("3, 4 and 3.", ["3", "4"]),
        ("1.10.2 and 12/2025", []),
    ],
)
def test_numbers_that_stand_by_themselves(text: str, numbers: list[str]) -> None:
    assert numbers_in(text) == tuple(map(Decimal, numbers))


@pytest.mark.parametrize(
    ("value", "known", "how"),
    [
        ("5", ["5.00"], "5.00"),
        ("7", ["3", "4"], "3 + 4"),
        ("0.75", ["3", "4"], "3 ÷ 4"),
        ("0.33", ["3", "1"], "1 ÷ 3"),
        ("0.34", ["3", "1"], None),
        ("1.2", ["15", "8"], "8 percent of 15"),
        ("25.0", ["80", "100"], "the change from 80 to 100 in percent"),
        ("4.10", ["7"], None),
        ("12,345.67".replace(",", ""), ["3", "4", "61.25"], None),
    ],
)
def test_what_follows_is_told(value: str, known: list[str], how: str | None) -> None:
    assert derivation(Decimal(value), map(Decimal, known)) == how


@pytest.mark.parametrize(
    ("value", "how"),
    [
        ("0.6111", "11 ÷ (7 + 11)"),
        ("539", "(7 × 11) × 7"),
        ("2.5714", "(7 + 11) ÷ 7"),
    ],
)
def test_two_operations_are_followed_on_either_side(value: str, how: str) -> None:
    assert derivation(Decimal(value), [Decimal(7), Decimal(11)]) == how


def once(a: Fraction, b: Fraction) -> Iterator[Fraction]:
    """Everything that one operation on two numbers gives, written down anew."""
    yield from (a + b, a - b, a * b, a * b / 100)
    if b:
        yield from (a / b, 100 * a / b)
    if a:
        yield (b - a) * 100 / a


def brute_force(known: list[Decimal]) -> set[Fraction]:
    numbers = [Fraction(each) for each in known]
    single = {r for a, b in itertools.product(numbers, numbers) for r in once(a, b)}
    double = {
        r
        for a, b in itertools.product(single, numbers)
        for pair in ((a, b), (b, a))
        for r in once(*pair)
    }
    return {*numbers, *single, *double}


decimals = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places),
    st.integers(min_value=0, max_value=9_999),
    st.integers(min_value=0, max_value=2),
)


@settings(max_examples=60, deadline=None)
@given(decimals, st.lists(decimals, min_size=1, max_size=3))
@example(Decimal("0"), [Decimal("0"), Decimal("3")])
@example(Decimal("0.5"), [Decimal("0.45")])
@example(Decimal("0.01"), [Decimal("0.00"), Decimal("2")])
def test_the_search_finds_what_brute_force_finds(value: Decimal, known: list[Decimal]) -> None:
    exponent = value.as_tuple().exponent
    half = Fraction(1, 2 * 10 ** max(0, -int(exponent)))
    follows = any(abs(each - Fraction(value)) <= half for each in brute_force(known))
    assert (derivation(value, known) is not None) == follows


@settings(max_examples=40, deadline=None)
@given(st.lists(decimals, min_size=1, max_size=3), st.data())
def test_every_result_is_found_again(known: list[Decimal], data: st.DataObject) -> None:
    results = sorted(brute_force(known))
    chosen = data.draw(st.sampled_from(results))
    rounded = Decimal(round(chosen * 100)) / 100
    assert derivation(rounded.quantize(Decimal("0.01")), known) is not None
