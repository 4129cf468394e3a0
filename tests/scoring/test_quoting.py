"""When two passages are the same word for word, and when but for their typography."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.quoting import typographic, unwrapped

# A passage, another way to write it, whether they are the same word for word, and otherwise.
PAIRS = [
    ("a b", "a  b", True, True),
    ("a b", "a\nb", True, True),
    ("a b", "a \r\n\t b ", True, True),
    ("a b", "ab", False, False),
    ("a b", "a\u00a0b", False, True),
    ("a b", "a\u2003b", False, True),
    ("a b", "a\u2028b", False, True),
    ("a-b", "a\u2010b", False, True),
    ("a - b", "a \u2014 b", False, True),
    ("a - b", "a\u2014b", False, False),
    ("it's", "it\u2019s", False, True),
    ('"so"', "\u201eso\u201c", False, True),
    ("office", "o\ufb03ce", False, True),
    ("and so on...", "and so on\u2026", False, True),
    ("party", "par\u00adty", False, True),
    ("party", "par\u200bty", False, True),
    ("caf\u00e9", "cafe\u0301", False, True),
    ("cafe", "caf\u00e9", False, False),
    ("12", "\uff11\uff12", False, True),
    ("10\u00b2", "102", False, False),
    ("1\u00bd", "11\u20442", False, False),
    ("May", "may", False, False),
    ("the end.", "the end", False, False),
    ("renew-\nal", "renewal", False, False),
]


@pytest.mark.parametrize(("one", "other", "verbatim", "alike"), PAIRS)
def test_what_is_the_same(one: str, other: str, verbatim: bool, alike: bool) -> None:
    assert (unwrapped(one) == unwrapped(other)) is verbatim
    assert (typographic(one) == typographic(other)) is alike


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert unwrapped(unwrapped(text)) == unwrapped(text)
    assert typographic(typographic(text)) == typographic(text)


@given(st.lists(st.text("abc\u00e9\u201c-", min_size=1, max_size=5), min_size=1, max_size=6))
def test_wrapping_lines_changes_nothing(words: list[str]) -> None:
    assert unwrapped("\n  ".join(words)) == " ".join(words)


@given(TEXTS, TEXTS)
def test_what_is_verbatim_is_alike(one: str, other: str) -> None:
    if unwrapped(one) == unwrapped(other):
        assert typographic(one) == typographic(other)
