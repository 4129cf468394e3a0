"""Forgetting through lineage: tombstones, the memory block, what counts as cached, the audit."""

import json
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from simulator.agents.actions import Answer
from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.prompts import Prompt
from simulator.effects.steps import CallTool, Complete
from simulator.events import Json
from simulator.events.residues import TOMBSTONE
from tests.simulator.engine.conftest import Till

SECRET = "KX-20815"
TOLD = {"id": "m", "at": 1, "text": f"The code is {SECRET}."}
PLAIN = {"id": "n", "at": 2, "text": "The term is 36 months."}
MODES = ("off", "index", "lineage")


def notice(kind: str, at: int, *sources: str, **more: Any) -> dict[str, Any]:
    named = list(sources or ("e1/m",))
    return {"kind": kind, "id": f"n{at}", "at": at, "sources": named, "text": "Hear this.", **more}


def decision(name: str, at: int, **more: Any) -> dict[str, Any]:
    return {"kind": "decision", "id": name, "at": at, **more}


def story(lab: Any, *sessions: Sequence[dict[str, Any]], **more: Any) -> Any:
    """A script in which each decision waits for the one before it."""
    episodes = []
    for events in sessions:
        names: list[str] = []
        made = []
        for event in events:
            made.append(
                {**event, "causes": names[-1:]} if event.get("kind") == "decision" else event
            )
            names += [event["id"]] if event.get("kind") == "decision" else []
        episodes.append(made)
    return lab.script(*episodes, **more)


def cut(at: int) -> dict[str, Any]:
    return {"kind": "compaction", "id": f"c{at}", "at": at}


def shown(played: Any, request: int = 0) -> dict[str, str]:
    prompt: Prompt = played.model.requests[request].prompt
    return {surface.id: surface.text for surface in prompt.context}


def audits(played: Any) -> list[dict[str, Any]]:
    return [event.body for event in played.all("residue_audit")]


def held(audit: dict[str, Any], what: str = "residues") -> set[tuple[str, ...]]:
    return {(each["path"], each["holder"], *each["sources"]) for each in audit[what]}


@pytest.mark.parametrize("kind", ["access_withdrawn", "document_deleted"])
def test_the_working_context_keeps_a_tombstone(lab: Any, kind: str) -> None:
    script = story(lab, [TOLD, PLAIN, notice(kind, 5000), decision("d", 9000)])
    played = lab.play(script, ['answer("?")'], forgetting="lineage")
    assert shown(played) == {
        "e1/m": TOMBSTONE,
        "e1/n": PLAIN["text"],
        "e1/n5000": "Hear this.",
    }
    assert SECRET not in played.model.requests[0].rendered
    assert not any(letter.isdigit() for letter in TOMBSTONE)
    assert (audits(played)[0]["removed"], audits(played)[0]["restored"]) == (["e1/m"], [])


@pytest.mark.parametrize("mode", ["off", "index"])
def test_in_other_modes_it_stays(lab: Any, mode: str) -> None:
    script = story(lab, [TOLD, notice("access_withdrawn", 5000), decision("d", 9000)])
    played = lab.play(script, ['answer("?")'], forgetting=mode)
    assert shown(played)["e1/m"] == TOLD["text"]
    (audit,) = audits(played)
    assert held(audit) == {("working_context", "e1/m", "e1/m")}
    assert (audit["removed"], audit["forgetting"], audit["why"]) == ([], mode, "withdrawn")


def test_a_grant_restores_the_very_bytes(lab: Any) -> None:
    events = [TOLD, PLAIN, decision("first", 3000)]
    events += [notice("access_withdrawn", 5000), decision("second", 6000)]
    events += [notice("access_granted", 9000), decision("third", 10000)]
    played = lab.play(story(lab, events), ['answer("ok")'] * 3, forgetting="lineage")
    before, without, after = (request.prompt.context for request in played.model.requests)
    assert SECRET in before[0].text and SECRET not in str(without)
    assert after[: len(before)] == before
    removed, restored = audits(played)
    assert (removed["removed"], restored["restored"]) == (["e1/m"], ["e1/m"])
    assert (restored["why"], restored["residues"], restored["hidden"]) == ("granted", [], [])


