"""The memory's contract: a block or an item that breaks it is an error, never a fallback."""

from typing import Any

import pytest

from simulator.effects.memory import Block, Item, Shown

LAST = {"kind": "decision", "id": "d", "at": 9000}


def story(lab: Any, scope: str = "global") -> Any:
    return lab.script([{"id": "m", "at": 1, "scope": scope}], [{"id": "n", "at": 8000}, LAST])


def reading(lab: Any, *lines: Shown, **arm: Any) -> Any:
    def read(memory: Any, ask: Any) -> Any:
        yield from ()
        return Block(items=lines)

    memory = lab.Memory(read=read)
    return lab.play(story(lab), ['answer("ok")'], memory=memory, **arm)


def line(**changes: Any) -> Shown:
    return Shown.model_validate(
        {"item": "e1/m", "text": "This is m.", "sources": ("e1/m",)} | changes
    )


def test_a_block_is_recorded_as_the_prompt_shows_it(lab: Any) -> None:
    played = reading(lab, line(rank=1, distance=250_000))
    read = played.one("memory_read")
    rendered = "From earlier sessions:\nThis is m."
    assert played.text(read.body["block"]) == rendered
    assert played.model.requests[0].prompt.block == rendered
    # From, earlier (7 letters), sessions (8 letters: 2), colon, break, This, is, m, dot: 10.
    assert read.body["tokens"] == 10
    assert read.body["items"] == [
        {
            "item": "e1/m",
            "text": "This is m.",
            "sources": ["e1/m"],
            "rank": 1,
            "distance": 250_000,
        }
    ]


def test_a_block_may_use_its_budget_to_the_last_token(lab: Any) -> None:
    assert reading(lab, line(), token_budget=10).errors == []


def test_an_unbudgeted_block_may_be_of_any_length(lab: Any) -> None:
    assert reading(lab, line(text="word " * 5000), token_budget=None).errors == []


@pytest.mark.parametrize(
    ("lines", "arm", "message"),
    [
        ([line()], {"token_budget": 9}, "block of 10 tokens, budget 9"),
        ([line(sources=("e2/n",))], {}, "'e1/m' repeats the working context"),
        ([line(sources=("e2/d", "e2/n"))], {}, "'e1/m' repeats the working context"),
        ([line(text="two\nlines")], {}, "'e1/m' is more than one line"),
        ([line(text="one and a break\n")], {}, "'e1/m' is more than one line"),
        ([line(text="two\u2028lines")], {}, "'e1/m' is more than one line"),
        ([line(item="ghost")], {}, "'ghost' is not among the holdings"),
        ([line(sources=())], {}, "'e1/m' is shown with other sources than it is held with"),
        (
            [line(sources=("e1/m", "e2/n"))],
            {},
            "'e1/m' is shown with other sources than it is held with",
        ),
    ],
)
def test_a_block_that_breaks_the_contract(
    lab: Any, lines: list[Shown], arm: dict[str, Any], message: str
) -> None:
    played = reading(lab, *lines, **arm)
    assert played.errors == [("memory", "invalid", False)]
    error = played.one("error")
    assert (error.body["message"], error.body["decision"]) == (message, "e2/d")
    # Nothing is shown in its stead: the agent is not asked at all.
    assert not played.all("memory_read") and not played.model.requests


def test_a_hidden_item_may_not_be_shown(lab: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        yield from ()
        return Block(items=(line(),))

    def absorb(memory: Any, transcript: Any) -> Any:
        yield from ()
        memory.put("e1/m", hidden=True)

    played = lab.play(story(lab), memory=lab.Memory(read=read, absorb=absorb))
    assert [e.body["message"] for e in played.all("error")] == ["'e1/m' is hidden"]


def test_an_item_of_another_scope_may_not_be_shown(lab: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        yield from ()
        return Block(items=(line(),))

    played = lab.play(story(lab, scope="ann"), memory=lab.Memory(read=read))
    assert [e.body["message"] for e in played.all("error")] == ["'e1/m' belongs to scope 'ann'"]


@pytest.mark.parametrize("block", [None, "From earlier sessions:\nThis is m.", [line()]])
def test_what_is_no_block_is_the_memorys_fault(lab: Any, block: Any) -> None:
    def read(memory: Any, ask: Any) -> Any:
        yield from ()
        return block

    played = lab.play(story(lab), memory=lab.Memory(read=read))
    assert played.errors == [("memory", "crash", False)]


def test_a_block_that_cannot_be_stored_is_the_memorys_fault(lab: Any) -> None:
    played = reading(lab, line(text="\ud800"))
    assert played.errors == [("memory", "crash", False)]
    assert not played.all("memory_read")


@pytest.mark.parametrize(
    ("item", "fault", "message"),
    [
        ({"sources": frozenset()}, "invalid", "item 'x' names no source"),
        ({"sources": frozenset(["e9/m"])}, "invalid", "item 'x' names a source it never saw"),
        ({"saw": frozenset(["e9/m"])}, "invalid", "item 'x' names a source it never saw"),
        ({"replaced_by": "y"}, "invalid", "item 'x' is replaced by one that is not held"),
        ({"text": "\ud800"}, "crash", None),
    ],
)
def test_an_item_without_a_true_pedigree(
    lab: Any, item: dict[str, Any], fault: str, message: str | None
) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield from ()
        memory.put("x", **({"sources": frozenset(["e1/m"])} | item))

    played = lab.play(story(lab), memory=lab.Memory(absorb=absorb))
    assert played.errors == [("memory", fault, True)]
    assert message in (None, played.one("error").body["message"])
    assert not played.all("memory_change")


def test_holdings_that_are_no_items_are_the_memorys_fault(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield from ()
        memory.items["x"] = "a note"

    assert lab.play(story(lab), memory=lab.Memory(absorb=absorb)).errors == [
        ("memory", "crash", True)
    ]


def test_an_item_is_recorded_with_its_pedigree(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield from ()
        ids = frozenset(surface.id for surface in transcript)
        memory.items["x"] = Item(
            id="x", text="ab", sources=ids, saw=ids, time=7, scope="ann", role="user"
        )

    events = [{"id": "b", "at": 1}, {"id": "a", "at": 2}]
    played = lab.play(lab.script(events), memory=lab.Memory(absorb=absorb))
    assert played.one("memory_change").body["written"] == [
        {
            "id": "x",
            "text": "ab",
            "sources": ["e1/a", "e1/b"],
            "saw": ["e1/a", "e1/b"],
            "scope": "ann",
            "role": "user",
            "hidden": False,
        }
    ]
