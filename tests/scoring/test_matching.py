import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.matching import asserts, occurrences

PHRASES = st.sampled_from(["10", "$45", "10%", "c-1", "oak lane", "45.00", "caf\u00e9"])


@pytest.mark.parametrize(
    ("phrase", "text", "asserted"),
    [
        # H05 SC (a): a required "10" was satisfied by "100".
        ("10", "100", False),
        ("10", "1,010", False),
        ("10", "v10b", False),
        ("10", "10", True),
        ("10", "It is 10.", True),
        ("10", "$10", True),
        ("$45", "It costs $450.", False),
        ("$45", "It costs $45.", True),
        ("10%", "a fee of 110%", False),
        ("10%", "a fee of 10%.", True),
        ("c-1", "order c-12", False),
        ("c-1", "order c-1, please", True),
        # Digit edges: separators followed by digits go on with the number.
        ("10", "10.5", False),
        ("10", "10,000", False),
        ("10", "0.10", False),
        ("10", "10, 11 and 12", True),
        ("45.00", "45.001", False),
        ("45.00", "USD 45.00!", True),
        ("1'010", "1'010'000", False),
        # Word edges.
        ("now", "I know", False),
        ("cat", "cats", False),
        ("cat", "the cat's bowl", True),
        ("ab", "ab_c", False),
        ("e", "e\u0301", False),
        # Symbol edges are closed by nothing.
        ("(a)", "x(a)y", True),
        # Folding.
        ("Oak  Lane", "at OAK\nlane 4", True),
        ("it's", "it\u2019s fine", True),
        ("2024-2025", "the 2024\u20132025 plan", True),
        ("caf\u00e9", "Cafe\u0301", True),
        # Nothing asserts nothing.
        ("", "anything", False),
        (" \u200b", "anything", False),
        ("10", "", False),
        # A later occurrence decides when an earlier one is inside another value.
        ("45", "450, then 45", True),
    ],
)
def test_a_phrase_must_stand_on_its_own(phrase: str, text: str, asserted: bool) -> None:
    assert asserts(phrase, text) is asserted


def test_spans_are_places_in_the_original_text() -> None:
    text = "CAFE\u0301, caf\u00e9s, caf\u00e9"
    assert [text[slice(*span)] for span in occurrences("caf\u00e9", text)] == [
        "CAFE\u0301",
        "caf\u00e9",
    ]


def test_overlapping_occurrences_are_all_found() -> None:
    assert [span.start for span in occurrences("a b a", "a b a b a")] == [0, 4]


@given(PHRASES, st.text(" .!?", max_size=4), st.text(" !?", max_size=4))
def test_a_phrase_between_gaps_is_asserted(phrase: str, before: str, after: str) -> None:
    assert asserts(phrase, f"It is{before} {phrase}{after}")


@given(PHRASES, st.sampled_from("0aZ_\u00e9"))
def test_a_word_character_after_a_word_edge_closes_it(phrase: str, more: str) -> None:
    assert asserts(phrase, phrase + more) is (phrase == "10%")