def test_what_is_deleted_is_never_restored(lab: Any) -> None:
    events = [TOLD, notice("document_deleted", 5000), notice("access_granted", 6000)]
    played = lab.play(
        story(lab, [*events, decision("d", 9000)]), ['answer("?")'], forgetting="lineage"
    )
    assert shown(played)["e1/m"] == TOMBSTONE
    assert audits(played)[1]["restored"] == []


def test_a_call_and_its_result_keep_their_places_and_ids(lab: Any) -> None:
    """The agent puts the code into a call; the note comes back in the error about it."""
    replies = [f'add(amount="{SECRET}")', 'answer("no")', 'answer("ok")']
    events = [TOLD, decision("first", 3000), notice("access_withdrawn", 8000)]
    played = lab.play(
        story(lab, [*events, decision("second", 9000)]), replies, forgetting="lineage"
    )
    call, result = played.one("tool_call").id, played.one("tool_return").id
    assert SECRET in played.one("tool_return").body["text"]
    context = {each.id: each for each in played.model.requests[-1].prompt.context}
    for name, role in ((call, "assistant"), (result, "tool")):
        kept = context[name]
        assert (kept.text, kept.role, kept.tool, kept.call) == (
            TOMBSTONE,
            role,
            "add",
            "e1/first:0",
        )
    (audit,) = audits(played)
    assert audit["removed"] == ["e1/m", call, result]
    assert audit["carriers"] == [
        {"id": call, "sources": ["e1/m"]},
        {"id": result, "sources": ["e1/m"]},
    ]
    assert held(audit, "hidden") == {
        ("working_context", "e1/m", "e1/m"),
        ("agent_words", call, "e1/m"),
        ("tool_results", result, "e1/m"),
    }


def test_an_answer_that_repeats_it_goes_with_it_and_comes_back(lab: Any) -> None:
    replies = [f'answer("It is {SECRET}.")', *['answer("ok")'] * 2]
    events = [TOLD, decision("first", 3000), notice("access_withdrawn", 5000)]
    events += [decision("second", 6000), notice("access_granted", 8000), decision("third", 9000)]
    played = lab.play(story(lab, events), replies, forgetting="lineage")
    said = played.all("answer")[0].id
    assert shown(played, 1)[said] == TOMBSTONE
    assert shown(played, 2)[said] == f"It is {SECRET}."


def test_an_answer_with_a_permitted_source_stays(lab: Any) -> None:
    again = {"id": "again", "at": 3, "text": f"{SECRET}, to be sure."}
    replies = [f'answer("It is {SECRET}.")', 'answer("ok")']
    events = [TOLD, again, decision("first", 3000), notice("document_deleted", 5000)]
    played = lab.play(
        story(lab, [*events, decision("second", 6000)]), replies, forgetting="lineage"
    )
    texts = shown(played, 1)
    assert texts[played.all("answer")[0].id] == f"It is {SECRET}."
    assert (texts["e1/m"], texts["e1/again"]) == (TOMBSTONE, again["text"])
    assert audits(played)[0]["carriers"] == []


def test_a_block_that_was_read_before_is_shown_without_it(lab: Any) -> None:
    """The notice comes while the tool is at work, between the first prompt and the second."""
    script = story(lab, [TOLD, PLAIN], [decision("d", 5000), notice("document_deleted", 5350)])
    played = lab.play(script, ["look()", 'answer("ok")'], forgetting="lineage")
    first, second = (request.prompt.block for request in played.model.requests)
    assert SECRET in first and PLAIN["text"] in first
    assert SECRET not in second and PLAIN["text"] in second
    assert SECRET in played.text(played.one("memory_read").body["block"])


def test_words_that_come_after_the_notice_and_were_thought_before_it(lab: Any) -> None:
    """The completion is asked for at 3,000 ms; its latency of 312 ms passes before the answer."""
    replies = [f'answer("It is {SECRET}.")', 'answer("ok")', 'answer("ok")']
    events = [TOLD, decision("first", 3000), notice("access_withdrawn", 3100)]
    more = [decision("third", 9000)]
    script = story(lab, [*events, decision("second", 6000), cut(7000), *more])
    played = lab.play(script, replies, forgetting="lineage")
    said = played.all("answer")[0]
    assert said.time == 3312 and SECRET in said.body["text"]
    assert shown(played, 1)[said.id] == TOMBSTONE
    # The memory was never told of these words, so it never gets them.
    assert said.id not in played.all("boundary")[0].body["transcript"]
    for request in played.model.requests[1:]:
        assert SECRET not in request.rendered


