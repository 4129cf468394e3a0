"""The worked example of `docs/selection.md` is what the code makes and the command prints."""

import re
from pathlib import Path

import pytest

from scoring.selection.features import FEATURES, GROUPS, OURS
from scoring.selection.selectors import MID_RANGE_ALL, SELECTORS
from tests.runs.conftest import Memtrial

PAGE = (Path(__file__).parents[2] / "docs" / "selection.md").read_text(encoding="utf-8")


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_worked_example_prints_what_the_page_shows(memtrial: Memtrial, tmp_path: Path) -> None:
    (code,) = fences("python")
    exec(compile(code, "selection.md", "exec"), {})  # the page's own code
    command, *shown = fences("console")[1].splitlines()
    done = memtrial(*command.removeprefix("$ memtrial ").split())
    printed = done.out.splitlines()
    assert done.status == 0
    assert len(shown) > 20
    places = [printed.index(line) for line in shown]
    assert places == sorted(places)


def test_every_selector_and_feature_has_its_row() -> None:
    for each in (*SELECTORS, MID_RANGE_ALL):
        assert re.search(rf"^\| `{each.name}` \|", PAGE, re.MULTILINE), each.name
    for group, names in GROUPS.items():
        (row,) = re.findall(rf"^\| {group} \| (.*)$", PAGE, re.MULTILINE)
        assert {*re.findall(r"`([a-z_]+)`", row)} == set(names)
        assert {*re.findall(r"`([a-z_]+)`\*", row)} == set(names) & OURS
    assert len(FEATURES) == 12


@pytest.mark.parametrize("table", ["selector | rho", "features | rho", "reference models"])
def test_tables_of_the_benchmark_are_there(table: str) -> None:
    assert table in PAGE
