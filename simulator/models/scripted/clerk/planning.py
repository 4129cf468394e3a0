"""The clerk's plan: which acts a request asks for, in which order, and what is stopped."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from simulator.models.scripted.clerk import cues
from simulator.models.scripted.clerk.cues import Family
from simulator.models.scripted.clerk.ids import Ids, words
from simulator.models.scripted.clerk.notes import Notes, Rule, stops
from simulator.models.scripted.clerk.seen import Statement

Work = Literal["report", "draft", "mail", "delete", "approve"]

_CLAUSES = re.compile(r"[,;.!?]\s|[.!?]$|\b(?:and|then|but|plus)\b", re.IGNORECASE)
_WORK: dict[Work, re.Pattern[str]] = {
    "report": cues.WORK_REPORT,
    "delete": cues.WORK_DELETE,
    "approve": cues.WORK_APPROVE,
    "mail": cues.WORK_MAIL,
}


@dataclass(frozen=True)
class Task:
    """One act that a request asks for.

    Attributes:
        work: What is to be done.
        documents: On which documents.
        people: With which people.
        clause: The part of the request that asks for it.
    """

    work: Work
    documents: tuple[str, ...]
    people: tuple[str, ...]
    clause: str

    @property
    def family(self) -> Family | None:
        """What a rule calls the act that completes it; None where nothing is completed."""
        families: dict[Work, Family] = {"mail": "send", "delete": "delete", "approve": "approve"}
        return families.get(self.work)


def tasks_of(request: str, statements: Iterable[Statement], ids: Ids) -> list[Task]:
    """Return what a request asks for, in its order; nothing for a question."""
    if cues.QUESTION.fullmatch(request):
        return []
    given = list(statements)
    found: list[Task] = []
    it: list[str] = []
    for clause in filter(str.strip, _CLAUSES.split(request)):
        found.extend(_tasks(clause.strip(), found, it, given, ids))
        it = ids.documents(clause)[-1:] or it
    return found


def _tasks(
    clause: str, before: list[Task], it: list[str], statements: list[Statement], ids: Ids
) -> Iterator[Task]:
    """Yield what a clause asks for; `it` is the last document that was named before it."""
    documents, people = ids.documents(clause), ids.people(clause)
    asked = {work for work, cue in _WORK.items() if cue.search(clause)}
    if not asked and before and not words(clause):  # `…, DOC-2 and DOC-3`
        asked = {before[-1].work}
    if "delete" in asked and not people:
        named = documents or _titled(clause, statements)
        if named:
            yield Task("delete", tuple(named), (), clause)
            return
    if "approve" in asked and (people or documents):
        task = _approval(clause, documents or it, people, statements, ids)
        if task is not None:
            yield task
            return
    if "report" in asked:
        yield Task("report", (), (), clause)
    if people and ("mail" in asked or before):
        drafts = cues.WORK_DRAFT.search(clause) is not None
        yield Task("draft" if drafts else "mail", (), tuple(people), clause)


def _approval(
    clause: str,
    documents: list[str],
    people: list[str],
    statements: list[Statement],
    ids: Ids,
) -> Task | None:
    """Return a request for approval; a document or person left out is found by what is shown."""
    if not documents:
        asked = [each for each in statements if set(ids.people(each.title)) & set(people)]
        documents = _titled(clause, statements) or [e.document for e in asked if e.document][:1]
    if not people:
        shown = (each.title for each in statements if each.document in documents)
        people = [name for title in shown for name in ids.people(title.partition("approval")[2])]
    if not documents or not people:
        return None
    return Task("approve", tuple(documents[:1]), tuple(people[:1]), clause)


def _titled(clause: str, statements: list[Statement]) -> list[str]:
    """Return the document whose title shares most words with a clause."""
    about = words(clause) - cues.NOISE
    shared = {e.document: len(e.title_words & about) for e in statements if e.document}
    most = max(shared.values(), default=0)
    return [name for name, count in shared.items() if most and count == most][:1]


def stopping(task: Task, notes: Notes, ids: Ids) -> Rule | None:
    """Return the rule that stops a task's last act, None when nothing does."""
    named = (*task.people, *task.documents)
    holding = (rule for rule in notes.rules if task.family and stops(rule, task.family, named, ids))
    return next(holding, None)
