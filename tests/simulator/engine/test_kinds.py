"""Known kinds of fault of harnesses; `docs/faults.md` says which test holds each."""

from typing import Any

CONFIRMED = [
    {"id": "m", "at": 1, "text": "Shall I?"},
    {"kind": "decision", "id": "d", "at": 1000, "causes": ["m"], "request": "Yes, add 3."},
    {"id": "bye", "at": 1001, "causes": [], "text": "Thanks, bye."},
    {"kind": "session_end", "id": "end", "at": 1002, "causes": ["bye"]},
]


def test_har_h25_a_session_stays_open_until_the_agent_has_acted(lab: Any) -> None:
    """The user has confirmed and said good-bye; the call that matters is still to be made."""
    replies = ["look()", "add(amount=3)", 'answer("done")']
    played = lab.play(lab.script(CONFIRMED), replies)
    kinds = [event.kind for event in played.events]
    assert kinds.index("world_change") < kinds.index("answer") < kinds.index("boundary")
    assert played.where("e1/bye") < kinds.index("tool_call"), "the user spoke in between"
    assert played.one("boundary").body["why"] == "session_end"
    assert played.complete and played.errors == []


def test_har_h25_or_until_its_steps_are_used_up(lab: Any) -> None:
    played = lab.play(lab.script(CONFIRMED), ["look()"] * 9, max_steps=4)
    assert played.errors == [("agent", "step_cap", False)]
    kinds = [event.kind for event in played.events]
    assert len(played.all("tool_call")) == 4
    assert kinds.index("error") < kinds.index("boundary")
