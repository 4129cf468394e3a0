"""Hand-written cases, each with its reason, and what must hold for every text."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from scoring.matching import asserts, find, occurrences
from simulator.events.folding import fold

KINDS: dict[str, list[list[str]]] = YAML(typ="safe").load(
    Path(__file__).with_name("matching_cases.yaml")
)
CASES = [tuple(case) for cases in KINDS.values() for case in cases]

PHRASES = st.sampled_from(
    ["10", "$45", "10%", "c-1", "Oak Lane", "no slip", "yes, we can ship", "caf\u00e9", "it is on"]
)
PIECES = st.sampled_from(
    "not no never isn't but and or nor neither , . ; : ! ? ( ) \" - -- it that is was superseded"
    " cancelled Monday from moved to the why only no-longer forget do instead of rather than until"
    " use because X X X 5 ... No. e.g. if any more".split()
)
TEXTS = st.lists(PIECES, max_size=14).map(" ".join)


def filled(text: str, phrase: str) -> str:
    return text.replace("X", phrase)


@pytest.mark.parametrize(("verdict", "phrase", "text", "why"), CASES)
def test_what_a_text_says_of_a_phrase(verdict: str, phrase: str, text: str, why: str) -> None:
    assert find(phrase, text).verdict == verdict, why


@pytest.mark.parametrize(("verdict", "phrase", "text", "why"), CASES)
def test_the_short_way_agrees(verdict: str, phrase: str, text: str, why: str) -> None:
    if verdict != "inadmissible":
        assert asserts(phrase, text) is (verdict == "asserted"), why


def test_there_are_enough_cases_and_each_is_written_once() -> None:
    assert len(CASES) >= 80
    assert len({(phrase, text) for _, phrase, text, _ in CASES}) == len(CASES)


def test_a_finding_names_place_clause_cue_and_reason() -> None:
    found = find("Friday", "It is not Friday; that was superseded. So we go with Friday.")
    first, second = found.occurrences
    assert first[:6] == (
        10,
        16,
        "negated",
        "It is not Friday",
        "not",
        "'not' before it in its clause rules it out",
    )
    assert second[:5] == (53, 59, "asserted", "we go with Friday", None)
    assert found.verdict == "asserted"
    assert found.reason == second.reason
    assert second.clause_start == 42


def test_the_clause_is_cut_where_it_is_very_long() -> None:
    text = "a " * 500 + "Friday" + " b" * 500
    (only,) = find("Friday", text).occurrences
    assert only.clause == ("a " * 80 + "Friday" + " b" * 39)
    assert text[only.clause_start :].startswith(only.clause)


@pytest.mark.parametrize(
    ("phrase", "text", "inflected"),
    [
        ("refund", "two refunds", ["refunds"]),
        ("ship", "We are shipping ships.", ["shipping", "ships"]),
        ("price", "pricing and prices", ["pricing", "prices"]),
        ("city", "two cities", ["cities"]),
        ("going", "We go.", []),
        ("layoffs", "a layoff", ["layoff"]),
        ("moving", "Move it", ["Move"]),
        ("stopping", "a stop", ["stop"]),
        ("box", "boxes", ["boxes"]),
        ("class", "classes", ["classes"]),
        ("$45", "$45s", []),
        ("10%", "10%", []),
        ("refund", "refunded", []),
    ],
)
def test_inflections_are_reported_apart(phrase: str, text: str, inflected: list[str]) -> None:
    found = find(phrase, text)
    assert [text[each.start : each.end] for each in found.inflected] == inflected
    assert not asserts(phrase, text) or phrase == "10%"


def test_an_inflection_knows_its_cue_too() -> None:
    found = find("layoff", "There are no layoffs.")
    assert (found.verdict, found.inflected[0].verdict) == ("absent", "negated")


# The echoed question.


def test_what_only_repeats_the_question_is_not_asserted() -> None:
    prompt = "Is the meeting on Friday?"
    echo = find("Friday", "Is the meeting  on FRIDAY?", prompt)
    assert (echo.verdict, echo.occurrences[0].verdict) == ("absent", "echoed")
    assert not asserts("Friday", f"You asked: {prompt} I do not know.", prompt)
    assert asserts("Friday", f"{prompt} Yes, on Friday.", prompt)
    assert not asserts("Friday", f"{prompt} Not on Friday.", prompt)


def test_only_the_whole_question_is_an_echo() -> None:
    prompt = "Is the meeting on Friday?"
    assert asserts("Friday", "The meeting is on Friday.", prompt)
    assert asserts("Friday", "Is the meeting on Friday", prompt)
    # A question of one word would take every answer that has it.
    assert asserts("Friday", "Friday", "Friday")


def test_no_cue_reaches_from_the_question_into_the_answer() -> None:
    prompt = "Tell me what is not"
    assert not asserts("Friday", f"{prompt} Friday")
    assert asserts("Friday", f"{prompt} Friday", prompt)


def test_spans_under_an_echo_are_places_in_the_original_text() -> None:
    text = "Cafe\u0301 or tea?  Tea,  not caf\u00e9, tea."
    found = find("tea", text, "caf\u00e9 or tea?")
    assert [(text[e.start : e.end], e.verdict) for e in found.occurrences] == [
        ("tea", "echoed"),
        ("Tea", "asserted"),
        ("tea", "asserted"),
    ]


# What holds for every text.


@given(TEXTS, PHRASES)
def test_spans_point_at_the_phrase_in_the_original_text(text: str, phrase: str) -> None:
    text = filled(text, phrase.upper())
    found = find(phrase, text).occurrences
    assert [(e.start, e.end) for e in found] == occurrences(phrase, text)
    for each in found:
        assert fold(text[each.start : each.end]) == fold(phrase)
        assert each.clause_start <= each.start
        assert text[each.clause_start :].startswith(each.clause)
        assert each.end <= each.clause_start + len(each.clause)


def rewritten(text: str, style: int) -> str:
    """Return a text that folds to the same, written in another way."""
    if style == 0:
        return text.replace("'", "\u2019").replace("-", "\u2014").replace('"', "\u201d")
    if style == 1:
        return text.replace(" ", "\u00a0\n\t ")
    if style == 2:
        return "\u200b".join(text)
    if style == 3:
        return unicodedata.normalize("NFD", text).upper()
    return "".join(chr(ord(c) + 0xFEE0) if c.isalnum() and c.isascii() else c for c in text)


@given(TEXTS, PHRASES, st.integers(0, 4), st.integers(0, 4))
def test_the_verdict_does_not_depend_on_how_a_text_is_written(
    text: str, phrase: str, one: int, other: int
) -> None:
    text = filled(text, phrase)
    assert fold(rewritten(text, one)) == fold(text)
    before = find(phrase, text)
    after = find(rewritten(phrase, other), rewritten(text, one))
    assert [e.verdict for e in after.occurrences] == [e.verdict for e in before.occurrences]
    assert after.verdict == before.verdict


@given(TEXTS, TEXTS, PHRASES)
def test_an_asserted_sentence_more_never_turns_a_violation_into_a_pass(
    before: str, after: str, phrase: str
) -> None:
    before, after = filled(before, phrase), filled(after, phrase)
    assert asserts(phrase, f"{before}. We go with {phrase}. {after}")
    if asserts(phrase, before):
        assert asserts(phrase, f"{before}. We go with {phrase}.")
        assert asserts(phrase, f"We go with {phrase}. {before}")


@given(TEXTS, PHRASES)
def test_the_ideal_rejection_is_never_a_violation_by_itself(before: str, phrase: str) -> None:
    text = f"{filled(before, 'Q')}. It is not {phrase}; that was superseded."
    assert not asserts(phrase, text)


@given(st.text(max_size=60), st.text(max_size=8))
def test_any_text_has_a_verdict(text: str, phrase: str) -> None:
    found = find(phrase, text, text[:20])
    assert asserts(phrase, text) is any(
        each.verdict == "asserted" for each in find(phrase, text).occurrences
    )
    assert found.verdict in ("asserted", "negated", "absent", "inadmissible")


# Hostile texts: what a text of 100,000 characters costs is a bounded number of steps a word.


@pytest.mark.parametrize("word", ["not ", "not, ", ", ", "( ", '"a ', "a and ", "never X or ", "."])
def test_the_work_grows_with_the_length_of_the_text_only(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steps(length: int) -> int:
        count = 0
        from scoring.matching.tokens import View

        plain = View.word

        def counted(view: Any, place: int) -> str:
            nonlocal count
            count += 1
            return plain(view, place)

        monkeypatch.setattr(View, "word", counted)
        asserts("Friday", word * (length // len(word)) + " not Friday")
        monkeypatch.setattr(View, "word", plain)
        return count

    short, long = steps(5_000), steps(50_000)
    assert long < 11 * short + 1_000


def test_a_hundred_thousand_characters_of_cues_are_read() -> None:
    # Every other "not" takes the one before it back.
    assert asserts("Friday", "not " * 25_000 + "Friday")
    assert not asserts("Friday", "not " * 24_999 + "Friday")


def test_the_examples_of_the_documentation_hold() -> None:
    page = (Path(__file__).parents[2] / "docs" / "matching.md").read_text("utf-8")
    lines = page.split("| phrase | text | verdict |\n|---|---|---|\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]
    assert len(rows) >= 10
    for phrase, text, verdict in rows:
        assert find(phrase, text).verdict == verdict, text


# Drills: many sentences, each as a reader would judge it.

DRILLS: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("matching_drills.yaml"))


@pytest.mark.parametrize("verdict", ["asserted", "negated"])
def test_sentences_are_read_as_a_reader_would(verdict: str) -> None:
    texts = [(phrase, text) for phrase, each in DRILLS[verdict].items() for text in each]
    assert len(texts) > 250
    assert [(phrase, text) for phrase, text in texts if find(phrase, text).verdict != verdict] == []


@pytest.mark.parametrize(("verdict", "phrase", "text", "missing"), DRILLS["misread"])
def test_what_is_misread_is_known(verdict: str, phrase: str, text: str, missing: str) -> None:
    assert find(phrase, text).verdict == {"asserted": "negated", "negated": "asserted"}[verdict]
