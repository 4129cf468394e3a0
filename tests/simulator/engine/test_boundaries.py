"""Boundaries: the memory takes in everything once, and only then is anything dropped."""

from typing import Any

from simulator.agents.actions import Answer
from simulator.effects.prompts import Prompt
from simulator.effects.steps import CallTool, Complete, Embed
from simulator.events.faults import Fault

DECISION = {"kind": "decision", "id": "d", "at": 1000}
PLAIN = Prompt(instructions="Summarise.", request="Go.")


def cut(at: int, name: str = "cut", **more: Any) -> dict[str, Any]:
    return {"kind": "compaction", "id": name, "at": at, **more}


def test_cmp_h14_a_cut_between_a_call_and_its_result_waits_for_the_result(lab: Any) -> None:
    # 1000 the decision, 1312 the call, 1512 its result; the cut is asked for in between.
    played = lab.play(lab.script([DECISION, cut(1400)]), ["add(amount=3)", 'answer("done")'])
    forced, end = played.all("boundary")
    call, result = played.one("tool_call"), played.one("tool_return")
    assert (forced.body["asked"], forced.time) == (1400, 1512)
    assert (call.time, result.time) == (1312, 1512)
    assert forced.body["transcript"] == ["e1/d", call.id, result.id]
    assert end.body["transcript"] == [played.one("answer").id]
    assert played.where(result.id) < forced.row.position < played.where(played.one("answer").id)
    # The request after the cut shows neither half.
    after = played.model.requests[1].prompt
    assert (after.context, after.steps) == ((), ())


def test_a_cut_comes_before_the_next_call_of_an_agent_that_does_not_think(lab: Any) -> None:
    def act(desk: Any) -> Any:
        yield CallTool("add", {"amount": 1})
        yield CallTool("add", {"amount": 2})
        return Answer("done")

    played = lab.play(lab.script([DECISION, cut(1100)]), agent=act)
    forced = played.all("boundary")[0]
    assert [e.time for e in played.all("tool_return")] == [1200, 1400]
    assert forced.time == 1200
    assert len(forced.body["transcript"]) == 3  # the request and one whole call
    calls = [event.row.position for event in played.all("tool_call")]
    assert played.all("tool_return")[0].row.position < forced.row.position < calls[1]


def test_the_world_and_a_cut_of_one_instant_come_before_the_agents_next_step(lab: Any) -> None:
    # The first completion arrives at 1312, its call returns at 1512.
    events = [DECISION, {"id": "m", "at": 1312}, cut(1312), {"id": "n", "at": 1512}]
    played = lab.play(lab.script(events), ["look()", 'answer("done")'])
    assert [(e.time, e.body["transcript"]) for e in played.all("boundary")[:1]] == [
        (1312, ["e1/d", "e1/m"])
    ]
    prompt = played.model.requests[1].prompt
    assert [(surface.time, surface.text) for surface in prompt.context] == [(1512, "This is n.")]
    assert [(surface.time, surface.text) for surface in prompt.steps] == [
        (1312, "look()"),
        (1512, "the sum is 0"),
    ]


