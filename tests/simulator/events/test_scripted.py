"""Scripted events: kinds, what may be seen of them, and what a script's hash covers."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from simulator.events import Script, Surface, event_id
from simulator.events.canonical import content_hash
from simulator.events.scripted import PRIORITY, ScriptedEvent, priority

READ: TypeAdapter[ScriptedEvent] = TypeAdapter(ScriptedEvent)
ACCESS = {"sources": ["e1/m"], "text": "Mind this."}


def surface(**fields: Any) -> Surface:
    return Surface.model_validate({"id": "e1/x", "time": 7, "scope": "ann", **fields})


@pytest.mark.parametrize(
    ("kind", "fields", "seen"),
    [
        ("message", {"text": "Hi."}, surface(role="user", text="Hi.")),
        ("message", {"text": "Hi.", "role": "system"}, surface(role="system", text="Hi.")),
        (
            "document",
            {"title": "T", "text": "Hi."},
            surface(role="system", text="Document T: Hi."),
        ),
        (
            "injected",
            {"title": "T", "text": "Hi."},
            surface(role="system", text="Document T: Hi."),
        ),
        (
            "tool_result",
            {"tool": "radar", "text": "Rain."},
            surface(role="tool", text="Rain.", tool="radar"),
        ),
        ("access_withdrawn", ACCESS, surface(role="system", text="Mind this.")),
        ("access_granted", ACCESS, surface(role="system", text="Mind this.")),
        ("document_deleted", ACCESS, surface(role="system", text="Mind this.")),
        ("decision", {"request": "Go."}, surface(role="user", text="Go.")),
        ("compaction", {}, None),
        ("session_end", {}, None),
    ],
)
def test_what_may_be_seen_of_each_kind(
    kind: str, fields: dict[str, Any], seen: Surface | None
) -> None:
    event = READ.validate_python({"kind": kind, "id": "x", "at": 3, "scope": "ann", **fields})
    assert event.kind == kind
    assert event.surface("e1/x", 7) == seen


def test_kinds_are_strings_that_never_change() -> None:
    kinds = {
        "message",
        "document",
        "injected",
        "tool_result",
        "access_withdrawn",
        "access_granted",
        "document_deleted",
        "compaction",
        "decision",
        "session_end",
    }
    assert set(READ.json_schema()["discriminator"]["mapping"]) == kinds


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "gossip", "text": "Hi."},
        {"kind": "message", "text": ""},
        {"kind": "message", "text": "Hi.", "at": -1},
        {"kind": "message", "text": "Hi.", "at": 1.5},
        {"kind": "message", "text": "Hi.", "id": "a/b"},
        {"kind": "message", "text": "Hi.", "id": "#3"},
        {"kind": "message", "text": "Hi.", "id": "x" * 101},
        {"kind": "message", "text": "Hi.", "role": "tool"},
        {"kind": "message", "text": "Hi.", "states": {"code": 9}},  # the simulator sees no key
        {"kind": "access_withdrawn", "sources": [], "text": "Hi."},
        {"kind": "decision"},
    ],
)
def test_what_is_no_scripted_event_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        READ.validate_python({"id": "x", "at": 0, **fields})


def test_events_cannot_be_changed() -> None:
    event = READ.validate_python({"kind": "compaction", "id": "x", "at": 0})
    with pytest.raises(ValidationError):
        event.at = 5  # type: ignore[misc]


def test_the_world_goes_first_the_cut_next_the_agent_after_it_and_the_end_last() -> None:
    assert PRIORITY == {"compaction": 1, "decision": 2, "session_end": 3}
    said = READ.validate_python({"kind": "message", "id": "x", "at": 0, "text": "Hi."})
    assert priority(said) == 0


def script(**changes: Any) -> Script:
    events = [{"kind": "message", "id": "m", "at": 0, "text": "Hi."}]
    fields = {"arc": "a", "environment": "x", "episodes": [{"id": "e1", "events": events}]}
    return Script.model_validate(fields | changes)


def test_the_hash_is_of_the_whole_script() -> None:
    assert script().hash == content_hash(script().model_dump(mode="json"))
    others = [script(arc="b"), script(environment="y"), script(world={"n": 1})]
    assert len({each.hash for each in [script(), *others]}) == 4


def test_defaults_spelled_out_change_nothing() -> None:
    events = [{"kind": "message", "id": "m", "at": 0, "text": "Hi.", "role": "user", "causes": []}]
    assert script(world={}, episodes=[{"id": "e1", "events": events}]).hash == script().hash


def test_an_episode_knows_its_decisions_in_authored_order() -> None:
    events = [
        {"kind": "decision", "id": name, "at": at, "request": "Go."} for name, at in ("b2", "a1")
    ]
    made = script(episodes=[{"id": "e1", "events": events}])
    assert [event.id for event in made.episodes[0].decisions()] == ["b", "a"]
    assert event_id("e1", "b") == "e1/b"


@pytest.mark.parametrize("episodes", [[], [{"id": "e1", "events": []}]])
def test_an_arc_without_events_is_refused(episodes: list[Any]) -> None:
    with pytest.raises(ValidationError):
        script(episodes=episodes)
