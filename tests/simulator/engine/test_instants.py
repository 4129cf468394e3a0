"""What happens when: causes, times and ties of scripted events."""

from itertools import permutations
from typing import Any

import pytest

from simulator.events.graph import order

SOURCE = {"sources": ["e1/m"], "text": "Access is withdrawn."}


def scripted(played: Any) -> list[tuple[str, int]]:
    return [(e.id, e.time) for e in played.events if not e.id.startswith("#")]


@pytest.mark.parametrize("places", list(permutations(range(4))))
def test_withdrawal_and_decision_of_one_instant_in_any_authoring(lab: Any, places: Any) -> None:
    events = [
        {"id": "m", "at": 1},
        {"kind": "access_withdrawn", "id": "revoke", "at": 5, **SOURCE},
        {"kind": "compaction", "id": "cut", "at": 5},
        {"kind": "decision", "id": "probe", "at": 5},
    ]
    played = lab.play(lab.script([events[place] for place in places]), ['answer("no")'])
    # The world goes first, the cut next, the agent last: the notice is in what is absorbed.
    assert scripted(played) == [("e1/m", 1), ("e1/revoke", 5), ("e1/probe", 5)]
    cut = played.all("boundary")[0]
    assert (cut.causes, cut.body["transcript"]) == (["e1/cut"], ["e1/m", "e1/revoke"])
    assert played.where("e1/revoke") < cut.row.position < played.where("e1/probe")


def test_exact_ties_go_in_authored_order(lab: Any) -> None:
    played = lab.play(lab.script([{"id": name, "at": 5} for name in "bca"]))
    assert scripted(played) == [("e1/b", 5), ("e1/c", 5), ("e1/a", 5)]


def test_a_caused_event_keeps_its_place_among_ties(lab: Any) -> None:
    events = [{"id": "x", "at": 5}, {"id": "b", "at": 5, "causes": ["x"]}, {"id": "a", "at": 5}]
    script = lab.script(events)
    played = lab.play(script)
    assert [event.id for event in order(script.episodes[0])] == ["x", "b", "a"]
    assert scripted(played) == [("e1/x", 5), ("e1/b", 5), ("e1/a", 5)]


def test_an_event_waits_for_its_causes_even_when_its_time_is_over(lab: Any) -> None:
    early = {"id": "early", "at": 3, "causes": ["late"]}
    played = lab.play(lab.script([early, {"id": "late", "at": 10}]))
    assert scripted(played) == [("e1/late", 10), ("e1/early", 10)]
    assert played.events[played.where("e1/early")].causes == ["e1/late"]


def test_events_after_a_decision_wait_for_its_outcome(lab: Any) -> None:
    events = [
        {"kind": "decision", "id": "d", "at": 1000},
        {"id": "thanks", "at": 1001, "causes": ["d"]},
        {"kind": "decision", "id": "next", "at": 1002, "causes": ["thanks"]},
    ]
    played = lab.play(lab.script(events), ["look()", 'answer("a")', 'answer("b")'])
    # Two completions of 312 ms and one call of 200 ms; then one completion.
    assert [(e.id, e.time) for e in played.events if e.kind in ("answer", "said", "decision")] == [
        ("e1/d", 1000),
        (played.all("answer")[0].id, 1824),
        ("e1/thanks", 1824),
        ("e1/next", 1824),
        (played.all("answer")[1].id, 2136),
    ]


def test_sessions_follow_each_other_and_time_never_goes_back(lab: Any) -> None:
    first = [{"kind": "decision", "id": "d", "at": 5000}]
    second = [{"id": "m", "at": 100}]  # its time is over before it can begin
    third = [{"id": "m", "at": 9000}]
    played = lab.play(lab.script(first, second, third), ['answer("ok")'])
    assert [(e.body["episode"], e.time) for e in played.all("session_started")] == [
        ("e1", 5000),
        ("e2", 5312),
        ("e3", 9000),
    ]
    times = [row.time for row in played.rows]
    assert times == sorted(times)


def test_the_session_end_event_only_gives_the_end_a_time(lab: Any) -> None:
    played = lab.play(
        lab.script([{"id": "m", "at": 1}, {"kind": "session_end", "id": "z", "at": 9}])
    )
    assert [(e.kind, e.time) for e in played.events][2:4] == [("said", 1), ("boundary", 9)]
    assert len(played.all("boundary")) == 1


def test_what_is_said_is_recorded_as_it_was_seen(lab: Any) -> None:
    events = [
        {"id": "m", "at": 1, "role": "assistant", "text": "Hello.", "scope": "ann"},
        {"kind": "document", "id": "doc", "at": 2, "title": "Terms", "text": "Pay."},
        {"kind": "tool_result", "id": "t", "at": 3, "tool": "radar", "text": "Rain."},
        {"kind": "access_granted", "id": "g", "at": 4, "sources": ["e1/m"], "text": "You may."},
    ]
    played = lab.play(lab.script(events))
    fields = ("source", "role", "text", "tool", "sources")
    assert [tuple(e.body[name] for name in fields) for e in played.all("said")] == [
        ("message", "assistant", "Hello.", None, []),
        ("document", "system", "Document Terms: Pay.", None, []),
        ("tool_result", "tool", "Rain.", "radar", []),
        ("access_granted", "system", "You may.", None, ["e1/m"]),
    ]
    assert [e.row.scope for e in played.all("said")] == ["ann", "global", "global", "global"]


def test_a_trial_opens_and_closes(lab: Any) -> None:
    script = lab.script([{"id": "m", "at": 42}])
    played = lab.play(script, seed=3)
    opened, closed = played.events[0], played.events[-1]
    assert (opened.kind, opened.time, closed.kind) == ("trial_opened", 42, "trial_closed")
    assert opened.body == {
        "arc": "arc",
        "arm": "arm",
        "seed": 3,
        "script": script.hash,
        "options": lab.arm().describe(),
        "identities": {
            "agent_model": {
                "name": "listed",
                "renderer": "plain",
                "scripted": True,
                "deterministic": True,
            }
        },
        "oracle": False,
    }
    assert (played.complete, closed.body) == (True, {"complete": True})
