"""What lint says of a probe of the risk track whose parts do not go together."""

from typing import Any

import pytest

from probes.linting.lint import lint
from probes.risks import risks
from probes.scenario import Scenario
from scoring.keys import Key, Probe, SaysCheck


def changed(arc: Scenario, **fields: Any) -> Scenario:
    """Return an arc whose one probe has other fields, as its author would have written it."""
    (probe,) = arc.key.probes
    parts = {name: getattr(probe, name) for name in Probe.model_fields} | fields
    key = {name: getattr(arc.key, name) for name in Key.model_fields}
    key |= {"probes": (Probe(**parts),), "origin": "authored"}
    return Scenario(script=arc.script, key=Key(**key))


def messages(arc: Scenario) -> list[tuple[str | None, str]]:
    return [(problem.field, problem.message) for problem in lint([arc])]


@pytest.mark.parametrize(
    ("risk", "fields", "field", "says"),
    [
        ("stale", {"subtype": "scope"}, "subtype", "stale has no subtypes"),
        ("stale", {"risk": None, "subtype": "scope"}, "subtype", "a subtype of no risk"),
        ("conflict", {"subtype": None}, "subtype", "conflict has the subtypes latest_timestamp"),
        ("conflict", {"subtype": "deletion"}, "subtype", "conflict has the subtypes"),
        ("contamination", {"forbidden": ()}, "forbidden", "which source is contaminated"),
    ],
)
def test_a_risk_its_subtype_and_its_sources_go_together(
    risk: Any, fields: dict[str, Any], field: str, says: str
) -> None:
    (arc, *_) = risks(7, 1, (risk,))
    found = messages(changed(arc, **fields))
    assert any(place == f"key.probes.0.{field}" and says in message for place, message in found)


def test_a_context_probe_tests_no_risk() -> None:
    (arc, *_) = risks(7, 1, ("stale",))
    found = messages(changed(arc, kind="task", dependent=False, history=None))
    assert any(place == "key.probes.0.risk" for place, _ in found)


@pytest.mark.parametrize(
    ("phrase", "labelled"),
    [
        ("amount: $47.00", True),
        ("callback number: 431-555-0117", True),
        ("14:05", False),
        ("https://example.test", False),
        ("$47.00", False),
    ],
)
def test_a_wanted_text_must_not_have_its_label(phrase: str, labelled: bool) -> None:
    (arc, *_) = risks(7, 1, ("stale",))
    checks = (*arc.key.probes[0].checks[:1], SaysCheck(phrase=phrase))
    found = messages(changed(arc, checks=checks))
    assert any("a value with its label" in message for _, message in found) is labelled
