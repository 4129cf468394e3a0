"""The token counter: counted by hand, and additive over lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events.tokens import COUNTER_NAME, count_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("   \t ", 0),
        ("cat", 1),
        ("earlier", 1),  # 7 letters
        ("sessions", 2),  # 8 letters: 4 + 4
        ("committed", 3),  # 9 letters: 4 + 4 + 1
        ("internationally", 4),  # 15 letters
        ("123", 1),
        ("1234", 2),
        ("1234567", 3),
        ("O-4711", 4),  # O, -, 471, 1
        ("$45.00", 4),
        ("snake_case", 3),
        ("a\nb", 3),
        ("a b", 2),
        ("Größe", 1),
        ("don't", 3),
        ("“ok”", 3),
        ("漢字", 1),
        ("a1b2", 4),
    ],
)
def test_counted_by_hand(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_line_break_costs_one_and_lines_add_up(a: str, b: str) -> None:
    assert count_tokens(f"{a}\n{b}") == count_tokens(a) + 1 + count_tokens(b)


@given(st.text(max_size=40), st.text(max_size=40))
def test_putting_texts_side_by_side_costs_no_less_than_either(a: str, b: str) -> None:
    assert count_tokens(f"{a} {b}") == count_tokens(a) + count_tokens(b)


def test_the_counter_has_a_name_so_that_logs_can_tell() -> None:
    assert COUNTER_NAME == "pieces-1"
