"""Native compaction: the memory's own trigger cuts the working context, and the log says why."""

from typing import Any

import pytest
from pydantic import ValidationError

from simulator.agents.actions import Answer
from simulator.agents.port import Desk
from simulator.agents.scaffold import prompt_of
from simulator.effects.environment import ToolOutcome
from simulator.effects.steps import CallTool, Complete, Embed
from simulator.engine.arm import PartSpec
from simulator.events import Json
from simulator.events.tokens import count_tokens
from tests.simulator.engine.conftest import Till

LINE = "[1970-01-01 00:00] user: "
"""How the working context shows a user's words at that minute."""


def words(name: str, at: int, count: int) -> dict[str, Any]:
    """A message that is `count` tokens long where the context shows it."""
    return {"id": name, "at": at, "text": " ".join(["word"] * (count - count_tokens(LINE)))}


def decision(at: int, *causes: str) -> dict[str, Any]:
    return {"kind": "decision", "id": f"d{at}", "at": at, "causes": causes, "request": "Go."}


def native(limit: int) -> dict[str, Any]:
    return {"compaction": "native", "memory_options": {"compact_at": limit}}


def cuts(played: Any, why: str = "native") -> list[tuple[Any, ...]]:
    return [
        (e.time, e.body.get("tokens"), e.body.get("compact_at"), e.body["transcript"])
        for e in played.all("boundary")
        if e.body["why"] == why
    ]


def test_the_context_is_cut_as_soon_as_it_holds_more(lab: Any) -> None:
    script = lab.script(
        [words("a", 1, 60), words("b", 2, 40), words("c", 3, 30), words("d", 4, 25)]
    )
    played = lab.play(script, **native(100))
    assert cuts(played) == [(3, 130, 100, ["e1/a", "e1/b", "e1/c"])]
    cut = played.all("boundary")[0]
    assert (cut.causes, cut.body["asked"]) == (["e1/c"], 3)
    assert cuts(played, "session_end") == [(4, None, None, ["e1/d"])]
    assert [call[1] for call in played.memory.calls] == [("e1/a", "e1/b", "e1/c"), ("e1/d",)]


def test_exactly_at_the_limit_nothing_is_cut(lab: Any) -> None:
    played = lab.play(lab.script([words("a", 1, 60), words("b", 2, 40)]), **native(100))
    assert cuts(played) == []


@pytest.mark.parametrize("limit", [30, 10_000])
def test_cmp_h13_a_forced_arm_is_never_pre_empted(lab: Any, limit: int) -> None:
    """The trigger is declared, and above or below what the context holds; the cut is at 9."""
    cut = {"kind": "compaction", "id": "cut", "at": 9}
    script = lab.script([words("a", 1, 60), words("b", 2, 60), cut, words("c", 10, 60)])
    played = lab.play(script, **{**native(limit), "compaction": "forced"})
    whys = [(e.body["why"], e.time) for e in played.all("boundary")]
    assert whys == [("forced", 9), ("session_end", 10)]
    assert all("tokens" not in e.row.body for e in played.all("boundary"))


def test_scripted_cuts_are_none_in_a_native_arm(lab: Any) -> None:
    cut = {"kind": "compaction", "id": "cut", "at": 9}
    played = lab.play(lab.script([words("a", 1, 40), cut, words("b", 10, 40)]), **native(100))
    assert [e.body["why"] for e in played.all("boundary")] == ["session_end"]


