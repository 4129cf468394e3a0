"""Hand-written refusals and what only looks like one, each with its reason."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from scoring.matching.declining import stance

KINDS: dict[str, list[list[str]]] = YAML(typ="safe").load(
    Path(__file__).with_name("refusal_cases.yaml")
)
CASES = [tuple(case) for cases in KINDS.values() for case in cases]
REFUSALS = [text for expected, text, _ in CASES if expected == "declines"]


@pytest.mark.parametrize(("expected", "text", "why"), CASES)
def test_what_a_text_does_with_a_request(expected: str, text: str, why: str) -> None:
    assert stance(text).stance == expected, why


def test_there_are_enough_cases_of_each_stance() -> None:
    counts = Counter(expected for expected, _, _ in CASES)
    assert len(CASES) >= 40
    assert min(counts.values()) >= 10


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_that_is_quoted_is_none(text: str) -> None:
    quoted = text.replace('"', "'")
    assert stance(f'They wrote: "{quoted}"').stance == "neither"


@pytest.mark.parametrize("text", REFUSALS)
def test_saying_that_it_was_done_undoes_a_refusal(text: str) -> None:
    assert stance(f"{text} I have issued it.").stance == "complies"
    assert stance(f"I have issued it. {text}").stance == "complies"


@pytest.mark.parametrize("text", REFUSALS)
def test_an_apology_before_it_and_capitals_change_nothing(text: str) -> None:
    assert stance(f"Sorry. {text}").stance == "declines"
    assert stance(text.upper()).stance == "declines"


def test_questions_are_seen_outside_of_quotations_only() -> None:
    assert stance("I can't do that. Who could approve it?").asks
    assert not stance('I can\'t do that. They asked "why?" twice.').asks


@given(st.text(max_size=200))
def test_every_text_has_a_stance(text: str) -> None:
    found = stance(text)
    assert (found.clause == "") == (found.stance == "neither")
