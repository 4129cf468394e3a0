"""`docs/faults.md` names tests that there are."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
ROWS = re.findall(r"^\| (H\d\d) \|(.*)\|$", PAGE, re.MULTILINE)

KINDS = (
    "gt gt sc sc sc ag ag st st del del cmp cmp cmp wr det det log log ret ret llm prs cost har"
).split()
"""The kind of each row from H01 on: gold data, scoring, aggregation, stale facts, deletion,
compaction, writing, determinism, log, retrieval, local models, parsing, cost, harness."""


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_named_test_is_there(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def test_every_row_has_a_test_that_is_named_after_its_kind() -> None:
    assert [number for number, _ in ROWS] == [f"H{each:02}" for each in range(1, 26)]
    for (number, row), kind in zip(ROWS, KINDS, strict=True):
        assert f"::test_{kind}_" in row, number


def test_what_is_still_to_come_names_what_brings_it() -> None:
    waiting = [row for _, row in ROWS if "to come" in row]
    assert all("still to come with the context track" in row for row in waiting)
    assert len(waiting) == PAGE.count("still to come")
