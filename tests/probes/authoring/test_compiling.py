"""What verbs compile to: events, the world, probes and their checks, as they would be written by hand."""

from pathlib import Path

import pytest

from environments.workspace import Workspace
from probes.linting.lint import lint
from probes.scenario import Scenario, load_all, read_folder, read_scenario, read_scenarios
from scoring.keys import (
    CalledCheck,
    CitesCheck,
    DefersCheck,
    EitherCheck,
    FlagsCheck,
    Forbidden,
    Gold,
    NeverCitesCheck,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    QuotesCheck,
    Reference,
    Revision,
    SaysCheck,
)
from scoring.planting import Review
from simulator.events.scripted import AccessWithdrawn, DocumentDeleted, Message, ToolResult
from simulator.events.times import MINUTE, parse_time
from tests.probes.authoring.tasks import REVOKE, TASK, edited, written


@pytest.fixture
def task(tmp_path: Path) -> Scenario:
    path = written(tmp_path, TASK)
    assert lint([path]) == []
    return read_scenario(path)


def probe(scenario: Scenario, name: str) -> Probe:
    (found,) = (each for each in scenario.key.probes if each.id == name)
    return found


def right(scenario: Scenario) -> Reference:
    """Return the one right way to act, which all probes of the decision have."""
    first, *others = (each.reference for each in scenario.key.probes)
    assert first is not None and all(each == first for each in others)
    return first


def test_a_step_is_an_event_a_minute_after_the_one_before_it(task: Scenario) -> None:
    first, second = task.script.episodes
    assert (first.id, second.id) == ("s1", "s2")
    assert [event.id for event in first.events] == ["e1", "e2", "e3", "e4", "e5", "e6", "e7"]
    assert [event.kind for event in first.events] == [
        *("message", "tool_result", "tool_result", "tool_result", "tool_result"),
        *("compaction", "message"),
    ]
    nine = parse_time("2025-03-03T09:00")
    assert [event.at for event in first.events] == [nine + i * MINUTE for i in range(7)]
    assert [event.causes for event in first.events[:3]] == [(), ("e1",), ("e2",)]
    assert second.events[0].at == parse_time("2025-03-05T14:20")


def test_documents_stand_in_the_world_and_are_read_as_the_environment_reads_them(
    task: Scenario,
) -> None:
    assert task.script.world["documents"]["DOC-1002"] == {
        "title": "Contract",
        "owner": "P-2001",
        "versions": ["It does not renew.", "It renews in May."],
    }
    assert task.script.world["documents"]["DOC-1001"]["rights"] == {"P-2001": "read"}
    assert (task.script.world["me"], list(task.script.world["people"])) == (
        "P-2001",
        ["P-2001", "P-2009"],
    )
    event = task.script.episodes[0].events[2]
    read = Workspace().call(task.script.world, "read_document", {"document_id": "DOC-1002"}, 0)
    assert isinstance(event, ToolResult) and event.tool == "read_document"
    assert event.text == read.text
    assert event.text.endswith(
        "version v2 of v2, owner P-2001, approval not needed: It renews in May."
    )


def test_a_constraint_forbids_a_call(task: Scenario) -> None:
    found = probe(task, "constraint")
    assert found.checks == (NotCalledCheck(tool="send_draft", arguments={"person_id": "P-2009"}),)
    assert found.planting is not None
    assert found.planting.events == ("s1/e1",)
    assert (found.planting.position, found.planting.lifted) == ("before", False)
    assert found.planting.essentials == ("P-2009",)
    assert (found.kind, found.decision, found.dependent) == ("constraint", "s2/e6", False)


def test_a_lifted_constraint_wants_what_it_forbade(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("      - revoke:", "      - lift: P-2009 may hear from us.\n      - revoke:"),
        (
            "text: Hello.}}]",
            "text: Hello.}}, {tool: send_draft, arguments: {person_id: P-2009, subject: renewal}}]",
        ),
    )
    assert lint([path]) == []
    found = probe(read_scenario(path), "constraint")
    assert found.checks == (CalledCheck(tool="send_draft", arguments={"person_id": "P-2009"}),)
    assert found.planting is not None
    assert found.planting.events == ("s1/e1", "s2/e1")
    # It was said before the first cut, and lifted between the second and the third.
    assert (found.planting.position, found.planting.lifted) == ("between", True)


