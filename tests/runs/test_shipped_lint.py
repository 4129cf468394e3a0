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


@pytest.mark.parametrize("name", shipped())
def test_what_a_shipped_suite_generates_or_names(name: str) -> None:
    sources = [each for each in read_suite(name).scenarios if not isinstance(each, StateBench)]
    made = scenarios(sources, find_suite(name).parent) if sources else []
    assert lint(made) == []
    # StateBench is no part of what ships; its own test lints all of it.
    assert made or all(isinstance(each, StateBench) for each in read_suite(name).scenarios)
    assert SHIPPED.joinpath(f"{name}.toml").is_file()
