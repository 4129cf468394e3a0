"""The clerk itself: from a prompt to its next action."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel

from simulator.effects.options import Options
from simulator.events import Json
from simulator.models.rendering import ACTION_CUE
from simulator.models.scripted.clerk import cues
from simulator.models.scripted.clerk.ids import SUBMIT, Ids, ids_of
from simulator.models.scripted.clerk.notes import Notes, take_notes
from simulator.models.scripted.clerk.planning import Task, stopping, tasks_of
from simulator.models.scripted.clerk.reporting import write_report
from simulator.models.scripted.clerk.seen import Remark, Seen, sort_lines
from simulator.models.scripted.filling import find_answers
from simulator.models.scripted.readers import ERROR_MARK, UNKNOWN, LastReader, finished
from simulator.models.scripted.reading import Reading, Toolbox
from simulator.models.scripted.words import STOP, content_words
from simulator.models.written import write_call, write_spoken

RULES = 2
"""Version of the clerk's own rules, as `docs/readers.md` has them."""

_MADE = re.compile(rf"{ACTION_CUE} ([^\s(]+)\(")
_WORD = re.compile(r"[\w-]+")
_MOST_ANSWERED = 3


class ClerkOptions(Options):
    """Options of `clerk`.

    Attributes:
        looks_up: Whether it reads a document once that an obligation names and nothing shows.
    """

    looks_up: bool = False


@dataclass(frozen=True)
class _Act:
    tool: str
    arguments: dict[str, Json]


class Clerk(LastReader):
    """Does office work by a request, bound by what it is shown; elsewhere it acts as `last`."""

    Options: ClassVar[type[BaseModel]] = ClerkOptions
    name = "clerk"

    def __init__(self, options: ClerkOptions) -> None:
        super().__init__(options)
        self._looks_up = options.looks_up

    def identity(self) -> dict[str, Json]:
        return {**super().identity(), "clerk_rules": RULES}

    def reply(self, reading: Reading, seed: int) -> str:
        toolbox = reading.toolbox
        if toolbox is not None and SUBMIT not in _tools(toolbox):
            return super().reply(reading, seed)
        desk = _Desk(reading, toolbox)
        if toolbox is None:
            return desk.recall()
        if desk.asks:
            return write_spoken("answer", desk.recall())
        if not desk.tasks:
            return super().reply(reading, seed)
        acts = (act for act in desk.acts(self._looks_up) if act.tool in _tools(toolbox))
        made = _MADE.findall("\n".join(reading.steps))
        for act in acts:
            if act.tool not in made:
                return write_call(act.tool, act.arguments)
            made.remove(act.tool)
        return write_spoken("answer", desk.account())


def _tools(toolbox: Toolbox) -> set[str]:
    return {tool.name for tool in toolbox.tools}


class _Desk:
    """What lies before the clerk at one moment."""

    def __init__(self, reading: Reading, toolbox: Toolbox | None) -> None:
        self._reading = reading
        self._ids: Ids = ids_of(toolbox)
        self._seen: Seen = sort_lines(reading, self._ids)
        self._notes: Notes = take_notes(self._seen, self._ids)
        self.tasks: list[Task] = tasks_of(reading.request, self._seen.statements, self._ids)
        self.asks = not self.tasks and reading.request.rstrip().endswith("?")
        self._stopped = {
            task: rule.remark
            for task in self.tasks
            if (rule := stopping(task, self._notes, self._ids)) is not None
        }

    def acts(self, looks_up: bool) -> Iterator[_Act]:
        """Yield all acts in order, those included that were made already."""
        yield from self._search()
        if looks_up:
            yield from self._look_up()
        for task in self.tasks:
            if task.work != "report":
                yield from self._acts_of(task)
        if any(task.work == "report" for task in self.tasks):
            yield _Act(SUBMIT, self._report())

    def _search(self) -> Iterator[_Act]:
        """Look into a memory's archive once, and keep what binds of what is found."""
        asked = [
            word
            for word in _WORD.findall(self._reading.request)
            if word.lower() not in STOP and (content_words(word) or any(map(str.isdigit, word)))
        ]
        yield _Act("search_archive", {"words": " ".join(asked) or self._reading.request})
        found = [each.name for each in self._notes.binding if each.name and self._found(each)]
        if found:
            yield _Act("keep_in_core", {"lines": list(dict.fromkeys(found))})

    def _found(self, remark: Remark) -> bool:
        return any(f" {remark.name}] " in step for step in self._reading.steps)

    def _look_up(self) -> Iterator[_Act]:
        shown = {
            each.document for each in self._seen.statements if not self._read_here(each.document)
        }
        wanted = (n for each in self._notes.obligations for n in self._ids.documents(each.text))
        missing = [name for name in wanted if name not in shown and name not in self._notes.notices]
        if missing:
            yield _Act("read_document", {"document_id": missing[0]})

    def _read_here(self, document: str | None) -> bool:
        """Return whether a document is shown because the clerk has just read it itself."""
        wanted = write_call("read_document", {"document_id": document}) if document else ""
        return f"{ACTION_CUE} {wanted}" in self._reading.steps

    def _acts_of(self, task: Task) -> Iterator[_Act]:
        stopped = task in self._stopped
        match task.work:
            case "draft" | "mail":
                for person in task.people:
                    subject = {"person_id": person, "subject": "Next steps"}
                    text = f"We are getting back to you: {task.clause}."
                    yield _Act("draft_mail", {**subject, "text": text})
                    if task.work == "mail" and not stopped:
                        yield _Act("send_draft", subject)
            case "delete" if not stopped:
                yield from (_Act("delete_document", {"document_id": n}) for n in task.documents)
            case "approve" if not stopped:
                named = {"document_id": task.documents[0], "person_id": task.people[0]}
                yield _Act("request_approval", named)

    def _report(self) -> dict[str, Json]:
        going = [task for task in self.tasks if task.work == "delete" and task not in self._stopped]
        deleted = [name for task in going for name in task.documents]
        draft = write_report(self._seen, self._notes, deleted, self._ids)
        for task, remark in self._stopped.items():
            draft.defer(task.clause, remark.text)
        return {"claims": draft.claims, "quotes": draft.quotes, "pending": draft.pending}

    def account(self) -> str:
        """Return the answer at the end: what was done, what waits and for what, what failed."""
        waiting = [f"Not done yet: {t.clause} ({r.text})" for t, r in self._stopped.items()]
        failed = [] if not self._failed() else ["Something did not work."]
        return " ".join(["Done.", *waiting, *failed])

    def _failed(self) -> bool:
        return (finished(self._reading) or "").startswith(ERROR_MARK)

    def recall(self) -> str:
        """Answer a question: by what binds, as far as it is of its kind and shares words with it.

        Where nothing binds, by the line that shares most words.
        """
        notes, request = self._notes, self._reading.request
        closed = [each.remark for each in notes.notices.values()]
        kinds: list[tuple[re.Pattern[str], Sequence[Remark]]] = [
            (cues.ASKS_QUOTES, notes.quotations),
            (cues.ASKS_NOTICES, closed),
            (cues.ASKS_WORK, notes.obligations),
            (cues.ASKS_RULES, [rule.remark for rule in notes.rules]),
            (cues.ASKS_FIGURES, notes.corrections),
        ]
        fitting = (said for cue, said in kinds if said and cue.search(request))
        binding = [each.text for each in next(fitting, notes.binding)]
        about = content_words(request)
        near = [text for text in binding if content_words(text) & about]
        if binding:
            return " ".join((near or binding)[:_MOST_ANSWERED])
        found = find_answers(self._reading)
        return found[-1].values[-1] if found else UNKNOWN
