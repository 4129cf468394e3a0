"""Where a phrase stands on its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.spans import occurrences

PHRASES = st.sampled_from(["10", "$45", "10%", "c-1", "oak lane", "45.00", "caf\u00e9"])


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("10", "0.10", False),
        ("10", "10!", True),
        ("45.00", "45.001", False),
        ("45.00", "USD 45.00!", True),
        ("1'010", "1'010'000", False),
        ("now", "I know", False),
        ("cat", "cats", False),
        ("ab", "ab_c", False),
        ("e", "e\u0301", False),
        ("(a)", "x(a)y", True),
        ("Oak  Lane", "at OAK\nlane 4", True),
        ("it's", "it\u2019s fine", True),
        ("", "anything", False),
        (" \u200b", "anything", False),
        ("10", "", False),
        ("45", "450, then 45", True),
        ("45", "not 45", True),
    ],
)
def test_a_phrase_must_stand_on_its_own(phrase: str, text: str, found: bool) -> None:
    assert bool(occurrences(phrase, text)) is found


def test_spans_are_places_in_the_original_text() -> None:
    text = "CAFE\u0301, caf\u00e9s, caf\u00e9"
    assert [text[slice(*span)] for span in occurrences("caf\u00e9", text)] == [
        "CAFE\u0301",
        "caf\u00e9",
    ]


def test_overlapping_occurrences_are_all_found() -> None:
    assert [span.start for span in occurrences("a b a", "a b a b a")] == [0, 4]


@given(PHRASES, st.text(" .!?", max_size=4), st.text(" !?", max_size=4))
def test_a_phrase_between_gaps_is_found(phrase: str, before: str, after: str) -> None:
    assert occurrences(phrase, f"It is{before} {phrase}{after}")


@given(PHRASES, st.sampled_from("0aZ_\u00e9"))
def test_a_word_character_after_a_word_edge_closes_it(phrase: str, more: str) -> None:
    assert bool(occurrences(phrase, phrase + more)) is (phrase == "10%")
