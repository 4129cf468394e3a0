import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events.folding import fold, fold_with_map

CODE_POINTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ACCENTED = st.text("aeno \u0301\u0303\u200b\u2019\u00a0\u2014\ufb01\u1100\u1161\u11a8", max_size=12)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("  Two\t words\n", "two words"),
        ("cafe\u0301", "caf\u00e9"),
        ("CAF\u00c9", "caf\u00e9"),
        ("\u201cit\u2019s\u201d", '"it\'s"'),
        ("2024\u20132025", "2024-2025"),
        ("non\u2011breaking", "non-breaking"),
        ("in\u200bvisible", "invisible"),
        ("$\u00a045", "$ 45"),
        ("\uff14\uff15\uff05", "45%"),
        ("\ufb01nal", "final"),
        ("Stra\u00dfe", "strasse"),
        ("e\u200b\u0301", "\u00e9"),
        ("\u202ano\u202c \u2066longer\u2069", "no longer"),
        ("4\ufe0f5", "45"),
        ("\u275dso\u275e", '"so"'),
        ("a \u2e3a b", "a - b"),
        ("\u00b4quoted\u0060", "'quoted'"),
        ("", ""),
        (" \u200b ", ""),
    ],
)
def test_folding_changes_the_writing_only(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(CODE_POINTS | ACCENTED)
def test_the_map_folds_to_the_same_text(text: str) -> None:
    assert fold_with_map(text).text == fold(text)


def test_the_map_leads_back_to_the_original() -> None:
    text = "Re\ufb01ll:  cafe\u0301  $45"
    folded = fold_with_map(text)
    start = folded.text.index("caf\u00e9")
    span = folded.original_span(start, start + 4)
    assert text[slice(*span)] == "cafe\u0301"
    refill = folded.original_span(0, 6)
    assert text[slice(*refill)] == "Re\ufb01ll"


@given(st.text("aZ \t\n\u00e9\u2019\u2014$4,5.", max_size=20))
def test_folding_a_folded_text_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
