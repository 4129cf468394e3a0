"""The verbs that tell a story and plant nothing, and what all that plant begin with."""

from typing import Any

from probes.authoring.form import Compact, Document, Grant, Planted, Say
from probes.authoring.reading import Step
from probes.authoring.stage import READ
from probes.authoring.story import Draft, Story
from scoring.planting import ContextKind
from simulator.events.errors import InputError
from simulator.events.scripted import (
    AccessGranted,
    Announcement,
    Compaction,
    Message,
    ToolResult,
    is_event,
)


def say(verb: Say, step: Step, story: Story) -> None:
    """Tell that somebody says something."""
    story.tell(step, Message, {"text": verb.text, "role": verb.role}, text="text")


def compact(verb: Compact, step: Step, story: Story) -> None:
    """Tell that the working context is cut."""
    story.tell(step, Compaction, {})


def document(verb: Document, step: Step, story: Story) -> None:
    """Tell that a document was read; in the world it has been from the start.

    Raises:
        InputError: when it cannot be read at this moment.
    """
    if not verb.read:
        return
    try:
        text = story.stage.read(verb.id, story.next_id(), story.now(step))
    except InputError as error:
        raise step.wrong(error.message, "read") from None
    story.tell(step, ToolResult, {"tool": READ, "text": text}, text="text")


def grant(verb: Grant, step: Step, story: Story) -> None:
    """Tell that a document may be used; a withdrawal that this ends tests nothing any more.

    Raises:
        InputError: when there is no such document, it is a part of what was withdrawn, or the
            withdrawal says what it tests.
    """
    _, _, things = announced(step, story, AccessGranted, verb.document, verb.say)
    for draft in [each for each in story.drafts if each.kind == "revocation"]:
        if set(draft.things) <= set(things):
            _refuse_meaning(draft.verb, draft.step, step)
            story.drafts.remove(draft)
        elif set(draft.things) & set(things):
            message = f"only a part of what {draft.step.place} withdrew is granted again"
            raise step.wrong(message, "document")


def _refuse_meaning(verb: Any, step: Step, granted: Step) -> None:
    for field in ("values", "question", "twin", "influence", "id"):
        if getattr(verb, field):
            message = (
                f"access is granted again by {granted.place}, so this tests nothing; leave it out"
            )
            raise step.wrong(message, field)


def announced(
    step: Step, story: Story, event: type[Announcement], thing: str, text: str
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Tell an announcement about a document.

    Returns:
        The full id of its event; what it names, which is the document and every read that showed
        it or a part of it; and all things that it covers.

    Raises:
        InputError: when there is no such document.
    """
    if is_event(thing):
        raise step.wrong(f"{thing!r} is no id of a document", "document")
    now = story.now(step)
    fields = {"id": "e0", "at": now, "sources": (thing,), "text": text}
    try:
        found = story.stage.announce(event.model_validate(fields), now)
    except InputError as error:
        raise step.wrong(error.message, "document") from None
    sources = (thing, *filter(is_event, found))
    fields = {"sources": sources, "text": text}
    told = story.tell(step, event, fields, sources="document", text="say")
    return told, sources, tuple(each for each in found if not is_event(each))


def said(verb: Planted, step: Step, story: Story, kind: ContextKind) -> Draft:
    """Tell what the user says, and begin the probe that it plants."""
    event = story.tell(step, Message, {"text": verb.say}, text="say")
    return drafted(verb, step, story, kind, event)


def drafted(verb: Planted, step: Step, story: Story, kind: ContextKind, event: str) -> Draft:
    """Begin the probe that an event plants."""
    draft = Draft(step, verb, kind, [event], story.cuts)
    story.drafts.append(draft)
    return draft