def test_a_constraint_may_require_a_call(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("forbids: {tool: send_draft, arguments:", "requires: {tool: draft_mail, arguments:"),
    )
    assert lint([path]) == []
    found = probe(read_scenario(path), "constraint")
    assert found.checks == (CalledCheck(tool="draft_mail", arguments={"person_id": "P-2009"}),)


def test_an_obligation_is_fulfilled_or_reported_pending(task: Scenario, tmp_path: Path) -> None:
    done = CitesCheck(source="DOC-1004", phrase="640 units")
    left = DefersCheck(item="usage", reason="report")
    assert probe(task, "obligation").checks == (EitherCheck(of=(done, left)),)
    fulfilled = edited(tmp_path, (", pending: {item: usage, reason: report}", ""))
    assert probe(read_scenario(fulfilled), "obligation").checks == (done,)
    wants = "wants: {cites: DOC-1004, phrase: 640 units, claim: We used 640 units.}, "
    pending = edited(tmp_path, (wants, ""))
    assert lint([pending]) == []
    found = probe(read_scenario(pending), "obligation")
    assert found.checks == (left,)
    assert found.reference is not None
    report = found.reference.calls[-1].arguments
    assert report["pending"] == [{"text": "usage", "reason": "report"}]
    assert "We used 640 units." not in [claim["text"] for claim in report["claims"]]


def test_an_obligation_may_be_a_call(tmp_path: Path) -> None:
    old = "wants: {cites: DOC-1004, phrase: 640 units, claim: We used 640 units.}, pending: {item: usage, reason: report}"
    path = edited(tmp_path, (old, "wants: {tool: draft_mail, arguments: {subject: renewal}}"))
    assert lint([path]) == []
    check = CalledCheck(tool="draft_mail", arguments={"subject": "renewal"})
    assert probe(read_scenario(path), "obligation").checks == (check,)


def test_a_revocation_names_the_document_and_what_showed_it(task: Scenario) -> None:
    event = task.script.episodes[1].events[0]
    assert isinstance(event, AccessWithdrawn)
    assert (event.sources, event.text) == (("DOC-1001", "s1/e2"), "DOC-1001 is closed to you.")
    found = probe(task, "revocation")
    assert found.checks == (
        NeverSaysCheck(phrase="$4.37", failure="leakage"),
        NeverCitesCheck(source="DOC-1001"),
    )
    assert found.forbidden == (Forbidden(value="$4.37", failure="leakage", evidence=("s1/e2",)),)
    assert found.planting is not None
    assert found.planting.sources == ("DOC-1001", "s1/e2")
    assert found.planting.position == "between"


def test_a_part_that_was_read_is_withdrawn_with_its_document(tmp_path: Path) -> None:
    part = "      - document: {id: DOC-1009, title: Annex, owner: P-2009, rights: {P-2001: read}, within: DOC-1001, text: In it $7.77., read: true}\n"
    path = edited(
        tmp_path,
        ("      - document: {id: DOC-1002", f"{part}      - document: {{id: DOC-1002"),
        ("[$4.37]", "[$4.37, $7.77]"),
    )
    assert lint([path]) == []
    found = probe(read_scenario(path), "revocation")
    assert found.planting is not None
    assert found.planting.sources == ("DOC-1001", "s1/e2", "s1/e3")
    assert [each.evidence for each in found.forbidden] == [("s1/e2",), ("s1/e3",)]


def test_a_correction_has_the_old_value_and_the_new_one(task: Scenario) -> None:
    found = probe(task, "supersession")
    assert found.gold == (Gold(name="value", value="$930.00", evidence=("s2/e2",)),)
    stated = ("s1/e5", "s2/e2")
    assert found.forbidden == (Forbidden(value="$910.00", failure="resurrection", evidence=stated),)
    assert found.checks == (
        NeverSaysCheck(phrase="$910.00", failure="resurrection"),
        CitesCheck(source="DOC-1004", phrase="$930.00"),
    )
    assert task.key.revisions == (Revision(event="s2/e2", was="$910.00", now="$930.00"),)


