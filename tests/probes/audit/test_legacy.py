"""The audited scorers do what was published, faults included."""

import ast
from pathlib import Path

import pytest

from probes.audit.legacy import WINDOW, contains, unexcused

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("by", "a nearby shop"),
        ("HP", "written in PHP"),
        ("100", "2100 pieces"),
        ("$150", "it costs $1500"),
        ("10%", "a rise of 110%"),
        ("Friday", "it is not Friday; that was superseded."),
        (" budget ", "no BUDGET was set"),
    ],
)
def test_the_legacy_scorer_flags_whatever_contains_the_phrase(phrase: str, text: str) -> None:
    assert contains(phrase, text)


def test_the_legacy_scorer_does_not_fold() -> None:
    assert not contains("it's", "it\u2019s")
    assert not contains("Friday", "Thursday")


@pytest.mark.parametrize(
    ("phrase", "text", "flagged"),
    [
        ("$150", "it costs $1500", False),
        ("10%", "a rise of 110%", False),
        ("by", "a nearby shop", False),
        ("Friday", "It is Friday.", True),
        ("Friday", "It is not Friday.", False),
        ("Friday", "It isn\u2019t Friday.", False),
        # What the look-back excuses and should not.
        ("Friday", "No, that is not right. The answer is Friday.", False),
        ("Friday", "Do not forget Friday.", False),
        ("Friday", "Not Thursday but Friday.", False),
        ("Friday", "It is not Friday. So we go with Friday.", False),
        # What it does not see, since it stands after the phrase.
        ("Friday", "Friday is no longer current.", True),
        ("", "anything", False),
        ("  ", "any thing", False),
    ],
)
def test_the_repair_looks_back_and_nowhere_else(phrase: str, text: str, flagged: bool) -> None:
    assert unexcused(phrase, text) is flagged


def test_the_repair_looks_back_so_many_characters() -> None:
    between = "x" * (WINDOW - len("not") - 2)
    assert not unexcused("Friday", f"not {between} Friday")
    assert unexcused("Friday", f"not {between}x Friday")


def test_nothing_but_the_audit_knows_the_legacy_scorer() -> None:
    rooms = ("simulator", "memories", "environments", "scoring", "probes", "runs", "benchmarks")
    paths = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    assert len(paths) > 200
    for path in paths:
        inside = path.relative_to(ROOT)
        if inside.parts[:2] == ("probes", "audit"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert "probes.audit.legacy" not in imported, inside
        assert "probes.audit.scorers" not in imported, inside
