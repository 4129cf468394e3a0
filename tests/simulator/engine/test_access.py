"""Access withdrawn, granted and deleted: what the memory is told, and when it is not."""

from typing import Any

import pytest

from simulator.effects.prompts import Prompt
from simulator.effects.steps import Complete, Embed

TOLD = {"id": "m", "at": 1, "text": "The code is 9."}
DECISION = {"kind": "decision", "id": "d", "at": 9000}
SOURCES = frozenset({"e1/m", "e1/x"})
KINDS = ("access_withdrawn", "document_deleted", "access_granted")


def notice(kind: str, at: int = 5000, *sources: str, **more: Any) -> dict[str, Any]:
    return {
        "kind": kind,
        "id": f"{kind}-{at}",
        "at": at,
        "sources": list(sources or ("e1/m",)),
        "text": "Hear this.",
        **more,
    }


def test_with_forgetting_off_only_the_agent_hears_of_it(lab: Any) -> None:
    script = lab.script(
        [TOLD], [*(notice(kind, 5000 + n) for n, kind in enumerate(KINDS)), DECISION]
    )
    played = lab.play(script, ['answer("9")'], forgetting="off")
    assert [call[0] for call in played.memory.calls] == ["absorb", "read", "absorb"]
    assert [event.body["why"] for event in played.all("memory_change")] == ["absorb", "absorb"]
    heard = played.model.requests[0].prompt
    assert [surface.text for surface in heard.context] == ["Hear this."] * 3
    assert "The code is 9." in heard.block


@pytest.mark.parametrize(
    ("kind", "call", "why"),
    [
        ("access_withdrawn", ("forget", SOURCES, "withdrawn", "index"), "withdrawn"),
        ("document_deleted", ("forget", SOURCES, "deleted", "index"), "deleted"),
        ("access_granted", ("regrant", SOURCES), "granted"),
    ],
)
def test_with_forgetting_the_memory_is_told_of_exactly_these_sources(
    lab: Any, kind: str, call: tuple[Any, ...], why: str
) -> None:
    events = [TOLD, {"id": "x", "at": 2}, {"id": "y", "at": 3}]
    announced = notice(kind, 5000, "e1/m", "e1/x")
    played = lab.play(
        lab.script(events, [announced, DECISION]), ['answer("?")'], forgetting="index"
    )
    assert played.memory.calls[1] == call
    change = played.all("memory_change")[1]
    name = f"e2/{announced['id']}"
    assert (change.body["why"], change.causes) == (why, [name])
    assert played.events[change.row.position - 1].id == name  # the agent heard of it first


def test_withdrawn_is_hidden_and_deleted_is_gone(lab: Any) -> None:
    events = [notice("access_withdrawn"), notice("access_granted", 6000)]
    more = [notice("document_deleted", 7000), DECISION]
    played = lab.play(lab.script([TOLD], events, more), ['answer("?")'], forgetting="index")
    changes = [e.body for e in played.all("memory_change") if e.body["why"] != "absorb"]
    seen = [(c["why"], [(i["id"], i["hidden"]) for i in c["written"]], c["gone"]) for c in changes]
    assert seen == [
        ("withdrawn", [("e1/m", True)], []),
        ("granted", [("e1/m", False)], []),
        ("deleted", [], ["e1/m"]),
    ]
    assert "The code is 9." not in played.model.requests[0].prompt.block


def test_a_source_that_the_memory_never_had_changes_nothing(lab: Any) -> None:
    played = lab.play(
        lab.script([TOLD, notice("document_deleted", 5000, "e1/other")]), forgetting="index"
    )
    first = played.all("memory_change")[0]
    assert first.body == {"why": "deleted", "written": [], "gone": [], "held": 0}
    assert played.errors == []


def test_a_memory_that_cannot_forget_ends_the_trial(lab: Any) -> None:
    def forget(memory: Any, sources: Any, how: Any) -> Any:
        yield from ()
        raise NotImplementedError("never")

    script = lab.script([TOLD], [notice("access_withdrawn"), DECISION])
    played = lab.play(script, memory=lab.Memory(forget=forget), forgetting="index")
    assert played.errors == [("memory", "crash", True)]
    assert played.one("error").causes == ["e2/access_withdrawn-5000"]
    assert not played.complete and not played.all("decision")


def test_a_notice_waits_while_the_memory_is_busy(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield Complete(Prompt(instructions="Sum up.", request="Go."), 9)
        yield from memory._keep(transcript)

    cut = {"kind": "compaction", "id": "c", "at": 5000}
    script = lab.script([TOLD, cut, notice("access_withdrawn", 5100)])
    played = lab.play(
        script, memory=lab.Memory(absorb=absorb), memory_replies=["a", "b"], forgetting="index"
    )
    assert [call[0] for call in played.memory.calls] == ["absorb", "forget", "absorb"]
    assert [(e.body["why"], e.time) for e in played.all("memory_change")][:2] == [
        ("absorb", 5312),
        ("withdrawn", 5312),
    ]
    assert played.all("memory_change")[1].body["written"][0]["hidden"] is True


def test_what_a_memory_asks_while_forgetting_is_metered_as_rebuilding(lab: Any) -> None:
    def forget(memory: Any, sources: Any, how: Any) -> Any:
        vectors = yield Embed(("rest",))
        assert vectors[0].tolist() == [1.0, 0.0]
        yield from memory._forget(sources, how)

    played = lab.play(
        lab.script([TOLD], [notice("access_withdrawn", scope="ann")]),
        memory=lab.Memory(embedder="listed", forget=forget),
        embed=lambda texts: [[1.0, 0.0]],
        forgetting="index",
    )
    embedding = played.one("embedding")
    assert (embedding.body["purpose"], embedding.causes) == (
        "rebuild",
        ["e2/access_withdrawn-5000"],
    )
    assert played.all("memory_change")[1].time == 5050  # an embedding takes 50 ms
