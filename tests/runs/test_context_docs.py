"""The page on the context track: every phrasing, family and factor, the aliases, and its example."""

import re
from pathlib import Path

import pytest

from probes.context import REFILL, phrasing
from probes.context.aliases import aliases
from probes.context.design import crossing, design
from probes.context.factors import FAMILIES, LEVELS
from probes.context.families import BY_NAME
from runs.suite import Context
from scoring.planting import CONTEXT_KINDS
from tests.runs.conftest import Memtrial

PAGE = (Path(__file__).parents[2] / "docs" / "context.md").read_text(encoding="utf-8")
TABLES = [
    *phrasing.CONDITIONAL.values(),
    *phrasing.STANDING.values(),
    phrasing.OBLIGATION,
    phrasing.QUOTATION,
    phrasing.CORRECTION,
    phrasing.REVOCATION,
    phrasing.DELETION,
]


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("table", TABLES)
def test_every_phrasing_is_in_a_row_of_its_name(table: phrasing.Ways) -> None:
    for way, sentence in table.items():
        assert re.search(rf"^\| `{way}` \|.*{re.escape(sentence)} \|", PAGE, re.MULTILINE)


def test_what_lifts_a_constraint_is_told() -> None:
    assert all(sentence in PAGE for sentence in phrasing.LIFTED.values())


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_has_a_row_that_says_what_it_is(name: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \|(.*)\|$", PAGE, re.MULTILINE)
    family = BY_NAME[name]
    assert ("| yes |" in row) == family.confidential
    assert {"send": "send a", "delete": "delete a", "approve": "approval"}[family.act] in row
    assert all(family.labels[value] in row for value in ("second", "old", "lost"))


def test_every_factor_level_and_probe_is_named() -> None:
    for name, levels in LEVELS.items():
        assert f"| `{name}` |" in PAGE
        words = [f"`{each}`" if isinstance(each, str) else f"{each}" for each in levels]
        assert all(each in PAGE for each in words)
    assert all(f"| `{kind}` |" in PAGE for kind in CONTEXT_KINDS)


def test_the_aliases_are_those_that_are_computed() -> None:
    ours, crossed = (each.splitlines() for each in fences("text"))
    assert (ours, crossed) == (aliases(design()), aliases(crossing()))


def test_settings_are_the_suites_own() -> None:
    named = set(Context.model_fields) - {"generate"}
    assert named == set(re.findall(r"^\| `(\w+)` \| `--", PAGE, re.MULTILINE))
    assert Context(generate="context").refill == REFILL


def test_the_example_does_what_the_page_says(memtrial: Memtrial) -> None:
    (said,) = fences("console")
    generated, *printed, linted, clean = said.splitlines()
    done = memtrial(*generated.removeprefix("$ memtrial ").split())
    assert (done.status, done.out.splitlines()) == (0, printed)
    done = memtrial(*linted.removeprefix("$ memtrial ").split())
    assert (done.status, done.out) == (0, f"{clean}\n")