@pytest.mark.parametrize(
    ("kind", "absorbed"),
    [
        ("access_withdrawn", ["e1/m", "e1/n", "e1/n5000"]),
        ("document_deleted", ["e1/n", "e1/n5000"]),
    ],
)
def test_a_boundary_hands_over_what_may_come_back(lab: Any, kind: str, absorbed: list[str]) -> None:
    given: list[str] = []

    def absorb(memory: Any, transcript: Sequence[Any]) -> Any:
        given.extend(each.text for each in transcript)
        yield from memory._keep(transcript)

    script = story(lab, [TOLD, PLAIN, notice(kind, 5000), cut(6000)])
    played = lab.play(script, memory=lab.Memory(absorb=absorb), forgetting="lineage")
    assert played.all("boundary")[0].body["transcript"] == absorbed
    assert TOMBSTONE not in given
    assert played.all("boundary")[1].body["transcript"] == []  # the tombstone is gone as well


def test_no_prompt_that_held_it_counts_as_cached(lab: Any) -> None:
    def cached(mode: str, *events: Any) -> str:
        script = story(lab, [TOLD, decision("d1", 3000), *events, decision("d2", 9000)])
        played = lab.play(script, ['answer("ok")'] * 2, forgetting=mode)
        previous: str = played.model.requests[1].previous
        return previous

    gone, other = notice("access_withdrawn", 5000), notice("access_withdrawn", 5000, "e1/none")
    assert cached("lineage", gone) == ""
    assert cached("index", gone) == cached("off", gone) == cached("lineage", other) != ""


def test_a_prompt_that_shows_tombstones_counts_as_cached_again(lab: Any) -> None:
    events = [TOLD, notice("access_withdrawn", 2000), decision("d1", 3000)]
    events += [notice("document_deleted", 5000), decision("d2", 9000)]
    played = lab.play(story(lab, events), ['answer("ok")'] * 2, forgetting="lineage")
    assert played.model.requests[1].previous == played.model.requests[0].rendered


@pytest.mark.parametrize("mode", MODES)
def test_del_h11_the_audit_lists_every_path_that_holds_a_copy(lab: Any, mode: str) -> None:
    """Session 1 is absorbed; in session 2 the agent reads the code in the block and writes it down.

    The till keeps no notes, so a pad that does takes its place.
    """
    replies = [f'note(text="Code {SECRET}")', f'answer("Noted {SECRET}.")']
    script = story(
        lab,
        [TOLD, PLAIN],
        [decision("d", 3000), {"id": "y", "at": 4500, "text": "Go on."}],
        [notice("access_withdrawn", 9000)],
        world={"pad": ["old"], "sum": 0},
    )
    played = lab.play(script, replies, environment=Pad(), forgetting=mode)
    call, result = played.one("tool_call").id, played.one("tool_return").id
    answer = played.one("answer").id
    (audit,) = audits(played)
    memory = {("memory", name, "e1/m") for name in ("e1/m", call, result, answer)}
    cache = ("prompt_cache", "agent_model", "e1/m")
    copy = ("world_copies", "/pad/1", "e1/m")
    residues = {
        "off": {*memory, cache, copy},
        "index": {*memory, cache, copy} - {("memory", "e1/m", "e1/m")},
        "lineage": {copy},
    }
    hidden = {"off": set(), "index": {("memory", "e1/m", "e1/m")}, "lineage": memory}
    assert held(audit) == residues[mode]
    assert held(audit, "hidden") == hidden[mode]
    by = {(each["path"], each["by"]) for each in audit["residues"]}
    assert by <= {("memory", "pedigree"), ("prompt_cache", "pedigree"), ("world_copies", "text")}
    assert {each["id"] for each in audit["carriers"]} == {call, result, answer}
    assert (audit["lost"], audit["rebuilt"], audit["rebuilt_tokens"]) == ([], [], 0)