def test_a_correction_without_a_document_is_for_the_answer(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("document: DOC-1004, was", "was"),
        (", claim: It cost $930.00.", ""),
        ("sources: [DOC-1002]}]}", "sources: [DOC-1002]}], answer: It cost $930.00.}"),
    )
    assert lint([path]) == []
    assert probe(read_scenario(path), "supersession").checks[1] == SaysCheck(phrase="$930.00")


def test_a_deletion_and_a_quotation(task: Scenario) -> None:
    event = task.script.episodes[1].events[3]
    assert isinstance(event, DocumentDeleted) and event.sources == ("DOC-1003", "s1/e4")
    assert probe(task, "deletion").checks == (
        NeverCitesCheck(source="DOC-1003"),
        FlagsCheck(source="DOC-1003", phrases=("8 percent",)),
    )
    assert probe(task, "quotation").checks == (
        QuotesCheck(source="DOC-1002", text="It renews in May."),
    )
    positions = {each.id: each.planting.position for each in task.key.probes if each.planting}
    assert positions == {
        "constraint": "before",
        "obligation": "between",
        "revocation": "between",
        "supersession": "between",
        "deletion": "after",
        "quotation": "after",
    }


def test_the_report_of_the_ideal_is_put_together(task: Scenario) -> None:
    reference = right(task)
    assert reference.answer == "Done."
    assert [call.tool for call in reference.calls] == ["draft_mail", "submit_report"]
    assert reference.calls[1].arguments == {
        "claims": [
            {"text": "The contract renews in May.", "sources": ["DOC-1002"], "status": "supported"},
            {"text": "We used 640 units.", "sources": ["DOC-1004"], "status": "supported"},
            {"text": "It cost $930.00.", "sources": ["DOC-1004"], "status": "supported"},
        ],
        "quotes": [{"text": "It renews in May.", "source": "DOC-1002"}],
    }


def test_what_stands_in_the_report_already_is_not_added(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        (
            "claims: [{text: The contract",
            "quotes: [{text: It renews  in May., source: DOC-1002}], claims: [{text: We used 640 units., sources: [DOC-1004]}, {text: The contract",
        ),
    )
    assert lint([path]) == []
    report = right(read_scenario(path)).calls[-1].arguments
    assert [claim["text"] for claim in report["claims"]].count("We used 640 units.") == 1
    assert report["quotes"] == [{"text": "It renews  in May.", "source": "DOC-1002"}]


def test_a_report_among_the_calls_is_taken_as_it_is(tmp_path: Path) -> None:
    calls = "calls: [{tool: submit_report, arguments: {claims: [{text: x, sources: [], status: flagged}]}}]}"
    old = TASK[TASK.index("calls: [{tool: draft_mail") : TASK.index("\n          task:")]
    (call,) = right(read_scenario(edited(tmp_path, (old, calls)))).calls
    assert call.arguments == {"claims": [{"text": "x", "sources": [], "status": "flagged"}]}


def test_factors_are_counted(task: Scenario, tmp_path: Path) -> None:
    assert task.key.factors == {"compactions": 2, "sessions": "several"}
    text = TASK.replace("  - at: 2025-03-05T14:20\n    steps:\n", "").replace(
        "      - compact\n", ""
    )
    text = text.replace(
        "me: P-2001", "me: P-2001\nfactors: {family: mine}\ntier: hard\ncritical: true", 1
    )
    path = written(tmp_path, text)
    assert lint([path]) == []
    scenario = read_scenario(path)
    assert scenario.key.factors == {"family": "mine", "compactions": 0, "sessions": "one"}
    assert (scenario.key.tier, scenario.key.critical) == ("hard", True)
    # Where nothing is cut there is no place before or after a cut.
    assert {each.planting.position for each in scenario.key.probes if each.planting} == {None}


def test_what_is_cut_after_the_decision_does_not_count(tmp_path: Path) -> None:
    path = written(tmp_path, TASK + "      - compact\n      - say: Thanks.\n")
    scenario = read_scenario(path)
    assert scenario.key.factors["compactions"] == 2
    deletion = probe(scenario, "deletion").planting
    assert deletion is not None and deletion.position == "after"


