"""Values come back exactly from every place, and hostile texts stay texts everywhere."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from probes.scenario import read_scenario
from runs.replaying import replay_run
from runs.report import write_report
from runs.report.plots import Point, price_plot, success_plot
from scoring.decisions import DecisionRecord, decisions
from scoring.run import load_run
from simulator.effects.registry import ALLOWED_VARIABLE
from simulator.events.scripted import Message
from tests.runs.browser import Document, dumped
from tests.runs.hostile import (
    ALL,
    ESCAPES,
    JOINED,
    NUMBERS,
    PAYLOADS,
    SEPARATOR,
    TEXTS,
    VAULT,
    play,
    scenario,
)

Memtrial = Callable[..., Any]
TRIAL = "hostile/replay"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ALLOWED_VARIABLE, VAULT)
        yield play(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def record(run: Path) -> DecisionRecord:
    with load_run(run) as opened:
        (name,) = (name for name in opened.sealed if name.startswith(TRIAL))
        (found,) = decisions(opened.trial(name))
    return found


def exact(values: object) -> str:
    """Tell 1 from 1.0 and from True, and both accent forms from each other."""
    return ascii(values)


def test_a_scenario_file_keeps_every_value(run: Path) -> None:
    again = read_scenario(run.parent / "hostile.yaml")
    assert again == scenario()
    assert exact(again.script.world["given"]) == exact(scenario().script.world["given"])
    said = [each.text for each in again.script.episodes[0].events if isinstance(each, Message)]
    assert exact(said) == exact([*ALL])


def test_the_frozen_script_keeps_every_value(run: Path) -> None:
    with load_run(run) as opened:
        frozen = opened.script("hostile")
    assert exact(frozen.world) == exact(scenario().script.world)


def test_arguments_and_world_keep_every_value(record: DecisionRecord) -> None:
    (call,) = record.calls
    assert call.ok
    assert exact(call.arguments["value"]) == exact([*NUMBERS, *ALL])
    assert exact(record.after["kept"]) == exact([*NUMBERS, *ALL])
    assert exact(record.text) == exact(JOINED)


def test_views_keep_every_value(run: Path) -> None:
    with sqlite3.connect(f"{(run / 'events.db').as_uri()}?mode=ro", uri=True) as db:
        said = [text for (text,) in db.execute(SAID, (f"{TRIAL}%",))]
        ((arguments,),) = db.execute(ARGUMENTS)
        ((patch,),) = db.execute("SELECT patch FROM world_changes")
        ((answer,),) = db.execute("SELECT text FROM answers")
    assert exact(said) == exact([*ALL])
    assert exact(json.loads(arguments)["value"]) == exact([*NUMBERS, *ALL])
    assert exact(json.loads(patch)[0]["value"]) == exact([*NUMBERS, *ALL])
    assert exact(answer) == exact(JOINED)
    assert "9223372036854775808," in arguments and "9007199254740993," in arguments


SAID = "SELECT text FROM said WHERE trial LIKE ? AND source = 'message' ORDER BY position"
ARGUMENTS = "SELECT arguments FROM tool_calls"


def test_a_replay_reproduces_every_value(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOWED_VARIABLE, VAULT)
    result = replay_run(run, lambda done, of: None)
    assert result.divergence is None and result.trials == 2


def test_json_output_keeps_every_value(memtrial: Memtrial, run: Path) -> None:
    told = memtrial("trace", run, "replay", "--json").json
    (decision,) = told["decisions"]
    assert exact(decision["calls"][0]["arguments"]["value"]) == exact([*NUMBERS, *ALL])
    assert exact(decision["text"]) == exact(JOINED)
    assert exact(decision["request"]) == exact(JOINED)
    rows = memtrial("compare", run, "--json").json["rows"]
    assert {row["domain"] for row in rows} == {scenario().key.domain}


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_json_output_is_exact_whatever_the_encoding_of_a_terminal(
    memtrial: Memtrial, run: Path, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from runs.commands import output

    class Narrow:
        def __init__(self) -> None:
            self.encoding = encoding

        def write(self, text: str) -> None:
            self.text = getattr(self, "text", "") + text.encode(encoding).decode(encoding)

    narrow = Narrow()
    monkeypatch.setattr("sys.stdout", narrow)
    output.print_json([*TEXTS])
    monkeypatch.undo()
    assert exact(json.loads(narrow.text)) == exact([*TEXTS])


@pytest.mark.parametrize(
    "command", [("trace", "replay"), ("trace", "Broken"), ("compare",), ("score",), ("costs",)]
)
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_no_command_sends_a_control_character_to_the_terminal(
    memtrial: Memtrial, run: Path, command: tuple[str, ...], more: tuple[str, ...]
) -> None:
    done = memtrial(command[0], run, *command[1:], *more)
    assert done.status == 0
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.out)


def test_what_was_neutralised_can_be_read(memtrial: Memtrial, run: Path) -> None:
    out = memtrial("trace", run, "replay").out
    assert "\\u001b[31mred\\u001b[0m" in out and "\\u009b2J" in out and "\\u202egnp.exe" in out
    assert PAYLOADS[0] in out and "caf\u00e9" in out and "cafe\u0301" in out


def test_a_message_of_a_mistake_steers_no_terminal(memtrial: Memtrial, run: Path) -> None:
    err = memtrial("trace", run, ESCAPES[0]).err
    assert "\x1b" not in err and "red" in err
    assert "\x1b" not in memtrial("lint", run.parent / "hostile.yaml").out


@pytest.fixture(scope="module")
def page(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report; without its policy, so that only the escaping stands between text and script."""
    out = write_report(run, tmp_path_factory.mktemp("page") / "report.html")
    text = out.read_text("utf-8")
    policy = re.search("<meta http-equiv=.Content-Security-Policy.*?>", text)
    assert policy is not None
    out.write_text(text.replace(policy[0], ""), encoding="utf-8")
    return out


