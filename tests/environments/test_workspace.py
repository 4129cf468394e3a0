"""The workspace: who sees what at which moment, and what each tool does, refuses and says."""

from typing import Any

import jsonpatch
import pytest

from environments.contract import check_environment, never_succeeded
from environments.workspace import Workspace
from simulator.effects.environment import Hearing
from simulator.effects.schemas import SchemaValidator
from simulator.events import Json
from simulator.events.errors import InputError

NOW = 1_740_992_400_000


def world() -> Json:
    return {
        "me": "P-2001",
        "people": {
            "P-2001": {"name": "Selma Novak", "role": "buyer"},
            "P-2002": {"name": "Jun Silva", "role": "head of finance"},
            "P-2003": {"name": "Ida Berg", "role": "lawyer"},
        },
        "documents": {
            "DOC-1000": {"title": "Prices", "owner": "P-2002", "rights": {"P-2001": "read"}, "versions": ["All."]},
            "DOC-1001": {
                "title": "Price list",
                "owner": "P-2002",
                "within": "DOC-1000",
                "rights": {"P-2001": "edit"},
                "approvers": ["P-2002"],
                "versions": ["A unit is $4.10.", "A unit is $4.30."],
            },
            "DOC-1002": {"title": "Contract", "owner": "P-2001", "versions": ["It ends in May."]},
            "DOC-1003": {"title": "Salaries", "owner": "P-2002", "versions": ["Unit heads earn more."]},
            "DOC-1004": {"title": "Discounts", "owner": "P-2002", "within": "DOC-1001", "rights": {"P-2001": "read"}, "versions": ["A unit is cheaper in May."]},
        },
        "calendar": [{"person": "P-2002", "subject": "review", "start": "2025-03-07 10:00"}],
    }  # fmt: skip


def called(state: Json, tool: str, **arguments: Any) -> tuple[bool, str, Json]:
    (schema,) = [each.parameters for each in Workspace.tools if each.name == tool]
    assert SchemaValidator(schema).is_valid(arguments)
    outcome = Workspace().call(state, tool, arguments, NOW)
    return outcome.ok, outcome.text, jsonpatch.apply_patch(state, list(outcome.changes))


def told(state: Json, tool: str, **arguments: Any) -> str:
    _, text, after = called(state, tool, **arguments)
    assert after == state
    return text


def heard(state: Json, notice: Any, *sources: str, now: int = NOW) -> Json:
    announced = Workspace().announced(state, notice, sources, now)
    after = jsonpatch.apply_patch(state, list(announced.changes))
    Workspace().check_world(after)
    return after


def read(state: Json, document: str, **version: str) -> str:
    return told(state, "read_document", document_id=document, **version)


def test_the_contract_holds_for_an_empty_and_a_full_world() -> None:
    check_environment(Workspace)
    check_environment(Workspace, world())
    letter = {"to": "P-2002", "subject": "Hello", "at": 1}
    full = {
        **world(),
        "approvals": {"DOC-1001": {"P-2002": "requested"}},
        "drafts": [{"kind": "mail", "text": "Hi.", **letter}],
        "sent": [{"kind": "invitation", "start": "2025-03-07 10:00", **letter}],
        "withdrawn": {"DOC-1002": 1, "calendar": 2},
        "deleted": {"DOC-1000": 1},
        "reports": [
            {
                "claims": [{"text": "So.", "sources": ["DOC-1000"], "status": "flagged"}],
                "quotes": [{"text": "All.", "source": "DOC-1000"}],
                "pending": [{"text": "the rest", "reason": "time"}],
                "at": 3,
            }
        ],
    }
    check_environment(Workspace, full)
    busy = {**world(), "drafts": full["drafts"]}
    assert never_succeeded(Workspace, busy) == []
    assert isinstance(Workspace(), Hearing)


# Reading


def test_the_current_version_is_read_and_an_older_one_by_its_name() -> None:
    head = (
        'document DOC-1001 "Price list", version {} of v2, owner P-2002, approval open (P-2002): {}'
    )
    assert read(world(), "DOC-1001") == head.format("v2", "A unit is $4.30.")
    assert read(world(), "DOC-1001", version="v1") == head.format("v1", "A unit is $4.10.")
    assert read(world(), "DOC-1001", version="v3") == "error: document DOC-1001 has no version v3"
    assert "approval not needed: It ends in May." in read(world(), "DOC-1002")