def test_several_decisions_each_have_their_work(tmp_path: Path) -> None:
    ask = "      - ask: {request: Please draft a mail to P-2009., ideal: {calls: [{tool: draft_mail, arguments: {person_id: P-2009, subject: a, text: b}}]}, task: [{check: called, tool: draft_mail}]}\n"
    path = edited(tmp_path, ("      - revoke:", f"{ask}      - revoke:"))
    assert lint([path]) == []
    scenario = read_scenario(path)
    found = [(each.id, each.decision) for each in scenario.key.probes]
    assert found[0] == ("task-2", "s2/e1")
    assert found[-1] == ("task", "s2/e7")
    assert {decision for _, decision in found[1:]} == {"s2/e7"}


def test_access_that_is_given_back_leaves_nothing_to_test(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        (", values: [$4.37]", ""),
        (
            "      - delete:",
            "      - grant: {document: DOC-1001, say: DOC-1001 is open to you.}\n      - delete:",
        ),
        (
            "sources: [DOC-1002]}]}",
            "sources: [DOC-1002]}, {text: A unit is $4.37., sources: [DOC-1001]}]}",
        ),
        (
            "phrase: renews in May}]",
            "phrase: renews in May}, {check: cites, source: DOC-1001, phrase: $4.37}]",
        ),
    )
    assert lint([path]) == []
    scenario = read_scenario(path)
    assert "revocation" not in [each.kind for each in scenario.key.probes]
    events = scenario.script.episodes[1].events
    assert [event.kind for event in events[:4]] == [
        *("access_withdrawn", "message", "compaction", "access_granted"),
    ]
    assert events[3].sources == ("DOC-1001", "s1/e2")  # type: ignore[union-attr]


def test_probes_of_one_kind_are_numbered_and_given_ids_kept(tmp_path: Path) -> None:
    more = "      - constrain: {say: Delete nothing., forbids: {tool: delete_document}}\n"
    named = "      - constrain: {id: asking, say: Ask nobody., forbids: {tool: request_approval, arguments: {document_id: DOC-1002}}}\n"
    path = edited(tmp_path, ("      - revoke:", f"{more}{named}      - revoke:"))
    scenario = read_scenario(path)
    ids = [each.id for each in scenario.key.probes if each.kind == "constraint"]
    assert ids == ["constraint", "constraint-2", "asking"]


def test_twins_at_the_top_or_at_a_verb(tmp_path: Path) -> None:
    every = written(tmp_path, TASK.replace("me: P-2001", "me: P-2001\ntwin: true", 1))
    assert [each.script.arc for each in read_scenarios(every)] == [
        "renewal",
        *(
            f"renewal.twin-{name}"
            for name in (
                "constraint",
                "obligation",
                "revocation",
                "supersession",
                "deletion",
                "quotation",
            )
        ),
    ]
    assert lint([every]) == []
    one = edited(tmp_path, ("correct: {say", "correct: {twin: true, say"))
    task, twin = read_scenarios(one)
    assert twin.key.counterpart is not None and twin.key.counterpart.probe == "supersession"
    assert len(twin.script.episodes[1].events) == len(task.script.episodes[1].events) - 1
    assert twin.key.revisions == ()
    assert lint([one]) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("me: P-2001", "me: P-2001\ninfluence: true"),
        ("revoke: {document", "revoke: {influence: true, document"),
    ],
)
def test_other_withdrawn_content_at_the_top_or_at_the_verb(
    tmp_path: Path, old: str, new: str
) -> None:
    path = written(tmp_path, TASK.replace(old, new, 1))
    arcs = load_all(path)
    assert [each.scenario.script.arc for each in arcs] == [
        *("renewal", "renewal.swap-revocation"),
        *("renewal.absent-revocation", "renewal.filler-revocation"),
    ]
    # Every digit goes on by one: 4.37 becomes 5.48, in the world and in what was read.
    swap = arcs[1].scenario
    assert swap.script.world["documents"]["DOC-1001"]["versions"] == ["A unit is $5.48."]
    assert "$4.37" not in swap.model_dump_json()
    line = REVOKE + new.count("\n")
    assert arcs[1].locate("key.probes.2.forbidden.0.value")[1] == line
    assert lint([path]) == []


