"""Everything that ships is linted: the examples, what `new` writes, and every arc of every suite."""

from pathlib import Path

import pytest

from probes import examples
from probes.linting.lint import lint
from runs.scenarios import scenarios
from runs.suite import SHIPPED, StateBench, find_suite, read_suite, shipped
from tests.runs.conftest import Memtrial


def test_examples_and_the_scenario_that_new_writes(memtrial: Memtrial, tmp_path: Path) -> None:
    (folder,) = examples.__path__
    assert lint([folder]) == []
    assert memtrial("new", "scenario", "mine", "--out", tmp_path / "mine.yaml").status == 0
    assert lint([tmp_path / "mine.yaml"]) == []
    assert (
        memtrial("new", "scenario", "ours", "--verbs", "--out", tmp_path / "ours.yaml").status == 0
    )
    assert lint([tmp_path / "ours.yaml"]) == []


def test_every_example_can_be_played(memtrial: Memtrial, tmp_path: Path) -> None:
    (folder,) = examples.__path__
    suite = tmp_path / "all.toml"
    suite.write_text(
        'name = "all"\ntoken_budgets = [256]\nmemories = ["none", "replay"]\nmodels = ["parrot"]\n'
        f"[[scenarios]]\nfiles = ['{folder}']\n",
        encoding="utf-8",
    )
    played = memtrial("run", suite, "--out", "run", "--strict", "--json").json
    # Two scripts, a task and its one twin for each kind, and the renewal with six twins.
    assert (played["trials"], played["errors"]) == (2 * (2 + 6 * 2 + 7), 0)


@pytest.mark.parametrize("name", shipped())
def test_what_a_shipped_suite_generates_or_names(name: str) -> None:
    sources = [each for each in read_suite(name).scenarios if not isinstance(each, StateBench)]
    made = scenarios(sources, find_suite(name).parent) if sources else []
    assert lint(made) == []
    # StateBench is no part of what ships; its own test lints all of it.
    assert made or all(isinstance(each, StateBench) for each in read_suite(name).scenarios)
    assert SHIPPED.joinpath(f"{name}.toml").is_file()
