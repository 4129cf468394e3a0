"""The gate before standard output, and tables whose cells hold another program's markup."""

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.commands import output
from runs.commands.gate import Gate, guarded, print_styled
from runs.spelling import CONTROLS, spelled
from tests.runs.conftest import SMALL

STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Stream(io.StringIO):
    """A terminal of some encoding."""

    def __init__(self, encoding: str = "utf-8", tty: bool = False) -> None:
        super().__init__()
        self._encoding, self._tty = encoding, tty

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._tty


def through(text: str, encoding: str = "utf-8") -> str:
    stream = Stream(encoding)
    print(text, end="", file=cast(TextIO, Gate(stream)))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\u001b[31m"),
        ("\x1b]8;;http://x\x07", "\\u001b]8;;http://x\\u0007"),
        ("\x9b2J\x84", "\\u009b2J\\u0084"),
        ("a\rb\x08", "a\\u000db\\u0008"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("caf\u00e9 cafe\u0301 \u05e9\u05dc\u05d5\u05dd \U0001f642 \u200d", None),
    ],
)
def test_what_steers_a_terminal_is_spelled_out(text: str, shown: str | None) -> None:
    assert through(text) == (text if shown is None else shown)


@given(st.text())
def test_nothing_that_steers_gets_through_and_twice_is_once(text: str) -> None:
    assert not STEERING.search(through(text))
    assert spelled(spelled(text)) == spelled(text)
    assert through("".join(each for each in text if not CONTROLS.match(each))) == CONTROLS.sub(
        "", text
    )


def test_a_narrow_terminal_shows_what_it_can() -> None:
    assert through("caf\u00e9 \U0001f642", "latin-1") == "caf\u00e9 \\U0001f642"
    assert through("caf\u00e9 \udc80", "ascii") == "caf\\xe9 \\udc80"


def test_the_gate_is_before_standard_output_only_while_a_command_runs() -> None:
    before = sys.stdout
    with guarded():
        assert isinstance(sys.stdout, Gate)
        assert sys.stdout.encoding == before.encoding
    assert sys.stdout is before


def test_only_our_own_colours_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(tty=True)
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    with guarded():
        output.print_table("T\x1b[0m", ["c\x1b[1m"], [["\x1b[31mred"]], text=["c\x1b[1m"])
        print_styled("\x1b[32mours\x1b[0m")
    shown = stream.getvalue()
    assert "\\u001b[31mred" in shown and "T\\u001b[0m" in shown and "c\\u001b[1m" in shown
    assert "\x1b[32mours" in shown and "\x1b[31m" not in shown
    ours = set(re.findall(r"\x1b\[[0-9;]*m", shown))
    assert ours and all(re.fullmatch(r"\x1b\[[0-9;]*m", each) for each in ours)


@pytest.mark.parametrize("text", ["[/red]", "[bold]x[/bold]", "[link=http://x]y[/link]", ":smile:"])
def test_a_table_reads_no_markup(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(text, [text], [[text]], text=[text])
    assert capsys.readouterr().out.count(text) == 3


def test_a_domain_that_looks_like_markup_is_compared(
    memtrial: Callable[..., Any], tmp_path: Path
) -> None:
    """The title of the table names the domain."""
    scenario = """\
script:
  arc: marked
  environment: conversation
  episodes:
    - {id: e1, at: 2025-03-03T09:00, events: [{id: d1, kind: decision, request: Hello?}]}
key:
  domain: "[/bold] \\e[31m"
  probes:
    - {id: p1, kind: question, decision: e1/d1, dependent: false, checks: [{check: says, phrase: x}]}
"""
    (tmp_path / "marked.yaml").write_text(scenario, encoding="utf-8")
    listed = SMALL.partition("[[scenarios]]")[0] + '[[scenarios]]\nfiles = ["marked.yaml"]\n'
    (tmp_path / "suite.toml").write_text(listed, encoding="utf-8")
    assert memtrial("run", "suite.toml", "--out", "run").status == 0
    done = memtrial("compare", "run")
    assert done.status == 0
    assert "[/bold] \\u001b[31m" in " ".join(done.out.split())
