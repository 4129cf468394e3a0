"""What a terminal is shown of text that strangers wrote."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.commands.plain import plain, short
from runs.spelling import spelled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, 12 €, שלום, 東京, é, 🎉", "plain, 12 €, שלום, 東京, é, 🎉"),
        ("\x1b[2J", r"\u001b[2J"),
        ("\x9b2J", r"\u009b2J"),
        ("a\r\n\tb\x7f", r"a\u000d\n\tb\u007f"),
        ("a\x00b", r"a\u0000b"),
        ("safe\u202egnp.exe", r"safe\u202egnp.exe"),
        ("\u2066x\u2069 \u200f", r"\u2066x\u2069 \u200f"),
        ("one\u2028two", r"one\u2028two"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_a_terminal_would_act_on_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_long_text_is_cut_where_it_is_asked_to_and_marked() -> None:
    assert short("abcdef", 6) == "abcdef"
    assert short("abcdefg", 6) == "abcde…"
    assert len(short("x" * 500)) == 110
    assert short("\x1b" * 3, 8) == r"\u001b\…"


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    kinds = {unicodedata.category(letter) for letter in plain(text)}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_that_is_spelled_out_says_the_same(text: str) -> None:
    written = json.dumps([text], indent=2, ensure_ascii=False)
    assert json.loads(spelled(written)) == [text]
    left = {letter for letter in spelled(written) if unicodedata.category(letter) == "Cc"}
    assert left <= {"\n"}
