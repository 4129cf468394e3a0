"""Lint of scenarios about documents: sources, announcements, and checks of reports."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probes.linting.lint import Problem, lint
from probes.linting.order import Announcements
from probes.linting.trying import tried
from probes.scenario import Scenario, read_scenario, write_scenario
from probes.scenario.structure import Before
from scoring.keys import Key
from simulator.events import Script, canonical_json

EXAMPLES = Path(__file__).parents[2] / "probes" / "examples"
EXAMPLE = EXAMPLES / "workspace-renewal.yaml"
Edit = Callable[[dict[str, Any]], object]

# The checks of the report, by their place in the key.
CITES, NEVER_CITES, NEVER_SAYS, FLAGS, QUOTES, DEFERS = range(6)


def problems(edit: Edit, example: Path = EXAMPLE) -> list[Problem]:
    data = read_scenario(example).model_dump(mode="json")
    edit(data)
    script, key = Script.model_validate(data["script"]), Key.model_validate(data["key"])
    return lint([Scenario(script=script, key=key)])


def told(edit: Edit) -> list[tuple[str | None, str]]:
    return [(each.field, each.message) for each in problems(edit)]


def check(data: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = data["key"]["probes"][1]["checks"][number]
    return found


def report(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["key"]["probes"][1]["reference"]["calls"][0]["arguments"]
    return found


def notice(data: dict[str, Any], number: int) -> dict[str, Any]:
    found: dict[str, Any] = data["script"]["episodes"][1]["events"][number]
    return found


def test_the_example_is_clean_and_reads_back_equal(tmp_path: Path) -> None:
    assert lint([EXAMPLE]) == []
    scenario = read_scenario(EXAMPLE)
    write_scenario(scenario, tmp_path / "again.yaml")
    assert read_scenario(tmp_path / "again.yaml") == scenario


def test_the_checks_in_the_document_are_sound_in_the_example(tmp_path: Path) -> None:
    document = (EXAMPLES.parents[1] / "docs" / "scoring.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```yaml\n(checks:\n.*?)```", document, flags=re.DOTALL)
    text = EXAMPLE.read_text(encoding="utf-8")
    start = text.index("checks:\n        # A supported claim")
    end = text.index("reference:\n        calls:\n          - tool: submit_report")
    changed = text[:start] + shown.replace("\n", "\n      ") + text[end:]
    path = tmp_path / "shown.yaml"
    path.write_text(changed, encoding="utf-8")
    assert lint([path]) == []
    assert read_scenario(path) == read_scenario(EXAMPLE)


# What is announced.


def test_an_announcement_about_no_document_is_refused_with_its_line(tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8").replace(
        "sources: [DOC-1003]\n          text", "sources: [DOC-1033]\n          text"
    )
    path = tmp_path / "wrong.yaml"
    path.write_text(text, encoding="utf-8")
    (found,) = lint([path])
    assert found.field == "script.episodes.1.events.1.sources.0" and found.invalid
    assert found.line == text.splitlines().index("          sources: [DOC-1033]") + 1
    assert found.message.startswith("there is no 'DOC-1033' in this world; did you mean 'DOC-10")


def test_where_nothing_but_events_can_be_withdrawn_a_thing_is_refused() -> None:
    def withdrawn(data: dict[str, Any]) -> None:
        event = {"id": "w1", "kind": "access_withdrawn", "at": 1740000000000, "causes": []}
        event |= {"sources": ["m2"], "text": "No more."}
        data["script"]["episodes"][0]["events"].append(event)

    (found,) = problems(withdrawn, EXAMPLES / "support-refund.yaml")
    assert found.field == "script.episodes.0.events.4.sources.0" and found.invalid
    assert found.message.startswith(
        "there is no event 'm2', and in the environment 'support' nothing but events can be "
        "withdrawn, granted or deleted; "
    )


def test_a_source_that_is_an_event_must_still_be_one_that_came_before() -> None:
    found = told(lambda data: notice(data, 0).update(sources=["monday/m9", "DOC-1001"]))
    assert [field for field, _ in found] == ["script.episodes.1.events.0.sources.0"]
    found = told(lambda data: notice(data, 0).update(sources=["wednesday/d2"]))
    assert found[0][1] == "'wednesday/d2' does not come before 'wednesday/w1'"


def test_the_reference_is_played_in_the_world_as_it_was_announced() -> None:
    def reading(document: str) -> Edit:
        def edit(data: dict[str, Any]) -> None:
            call = {"tool": "read_document", "arguments": {"document_id": document}}
            data["key"]["probes"][0]["reference"]["calls"].insert(0, call)

        return edit

    assert told(reading("DOC-1002")) == []
    for document, why in (
        ("DOC-1001", "error: you have no access to document DOC-1001"),
        ("DOC-1003", "error: document DOC-1003 was deleted"),
    ):
        found = told(reading(document))
        message = f"probe 'p1' of episode 'wednesday': the reference fails: {why}"
        assert found == [("key.probes.0.reference.calls.0", message)]


def test_what_is_announced_only_after_a_decision_has_not_happened_there() -> None:
    def later(data: dict[str, Any]) -> None:
        events = data["script"]["episodes"][1]["events"]
        withdrawn = events.pop(0)
        events[0]["causes"] = []
        withdrawn |= {"causes": ["d2"], "at": events[-1]["at"] + 60_000}
        events.append(withdrawn)
        call = {"tool": "read_document", "arguments": {"document_id": "DOC-1001"}}
        data["key"]["probes"][0]["reference"]["calls"].insert(0, call)

    assert told(later) == []


@pytest.mark.parametrize(("announced", "reveals"), [(["w1"], False), (["x1"], True), ([], True)])
def test_calls_are_tried_in_the_world_as_it_was_announced(
    announced: list[str], reveals: bool
) -> None:
    """Only reading DOC-1002 says `v2 of v2`; it is withdrawn by `w1`, and `x1` is about another."""
    script = read_scenario(EXAMPLE).script
    events = [
        {
            **event.model_dump(mode="json"),
            "sources": ["DOC-1002" if event.id == "w1" else "DOC-1003"],
        }
        for event in script.episodes[1].events
        if event.id in announced
    ]
    step = {
        "number": 0,
        "probe": "p",
        "request": "Look into DOC-1002.",
        "at": 0,
        "gold": ["v2 of v2"],
        "calls": [],
        "announced": events,
    }
    found = tried("workspace", canonical_json({"worlds": [script.world], "steps": [step]}), False)
    assert [(number, place) for number, place, _ in found] == (
        [(0, "gold.0.value")] if reveals else []
    )


def test_steps_carry_what_is_announced_before_them() -> None:
    script, key = (getattr(read_scenario(EXAMPLE), name) for name in ("script", "key"))
    announcements = Announcements(script, Before(script))
    given = [[each.id for each in announcements.until(p.decision)] for p in key.probes]
    assert given == [["w1", "x1"], []]


# What checks say of sources.


@pytest.mark.parametrize("number", [CITES, NEVER_CITES, FLAGS, QUOTES])
def test_a_source_that_is_nothing_is_refused(number: int) -> None:
    found = told(lambda data: check(data, number).update(source="DOC-1022"))
    field, message = found[0]
    assert field == f"key.probes.1.checks.{number}.source"
    assert message.startswith("probe 'p2': there is no 'DOC-1022' in the world; did you mean")


def test_a_passage_that_its_document_does_not_have_is_refused() -> None:
    passage = "This contract renews for 24 months unless either party gives notice by 30 September."

    def invented(data: dict[str, Any]) -> None:
        check(data, QUOTES)["text"] = passage
        report(data)["quotes"][0]["text"] = passage

    found = told(invented)
    assert found == [
        ("key.probes.1.checks.4.text", f"probe 'p2': DOC-1002 has no passage {passage!r}")
    ]
    # Line wraps are folded; typographic variants are not.
    assert told(lambda data: check(data, QUOTES).update(text="unless either party gives"))[0][
        0
    ] == ("key.probes.1.checks.4")
    curly = "unless either party\u00a0gives"
    assert told(lambda data: check(data, QUOTES).update(text=curly))[0][0] == (
        "key.probes.1.checks.4.text"
    )


def test_wanted_and_forbidden_at_once_is_refused() -> None:
    found = told(lambda data: check(data, CITES).update(phrase="$ 4.10"))
    assert (
        "key.probes.1.checks.0.phrase",
        "probe 'p2' wants and forbids '$ 4.10' as '$4.10'",
    ) in found


# What a violation of each check is.


def wrong(data: dict[str, Any], number: int) -> None:
    """Do in the reference what a check forbids, or leave what it wants."""
    made = report(data)
    supported = {"status": "supported"}
    if number == CITES:
        made["claims"][0]["sources"] = ["DOC-1003"]
        made["claims"][0]["status"] = "flagged"
    elif number == NEVER_CITES:
        made["quotes"].append({"text": "Norlin charges.", "source": "DOC-1001"})
    elif number == NEVER_SAYS:
        made["claims"].append({"text": "A unit is $4.10.", "sources": [], **supported})
    elif number == FLAGS:
        made["claims"][1]["status"] = "supported"
    elif number == QUOTES:
        made["quotes"][0]["source"] = "DOC-1003"
    else:
        made["pending"][0]["reason"] = "time"


@pytest.mark.parametrize("number", range(6))
def test_each_check_fails_a_report_that_breaks_it(number: int) -> None:
    found = told(lambda data: wrong(data, number))
    assert found[0][0] == f"key.probes.1.checks.{number}"
    assert "variant 'ideal' does not pass" in found[0][1]


@pytest.mark.parametrize("number", range(6))
def test_without_a_check_its_violation_passes(number: int) -> None:
    """The other checks do not see it, so none of them is idle, and none stands in for another."""

    def alone(data: dict[str, Any]) -> None:
        data["key"]["probes"][1]["checks"] = [check(data, number)]
        data["key"]["probes"][1]["forbidden"] = []

    found = told(alone)
    if number in (NEVER_CITES, NEVER_SAYS, FLAGS):  # silence passes what only forbids
        assert found and all("passes" in message for _, message in found)
    else:
        assert found == []
