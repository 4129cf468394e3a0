"""Whatever is told in verbs compiles to a sound scenario that reads back as it was written."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probes.scenario import Scenario, load_all, read_scenario, read_scenarios, write_scenario
from probes.scenario.structure import structure_faults
from probes.scenario.worlds import checked_environment
from scoring.planting import PHRASINGS
from simulator.events import Json
from simulator.events.graph import order

Step = dict[str, Json]

COMMON = {"phrasing": st.sampled_from(PHRASINGS), "twin": st.booleans()}
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Nd", "Sc"]), min_size=1, max_size=20
).filter(str.strip)


def fact(number: int) -> str:
    """Return a figure that only one document has."""
    return f"${number + 1}17.40"


@st.composite
def documents(draw: st.DrawFn) -> list[Step]:
    count = draw(st.integers(4, 6))
    return [
        {
            "document": {
                "id": f"DOC-{1000 + i}",
                "title": draw(WORDS),
                "owner": "P-2001",
                "read": draw(st.booleans()) or i < 4,
                **draw(
                    st.sampled_from(
                        [
                            {"text": f"Entry {i} costs {fact(i)}."},
                            {"versions": ["An older one.", f"Entry {i} costs {fact(i)}."]},
                        ]
                    )
                ),
            }
        }
        for i in range(count)
    ]


PLANTED: dict[str, Step] = {
    "constrain": {"id": "rule", "forbids": {"tool": "delete_document", "arguments": {}}},
    "oblige": {"pending": {"item": "annex", "reason": "missing"}},
    "revoke": {"document": "DOC-1000", "values": [fact(0)]},
    "correct": {"document": "DOC-1001", "was": fact(1), "now": "$900.10"},
    "delete": {"document": "DOC-1002", "only_says": [fact(2)]},
    "quote": {"document": "DOC-1003", "text": f"Entry 3 costs {fact(3)}."},
}


@st.composite
def planted(draw: st.DrawFn) -> list[Step]:
    """Return some verbs that plant in any order, each once, and a lift after its constraint."""
    verbs = draw(st.lists(st.sampled_from(sorted(PLANTED)), unique=True))
    steps: list[Step] = []
    for verb in verbs:
        more = {name: draw(values) for name, values in COMMON.items() if draw(st.booleans())}
        # Each says something of its own, so that a test can tell from an event which verb it is.
        said = "It costs $900.10." if verb == "correct" else f"{verb} {draw(WORDS)}"
        steps.append({verb: {"say": said, **PLANTED[verb], **more}})
    if "constrain" in verbs and draw(st.booleans()):
        steps.append({"lift": {"say": draw(WORDS), "constraint": "rule"}})
    return steps


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Json]:
    """Return tasks: documents first, then what is planted, with cuts and talk anywhere between."""
    sessions: list[list[Any]] = [draw(documents())]
    between = st.sampled_from(["compact", "session", "say", "nothing", "nothing"])
    for step in draw(planted()):
        what = draw(between)
        if what == "session":
            sessions.append([])
        elif what == "say":
            sessions[-1].append({"say": draw(WORDS)})
        elif what == "compact":
            sessions[-1].append("compact")
        sessions[-1].append(step)
    task = [{"check": "called", "tool": "draft_mail", "arguments": {}}]
    sessions[-1].append({"ask": {"request": draw(WORDS), "task": task}})
    return {
        "task": "any",
        "twin": draw(st.booleans()),
        "me": "P-2001",
        "people": {"P-2001": {"name": "Selma Novak", "role": "buyer"}},
        "sessions": [
            {"at": f"2025-03-{i + 1:02d}T09:00", "steps": steps} for i, steps in enumerate(sessions)
        ],
    }


def cuts(scenario: Scenario, until: str) -> int:
    """Count the cuts before an event by walking the story, as a reader would."""
    found = 0
    for i, episode in enumerate(scenario.script.episodes):
        found += i > 0
        for event in order(episode):
            if f"{episode.id}/{event.id}" == until:
                return found
            found += event.kind == "compaction"
    raise AssertionError(f"there is no {until}")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(task=tasks())
def test_it_is_sound_and_reads_back_equal(
    task: dict[str, Json], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path, again = folder / "task.yaml", folder / "again.yaml"
    # What JSON writes, YAML reads.
    path.write_text(json.dumps(task), encoding="utf-8")
    scenarios = read_scenarios(path)
    first, *twins = scenarios
    wanted = [
        probe
        for probe in first.key.probes
        if probe.planting and (task["twin"] or _verb(task, first, probe.planting.events[0])["twin"])
    ]
    assert [each.key.counterpart.probe for each in twins if each.key.counterpart] == [
        probe.id for probe in wanted
    ]
    for scenario in scenarios:
        assert [*structure_faults(scenario.script, scenario.key)] == []
        checked_environment(scenario.script)
        write_scenario(scenario, again)
        assert read_scenario(again) == scenario
    _check_positions(first)
    for loaded in load_all(path):
        for n, _ in enumerate(loaded.scenario.key.probes):
            assert loaded.locate(f"key.probes.{n}.checks.0.phrase")[1] == 1


def _verb(task: dict[str, Json], scenario: Scenario, event: str) -> dict[str, Json]:
    """Return what was authored for a planted event: found by what it says, and by its kind."""
    session, _, name = event.partition("/")
    place = [each.id for each in scenario.script.episodes].index(session)
    found = next(e for e in scenario.script.episodes[place].events if e.id == name)
    for step in task["sessions"][place]["steps"]:
        for verb, fields in step.items() if isinstance(step, dict) else ():
            if verb in PLANTED and fields["say"] == found.text:  # type: ignore[union-attr]
                return {"twin": False, **fields}
    raise AssertionError(f"nothing authored says {event}")


def _check_positions(scenario: Scenario) -> None:
    total = cuts(scenario, scenario.key.probes[-1].decision)
    for probe in scenario.key.probes:
        if probe.planting is not None:
            found = cuts(scenario, probe.planting.events[-1])
            expected = None
            if total:
                expected = {0: "before", total: "after"}.get(found, "between")
            assert probe.planting.position == expected