class Pad(Till):
    """A till with a pad, on which a note adds a line; the note `wipe` empties it."""

    tools: ClassVar[tuple[Tool, ...]] = (
        *Till.tools,
        Tool(
            name="note",
            description="Note.",
            parameters={
                "type": "object",
                "properties": {"text": {"type": "string"}},
                "required": ["text"],
                "additionalProperties": False,
            },
            read_only=False,
        ),
    )

    def call(self, world: Any, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        if tool != "note":
            return super().call(world, tool, arguments, now)
        text = arguments["text"]
        change: Json = {"op": "add", "path": "/pad/-", "value": text}
        if text == "wipe":
            change = {"op": "replace", "path": "/pad", "value": []}
        return ToolOutcome(ok=True, text=f"noted: {text}", changes=(change,))


def test_a_copy_that_is_overwritten_is_no_residue(lab: Any) -> None:
    replies = [f'note(text="Code {SECRET}")', 'note(text="wipe")', 'answer("ok")']
    script = story(
        lab,
        [TOLD, decision("d", 3000)],
        [notice("document_deleted", 9000)],
        world={"pad": [], "sum": 0},
    )
    played = lab.play(script, replies, environment=Pad(), forgetting="off")
    assert "world_copies" not in {each["path"] for each in audits(played)[0]["residues"]}


def test_an_item_that_denies_its_source_is_found_by_its_text(lab: Any) -> None:
    def absorb(memory: Any, transcript: Sequence[Any]) -> Any:
        yield from ()
        names = [each.id for each in transcript]
        if "e1/m" in names:
            memory.put("liar", text=f"x {SECRET} y", sources=frozenset(["e1/n"]))
            memory.put("date", text="[1970-01-01] a note", sources=frozenset(["e1/n"]))

    told = {**TOLD, "text": f"The code is {SECRET} from 1970-01-01."}
    script = story(lab, [told, PLAIN], [notice("document_deleted", 5000)])
    played = lab.play(script, memory=lab.Memory(absorb=absorb), forgetting="lineage")
    # The date of the line is that of everything said that day, and gives nothing away.
    assert audits(played)[0]["residues"] == [
        {"path": "memory", "holder": "liar", "sources": ["e1/m"], "by": "text"}
    ]


def merging(memory: Any, transcript: Sequence[Any]) -> Any:
    """Keep everything in one item, as a digest does."""
    yield from ()
    if transcript:
        names = [each.id for each in transcript]
        text = " ".join(each.text for each in transcript)
        memory.put("+".join(names), text=text, sources=frozenset(names))


def test_what_was_lost_with_it_is_absorbed_again(lab: Any) -> None:
    def absorb(memory: Any, transcript: Sequence[Any]) -> Any:
        yield Complete(Prompt(instructions="Sum up.", context=tuple(transcript), request="Go."), 9)
        yield from merging(memory, transcript)

    last = {"id": "o", "at": 3, "text": "Ask Mia."}
    script = story(lab, [TOLD, PLAIN, last], [notice("document_deleted", 5000)])
    played = lab.play(
        script, memory=lab.Memory(absorb=absorb), memory_replies=["x"] * 9, forgetting="lineage"
    )
    (audit,) = audits(played)
    # "The term is 36 months." has 6 tokens, "Ask Mia." has 3.
    assert (audit["rebuilt"], audit["rebuilt_tokens"]) == (["e1/n", "e1/o"], 9)
    assert (audit["lost"], audit["residues"]) == ([], [])
    changes = [event.body["why"] for event in played.all("memory_change")]
    assert changes == ["absorb", "deleted", "rebuild", "absorb"]
    rebuilt = next(e for e in played.all("completion") if e.body["purpose"] == "rebuild")
    assert SECRET not in played.text(rebuilt.body["rendered"])
    assert rebuilt.causes == ["e2/n5000"] == played.all("memory_change")[2].causes
    assert list(played.memory.items) == ["e1/n+e1/o", "e2/n5000"]


@pytest.mark.parametrize("mode", ["index", "lineage"])
def test_what_cannot_be_rebuilt_is_lost(lab: Any, mode: str) -> None:
    def absorb(memory: Any, transcript: Sequence[Any]) -> Any:
        if [each.id for each in transcript] != ["e1/n"]:
            yield from merging(memory, transcript)

    script = story(lab, [TOLD, PLAIN], [notice("access_withdrawn", 5000)])
    played = lab.play(script, memory=lab.Memory(absorb=absorb), forgetting=mode)
    (audit,) = audits(played)
    assert audit["lost"] == ["e1/n"]
    assert audit["rebuilt"] == (["e1/n"] if mode == "lineage" else [])


def test_what_the_agent_was_shown_of_two_waits_for_the_last_of_them(lab: Any) -> None:
    """The answer is from a deleted and a withdrawn source at once: it comes back with the latter."""
    again = {"id": "again", "at": 3, "text": f"{SECRET}, to be sure."}
    replies = [f'answer("It is {SECRET}.")', *['answer("ok")'] * 3]
    events = [TOLD, again, decision("d1", 3000), cut(4000), notice("access_withdrawn", 5000)]
    events += [notice("document_deleted", 6000, "e1/again"), decision("d2", 7000), cut(7500)]
    events += [notice("access_granted", 8000), decision("d3", 9000)]
    played = lab.play(story(lab, events), replies, forgetting="lineage")
    said = played.all("answer")[0].id
    told = [call for call in played.memory.calls if call[0] in ("forget", "regrant")]
    assert told == [
        ("forget", frozenset({"e1/m"}), "withdrawn", "lineage"),
        ("forget", frozenset({"e1/again"}), "deleted", "lineage"),
        ("forget", frozenset({said}), "withdrawn", "lineage"),
        ("regrant", frozenset({"e1/m", said})),
    ]
    blocks = [request.prompt.block for request in played.model.requests]
    assert SECRET not in blocks[1]
    assert f"It is {SECRET}." in blocks[2] and "to be sure" not in blocks[2]


def test_what_a_scripted_event_forgets_before_it_happens_is_a_tombstone_at_once(lab: Any) -> None:
    late = {"id": "late", "at": 6000, "text": "Code 4711."}
    script = story(lab, [notice("access_withdrawn", 5000, "e1/late"), late, decision("d", 9000)])
    played = lab.play(script, ['answer("?")'], forgetting="lineage")
    assert shown(played)["e1/late"] == TOMBSTONE


def test_an_arc_without_announcements_follows_nothing(lab: Any) -> None:
    script = story(lab, [TOLD, decision("d", 9000)])
    played = lab.play(script, ['answer("ok")'], forgetting="lineage")
    same = lab.play(script, ['answer("ok")'], forgetting="off")
    assert not audits(played)
    bodies = [[(e.kind, e.body) for e in each.events[1:]] for each in (played, same)]
    assert bodies[0] == bodies[1]


def test_a_forgotten_item_says_in_which_store_it_is(lab: Any) -> None:
    """So that what is shown of it later has a path, also where nobody told the memory."""
    events = [TOLD, PLAIN, notice("access_withdrawn", 5000)]
    played = lab.play(story(lab, events), forgetting="off")
    written = played.one("memory_change").body["written"]
    assert {each["id"]: each.get("store") for each in written} == {
        "e1/m": "memory",
        "e1/n": None,
        "e1/n5000": None,
    }


def test_the_same_bytes_twice(lab: Any) -> None:
    events = [TOLD, PLAIN, decision("d1", 3000), notice("access_withdrawn", 5000)]
    script = story(lab, [*events, decision("d2", 9000)], [notice("access_granted", 20000)])
    replies = [f'answer("It is {SECRET}.")', 'answer("ok")']
    first, second = (lab.play(script, replies, forgetting="lineage").rows for _ in range(2))
    assert first == second


def test_a_call_under_way_at_the_notice_is_read_at_its_return(lab: Any) -> None:
    """A puppet writes the code into a call without a prompt: what lies on its desk was shown."""

    def act(desk: Any) -> Any:
        yield CallTool("add", {"amount": 1, "note": SECRET})
        return Answer("ok")

    events = [TOLD, decision("d", 3000), notice("document_deleted", 8000)]
    played = lab.play(story(lab, events), agent=act, forgetting="lineage")
    carriers = {each["id"] for each in json.loads(played.one("residue_audit").row.body)["carriers"]}
    assert carriers == {played.one("tool_call").id}
