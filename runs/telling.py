"""One line on any event of a trial, and what the script says of events that left no record."""

from collections.abc import Callable
from typing import Any

from scoring.run import Event, Trial
from simulator.events import Json, canonical_json, event_id
from simulator.events.scripted import Scripted
from simulator.events.times import show_time

Body = dict[str, Any]


def tell(event: Event) -> str:
    """Return what an event says or did, as one text; logged words are not shortened."""
    told = _TOLD.get(event.kind)
    return "" if told is None else str(told(event.body))


def mention(trial: Trial, name: str) -> dict[str, Json]:
    """Return an event as other parts of JSON name it: `id`, `kind`, `position`, `time`, `text`.

    One that is in the script and left no record, such as a compaction, has a null position; of
    one that is in neither, only the id is known.
    """
    event = trial.by_id.get(name)
    if event is not None:
        return {
            "id": name,
            "kind": event.body["source"] if event.kind == "said" else event.kind,
            "position": event.position,
            "time": show_time(event.time),
            "text": tell(event),
        }
    scripted = _scripted(trial, name)
    surface = scripted and scripted.surface(name, scripted.at)
    return {
        "id": name,
        "kind": scripted.kind if scripted else None,
        "position": None,
        "time": show_time(scripted.at) if scripted else None,
        "text": surface.text if surface else "",
    }


def _scripted(trial: Trial, name: str) -> Scripted | None:
    for episode in trial.script.episodes:
        for event in episode.events:
            if event_id(episode.id, event.id) == name:
                return event
    return None


def _call(body: Body) -> str:
    return f"{body['tool']}({canonical_json(body['arguments'])})"


def _fault(body: Body) -> str:
    return f"{body['culprit']} {body['fault']}: {body['message']}"


_TOLD: dict[str, Callable[[Body], str]] = {
    "trial_opened": lambda body: f"{body['arc']}/{body['arm']}/{body['seed']}",
    "session_started": lambda body: str(body["episode"]),
    "said": lambda body: str(body["text"]),
    "boundary": lambda body: f"{body['why']}, {len(body['transcript'])} surfaces",
    "decision": lambda body: str(body["request"]),
    "memory_read": lambda body: f"{len(body['items'])} items, {body['tokens']} tokens",
    "completion": lambda body: f"{body['purpose']}: {body['text']}",
    "call_failed": _fault,
    "embedding": lambda body: f"{body['purpose']}: {len(body['texts'])} texts",
    "tool_call": _call,
    "tool_return": lambda body: str(body["text"]),
    "world_change": lambda body: canonical_json(body["patch"]),
    "memory_change": lambda body: (
        f"{body['why']}: {len(body['written'])} written, {len(body['gone'])} gone, "
        f"{body['held']} held"
    ),
    "residue_audit": lambda body: (
        f"{body['why']}, {body['forgetting']}: {len(body['residues'])} residues, "
        f"{len(body['hidden'])} hidden, {len(body['rebuilt'])} rebuilt, {len(body['lost'])} lost"
    ),
    "answer": lambda body: str(body["text"]),
    "clarification": lambda body: str(body["text"]),
    "refusal": lambda body: str(body["text"]),
    "error": _fault,
    "trial_closed": lambda body: "complete" if body["complete"] else "cut short",
}
