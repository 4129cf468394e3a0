"""The documentation of scenario files names every field and kind, and its example is sound."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from probes.linting.lint import lint
from scoring.keys import (
    Check,
    Corrupted,
    Forbidden,
    Gold,
    Key,
    Probe,
    Reference,
    ReferenceCall,
    Revision,
)
from scoring.planting import Counterpart, Planting, Question, Review
from simulator.events import Episode, Script
from simulator.events.scripted import ScriptedEvent

TEXT = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
EVENTS = get_args(get_args(ScriptedEvent)[0])
CHECKS = get_args(get_args(Check)[0])
MODELS = [
    *(Script, Episode, Key, Probe, Gold, Forbidden, Reference, ReferenceCall, Revision, Corrupted),
    *(Planting, Question, Counterpart, Review),
    *EVENTS,
    *CHECKS,
]


@pytest.mark.parametrize("model", MODELS)
def test_every_field_is_documented(model: Any) -> None:
    for name in model.model_fields:
        assert f"`{name}`" in TEXT, f"{model.__name__}.{name}"


def test_every_kind_and_check_is_documented() -> None:
    words = [event.model_fields["kind"].default for event in EVENTS]
    words += [check.model_fields["check"].default for check in CHECKS]
    words += get_args(Probe.model_fields["kind"].annotation)
    for word in words:
        assert f"`{word}`" in TEXT


def test_the_example_is_a_sound_scenario(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "lamp.yaml").write_text(block, encoding="utf-8")
    assert lint([tmp_path / "lamp.yaml"]) == []
