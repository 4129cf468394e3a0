"""The world of the workspace: what may stand in it, and how a faulty one is reported."""

from typing import Annotated, Literal

from pydantic import Field

from environments.records import check_known, read_typed
from simulator.events import Frozen, Json
from simulator.events.errors import InputError

DOCUMENT_ID = "^DOC-[0-9]{4}$"
PERSON_ID = "^P-[0-9]{4}$"
VERSION = "^v[1-9][0-9]?$"
START = "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}$"

SYSTEMS = ("mail", "calendar")
"""What can be withdrawn and granted beside documents."""

DocumentId = Annotated[str, Field(pattern=DOCUMENT_ID)]
PersonId = Annotated[str, Field(pattern=PERSON_ID)]
Start = Annotated[str, Field(pattern=START)]
Words = Annotated[str, Field(min_length=1)]
Status = Literal["supported", "flagged"]
Approval = Literal["requested", "given"]


class Person(Frozen):
    """A person inside or outside of the house."""

    name: Words
    role: Words


class Document(Frozen):
    """A document of the shared drive.

    Attributes:
        title: What lists show.
        owner: Who may do anything with it.
        within: The document that it is a part of, or None.
        rights: What others may do; who may edit may also read and delete.
        approvers: Who has the right to approve it.
        versions: Its texts, the oldest first; the last one is current.
    """

    title: Words
    owner: PersonId
    within: DocumentId | None = None
    rights: dict[PersonId, Literal["read", "edit"]] = {}
    approvers: tuple[PersonId, ...] = ()
    versions: tuple[Words, ...] = Field(min_length=1)


class Mail(Frozen):
    """A mail to a person, drafted or sent at a time (ms)."""

    kind: Literal["mail"] = "mail"
    to: PersonId
    subject: Words
    text: Words
    at: int


class Invitation(Frozen):
    """An invitation of a person to a meeting, drafted or sent at a time (ms)."""

    kind: Literal["invitation"] = "invitation"
    to: PersonId
    subject: Words
    start: Start
    at: int


Letter = Annotated[Mail | Invitation, Field(discriminator="kind")]


class Meeting(Frozen):
    """A meeting with a person that stands in the calendar."""

    person: PersonId
    subject: Words
    start: Start


class Claim(Frozen):
    """What a report says, and the documents it rests on."""

    text: Words
    sources: tuple[DocumentId, ...]
    status: Status


class Quote(Frozen):
    """A passage that a report quotes from a document."""

    text: Words
    source: DocumentId


class Pending(Frozen):
    """What a report says is still to be done, and why."""

    text: Words
    reason: Words


class Report(Frozen):
    """Final work, submitted at a time (ms)."""

    claims: tuple[Claim, ...]
    quotes: tuple[Quote, ...] = ()
    pending: tuple[Pending, ...] = ()
    at: int


class WorkspaceWorld(Frozen):
    """Everything that the workspace knows. A collection that is left out is empty.

    Attributes:
        me: The person whose rights the agent has; None in an empty world only.
        people: By person id.
        documents: By document id; deleted ones stay, and are read by nobody.
        withdrawn: Documents and systems that the agent has no access to, with the time (ms).
        deleted: Deleted documents with the time (ms).
        approvals: Document to the people who were asked to approve it, or did.
        drafts: Mails and invitations that were not sent, oldest first.
        sent: Those that were, in the order in which they were sent.
        calendar: Meetings, in the order in which they were entered.
        reports: Reports that were submitted, oldest first.
    """

    me: PersonId | None = None
    people: dict[PersonId, Person] = {}
    documents: dict[DocumentId, Document] = {}
    withdrawn: dict[DocumentId | Literal["mail", "calendar"], int] = {}
    deleted: dict[DocumentId, int] = {}
    approvals: dict[DocumentId, dict[PersonId, Approval]] = {}
    drafts: tuple[Letter, ...] = ()
    sent: tuple[Letter, ...] = ()
    calendar: tuple[Meeting, ...] = ()
    reports: tuple[Report, ...] = ()


def read_world(world: Json) -> WorkspaceWorld:
    """Return `world` as a typed value.

    Raises:
        InputError: naming the field that is wrong, for a value of the wrong form, an id that
            stands for nothing, or a document that is a part of itself.
    """
    typed = read_typed(world, WorkspaceWorld)
    if typed.me is None and typed.documents:
        raise InputError("it must name whose rights the agent has", field="world.me")
    for place, person in _people(typed):
        check_known(person, typed.people, f"world.{place}")
    for name, document in typed.documents.items():
        if document.within is not None:
            check_known(document.within, typed.documents, f"world.documents.{name}.within")
            _check_within(typed, name)
    for place, name in _documents(typed):
        check_known(name, typed.documents, f"world.{place}")
    return typed


def _check_within(world: WorkspaceWorld, name: str) -> None:
    seen, at = {name}, world.documents[name].within
    while at in world.documents:
        if at in seen:
            message = f"document {name} is a part of itself"
            raise InputError(message, field=f"world.documents.{name}.within")
        seen.add(at)
        at = world.documents[at].within


def _people(world: WorkspaceWorld) -> list[tuple[str, str]]:
    """Return every person that the world names, with the place."""
    found = [] if world.me is None else [("me", world.me)]
    for name, document in world.documents.items():
        place = f"documents.{name}"
        found.append((f"{place}.owner", document.owner))
        found += [(f"{place}.rights", person) for person in document.rights]
        found += [(f"{place}.approvers", person) for person in document.approvers]
    for name, asked in world.approvals.items():
        found += [(f"approvals.{name}", person) for person in asked]
    for field, letters in (("drafts", world.drafts), ("sent", world.sent)):
        found += [(f"{field}.{place}.to", letter.to) for place, letter in enumerate(letters)]
    found += [(f"calendar.{place}", each.person) for place, each in enumerate(world.calendar)]
    return found


def _documents(world: WorkspaceWorld) -> list[tuple[str, str]]:
    """Return every document that the world names outside of `documents`, with the place."""
    found = [(f"withdrawn.{name}", name) for name in world.withdrawn if name not in SYSTEMS]
    found += [
        (f"{field}.{name}", name)
        for field in ("deleted", "approvals")
        for name in getattr(world, field)
    ]
    for place, report in enumerate(world.reports):
        cited = [source for claim in report.claims for source in claim.sources]
        cited += [quote.source for quote in report.quotes]
        found += [(f"reports.{place}", name) for name in cited]
    return found
