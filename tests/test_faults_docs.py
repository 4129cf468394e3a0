"""`docs/faults.md` names tests that there are."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_named_test_is_there(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def test_every_kind_has_a_row_with_a_test_or_a_word_about_when() -> None:
    rows = re.findall(r"^\| (H\d\d) \|(.*)\|$", PAGE, re.MULTILINE)
    assert [number for number, _ in rows] == [f"H{each:02}" for each in range(1, 26)]
    assert all("::test_" in row or "still to come" in row for _, row in rows)
