"""Scenario files that once ended in a traceback, or would have: each is refused at its line."""

from pathlib import Path

import pytest

from probes.linting.lint import lint
from probes.scenario import read_scenario
from probes.scenario.nodes import compose
from simulator.effects.registry import ALLOWED_VARIABLE, lookup, lookup_environment
from simulator.engine.parts import make_environment
from simulator.events.errors import InputError
from simulator.events.scripted import Message
from simulator.events.times import LATEST, parse_time, show_time

TEXT = """\
script:
  arc: small
  environment: conversation
  world: {}
  episodes:
    - id: e1
      at: 2025-03-03T09:00
      events:
        - {id: m1, kind: message, text: TEXT}
        - {id: d1, kind: decision, request: And?}
key:
  probes: []
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> InputError:
    """Return the refusal, which `lint` gives too, as a problem that cannot be played."""
    path = written(folder, text)
    with pytest.raises(InputError) as caught:
        read_scenario(path)
    (problem,) = lint([path])
    assert problem.invalid and problem.message == caught.value.message
    assert caught.value.file == problem.file == str(path)
    assert caught.value.line == problem.line
    return caught.value


@pytest.mark.parametrize("escape", [r"\U00110000", r"\UFFFFFFFF", r"a \U7fffffff b"])
def test_an_escape_beyond_the_last_character_is_refused_at_its_line(
    tmp_path: Path, escape: str
) -> None:
    error = refused(tmp_path, TEXT.replace("TEXT", f'"{escape}"'))
    assert (error.message, error.line) == ("an escape stands for no character", 9)


@pytest.mark.parametrize("escape", [r"\ud800", r"a\udfffb", r"\ude42\ud83d"])
@pytest.mark.parametrize("place", ["TEXT", "{}", "And?", "conversation"])
def test_a_lone_surrogate_is_refused_at_its_line(tmp_path: Path, escape: str, place: str) -> None:
    error = refused(tmp_path, TEXT.replace(place, f'"{escape}"'))
    assert error.message == "the text holds a lone surrogate"
    assert error.line == 1 + TEXT[: TEXT.index(place)].count("\n")


def test_a_pair_of_surrogates_as_json_escapes_it_is_one_character(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT.replace("TEXT", r'"a \ud83d\ude42 b"'))
    message = read_scenario(path).script.episodes[0].events[0]
    assert isinstance(message, Message) and message.text == "a \U0001f642 b"


@pytest.mark.parametrize("time", ["253370764800001", "1" + "0" * 18, "1" + "0" * 30, "9" * 4_000])
def test_a_time_after_the_last_date_is_refused(tmp_path: Path, time: str) -> None:
    error = refused(tmp_path, TEXT.replace("2025-03-03T09:00", time))
    assert "less than or equal to 253370764800000" in error.message
    assert error.line == 9 and len(error.message) < 300


def test_the_latest_time_can_be_shown_and_some_later() -> None:
    assert parse_time("9999-01-01") == LATEST
    assert show_time(LATEST) == "9999-01-01 00:00"
    assert show_time(LATEST + 300 * 86_400_000) == "9999-10-28 00:00"


@pytest.mark.parametrize("old", ["TEXT", "small", "conversation", "probes"])
def test_a_message_quotes_a_little_of_a_long_value(tmp_path: Path, old: str) -> None:
    text = TEXT.replace(old, "x" * 1_000_000).replace("2025-03-03T09:00", "x")
    assert len(str(refused(tmp_path, text))) < 1_500


DANGEROUS = ("os:system", "os:abort", "sys:exit", "tests.probes.test_scenario_hostile:bomb")
EXPLODED: list[int] = []


def bomb() -> None:
    EXPLODED.append(1)


class Mine:
    """No environment, but a class."""


@pytest.mark.parametrize("name", [*DANGEROUS, "evil:Part", ":", "a:", ":b"])
def test_a_scenario_loads_no_code(tmp_path: Path, name: str) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('loaded')", encoding="utf-8")
    path = written(tmp_path, TEXT.replace("conversation", f'"{name}"'))
    scenario = read_scenario(path)
    with pytest.raises(InputError, match="a scenario is data and loads no code"):
        make_environment(scenario.script.environment)
    (problem,) = lint([path])
    assert (problem.line, problem.field) == (3, "script.environment")
    assert EXPLODED == []


def test_what_the_user_allows_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{__name__}:Mine"
    monkeypatch.setenv(ALLOWED_VARIABLE, f"other:Part, {name}")
    assert lookup_environment(name).__name__ == "Mine"
    assert lookup_environment("support").__name__ == "Support"
    with pytest.raises(InputError, match="loads no code"):
        lookup_environment(f"{__name__}:bomb")


def test_only_a_class_is_a_part_and_nothing_is_called() -> None:
    for name in DANGEROUS:
        with pytest.raises(InputError, match="it is no class"):
            lookup("memory", name)
    assert EXPLODED == []


def test_a_module_that_exits_is_the_users_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaves.py").write_text("raise SystemExit('bye')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="SystemExit: bye"):
        lookup("memory", "leaves:Part")


def test_depth_is_bounded_before_anything_recurses() -> None:
    for opened in ("[" * 4_000_000, "{a: " * 1_000_000, "- " * 1_000_000):
        with pytest.raises(InputError, match="nested more than 40 deep"):
            compose(opened)
