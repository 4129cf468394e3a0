"""Derived numbers: against every expression of one or two operations, written out in full."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.context.derived import OPERATIONS, Derivations, Number, numbers


def expressions(leaves: dict[Fraction, bool]) -> Iterator[tuple[Fraction, bool]]:
    """Yield every result of no, one or two operations, and whether a dropped leaf went in."""
    yield from leaves.items()
    singles = list(_combined(leaves.items(), leaves.items()))
    yield from singles
    yield from _combined(singles, leaves.items())
    yield from _combined(leaves.items(), singles)


Leaves = Iterable[tuple[Fraction, bool]]


def _combined(ones: Leaves, others: Leaves) -> Iterator[tuple[Fraction, bool]]:
    for (one, dropped), (other, too) in product(ones, others):
        for _, operation in OPERATIONS:
            try:
                yield operation(one, other), dropped or too
            except ZeroDivisionError:
                continue


def brute(number: Number, dropped: set[Fraction], permitted: set[Fraction]) -> bool:
    if number.value in dropped | permitted:
        return number.telling and number.value in dropped
    leaves = dict.fromkeys(dropped, True) | dict.fromkeys(permitted, False)
    found = {
        needs for value, needs in expressions(leaves) if abs(value - number.value) <= number.half
    }
    return number.telling and found == {True}


def decimal(number: int, decimals: int) -> Fraction:
    return Fraction(number, 10**decimals)


VALUES = st.sets(st.builds(decimal, st.integers(1, 999), st.integers(0, 2)), min_size=1, max_size=2)


@settings(max_examples=60)
@given(VALUES, VALUES, st.integers(1, 99_999), st.integers(0, 2))
def test_a_number_is_derived_when_some_expression_needs_a_dropped_one(
    dropped: set[Fraction], permitted: set[Fraction], digits: int, decimals: int
) -> None:
    text = (
        f"{digits // 10**decimals}.{digits % 10**decimals:0{decimals}}" if decimals else str(digits)
    )
    [number] = numbers(text)
    assert number.value == decimal(digits, decimals)
    wanted = brute(number, dropped - permitted, permitted)
    assert Derivations(dropped, permitted).derives(number) is wanted


@settings(max_examples=60)
@given(VALUES, VALUES, st.data())
def test_what_an_expression_gives_is_met_when_it_is_written_out(
    dropped: set[Fraction], permitted: set[Fraction], data: st.DataObject
) -> None:
    leaves = dict.fromkeys(dropped - permitted, True) | dict.fromkeys(permitted, False)
    results = [value for value, needs in expressions(leaves) if needs and 1 <= value < 10**9]
    if results:
        value = data.draw(st.sampled_from(results))
        text = f"{float(value):.2f}"
        for number in numbers(text):
            wanted = brute(number, dropped - permitted, permitted)
            assert Derivations(dropped, permitted).derives(number) is wanted


@pytest.mark.parametrize(
    ("text", "derived"),
    [
        ("656.00", True),  # 4.10 * 160
        ("656", True),
        ("0.20", True),  # 4.30 - 4.10
        ("4.88", True),  # (4.30 - 4.10) as % of 4.10
        ("4.9", True),
        ("5", False),  # one digit is met by chance
        ("4.1", True),  # another form of it
        ("688", False),  # 4.30 * 160 needs no dropped number
        ("160", False),  # permitted
        ("12,345.67", False),
    ],
)
def test_a_price_that_is_dropped_beside_one_that_is_not(text: str, derived: bool) -> None:
    found = Derivations([Fraction("4.10")], [Fraction("4.30"), Fraction(160)])
    [number] = numbers(text)
    assert found.derives(number) is derived


def test_a_dropped_number_that_is_permitted_elsewhere_is_no_secret() -> None:
    found = Derivations([Fraction("4.10")], [Fraction("4.10"), Fraction(160)])
    assert not any(found.derives(each) for each in numbers("656 4.10 4.1"))


def test_another_form_of_a_dropped_number_is_that_number_whatever_others_give() -> None:
    """3 * 4 is 12 too, but 12.0 is the dropped one restated."""
    assert Derivations([Fraction(12)], [Fraction(3), Fraction(4)]).derives(numbers("12.0")[0])
    assert not Derivations([Fraction(13)], [Fraction(3), Fraction(4)]).derives(numbers("12.0")[0])


def test_nothing_is_derived_where_most_numbers_are_permitted() -> None:
    some = [Fraction(each) for each in range(1, 900)]
    assert not Derivations([Fraction("4.123")], some).derives(numbers("4.12")[0])
    assert Derivations([Fraction("4.123")], [Fraction(7)]).derives(numbers("4.12")[0])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is $4.10, or 1,250 units; 8% less.", ["$4.10", "1,250", "8"]),
        ("DOC-1001 of 2025-03-03 at 09:00, v1.10.2, P-2009 and 3/4", []),
        ("12 12 12.0", ["12", "12.0"]),
        ("It ends in 2025. Then 30.", ["2025", "30"]),
        ("1,25 and 12,345,678", ["12,345,678"]),
        ("the 30 September, 1'000 units, 8.4 percent.", ["30", "1'000", "8.4"]),
        ("for 24-month terms at $18/month, -5%", ["24", "$18", "5"]),
        ("10-12, 12/2025 and v1 of v2", []),
        ("9" * 20, []),
    ],
)
def test_numbers_of_a_text(text: str, found: list[str]) -> None:
    assert [each.text for each in numbers(text)] == found


@pytest.mark.parametrize(
    ("value", "known", "how"),
    [
        ("5", ["5.00"], "5"),
        ("7", ["3", "4"], "3 + 4"),
        ("0.75", ["3", "4"], "3 ÷ 4"),
        ("0.33", ["3", "1"], "1 ÷ 3"),
        ("0.34", ["3", "1"], None),
        ("1.2", ["15", "8"], "8 percent of 15"),
        ("25.0", ["80", "100"], "the change to 100 from 80 in percent"),
        ("4.10", ["7"], None),
        ("12,345.67", ["3", "4", "61.25"], None),
        ("0.6111", ["7", "11"], "11 ÷ (7 + 11)"),
        ("539", ["7", "11"], "(7 × 11) × 7"),
        ("2.5714", ["7", "11"], "(7 + 11) ÷ 7"),
    ],
)
def test_how_a_number_follows_is_told(value: str, known: list[str], how: str | None) -> None:
    assert Derivations((), map(Fraction, known)).follows(numbers(value)[0]) == how


@settings(max_examples=60)
@given(VALUES, st.integers(0, 9_999), st.integers(0, 2))
def test_a_number_follows_when_some_expression_of_permitted_ones_gives_it(
    permitted: set[Fraction], digits: int, decimals: int
) -> None:
    [number] = numbers(f"{digits / 10**decimals:.{decimals}f}")
    follows = any(
        abs(value - number.value) <= number.half
        for value, _ in expressions(dict.fromkeys(permitted, False))
    )
    assert (Derivations((), permitted).follows(number) is not None) == follows