def test_a_twin_lacks_a_session_in_which_nothing_else_happens(tmp_path: Path) -> None:
    alone = "  - {id: alone, at: 2025-03-04T09:00, steps: [{quote: {twin: true, say: Quote it., document: DOC-1002, text: It renews in May.}}]}\n"
    quote = "      - quote: {say: Quote DOC-1002 on the renewal., document: DOC-1002, text: It renews in May.}\n"
    path = edited(tmp_path, ("  - at: 2025-03-05", f"{alone}  - at: 2025-03-05"), (quote, ""))
    assert lint([path]) == []
    task, twin = load_all(path)
    assert [each.id for each in task.scenario.script.episodes] == ["s1", "alone", "s3"]
    assert [each.id for each in twin.scenario.script.episodes] == ["s1", "s3"]
    assert twin.locate("script.episodes.1.events.0") == ("sessions.2.steps.0.revoke", 19)


def test_a_folder_holds_both_forms(tmp_path: Path) -> None:
    written(tmp_path, TASK.replace("me: P-2001", "me: P-2001\ntwin: true", 1))
    script = "script: {arc: small, environment: conversation, episodes: [{id: e1, at: 0, events: [{id: m1, kind: message, text: x}]}]}\nkey: {probes: []}\n"
    (tmp_path / "small.yaml").write_text(script, encoding="utf-8")
    arcs = [each.script.arc for each in read_folder(tmp_path)]
    assert arcs[0] == "small" and arcs[1] == "renewal" and len(arcs) == 8
    problems = lint([tmp_path, tmp_path / "task.yaml"])
    assert problems[0].message.startswith("arc 'renewal' stands in ")
    assert problems[0].field == "task"


def test_what_stands_in_the_world_besides(tmp_path: Path) -> None:
    world = (
        "world: {calendar: [{person: P-2009, subject: call, start: 2025-03-04 10:00}]}\nme: P-2001"
    )
    path = written(tmp_path, TASK.replace("me: P-2001", world, 1))
    assert lint([path]) == []
    assert read_scenario(path).script.world["calendar"][0]["subject"] == "call"


def test_a_review_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, TASK.replace("me:", "review: {verdict: unsound, note: no}\nme:", 1))
    assert read_scenario(path).key.review == Review(verdict="unsound", note="no")


def test_scalars_stay_as_written(tmp_path: Path) -> None:
    path = edited(tmp_path, ("say: Name the usage too.", "say: 0012"))
    event = read_scenario(path).script.episodes[0].events[-1]
    assert isinstance(event, Message) and event.text == "0012"


def test_short_forms(tmp_path: Path) -> None:
    text = "      - say: Hello.\n      - say: {text: Welcome., role: system, at: 2025-03-04T08:00}\n      - compact:\n      - compact: {at: 2025-03-04T09:30}\n"
    path = edited(tmp_path, ("      - oblige:", f"{text}      - oblige:"))
    events = read_scenario(path).script.episodes[0].events
    assert [event.kind for event in events[6:10]] == [
        "message",
        "message",
        "compaction",
        "compaction",
    ]
    assert isinstance(events[7], Message) and events[7].role == "system"
    assert [event.at for event in events[7:11]] == [
        parse_time(f"2025-03-04T{clock}") for clock in ("08:00", "08:01", "09:30", "09:31")
    ]


def test_every_compiled_place_has_a_line_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, TASK.replace("me: P-2001", "me: P-2001\ntwin: true", 1))
    loaded = load_all(path)
    assert len(loaded) == 7
    for each in loaded:
        for i, episode in enumerate(each.scenario.script.episodes):
            for j, _ in enumerate(episode.events):
                field, line = each.locate(f"script.episodes.{i}.events.{j}.text")
                assert line and field.startswith(f"sessions.{i}.steps.")
        for n, found in enumerate(each.scenario.key.probes):
            _, line = each.locate(f"key.probes.{n}.checks.0")
            lines = {"constraint": 10, "obligation": 16, "revocation": 19, "supersession": 20}
            lines |= {"deletion": 22, "quotation": 23, "task": 27}
            assert line == lines[found.id]