def test_what_nobody_gave_a_right_to_is_neither_read_nor_found() -> None:
    assert read(world(), "DOC-1003") == "error: you have no access to document DOC-1003"
    assert read(world(), "DOC-9999") == "error: there is no document DOC-9999"
    assert told(world(), "search_documents", words="UNIT") == (
        'found: DOC-1001 "Price list", DOC-1004 "Discounts"'
    )
    assert told(world(), "search_documents", words="unit may") == 'found: DOC-1004 "Discounts"'
    # Only current versions are searched.
    assert told(world(), "search_documents", words="$4.10") == "found: nothing"


def test_a_read_and_a_search_say_what_they_contain() -> None:
    workspace = Workspace()
    one = workspace.call(world(), "read_document", {"document_id": "DOC-1001"}, NOW)
    several = workspace.call(world(), "search_documents", {"words": "unit"}, NOW)
    assert one.contains == ("DOC-1001",)
    assert several.contains == ("DOC-1001", "DOC-1004")
    refused = workspace.call(world(), "read_document", {"document_id": "DOC-1003"}, NOW)
    assert refused.contains == ()


# Announcements


def test_reads_before_and_after_a_withdrawal_and_after_the_grant() -> None:
    gone = heard(world(), "withdrawn", "DOC-1002")
    assert gone["withdrawn"] == {"DOC-1002": NOW}
    assert read(gone, "DOC-1002") == "error: you have no access to document DOC-1002"
    assert told(gone, "search_documents", words="may") == 'found: DOC-1004 "Discounts"'
    back = heard(gone, "granted", "DOC-1002")
    assert {**back, "withdrawn": {}} == {**world(), "withdrawn": {}}
    assert read(back, "DOC-1002") == read(world(), "DOC-1002")


def test_a_withdrawal_covers_every_version_and_every_part() -> None:
    gone = heard(world(), "withdrawn", "DOC-1000")
    assert gone["withdrawn"] == {"DOC-1000": NOW, "DOC-1001": NOW, "DOC-1004": NOW}
    for name, version in (("DOC-1001", {"version": "v1"}), ("DOC-1001", {}), ("DOC-1004", {})):
        assert read(gone, name, **version) == f"error: you have no access to document {name}"
    # A part that is granted by itself is read, and what it is a part of is not.
    back = heard(gone, "granted", "DOC-1001")
    assert back["withdrawn"] == {"DOC-1000": NOW}
    assert "$4.30" in read(back, "DOC-1001") and "cheaper" in read(back, "DOC-1004")


def test_an_announcement_says_all_that_it_is_about() -> None:
    for notice in ("withdrawn", "granted", "deleted"):
        announced = Workspace().announced(world(), notice, ("DOC-1001",), NOW)
        assert announced.things == ("DOC-1001", "DOC-1004")
    again = Workspace().announced(
        heard(world(), "withdrawn", "DOC-1001"), "withdrawn", ("DOC-1000", "DOC-1001"), NOW
    )
    assert again.things == ("DOC-1000", "DOC-1001", "DOC-1004")
    assert [change["path"] for change in again.changes] == ["/withdrawn/DOC-1000"]


def test_a_grant_gives_a_right_to_read_where_there_was_none_and_no_more() -> None:
    given = heard(world(), "granted", "DOC-1003")
    assert given["documents"]["DOC-1003"]["rights"] == {"P-2001": "read"}
    assert read(given, "DOC-1003").endswith(": Unit heads earn more.")
    assert told(given, "delete_document", document_id="DOC-1003") == (
        "error: you may read document DOC-1003, not delete it"
    )
    # Nothing happens to rights that are there.
    assert heard(world(), "granted", "DOC-1001", "DOC-1002") == world()


