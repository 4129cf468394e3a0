"""The workspace: documents with rights and versions, mail and calendar, approvals, reports.

A read gives what may be seen at that moment. Nothing that a read-only tool, an error or a schema
says depends on what a scenario asks for: a document that was withdrawn or deleted is refused when
it is read, while a report may cite it and quote what it likes, for that is what is tested.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from environments.records import (
    Forms,
    append,
    closed,
    done,
    form,
    has,
    put,
    refused,
    replace,
    told,
    tool,
    unknown_id,
)
from environments.workspace_rights import (
    announced,
    closed_to,
    deletions,
    may_read,
    out_of_reach,
    parts,
    right,
)
from environments.workspace_world import DOCUMENT_ID, PERSON_ID, START, VERSION, read_world
from simulator.effects.environment import Announced, Tool, ToolOutcome
from simulator.events import Json
from simulator.events.scripted import Notice

_FORMS: Forms = {
    "document_id": (DOCUMENT_ID, "DOC-9041"),
    "source": (DOCUMENT_ID, "DOC-9041"),
    "version": (VERSION, "v90"),
    "person_id": (PERSON_ID, "P-9007"),
    "start": (START, "2004-09-07 09:41"),
}
_tool = partial(tool, _FORMS)
_TEXT = form(_FORMS, "text")
_SOURCE = form(_FORMS, "source")


def _listed(**members: Json) -> Json:
    return {"type": "array", "items": closed(members)}


_REPORT = closed(
    {
        "claims": _listed(
            text=_TEXT,
            sources={"type": "array", "items": _SOURCE},
            status={"type": "string", "enum": ["supported", "flagged"]},
        ),
        "quotes": _listed(text=_TEXT, source=_SOURCE),
        "pending": _listed(text=_TEXT, reason=_TEXT),
    },
    ["claims"],
)


class Workspace:
    """A workspace with three tools to look things up and seven that change the world."""

    tools: ClassVar[tuple[Tool, ...]] = (
        _tool("search_documents", "Find documents by their words.", "words", read_only=True),
        _tool(
            "read_document",
            "Read a document or an older version.",
            "document_id",
            "version",
            optional=("version",),
            read_only=True,
        ),
        _tool("get_person", "Look up a person and meetings.", "person_id", read_only=True),
        _tool("draft_mail", "Write a mail, unsent.", "person_id", "subject", "text"),
        _tool(
            "draft_invitation",
            "Write an invitation to a meeting, unsent.",
            "person_id",
            "subject",
            "start",
        ),
        _tool("send_draft", "Send a drafted mail or invitation.", "person_id", "subject"),
        _tool("request_approval", "Ask a person to approve.", "document_id", "person_id"),
        _tool("record_approval", "Record that a person approved.", "document_id", "person_id"),
        _tool("delete_document", "Delete a document from the drive.", "document_id"),
        Tool(
            name="submit_report",
            description="Submit the final report.",
            parameters=_REPORT,
            read_only=False,
        ),
    )
    instructions: ClassVar[str] = (
        "You work for one person with documents, mail, a calendar and approvals. Use one action a "
        "turn: a tool call, answer, ask or refuse.\n"
        "Final work is a report: claims with the documents that they rest on, supported or flagged, "
        "quotations word for word, and what is pending with the reason.\n"
        'When the request is carried out, say answer("…") with what you did.\n'
        'When something you need is neither shown nor to be looked up, say ask("…").'
    )
    examples: ClassVar[tuple[str, ...]] = (
        "Request: Look into document DOC-9312.\n"
        'Action: read_document(document_id="DOC-9312")\n'
        'Result: document DOC-9312 "Parking", version v91 of v91, owner P-9120, approval not '
        "needed: Bay 94 is free from May.\n"
        'Action: answer("Bay 94 is free from May.")',
        "Memory: [2004-09-06] tool read_document: document DOC-9312: Bay 94 is free from May.\n"
        "Request: Submit the parking report.\n"
        'Action: submit_report(claims=[{"text": "A bay is free from May.", "sources": ["DOC-9312"], '
        '"status": "supported"}], quotes=[{"text": "Bay 94 is free from May.", '
        '"source": "DOC-9312"}], '
        'pending=[{"text": "the key of the bay", "reason": "P-9120 is away"}])\n'
        "Result: the report was submitted: 1 claims, 1 quotes, 1 pending\n"
        'Action: answer("The report is submitted.")',
    )

    def check_world(self, world: Json) -> None:
        """Check an initial world; a collection that is left out is empty.

        Raises:
            InputError: naming the field that is wrong.
        """
        read_world(world)

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        """Return what a call would do; an unknown id or a broken rule is an error for the agent.

        Raises:
            KeyError: when there is no such tool; the engine never asks for one.
        """
        fault = unknown_id(world, arguments, {"document": "documents", "person": "people"})
        if fault is None and "document_id" in arguments:
            fault = closed_to(world, arguments["document_id"])
        return fault or _RULES[tool](world, arguments, now)

    def announced(
        self, world: Json, notice: Notice, sources: tuple[str, ...], now: int
    ) -> Announced:
        """Return what an announcement about documents and their parts, or systems, would do.

        Raises:
            InputError: for what is neither a document nor a system.
        """
        return announced(world, notice, sources, now)


def _search_documents(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    words = arguments["words"].casefold().split()
    found = [
        name
        for name, entry in world.get("documents", {}).items()
        if may_read(world, name) and _mentions(entry, words)
    ]
    titles = [f'{name} "{world["documents"][name]["title"]}"' for name in found]
    return told(f"found: {', '.join(titles) or 'nothing'}", tuple(found))


def _mentions(document: Json, words: list[str]) -> bool:
    text = f"{document['title']} {document['versions'][-1]}".casefold()
    return all(word in text for word in words)


def _read_document(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["document_id"]
    document = world["documents"][name]
    last = f"v{len(document['versions'])}"
    version = arguments.get("version", last)
    number = int(version.removeprefix("v"))
    if number > len(document["versions"]):
        return refused(f"document {name} has no version {version}")
    head = (
        f'document {name} "{document["title"]}", version {version} of {last}, '
        f"owner {document['owner']}, approval {_approval(world, name)}"
    )
    return told(f"{head}: {document['versions'][number - 1]}", (name,))


def _approval(world: Json, document: str) -> str:
    approvers = world["documents"][document].get("approvers", [])
    asked = world.get("approvals", {}).get(document, {})
    states = (f"{asked.get(person, 'open')} ({person})" for person in approvers)
    return ", ".join(states) or "not needed"


def _get_person(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["person_id"]
    person = world["people"][name]
    said = f"person {name} is {person['name']}, {person['role']}"
    if out_of_reach(world, "calendar"):
        return told(said)
    meetings = [
        f"{meeting['start']} {meeting['subject']}"
        for meeting in world.get("calendar", [])
        if meeting["person"] == name
    ]
    return told(f"{said}; meetings: {', '.join(meetings) or 'none'}", ("calendar",))


def _draft_mail(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    return out_of_reach(world, "mail") or _drafted(world, "mail", arguments, "text", now)


def _draft_invitation(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    fault = out_of_reach(world, "calendar")
    return fault or _drafted(world, "invitation", arguments, "start", now)


def _drafted(
    world: Json, kind: str, arguments: dict[str, Any], field: str, now: int
) -> ToolOutcome:
    to, subject = arguments["person_id"], arguments["subject"]
    draft = {"kind": kind, "to": to, "subject": subject, field: arguments[field], "at": now}
    text = f'the {kind} to {to}, "{subject}", was drafted and not sent'
    return done(text, append(world, "drafts", draft))


def _send_draft(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    to, subject = arguments["person_id"], arguments["subject"]
    drafts = world.get("drafts", [])
    places = [i for i, each in enumerate(drafts) if (each["to"], each["subject"]) == (to, subject)]
    if not places:
        return refused(f'there is no draft to {to}, "{subject}"')
    draft = drafts[places[-1]]
    changes = [{"op": "remove", "path": f"/drafts/{places[-1]}"}]
    changes += append(world, "sent", {**draft, "at": now})
    system = "mail"
    if draft["kind"] == "invitation":
        system = "calendar"
        meeting = {"person": to, "subject": subject, "start": draft["start"]}
        changes += append(world, "calendar", meeting)
    text = f'the {draft["kind"]} to {to}, "{subject}", was sent'
    return out_of_reach(world, system) or done(text, changes)


def _request_approval(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    return _approved(world, arguments, "requested")


def _record_approval(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    return _approved(world, arguments, "given")


def _approved(world: Json, arguments: dict[str, Any], state: str) -> ToolOutcome:
    document, person = arguments["document_id"], arguments["person_id"]
    if person not in world["documents"][document].get("approvers", []):
        return refused(f"person {person} has no right to approve document {document}")
    asked = world.get("approvals", {}).get(document)
    before = (asked or {}).get(person)
    if before in (state, "given"):
        return refused(f"approval of document {document} by {person} is {before} already")
    text = f"approval of document {document} by {person} is {state}"
    if before is not None:
        return done(text, replace(f"/approvals/{document}/{person}", state))
    if asked is not None:
        return done(
            text, [{"op": "add", "path": f"/approvals/{document}/{person}", "value": state}]
        )
    return done(text, put(world, "approvals", document, {person: state}))


def _delete_document(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["document_id"]
    if right(world, name) != "edit":
        return refused(f"you may read document {name}, not delete it")
    gone = [each for each in parts(world, name) if not has(world, "deleted", each)]
    return done(f"deleted: {', '.join(gone)}", deletions(world, gone, now))


def _submit_report(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    report = {name: arguments.get(name, []) for name in ("claims", "quotes", "pending")}
    cited = [source for claim in report["claims"] for source in claim["sources"]]
    for name in [*cited, *(quote["source"] for quote in report["quotes"])]:
        fault = unknown_id(world, {"document_id": name}, {"document": "documents"})
        if fault:
            return fault
    counts = ", ".join(f"{len(entries)} {name}" for name, entries in report.items())
    text = f"the report was submitted: {counts}"
    return done(text, append(world, "reports", {**report, "at": now}))


_RULES: dict[str, Callable[[Json, dict[str, Any], int], ToolOutcome]] = {
    "search_documents": _search_documents,
    "read_document": _read_document,
    "get_person": _get_person,
    "draft_mail": _draft_mail,
    "draft_invitation": _draft_invitation,
    "send_draft": _send_draft,
    "request_approval": _request_approval,
    "record_approval": _record_approval,
    "delete_document": _delete_document,
    "submit_report": _submit_report,
}
