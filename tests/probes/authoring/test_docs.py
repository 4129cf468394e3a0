"""The page about verbs names every verb and field, and its example is sound."""

import re
from pathlib import Path

import pytest

from probes.authoring.form import (
    VERBS,
    Act,
    Claim,
    Head,
    Ideal,
    Item,
    Open,
    Passage,
    SessionHead,
    Wants,
)
from probes.linting.lint import lint
from probes.scenario import read_scenarios
from scoring.planting import CONTEXT_KINDS, PHRASINGS, POSITIONS
from simulator.events import Frozen

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "probes" / "examples"
PARTS: list[type[Frozen]] = [Head, SessionHead, *VERBS.values()]
PARTS += [Act, Wants, Item, Ideal, Claim, Passage, Open]


@pytest.mark.parametrize("model", PARTS, ids=lambda model: model.__name__)
def test_every_field_is_documented(model: type[Frozen]) -> None:
    for name in model.model_fields:
        assert f"`{name}`" in TEXT, f"{model.__name__}.{name}"


def test_every_verb_has_a_row_and_every_word_is_named() -> None:
    for name in VERBS:
        assert re.search(rf"^\| `{name}` \|", TEXT, re.MULTILINE), name
    for word in ("sessions", "steps", *PHRASINGS, *POSITIONS):
        assert f"`{word}`" in TEXT, word


def test_the_example_is_a_sound_task(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "lamp.yaml"
    path.write_text(block, encoding="utf-8")
    assert lint([path]) == []
    arcs = [scenario.script.arc for scenario in read_scenarios(path)]
    assert arcs == ["lamp-contract", "lamp-contract.twin-constraint"]


def test_there_is_an_example_for_each_kind_and_one_with_all() -> None:
    planted = [kind for kind in CONTEXT_KINDS if kind != "task"]
    for kind in planted:
        task, twin = read_scenarios(EXAMPLES / f"context-{kind}.yaml")
        assert [probe.kind for probe in task.key.probes] == [kind, "task"]
        assert twin.key.counterpart is not None and twin.key.counterpart.probe == kind
    task, *twins = read_scenarios(EXAMPLES / "context-renewal.yaml")
    assert sorted(probe.kind for probe in task.key.probes) == sorted(CONTEXT_KINDS)
    assert len(twins) == 6


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("context-*.yaml")), ids=lambda path: path.stem
)
def test_examples_are_commented_and_fill_a_page(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    assert sum(line.lstrip().startswith("#") for line in lines) >= 4