def test_what_is_deleted_stays_deleted_with_its_parts() -> None:
    gone = heard(world(), "deleted", "DOC-1001")
    assert gone["deleted"] == {"DOC-1001": NOW, "DOC-1004": NOW}
    assert read(gone, "DOC-1001", version="v1") == "error: document DOC-1001 was deleted"
    assert heard(gone, "granted", "DOC-1001") == gone
    assert heard(gone, "withdrawn", "DOC-1001") == gone
    assert heard(gone, "deleted", "DOC-1001", now=NOW + 1) == gone
    hidden = heard(heard(world(), "withdrawn", "DOC-1001"), "deleted", "DOC-1001")
    assert read(hidden, "DOC-1001") == "error: document DOC-1001 was deleted"


def test_one_documents_name_never_stands_for_another() -> None:
    state = world()
    state["documents"] = {f"DOC-000{n}": {**state["documents"]["DOC-1002"]} for n in (1, 2)}
    gone = heard(state, "withdrawn", "DOC-0001")
    assert gone["withdrawn"] == {"DOC-0001": NOW}
    assert read(gone, "DOC-0002").endswith("It ends in May.")


def test_mail_and_calendar_can_be_withdrawn() -> None:
    gone = heard(world(), "withdrawn", "calendar")
    assert told(world(), "get_person", person_id="P-2002") == (
        "person P-2002 is Jun Silva, head of finance; meetings: 2025-03-07 10:00 review"
    )
    assert (
        told(gone, "get_person", person_id="P-2002")
        == "person P-2002 is Jun Silva, head of finance"
    )
    asked = {"person_id": "P-2002", "subject": "s", "start": "2025-03-08 10:00"}
    assert told(gone, "draft_invitation", **asked) == "error: you have no access to the calendar"
    mail = {"person_id": "P-2002", "subject": "s", "text": "t"}
    _, _, drafted = called(gone, "draft_mail", **mail)
    gone = heard(drafted, "withdrawn", "mail")
    assert told(gone, "draft_mail", **mail) == "error: you have no access to the mail"
    assert told(gone, "send_draft", person_id="P-2002", subject="s") == (
        "error: you have no access to the mail"
    )
    back = heard(gone, "granted", "mail", "calendar")
    assert called(back, "send_draft", person_id="P-2002", subject="s")[0]


