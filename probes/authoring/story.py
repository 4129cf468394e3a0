"""A task's story as it is being told: events, cuts, the world beside it, and what was planted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from probes.authoring.form import Ask, Claim, Document, Open, Passage, Planted
from probes.authoring.places import Places
from probes.authoring.reading import Session, Step, Task
from probes.authoring.stage import Stage
from probes.scenario.places import authored_place
from scoring.keys import Check, Forbidden, Gold, Reference
from scoring.planting import ContextKind
from simulator.events import Json, event_id
from simulator.events.errors import InputError
from simulator.events.scripted import Compaction, Scripted, ScriptedEvent
from simulator.events.times import LATEST, MINUTE

E = TypeVar("E", bound=Scripted)


@dataclass
class Draft:
    """A probe that was planted, before its decision is known.

    Attributes:
        step: Where it was authored.
        verb: What plants it.
        kind: What it tests.
        events: Full ids of the events that plant it.
        cuts: Cuts of the context before the last of them.
        checks: What a right decision passes, each with the field that it comes from.
        gold: What a right decision needs.
        forbidden: What it must not use, each with the field that it comes from.
        essentials: What must still be shown.
        sources: What was withdrawn or deleted.
        things: Everything of the world that this covers.
        lifted: A constraint that was lifted.
        claims: What the ideal report claims for it.
        quotes: What it quotes for it.
        pending: What it calls pending for it.
    """

    step: Step
    verb: Planted
    kind: ContextKind
    events: list[str]
    cuts: int
    checks: list[tuple[Check, str]] = field(default_factory=list)
    gold: list[Gold] = field(default_factory=list)
    forbidden: list[tuple[Forbidden, str]] = field(default_factory=list)
    essentials: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    lifted: bool = False
    claims: tuple[Claim, ...] = ()
    quotes: tuple[Passage, ...] = ()
    pending: tuple[Open, ...] = ()


@dataclass(frozen=True)
class Asked:
    """A decision that was asked for: where, its full id, the cuts before it, the right way to act."""

    step: Step
    verb: Ask
    decision: str
    cuts: int
    reference: Reference


class Story:
    """What was told so far.

    Attributes:
        task: The task as it stands in the file.
        world: The initial world.
        stage: The world as it is at this step.
        places: Where everything was authored.
        sessions: Events by session id, in order.
        drafts: What was planted, in order.
        asked: Decisions so far.
        cuts: Cuts of the working context so far: compactions and ends of sessions.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.places = Places(fixed=_heads(task))
        self.world = _world(task, self.places)
        self.stage = _stage(task, self.world, self.places)
        self.sessions: dict[str, list[ScriptedEvent]] = {}
        self.drafts: list[Draft] = []
        self.asked: list[Asked] = []
        self.cuts = 0
        self._session = ""
        self._start = 0

    def begin(self, session: Session, number: int) -> None:
        """Begin a session; the end of the one before it cuts the context.

        Raises:
            InputError: when two sessions have one id.
        """
        self._session = session.head.id or f"s{number + 1}"
        self._start = session.head.at
        if self._session in self.sessions:
            message = f"another session is called {self._session!r}"
            raise InputError(message, field=f"{session.place}.id")
        self.cuts += bool(self.sessions)
        self.sessions[self._session] = []
        self.places.sessions[self._session] = session.place

    def tell(self, step: Step, event: type[E], fields: dict[str, Any], **parts: str) -> str:
        """Add an event of the running session and return its full id.

        Args:
            step: The step that tells it.
            event: Its class.
            fields: What it says.
            parts: Field of the event to the verb's field that it comes from.

        Raises:
            InputError: when it comes after the last date.
        """
        told = self.sessions[self._session]
        at = self._time(step)
        name = f"e{len(told) + 1}"
        causes = (told[-1].id,) if told else ()
        made: Any = event.model_validate({"id": name, "at": at, "causes": causes, **fields})
        told.append(made)
        self.cuts += isinstance(made, Compaction)
        full = event_id(self._session, name)
        of = {field: step.at(own) for field, own in parts.items()}
        self.places.events[full] = {"": step.place, "at": step.at("at"), **of}
        return full

    def now(self, step: Step) -> int:
        """Return when the next event of the running session happens, ms."""
        return self._time(step)

    def next_id(self) -> str:
        """Return the full id of the next event of the running session."""
        return event_id(self._session, f"e{len(self.sessions[self._session]) + 1}")

    def surfaces(self) -> Iterator[tuple[str, str]]:
        """Yield the full id and the text of everything that was told so far."""
        for session, told in self.sessions.items():
            for event in told:
                surface = event.surface(event_id(session, event.id), event.at)
                if surface is not None:
                    yield surface.id, surface.text

    def texts(self, document: str) -> list[str]:
        """Return the texts of a document of the world, the oldest first; none when it has none."""
        entry = self.documents.get(document)
        versions = entry.get("versions", []) if isinstance(entry, dict) else []
        return [each for each in versions if isinstance(each, str)]

    @property
    def documents(self) -> dict[str, Json]:
        """The documents of the world by id."""
        found = self.world.get("documents", {})
        return found if isinstance(found, dict) else {}

    def _time(self, step: Step) -> int:
        told = self.sessions[self._session]
        after = told[-1].at + MINUTE if told else self._start
        at = after if step.verb.at is None else step.verb.at
        if at > LATEST:
            raise step.wrong("this comes after the last date that can be scripted", "at")
        return at