class Library(Till):
    """A till whose every tool answers with so many words."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        return ToolOutcome(ok=True, text=" ".join(["word"] * self._count))


def test_cmp_h13_a_large_result_is_absorbed_with_all_before_it_and_then_dropped(lab: Any) -> None:
    """900 tokens of 1,000 are used, and the next result has 400: one cut, and nothing is lost."""
    script = lab.script([words("a", 1, 900), decision(2000, "a")])
    seen: list[tuple[tuple[str, ...], int]] = []
    desks: list[Desk] = []

    def absorb(memory: Any, transcript: Any) -> Any:
        there = [*desks[0].context(), *desks[0].steps()]
        seen.append((tuple(each.id for each in transcript), len(there)))
        yield from memory._keep(transcript)

    def act(desk: Desk) -> Any:
        desks.append(desk)
        yield Complete(prompt_of(desk), 9)
        yield CallTool("look", {})
        yield Complete(prompt_of(desk), 9)
        return Answer("ok")

    played = lab.play(
        script,
        ["x", "y"],
        agent=act,
        memory=lab.Memory(absorb=absorb),
        environment=Library(400),
        **native(1000),
    )
    call, result = played.one("tool_call").id, played.one("tool_return").id
    [(time, tokens, limit, transcript)] = cuts(played)
    assert transcript == ["e1/a", "e1/d2000", call, result]
    assert limit == 1000 < tokens and tokens > 900 + 400
    assert time == played.one("tool_return").time
    # The memory saw all of it once, and before anything was dropped: a, the call and the result
    # were still on the desk, from which the request itself is kept apart.
    assert seen[0] == (tuple(transcript), 3)
    assert sum(names.count(result) for names, _ in seen) == 1
    first, second = (request.prompt for request in played.model.requests)
    assert len(first.context) == 1
    assert (second.context, second.steps) == ((), ())


def test_never_between_a_call_and_its_result(lab: Any) -> None:
    """A message comes while the tool is at work and is too much; the cut waits for the result."""
    late = words("late", 2400, 120)
    script = lab.script([decision(2000), late])
    played = lab.play(script, ["look()", 'answer("ok")'], environment=Library(3), **native(100))
    call, result = played.one("tool_call"), played.one("tool_return")
    assert call.time < 2400 < result.time
    [(time, _, _, transcript)] = cuts(played)
    assert time == result.time
    assert set(transcript) >= {call.id, result.id, "e1/late"}
    assert next(e for e in played.all("boundary")).body["asked"] == 2400


def test_two_that_come_at_once_are_one_cut(lab: Any) -> None:
    """The second waits for the memory, and by then there is nothing left that is too much."""

    def absorb(memory: Any, transcript: Any) -> Any:
        yield Embed(("x",))
        yield from memory._keep(transcript)

    script = lab.script([words("a", 1, 120), words("b", 2, 60)])
    memory = lab.Memory(embedder="listed", absorb=absorb)
    played = lab.play(script, memory=memory, embed=lambda texts: [[1.0, 0.0]], **native(100))
    assert [transcript for *_, transcript in cuts(played)] == [["e1/a"]]


def test_a_failed_native_cut_keeps_the_context(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        if len(memory.absorbed) == 1:
            raise RuntimeError("no")
        yield from memory._keep(transcript)

    script = lab.script([words("a", 1, 120), words("b", 2, 60)])
    played = lab.play(script, memory=lab.Memory(absorb=absorb), **native(100))
    assert played.errors == [("memory", "crash", False)]
    assert [transcript for *_, transcript in cuts(played)] == [["e1/a"], ["e1/a", "e1/b"]]


def test_a_tombstone_counts_as_what_it_is(lab: Any) -> None:
    """90 tokens are withdrawn before 60 more come: the context never holds more than 100."""
    gone = {"kind": "access_withdrawn", "id": "x", "at": 2, "sources": ["e1/a"], "text": "Gone."}
    script = lab.script([words("a", 1, 70), gone, words("b", 3, 30)])
    kept = lab.play(script, forgetting="off", **native(100))
    dropped = lab.play(script, forgetting="lineage", **native(100))
    assert len(cuts(kept)) == 1 and cuts(dropped) == []


@pytest.mark.parametrize("options", [{}, {"compact_at": None}])
def test_a_native_arm_needs_a_trigger(lab: Any, options: Any) -> None:
    with pytest.raises(ValidationError, match="'part' declares no trigger"):
        lab.arm(compaction="native", memory=PartSpec(name="part", options=options))