def test_a_cut_that_waited_for_the_memory_waits_for_an_open_call_too(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield Complete(PLAIN, 9)

    events = [{**DECISION, "at": 900}, cut(1000, "one"), cut(1100, "two")]
    played = lab.play(
        lab.script(events),
        ["add(amount=3)", 'answer("done")'],
        memory=lab.Memory(absorb=absorb),
        memory_replies=["so far"] * 3,
    )
    # The first cut keeps the memory busy until 1312; by then a call is open, from 1212 to 1412.
    call, result = played.one("tool_call"), played.one("tool_return")
    assert (call.time, result.time) == (1212, 1412)
    assert [(e.body["asked"], e.time) for e in played.all("boundary")[:2]] == [
        (1000, 1000),
        (1100, 1412),
    ]
    assert played.all("boundary")[1].body["transcript"] == [call.id, result.id]


def test_asked_and_actual_time_of_a_cut_in_a_quiet_hour_are_equal(lab: Any) -> None:
    played = lab.play(lab.script([{"id": "m", "at": 10}, cut(20)]))
    forced = played.all("boundary")[0]
    assert (forced.body, forced.time, forced.causes) == (
        {"why": "forced", "asked": 20, "transcript": ["e1/m"]},
        20,
        ["e1/cut"],
    )


def test_cmp_h13_the_memory_absorbs_everything_once_before_anything_is_dropped(lab: Any) -> None:
    large = "word " * 400  # far more than any budget
    events = [
        {"id": "a", "at": 1},
        {"id": "b", "at": 2, "text": large},
        cut(3),
        {"id": "c", "at": 4},
    ]
    seen: list[tuple[str, ...]] = []

    def absorb(memory: Any, transcript: Any) -> Any:
        seen.append(tuple(surface.text for surface in transcript))
        yield from memory._keep(transcript)

    played = lab.play(lab.script(events), memory=lab.Memory(absorb=absorb))
    assert seen == [("This is a.", large), ("This is c.",)]
    assert played.memory.absorbed == [("e1/a", "e1/b"), ("e1/c",)]
    boundary, change = played.all("boundary")[0], played.all("memory_change")[0]
    assert change.causes == [boundary.id]
    assert [item["id"] for item in change.body["written"]] == ["e1/a", "e1/b"]


def test_a_cut_of_an_empty_working_context_absorbs_nothing(lab: Any) -> None:
    played = lab.play(lab.script([{"id": "m", "at": 1}, cut(2), cut(3, "again")]))
    assert played.memory.absorbed == [("e1/m",), (), ()]
    assert [e.body["transcript"] for e in played.all("boundary")] == [["e1/m"], [], []]
    assert played.complete


def test_a_message_that_comes_while_the_agent_works_enters_the_context(lab: Any) -> None:
    events = [
        {"id": "m", "at": 1, "text": "Early."},
        DECISION,
        {"id": "n", "at": 1100, "text": "Late."},
    ]
    played = lab.play(lab.script(events), ["look()", 'answer("done")'])
    first, second = (request.prompt.context for request in played.model.requests)
    assert [surface.text for surface in first] == ["Early."]
    assert [surface.text for surface in second] == ["Early.", "Late."]
    assert played.all("boundary")[0].body["transcript"][:3] == ["e1/m", "e1/d", "e1/n"]


def test_a_message_that_comes_while_the_memory_works_stays_for_the_next_boundary(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield Complete(PLAIN, 9)
        yield from memory._keep(transcript)

    events = [{"id": "m", "at": 1}, cut(2), {"id": "n", "at": 100}]
    played = lab.play(
        lab.script(events), memory=lab.Memory(absorb=absorb), memory_replies=["a", "b"]
    )
    assert played.memory.absorbed == [("e1/m",), ("e1/n",)]
    assert [(e.body["purpose"], e.body["role"]) for e in played.all("completion")] == [
        ("write", "memory_model"),
        ("write", "memory_model"),
    ]


def test_a_fault_at_a_forced_cut_keeps_the_context_and_the_trial_goes_on(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        if len(memory.absorbed) == 1:
            yield Complete(PLAIN, 9)
        yield from memory._keep(transcript)

    events = [{"id": "m", "at": 1}, cut(2), DECISION]
    played = lab.play(
        lab.script(events),
        ['answer("done")'],
        memory=lab.Memory(absorb=absorb),
        memory_replies=[Fault("model", "overflow", "too long")],
    )
    assert played.errors == [("model", "overflow", False)]
    failed, error = played.one("call_failed"), played.one("error")
    assert (failed.body["role"], failed.body["purpose"]) == ("memory_model", "write")
    assert (error.causes, error.body["decision"]) == (["e1/cut"], None)
    assert [surface.id for surface in played.model.requests[0].prompt.context] == ["e1/m"]
    answer = played.one("answer").id
    assert played.memory.absorbed == [("e1/m",), ("e1/m", "e1/d", answer)]
    assert played.complete


def test_a_crash_at_the_end_of_a_session_is_fatal_and_later_decisions_never_happen(
    lab: Any,
) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield from ()
        raise KeyError("lost")

    played = lab.play(
        lab.script([{"id": "m", "at": 1}], [DECISION]), memory=lab.Memory(absorb=absorb)
    )
    assert played.errors == [("memory", "crash", True)]
    assert played.one("error").body["message"] == "KeyError: 'lost'"
    assert (played.complete, played.events[-1].body) == (False, {"complete": False})
    assert not played.all("decision") and not played.model.requests
    assert len(played.all("session_started")) == 1


def test_an_embedder_that_fails_at_a_session_end_is_to_blame(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield Embed(("a", "b"))

    def embed(texts: Any) -> Any:
        raise OSError("no disk")

    played = lab.play(
        lab.script([{"id": "m", "at": 1}]),
        memory=lab.Memory(embedder="listed", absorb=absorb),
        embed=embed,
    )
    assert played.errors == [("embedder", "crash", True)]
    failed = played.one("call_failed")
    assert (failed.body["role"], failed.body["step"]) == ("embedder", -1)
    assert played.text(failed.body["asked"]) == '["a","b"]'


def test_what_the_memory_did_is_told_as_a_change_of_its_holdings(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield from ()
        memory.items.pop("e1/a", None)
        memory.put("digest", text=f"{len(transcript)} lines", sources=frozenset(["e1/a"]))
        memory.put(transcript[0].id)

    events = [{"id": "a", "at": 1}, cut(2), {"id": "b", "at": 3}, {"id": "c", "at": 4}]
    played = lab.play(lab.script(events), memory=lab.Memory(absorb=absorb))
    first, second = (e.body for e in played.all("memory_change"))
    assert [item["id"] for item in first["written"]] == ["digest", "e1/a"]
    assert (first["gone"], first["held"]) == ([], 2)
    assert [(item["id"], item["text"]) for item in second["written"]] == [
        ("digest", "2 lines"),
        ("e1/b", "e1/b"),
    ]
    assert (second["gone"], second["held"]) == (["e1/a"], 2)


def test_an_item_kept_as_history_is_recorded_with_what_stands_for_it(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield from memory._keep(transcript)
        if len(memory.absorbed) == 2:
            memory.put("e1/a", replaced_by="e1/b")

    events = [{"id": "a", "at": 1}, cut(2), {"id": "b", "at": 3}]
    played = lab.play(lab.script(events), memory=lab.Memory(absorb=absorb))
    first, second = (e.body["written"] for e in played.all("memory_change"))
    assert [("replaced_by" in item, item["id"]) for item in first] == [(False, "e1/a")]
    assert [(item.get("replaced_by"), item["id"]) for item in second] == [
        ("e1/b", "e1/a"),
        (None, "e1/b"),
    ]


def test_what_a_failed_absorption_left_behind_is_recorded_before_the_error(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        memory.put(f"half-{transcript[0].id}", sources=frozenset([transcript[0].id]))
        if len(memory.absorbed) == 1:
            yield Complete(PLAIN, 9)
        yield from memory._keep(transcript)

    played = lab.play(
        lab.script([{"id": "m", "at": 1}, cut(2)]),
        memory=lab.Memory(absorb=absorb),
        memory_replies=[Fault("model", "overflow", "too long")],
    )
    change, after = played.all("memory_change")
    assert [item["id"] for item in change.body["written"]] == ["half-e1/m"]
    assert (change.body["why"], change.body["held"]) == ("fault", 1)
    assert change.causes == [played.all("boundary")[0].id]
    assert played.events[change.row.position + 1].kind == "error"
    assert [item["id"] for item in after.body["written"]] == ["e1/m"]
    assert after.body["why"] == "absorb"
    assert played.all("boundary")[1].body["transcript"] == ["e1/m"]


def test_a_failed_operation_whose_remains_are_no_items_keeps_its_own_fault(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        memory.put("x", sources=frozenset())
        yield Complete(PLAIN, 9)

    played = lab.play(
        lab.script([{"id": "m", "at": 1}]),
        memory=lab.Memory(absorb=absorb),
        memory_replies=[Fault("model", "overflow", "too long")],
    )
    assert played.errors == [("model", "overflow", True)]
    assert not played.all("memory_change")