@pytest.fixture(scope="module")
def document(page: Path) -> Document:
    return Document(dumped(page))


def test_in_a_browser_no_text_becomes_markup_or_is_run(document: Document) -> None:
    assert document.title == "hostile: MemTrial report"
    assert not {"script", "img", "iframe", "object", "b", "textarea"} & set(document.tags[:]) - {
        "b"
    }
    assert document.handlers == []
    assert "1337" not in document.text


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_browser_shows_a_payload_as_it_was_written(document: Document, payload: str) -> None:
    assert document.text.count(payload) >= 3, "in the request, the block and what was said"


@pytest.mark.parametrize("text", [*TEXTS, *ESCAPES])
def test_a_browser_shows_a_text_exactly(document: Document, text: str) -> None:
    parts = document.text.split(SEPARATOR)
    assert any(ascii(part) == ascii(text) for part in parts)


@pytest.mark.parametrize("number", ["9007199254740993", "9223372036854775808", "0.1, -0.0, 1000"])
def test_a_browser_shows_a_number_exactly(document: Document, number: str) -> None:
    assert number in document.text


def test_in_a_browser_a_label_of_a_plot_stays_a_label(tmp_path: Path) -> None:
    points = [Point(text, text, 0.5, 0.25, 0.75, 3.0) for text in PAYLOADS]
    plots = (success_plot(points, "c"), price_plot(points, PAYLOADS[0], "c"))
    drawn = "".join(str(plot.svg) for plot in plots)
    (tmp_path / "plots.html").write_text(f"<title>plots</title>{drawn}", encoding="utf-8")
    document = Document(dumped(tmp_path / "plots.html"))
    assert document.title == "plots"
    assert not {"script", "img"} & set(document.tags) and document.handlers == []
    assert document.tags.count("svg") == 2


def test_a_page_that_is_not_escaped_would_be_noticed(page: Path, tmp_path: Path) -> None:
    """The check can fail: a browser does run such a script."""
    text = page.read_text("utf-8").replace("</body>", f"{PAYLOADS[0]}</body>")
    broken = tmp_path / "broken.html"
    broken.write_text(text, encoding="utf-8")
    assert Document(dumped(broken)).title == "owned"