@pytest.mark.parametrize(
    ("notice", "source", "why"),
    [
        ("withdrawn", "DOC-1009", "there is no 'DOC-1009' in this world; did you mean 'DOC-100"),
        ("granted", "P-2001", "there is no 'P-2001' in this world"),
        ("deleted", "mail", "mail is no document, and only documents are deleted"),
    ],
)
def test_an_announcement_about_nothing_is_refused(notice: Any, source: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Workspace().announced(world(), notice, (source,), NOW)


# Drafting and sending


def test_drafting_is_not_sending() -> None:
    mail = {"person_id": "P-2002", "subject": "prices", "text": "May we talk?"}
    ok, text, drafted = called(world(), "draft_mail", **mail)
    letter = {
        "kind": "mail",
        "to": "P-2002",
        "subject": "prices",
        "text": "May we talk?",
        "at": NOW,
    }
    assert (ok, text) == (True, 'the mail to P-2002, "prices", was drafted and not sent')
    assert drafted["drafts"] == [letter] and "sent" not in drafted
    ok, text, sent = called(drafted, "send_draft", person_id="P-2002", subject="prices")
    assert (ok, text) == (True, 'the mail to P-2002, "prices", was sent')
    assert sent["sent"] == [letter] and sent["drafts"] == []
    assert told(sent, "send_draft", person_id="P-2002", subject="prices") == (
        'error: there is no draft to P-2002, "prices"'
    )


def test_an_invitation_stands_in_the_calendar_once_it_is_sent() -> None:
    asked = {"person_id": "P-2003", "subject": "clause 4", "start": "2025-03-08 10:00"}
    _, text, drafted = called(world(), "draft_invitation", **asked)
    assert text == 'the invitation to P-2003, "clause 4", was drafted and not sent'
    assert drafted["calendar"] == world()["calendar"]
    _, _, sent = called(drafted, "send_draft", person_id="P-2003", subject="clause 4")
    new = {"person": "P-2003", "subject": "clause 4", "start": "2025-03-08 10:00"}
    assert sent["calendar"] == [*world()["calendar"], new]
    assert sent["sent"][0] == {**drafted["drafts"][0], "at": NOW}


def test_the_latest_of_several_drafts_is_sent_and_only_to_its_person() -> None:
    state = world()
    for text in ("one", "two"):
        _, _, state = called(state, "draft_mail", person_id="P-2002", subject="s", text=text)
    _, _, state = called(state, "draft_mail", person_id="P-2003", subject="s", text="three")
    _, _, sent = called(state, "send_draft", person_id="P-2002", subject="s")
    assert [each["text"] for each in sent["sent"]] == ["two"]
    assert [each["text"] for each in sent["drafts"]] == ["one", "three"]


# Approvals and deletion


def test_an_approval_is_asked_for_and_recorded() -> None:
    asked = {"document_id": "DOC-1001", "person_id": "P-2002"}
    _, text, requested = called(world(), "request_approval", **asked)
    assert text == "approval of document DOC-1001 by P-2002 is requested"
    assert requested["approvals"] == {"DOC-1001": {"P-2002": "requested"}}
    assert "approval requested (P-2002)" in read(requested, "DOC-1001")
    _, _, given = called(requested, "record_approval", **asked)
    assert given["approvals"] == {"DOC-1001": {"P-2002": "given"}}
    assert called(world(), "record_approval", **asked)[2]["approvals"] == given["approvals"]
    for tool, state in (("request_approval", requested), ("request_approval", given)):
        what = state["approvals"]["DOC-1001"]["P-2002"]
        assert told(state, tool, **asked) == (
            f"error: approval of document DOC-1001 by P-2002 is {what} already"
        )


def test_a_second_approver_is_added_to_the_first() -> None:
    state = world()
    state["documents"]["DOC-1001"]["approvers"] = ["P-2002", "P-2003"]
    for person in ("P-2002", "P-2003"):
        _, _, state = called(state, "request_approval", document_id="DOC-1001", person_id=person)
    assert state["approvals"]["DOC-1001"] == {"P-2002": "requested", "P-2003": "requested"}


@pytest.mark.parametrize("tool", ["request_approval", "record_approval"])
def test_nobody_without_the_right_approves(tool: str) -> None:
    for document, person in (
        ("DOC-1001", "P-2003"),
        ("DOC-1001", "P-2001"),
        ("DOC-1002", "P-2002"),
    ):
        assert told(world(), tool, document_id=document, person_id=person) == (
            f"error: person {person} has no right to approve document {document}"
        )
    assert told(world(), tool, document_id="DOC-1001", person_id="P-9999") == (
        "error: there is no person P-9999"
    )
    gone = heard(world(), "withdrawn", "DOC-1001")
    assert told(gone, tool, document_id="DOC-1001", person_id="P-2002") == (
        "error: you have no access to document DOC-1001"
    )


def test_only_who_may_edit_deletes_and_the_parts_go_too() -> None:
    _, text, after = called(world(), "delete_document", document_id="DOC-1001")
    assert text == "deleted: DOC-1001, DOC-1004"
    assert after["deleted"] == {"DOC-1001": NOW, "DOC-1004": NOW}
    assert told(after, "delete_document", document_id="DOC-1001") == (
        "error: document DOC-1001 was deleted"
    )
    assert told(world(), "delete_document", document_id="DOC-1004") == (
        "error: you may read document DOC-1004, not delete it"
    )
    assert called(world(), "delete_document", document_id="DOC-1002")[0]  # its owner


# Reports

CLAIM = {"text": "A unit is $4.30.", "sources": ["DOC-1001"], "status": "supported"}


def test_a_report_is_kept_as_it_was_submitted() -> None:
    report = {
        "claims": [CLAIM],
        "quotes": [{"text": "It ends in May.", "source": "DOC-1002"}],
        "pending": [{"text": "the approval", "reason": "Jun is away"}],
    }
    _, text, after = called(world(), "submit_report", **report)
    assert text == "the report was submitted: 1 claims, 1 quotes, 1 pending"
    assert after["reports"] == [{**report, "at": NOW}]
    _, _, again = called(after, "submit_report", claims=[])
    empty: Json = {"claims": [], "quotes": [], "pending": []}
    assert again["reports"] == [{**report, "at": NOW}, {**empty, "at": NOW}]


def test_a_report_may_cite_what_may_not_be_read_and_only_what_there_is() -> None:
    """Whether it does is what is tested, so no error may tell."""
    gone = heard(heard(world(), "withdrawn", "DOC-1001"), "deleted", "DOC-1002")
    said = {"claims": [CLAIM], "quotes": [{"text": "Made up.", "source": "DOC-1002"}]}
    for state in (world(), gone):
        assert called(state, "submit_report", **said)[:2] == (
            True,
            "the report was submitted: 1 claims, 1 quotes, 0 pending",
        )
    for unknown in (
        {"claims": [{**CLAIM, "sources": ["DOC-1001", "DOC-9999"]}]},
        {"claims": [], "quotes": [{"text": "x", "source": "DOC-9999"}]},
    ):
        assert told(world(), "submit_report", **unknown) == "error: there is no document DOC-9999"


@pytest.mark.parametrize(
    "arguments",
    [
        {"claims": [{**CLAIM, "status": "sure"}]},
        {"claims": [{"text": "x", "sources": []}]},
        {"claims": [{**CLAIM, "sources": ["the contract"]}]},
        {"claims": ["A unit is $4.30."]},
        {"claims": [], "quotes": [{"text": "x"}]},
        {"quotes": []},
        {"claims": [], "pending": [{"text": "", "reason": "x"}]},
    ],
)
def test_a_report_of_another_form_does_not_fit_the_schema(arguments: Json) -> None:
    (schema,) = [each.parameters for each in Workspace.tools if each.name == "submit_report"]
    assert not SchemaValidator(schema).is_valid(arguments)


# Worlds


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"me": None}, "world.me"),
        ({"me": "P-2009"}, "world.me"),
        ({"withdrawn": {"DOC-1009": 1}}, "world.withdrawn.DOC-1009"),
        ({"deleted": {"DOC-1009": 1}}, "world.deleted.DOC-1009"),
        ({"approvals": {"DOC-1009": {}}}, "world.approvals.DOC-1009"),
        ({"approvals": {"DOC-1001": {"P-2009": "given"}}}, "world.approvals.DOC-1001"),
        ({"calendar": [{"person": "P-2009", "subject": "x", "start": "2025-03-07 10:00"}]}, "world.calendar.0"),
        ({"reports": [{"claims": [{**CLAIM, "sources": ["DOC-1009"]}], "at": 1}]}, "world.reports.0"),
        ({"folders": {}}, "world.folders"),
    ],
)  # fmt: skip
def test_a_faulty_world_is_named_by_its_field(change: Json, field: str) -> None:
    with pytest.raises(InputError) as raised:
        Workspace().check_world({**world(), **change})
    assert raised.value.field == field


@pytest.mark.parametrize(
    ("document", "change", "field"),
    [
        ("DOC-1000", {"within": "DOC-1004"}, "world.documents.DOC-1000.within"),
        ("DOC-1002", {"within": "DOC-1002"}, "world.documents.DOC-1002.within"),
        ("DOC-1002", {"within": "DOC-1009"}, "world.documents.DOC-1002.within"),
        ("DOC-1002", {"owner": "P-2009"}, "world.documents.DOC-1002.owner"),
        ("DOC-1002", {"rights": {"P-2009": "read"}}, "world.documents.DOC-1002.rights"),
        ("DOC-1002", {"rights": {"P-2002": "own"}}, "world.documents.DOC-1002.rights.P-2002"),
        ("DOC-1002", {"approvers": ["P-2009"]}, "world.documents.DOC-1002.approvers"),
        ("DOC-1002", {"versions": []}, "world.documents.DOC-1002.versions"),
    ],
)
def test_a_faulty_document_is_named_by_its_field(document: str, change: Json, field: str) -> None:
    state = world()
    state["documents"][document] |= change
    with pytest.raises(InputError) as raised:
        Workspace().check_world(state)
    assert raised.value.field == field
