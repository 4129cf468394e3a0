"""`memtrial explain` through the command line."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from runs.cli import app


def explain(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["explain", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def found(*arguments: str) -> Any:
    return json.loads(explain(*arguments, "--json"))


def test_the_json_has_the_keys_of_the_contract() -> None:
    told = found("--phrase", "Friday", "--text", "It is not Friday; go with Friday.")
    assert told["verdict"] == "asserted"
    assert [(each["start"], each["end"], each["verdict"]) for each in told["occurrences"]] == [
        (10, 16, "negated"),
        (26, 32, "asserted"),
    ]
    assert told["occurrences"][0]["cue"] == "not"
    assert told["occurrences"][0]["clause"] == "It is not Friday"
    assert "'not'" in told["occurrences"][0]["reason"]
    assert "not what it entails" in told["rule"]


@pytest.mark.parametrize(
    ("phrase", "text", "verdict"),
    [
        ("Friday", "It is Friday.", "asserted"),
        ("Friday", "It is not Friday.", "negated"),
        ("Friday", "It is Monday.", "absent"),
        ("budget", "The budget is final.", "inadmissible"),
    ],
)
def test_there_are_four_verdicts(phrase: str, text: str, verdict: str) -> None:
    assert found("--phrase", phrase, "--text", text)["verdict"] == verdict


def test_the_question_marks_echoes_and_the_query_aware_gate() -> None:
    told = found("--phrase", "$45", "--text", "Still $45? Yes.", "--prompt", "Still $45?")
    assert told["verdict"] == "absent"
    assert told["occurrences"][0]["verdict"] == "echoed"
    assert told["query_aware"] == "in the question"


def test_the_text_puts_carets_under_the_phrase() -> None:
    lines = explain("--phrase", "Friday", "--text", "Well: it is\nnot  \u201cFriday\u201d, is it?")
    clause, carets = lines.splitlines()[3:5]
    assert clause == "  it is not  \u201cFriday\u201d"
    assert carets.index("^") == clause.index("Friday")
    assert carets.count("^") == 6
    assert lines.startswith("negated: 'not' before it in its clause rules it out")
    assert "lexical" in lines


def test_inflections_are_shown_apart() -> None:
    shown = explain("--phrase", "refund", "--text", "two refunds")
    assert shown.startswith("absent")
    assert "inflected, decides nothing" in shown


@pytest.mark.parametrize(
    ("text", "decision"),
    [("Yes, it is.", "yes"), ("No. 5 is now known.", None), ("No, not yet.", "no")],
)
def test_decisions(text: str, decision: str | None) -> None:
    told = found("--decision", "--text", text)
    assert told["decision"] == decision
    assert told["reason"]
    assert explain("--decision", "--text", text).startswith(decision or "undecided")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--text", "x"),
        ("--text", "x", "--decision", "--phrase", "y"),
        ("--text", "x", "--decision", "--prompt", "y"),
    ],
)
def test_what_does_not_go_together_is_the_users_mistake(arguments: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, ["explain", *arguments], catch_exceptions=False)
    assert done.exit_code == 2
    assert done.stderr.startswith("memtrial: ")