def _heads(task: Task) -> dict[str, str]:
    """Return where what is no event and no probe was authored."""
    found = {"script": "task", "script.arc": "task", "key": "task", "key.arc": "task"}
    found |= {f"script.{name}": name for name in ("environment", "window")}
    found |= {f"key.{name}": name for name in ("tier", "cluster", "critical", "factors", "review")}
    found |= {f"script.world.{name}": f"world.{name}" for name in task.head.world}
    found |= {f"script.world.{name}": name for name in ("me", "people")}
    found |= {"script.world": "world", "script.episodes": "sessions"}
    return found


def _world(task: Task, places: Places) -> dict[str, Json]:
    """Return the initial world, with every document of the story in it.

    Raises:
        InputError: for a document that stands in it twice.
    """
    head = task.head
    world = dict(head.world)
    if head.me is not None:
        world["me"] = head.me
    if head.people:
        world["people"] = _joined(world.get("people", {}), head.people, "people")
    documents: dict[str, Json] = {}
    for step, verb in _documents(task):
        known = world.get("documents", {})
        if verb.id in documents or (isinstance(known, dict) and verb.id in known):
            raise step.wrong(f"another document is called {verb.id!r}", "id")
        documents[verb.id] = _entry(step, verb)
        places.fixed[f"script.world.documents.{verb.id}"] = step.place
    if documents:
        world["documents"] = _joined(world.get("documents", {}), documents, "documents")
    return world


def _joined(there: Json, more: dict[str, Json], name: str) -> Json:
    if not isinstance(there, dict):
        raise InputError("entries by id are expected here", field=f"world.{name}")
    return {**there, **more}


def _documents(task: Task) -> Iterator[tuple[Step, Document]]:
    for session in task.sessions:
        for step in session.steps:
            if isinstance(step.verb, Document):
                yield step, step.verb


def _entry(step: Step, verb: Document) -> Json:
    """Return a document as the world holds it."""
    if (verb.text is None) == (not verb.versions):
        raise step.wrong("a document has either a `text` or `versions`")
    texts = list(verb.versions) if verb.text is None else [verb.text]
    entry: dict[str, Json] = {"title": verb.title, "owner": verb.owner}
    if verb.within is not None:
        entry["within"] = verb.within
    if verb.rights:
        entry["rights"] = verb.rights
    if verb.approvers:
        entry["approvers"] = list(verb.approvers)
    return {**entry, "versions": texts}


def _stage(task: Task, world: dict[str, Json], places: Places) -> Stage:
    try:
        return Stage(task.head.environment, world)
    except InputError as error:
        place = f"script.{error.field or 'environment'}"
        raise InputError(error.message, field=authored_place(place, places.fixed)) from None
