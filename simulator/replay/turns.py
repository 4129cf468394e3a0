"""Planning a fork: where it turns, what it changes, and what makes no sense."""

from collections.abc import Callable
from dataclasses import dataclass

from simulator.engine.arm import Arm, PartSpec, slug
from simulator.engine.playing import settings
from simulator.engine.sources import Sources
from simulator.engine.turning import Turn
from simulator.events import Json, Script, canonical_json, event_id
from simulator.events.errors import InputError, nearest
from simulator.events.scripted import Compaction, Decision, Scripted, SessionEnd
from simulator.log.bodies import body_of
from simulator.log.store import EventLog
from simulator.replay.again import recorded_turns
from simulator.replay.changes import (
    AskInstead,
    Change,
    ChangeMemory,
    Replace,
    Without,
    changed_arm,
    label,
)
from simulator.replay.positions import decision_at, find_position, happened, settle


class Parent:
    """What the parent's log says of it."""

    def __init__(self, log: EventLog, trial: str, script: Script) -> None:
        self.trial = trial
        self.script = script
        self.rows = list(log.sound_rows(trial))
        self.turns = recorded_turns(log, trial)
        opened = body_of(self.rows[0])
        self.seed: int = opened["seed"]
        self.arm = Arm.from_description(opened["arm"], opened["options"])
        self.identities: dict[str, Json] = opened["identities"]

    def at(self, position: int) -> tuple[Arm, dict[str, Json]]:
        """Return the settings and identities right before a position."""
        passed = [turn for turn in self.turns if turn.position < position]
        if not passed:
            return self.arm, self.identities
        return settings(passed[-1]), passed[-1].identities


@dataclass(frozen=True)
class Planned:
    """A turning point of a fork, and the live sources behind it."""

    turn: Turn
    live: Sources


def plan_turn(
    parent: Parent, at: int | str, change: Change, sources: Callable[[Arm], Sources]
) -> Planned:
    """Return the turning point for a change at a position.

    Raises:
        InputError: for an unknown position or event, a change that makes no sense there, and a
            model or embedder that is not the one that the parent was played with.
    """
    found = find_position(parent.rows, str(at))
    position = settle(parent.rows, found)
    event = _event(parent, found, position, change)
    before, identities = parent.at(position)
    arm = changed_arm(before, change)
    _check_trigger(arm)
    name = _named(before, position, change, event)
    live = sources(arm)
    _check_same(before, arm, identities, live.identities)
    turn = Turn(
        position=position,
        parent=parent.trial,
        before=parent.rows[position - 1].hash,
        arm=name,
        options=arm.describe(),
        identities=live.identities,
        anew=isinstance(change, ChangeMemory),
        **_edits(change, event),
    )
    return Planned(turn, live)


def _named(before: Arm, position: int, change: Change, event: str | None) -> str:
    if isinstance(change, AskInstead) and event is not None:
        return asked_arm(before.id, event)
    return slug([f"forked={position}", label(change, event)], behind=before.id)


def asked_arm(arm: str, decision: str) -> str:
    """Return the id of an arm whose trials end in questions at a decision.

    It is one for all trials of an arm, wherever they come to the decision.
    """
    return slug([f"asked={decision}"], behind=arm)


def _edits(change: Change, event: str | None) -> Json:
    match change:
        case Without():
            return {"without": event}
        case Replace():
            return {"texts": {event: change.text}}
        case AskInstead():
            return {"questions": change.questions, "until": event}
        case _:
            return {}


def _event(parent: Parent, found: int, position: int, change: Change) -> str | None:
    """Return the scripted event that a change is about, checked; None for one of the settings."""
    match change:
        case AskInstead():
            _check_questions(change.questions)
            decision = decision_at(parent.rows, found)
            if decision is None:
                opened = [row.id for row in parent.rows if row.kind == "decision"]
                message = f"no decision is at {found}; the trial's are {', '.join(opened)}"
                raise InputError(message, field="at")
            return decision
        case Replace():
            _check_text(change.text, "text")
            _check_event(parent, position, change.event, _irreplaceable)
            return change.event
        case Without():
            _check_event(parent, position, change.event, _indispensable)
            return change.event
        case _:
            return None


def _check_questions(questions: tuple[str, ...]) -> None:
    if not questions:
        raise InputError("at least one question is needed", field="questions")
    for question in questions:
        _check_text(question, "questions")


def _check_text(text: str, field: str) -> None:
    if not text:
        raise InputError("a text must not be empty", field=field)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"a lone surrogate at {error.start} cannot be stored", field=field
        ) from None


def _indispensable(event: Scripted) -> str | None:
    if isinstance(event, Decision):
        return "is a decision, and what a trial is asked cannot be left out of it"
    return "only ends its session, which ends without it too" if _ends(event) else None


def _irreplaceable(event: Scripted) -> str | None:
    if isinstance(event, Decision):
        return "is a decision; fork at it with questions instead"
    return "has no text" if _ends(event) or isinstance(event, Compaction) else None


def _ends(event: Scripted) -> bool:
    return isinstance(event, SessionEnd)


def _check_event(
    parent: Parent, position: int, name: str, refused: Callable[[Scripted], str | None]
) -> None:
    events = {event_id(each.id, e.id): e for each in parent.script.episodes for e in each.events}
    if name not in events:
        raise InputError(f"the arc has no event {name!r}{nearest(name, events)}", field="event")
    why = refused(events[name])
    if why is not None:
        raise InputError(f"{name!r} {why}", field="event")
    then = happened(parent.rows, name)
    if then is None:
        raise InputError(f"{name!r} did not happen in this trial", field="event")
    if then < position:
        latest = settle(parent.rows, then)
        message = (
            f"{name!r} happened at {then}, before the fork at {position}: memory and context "
            f"hold it already; fork at {latest} or earlier"
        )
        raise InputError(message, field="at")


def _check_same(before: Arm, after: Arm, recorded: dict[str, Json], live: dict[str, Json]) -> None:
    """Refuse a part that is to stay as it was and is another one here: two things would change."""
    for role, part in _parts(after).items():
        if part is None or part != _parts(before)[role]:
            continue
        was, now = recorded.get(role, {}), live.get(role, {})
        changed = sorted(
            key
            for key in {*was, *now}
            if canonical_json(was.get(key)) != canonical_json(now.get(key))
        )
        if changed:
            message = (
                f"{part.name!r} is not the {role.replace('_', ' ')} that the trial was played "
                f"with: {', '.join(f'{key} is {now.get(key)!r}, was {was.get(key)!r}' for key in changed)}"
            )
            raise InputError(message)


def _check_trigger(arm: Arm) -> None:
    if arm.compaction == "native" and not arm.memory.options.get("compact_at"):
        message = (
            f"the trial's working context is cut by the memory's own trigger, and memory "
            f"{arm.memory.name!r} declares none: give it `compact_at`"
        )
        raise InputError(message, field="memory")


def _parts(arm: Arm) -> dict[str, PartSpec | None]:
    return {"agent_model": arm.model, "memory_model": arm.memory_model, "embedder": arm.embedder}
