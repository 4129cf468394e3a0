import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events.marks import marks_of


def values(text: str) -> set[str]:
    return {mark for mark in marks_of(text) if " " not in mark}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The price is $1,250.00 (not 1249.5).", {"1250", "1249.5"}),
        ("1250.00 and 1250 and $1,250", {"1250"}),
        ("Ask P-2009 about u1 and u10.", {"p-2009", "u1", "u10"}),
        ("On 2025-03-03 at 10:30, 12% of 7.", {"2025-03-03", "10:30", "12"}),
        ("amount=$4.50, note='v1.10.2'", {"4.5", "v1.10.2"}),
        ("Nothing, 5 times.", set()),
        ("", set()),
    ],
)
def test_values_are_whole_words_with_a_digit(text: str, found: set[str]) -> None:
    assert values(text) == found


def test_runs_are_of_four_words_whatever_stands_between_them() -> None:
    runs = {
        mark
        for mark in marks_of("The \u201crenewal\u201d clause \u2014 is\nBINDING.")
        if " " in mark
    }
    assert runs == {"the renewal clause is", "renewal clause is binding"}
    assert marks_of("Three words only.") == frozenset()


WORDS = st.lists(st.sampled_from("a b c u1 u10 12 $12.00 1,200 x-7".split()), max_size=9)


@given(WORDS, WORDS, WORDS)
def test_a_text_keeps_its_marks_inside_of_another(
    before: list[str], text: list[str], after: list[str]
) -> None:
    assert marks_of(" ".join(text)) <= marks_of(" ".join([*before, *text, *after]))
