"""Lint finds what would make a verdict mean something else than the key says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probes.ladder import ladder
from probes.linting.lint import Problem, lint
from probes.scenario import Scenario, read_scenario, write_scenario
from scoring.keys import Key
from simulator.events import Script
from simulator.events.errors import InputError

EXAMPLE = Path(__file__).parents[2] / "probes" / "examples" / "support-refund.yaml"
Edit = Callable[[dict[str, Any]], object]


def changed(edit: Edit) -> Scenario:
    """Return the shipped example after an edit of its data."""
    data = read_scenario(EXAMPLE).model_dump(mode="json")
    edit(data)
    script, key = Script.model_validate(data["script"]), Key.model_validate(data["key"])
    return Scenario(script=script, key=key)


def problems(edit: Edit) -> list[Problem]:
    return lint([changed(edit)])


def probe(data: dict[str, Any], number: int = 2) -> dict[str, Any]:
    entry: dict[str, Any] = data["key"]["probes"][number]
    return entry


def event(data: dict[str, Any], episode: int, place: int) -> dict[str, Any]:
    entry: dict[str, Any] = data["script"]["episodes"][episode]["events"][place]
    return entry


def test_the_shipped_example_is_clean() -> None:
    assert lint([EXAMPLE]) == []
    assert lint([EXAMPLE.parent]) == []


# H01, kind GT: gold that contradicts the transcript.
def test_gt_a_superseded_expectation_is_refused_with_episode_probe_and_event() -> None:
    def stale(data: dict[str, Any]) -> None:
        entry = probe(data)
        entry["gold"][0] |= {"value": "$412.75", "evidence": ["monday/m2"]}
        entry["forbidden"] = []
        entry["checks"] = [{"check": "world", "path": "/refunds/O-2210", "equals": "$412.75"}]
        entry["reference"]["calls"][0]["arguments"]["amount"] = "$412.75"

    (found,) = problems(stale)
    assert found.field == "key.probes.2.gold.0.value"
    for name in ("'friday'", "'p3'", "'wednesday/m1'"):
        assert name in found.message
    assert not found.invalid


def test_gt_a_value_that_is_stated_again_after_it_was_replaced_is_fine() -> None:
    def restored(data: dict[str, Any]) -> None:
        event(data, 1, 1).update(text="Sorry, it is $412.75 for order O-2210 after all.")
        entry = probe(data)
        entry["gold"][0] |= {"value": "$412.75", "evidence": ["wednesday/m2"]}
        entry["forbidden"] = []
        entry["checks"] = [{"check": "world", "path": "/refunds/O-2210", "equals": "$412.75"}]
        entry["reference"]["calls"][0]["arguments"]["amount"] = "$412.75"

    assert problems(restored) == []


def test_gt_evidence_after_the_probe_is_refused() -> None:
    def late(data: dict[str, Any]) -> None:
        probe(data, 0)["gold"] = [
            {"name": "amount", "value": "$389.10", "evidence": ["wednesday/m1"]}
        ]

    (found,) = problems(late)
    assert found.invalid and found.field == "key.probes.0.gold.0.evidence.0"
    assert "'wednesday/m1' does not come before it" in found.message


def test_gt_evidence_without_the_value_is_refused() -> None:
    def elsewhere(data: dict[str, Any]) -> None:
        probe(data)["gold"][0]["evidence"] = ["monday/m1"]

    (found,) = problems(elsewhere)
    assert found.field == "key.probes.2.gold.0.evidence.0"
    assert "does not contain '$389.10'" in found.message


def test_gt_a_numeric_probe_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "numeric.yaml"
    path.write_text(EXAMPLE.read_text().replace("kind: update", 'kind: "5"'))
    (found,) = lint([path])
    assert found.invalid and found.field == "key.probes.2.kind"
    assert "'5' is none of the known words" in found.message and "update" in found.message
    assert found.line is not None
    assert path.read_text().splitlines()[found.line - 1].strip() == 'kind: "5"'


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        (
            lambda d: event(d, 2, 1).update(request="Refund $389.10 for O-2210."),
            "script.episodes.2.events.1",
        ),
        (lambda d: event(d, 2, 0).update(text="It was $389.10, no?"), "script.episodes.2.events.0"),
        (
            lambda d: d["script"]["world"]["refunds"].update({"O-3307": "$389.10"}),
            "script.world.refunds.O-3307",
        ),
    ],
)
def test_a_planted_leak_is_found(edit: Edit, field: str) -> None:
    def leaky(data: dict[str, Any]) -> None:
        data["script"]["world"].setdefault("refunds", {})
        edit(data)

    (found,) = problems(leaky)
    assert found.field == field
    assert "'$389.10' can be read without a memory" in found.message


def test_the_leak_check_minds_boundaries() -> None:
    longer = "The reference is $389.105 or a$389.10b, not that one."
    assert problems(lambda data: event(data, 2, 0).update(text=longer)) == []


def test_what_a_compaction_cut_off_or_what_follows_the_decision_is_no_leak() -> None:
    def cut(data: dict[str, Any]) -> None:
        events = data["script"]["episodes"][2]["events"]
        events[0]["text"] = "The refund for order O-2210 is $389.10."
        events.insert(
            1, {"kind": "compaction", "id": "c1", "at": events[0]["at"], "causes": ["m1"]}
        )
        events[2]["causes"] = ["c1"]
        after = {"kind": "message", "id": "m9", "at": 2 * events[2]["at"], "causes": ["d1"]}
        events.append(after | {"text": "So it was $389.10."})

    assert problems(cut) == []


@pytest.mark.parametrize(
    ("edit", "field", "says"),
    [
        (lambda d: probe(d).update(checks=[]), "key.probes.2.checks", "everybody passes it"),
        (lambda d: probe(d).update(gold=[]), "key.probes.2.gold", "no gold says on what"),
        (
            lambda d: probe(d)["gold"][0].update(evidence=[]),
            "key.probes.2.gold.0.evidence",
            "no event states",
        ),
        (
            lambda d: probe(d)["forbidden"][0].update(value="$389.10"),
            "key.probes.2.gold.0.value",
            "wants and forbids",
        ),
        (lambda d: probe(d).update(reference=None), "key.probes.2.reference", "no reference"),
        (
            lambda d: probe(d)["reference"]["calls"][0]["arguments"].update(amount="389.10"),
            "key.probes.2.reference.calls.0",
            "the reference fails",
        ),
        (
            lambda d: probe(d)["reference"]["calls"][0].update(tool="refund"),
            "key.probes.2.reference.calls.0",
            "unknown tool",
        ),
        (
            lambda d: d["script"]["world"]["orders"]["O-2210"].update(total="$300.00"),
            "key.probes.2.reference.calls.0",
            "more than the total",
        ),
        (
            lambda d: probe(d)["checks"][0].update(path="/refunds/O-9999"),
            "key.probes.2.checks.0",
            "does not pass",
        ),
        (
            lambda d: probe(d)["checks"][0].update(path="refunds"),
            "key.probes.2.checks",
            "no JSON Pointer",
        ),
        (
            lambda d: probe(d).update(checks=[probe(d)["checks"][1]]),
            "key.probes.2.checks",
            "variant 'silence' passes: answer ''",
        ),
    ],
)
def test_a_key_that_does_not_test_what_it_says_is_found(edit: Edit, field: str, says: str) -> None:
    assert any(p.field == field and says in p.message and not p.invalid for p in problems(edit))


@pytest.mark.parametrize(
    ("edit", "field", "says"),
    [
        (
            lambda d: event(d, 0, 1).update(causes=["d1"]),
            "script.episodes.0.events.1.causes",
            "circle",
        ),
        (
            lambda d: event(d, 0, 1).update(causes=["m7"]),
            "script.episodes.0.events.1.causes",
            "'m7'",
        ),
        (lambda d: event(d, 0, 1).update(id="m1"), "script.episodes.0.events.1.id", "have this id"),
        (
            lambda d: d["script"]["episodes"][1].update(id="monday"),
            "script.episodes.1.id",
            "2 episodes",
        ),
        (lambda d: probe(d).update(id="p1"), "key.probes.2.id", "2 probes"),
        (lambda d: probe(d).update(decision="monday/d1"), "key.probes.2.decision", "several"),
        (lambda d: probe(d).update(decision="friday/d2"), "key.probes.2.decision", "'friday/d1'"),
        (
            lambda d: probe(d)["gold"][0].update(evidence=["wednesday/m7"]),
            "key.probes.2.gold.0.evidence.0",
            "no event 'wednesday/m7'",
        ),
        (
            lambda d: d["key"]["revisions"][0].update(event="sunday/m1"),
            "key.revisions.0.event",
            "no event 'sunday/m1'",
        ),
        (lambda d: d["script"].update(environment="suport"), "script.environment", "'support'"),
        (
            lambda d: d["script"]["world"]["orders"]["O-2210"].update(customer="C-1111"),
            "script.world.orders.O-2210.customer",
            "'C-1111'",
        ),
        (
            lambda d: event(d, 1, 1).update(
                kind="document_deleted", sources=["friday/m1"], text="Gone.", role=None
            ),
            "script.episodes.1.events.1.sources.0",
            "does not come before",
        ),
    ],
)
def test_what_cannot_be_played_is_invalid(edit: Edit, field: str, says: str) -> None:
    def tidy(data: dict[str, Any]) -> None:
        edit(data)
        for episode in data["script"]["episodes"]:
            for entry in episode["events"]:
                if entry.get("role", "") is None:
                    del entry["role"]

    assert any(p.field == field and says in p.message and p.invalid for p in problems(tidy))


def test_reading_refuses_a_broken_structure_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "cycle.yaml"
    path.write_text(EXAMPLE.read_text().replace("causes: [m1]", "causes: [d1]"))
    with pytest.raises(InputError, match="circle") as caught:
        read_scenario(path)
    assert caught.value.file == str(path)
    text = path.read_text().splitlines()
    assert "causes:" in text[(caught.value.line or 0) - 1]
    (found,) = lint([path])
    assert (found.file, found.line, found.invalid) == (str(path), caught.value.line, True)


def test_two_files_of_one_arc_are_found(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(EXAMPLE.read_text())
    (found,) = lint([tmp_path])
    assert found.file == str(tmp_path / "b.yaml") and "stands in" in found.message


def test_a_missing_file_is_a_problem_of_its_own(tmp_path: Path) -> None:
    (found, *rest) = lint([tmp_path / "none.yaml", EXAMPLE])
    assert found.invalid and found.file == str(tmp_path / "none.yaml")
    assert "does not exist" in found.message and rest == []


def test_leaks_planted_into_generated_arcs_are_all_found(tmp_path: Path) -> None:
    for arc in ladder("support", 13, 3):
        data = arc.model_dump(mode="json")
        probes = [each for each in data["key"]["probes"] if each["dependent"]]
        said = [each for entry in probes for each in (*entry["gold"], *entry["forbidden"])]
        stating = {name for each in said for name in each["evidence"]}
        for entry in probes:
            value = entry["gold"][0]["value"]
            name = entry["decision"].partition("/")[0]
            (episode,) = (each for each in data["script"]["episodes"] if each["id"] == name)
            talk = [each for each in episode["events"] if f"{name}/{each['id']}" not in stating]
            talk[0]["text"] = f"Was it {value}?"
        path = tmp_path / f"{arc.script.arc}.yaml"
        script, key = Script.model_validate(data["script"]), Key.model_validate(data["key"])
        write_scenario(Scenario(script=script, key=key), path)
        found = lint([path])
        assert len(found) == len(probes)
        assert all("without a memory" in each.message for each in found)
        assert all(each.line is not None for each in found)
