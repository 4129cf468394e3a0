"""Tools of a memory: beside the environment's, under the contract of a block, never of the world."""

from collections.abc import Callable
from typing import Any

import pytest

from simulator.effects.environment import Tool
from simulator.effects.memory import Ask, Block, Shown, Used
from simulator.events.errors import InputError
from simulator.events.residues import TOMBSTONE
from tests.simulator.engine.conftest import Notes, Till

Use = Callable[["Shelves", str, dict[str, Any], Ask], Used]


def tool(name: str) -> Tool:
    words = {"type": "string", "minLength": 2}
    schema = {
        "type": "object",
        "properties": {"words": words},
        "required": ["words"],
        "additionalProperties": False,
    }
    return Tool(name=name, description=f"To {name}.", parameters=schema, read_only=True)


class Shelves(Notes):
    """Notes that show nothing in a block, and what a test says when the agent looks."""

    def __init__(self, use: Use, *names: str, **steps: Any) -> None:
        super().__init__(read=lambda memory, ask: self._nothing(), **steps)
        self.tools = tuple(map(tool, names or ("look_up",)))
        self._use = use
        self.used: list[Ask] = []

    def use(self, tool: str, arguments: dict[str, Any], ask: Ask) -> Any:
        yield from ()
        self.used.append(ask)
        return self._use(self, tool, arguments, ask)

    def _nothing(self) -> Any:
        yield from ()
        return Block()


def shown(name: str, **changes: Any) -> Shown:
    return Shown.model_validate(
        {"item": name, "text": f"This is {name[3:]}.", "sources": (name,)} | changes
    )


def finds(*names: str) -> Use:
    return lambda memory, tool, arguments, ask: Used(
        ok=True, text="found:", items=tuple(map(shown, names))
    )


LOOK = 'look_up(words="it")'
DECIDE = {"kind": "decision", "id": "d", "at": 9000}


def story(lab: Any, *more: Any, scope: str = "global") -> Any:
    return lab.script(
        [{"id": "m", "at": 1, "scope": scope}], [{"id": "n", "at": 8000}, DECIDE], *more
    )


def test_the_agent_is_shown_the_memory_s_tools_behind_the_environment_s(lab: Any) -> None:
    played = lab.play(story(lab), ['answer("ok")'], memory=Shelves(finds()))
    prompt = played.model.requests[0].prompt
    assert [each.name for each in prompt.tools] == [*(t.name for t in Till.tools), "look_up"]


def test_where_the_agent_answers_in_words_a_memory_has_no_tools(lab: Any) -> None:
    played = lab.play(story(lab), ["ok"], memory=Shelves(finds()), environment=lab.Talk())
    assert played.model.requests[0].prompt.tools == ()
    assert played.one("answer").body["text"] == "ok"


def test_a_call_goes_to_the_memory_and_is_recorded_like_any_other(lab: Any) -> None:
    played = lab.play(story(lab), [LOOK, 'answer("ok")'], memory=Shelves(finds("e1/m")))
    assert played.errors == []
    assert played.environment.calls == []
    kinds = [each.kind for each in played.events if each.row.position > played.where("e2/d")]
    assert kinds[:6] == [
        "memory_read",
        "completion",
        "tool_call",
        "memory_read",
        "tool_return",
        "completion",
    ]
    call, returned = played.one("tool_call"), played.one("tool_return")
    assert call.body == {
        "call": "e2/d:0",
        "tool": "look_up",
        "arguments": {"words": "it"},
        "coerced": [],
    }
    assert returned.body["text"] == "found:\nThis is m."
    first, second = played.all("memory_read")
    assert (first.causes, second.causes) == (["e2/d"], [call.id])
    assert second.body["items"][0]["sources"] == ["e1/m"]
    # found, colon, break, This, is, m, dot: 7.
    assert (second.body["tokens"], second.body["budget"]) == (7, 256)
    steps = played.model.requests[1].prompt.steps
    assert [(each.role, each.call) for each in steps] == [
        ("assistant", "e2/d:0"),
        ("tool", "e2/d:0"),
    ]


def test_what_the_agent_changes_is_recorded_as_its_doing(lab: Any) -> None:
    def note(memory: Any, tool: str, arguments: Any, ask: Ask) -> Used:
        memory.put("note", sources=frozenset(["e1/m"]))
        return Used(ok=True, text="noted")

    played = lab.play(story(lab), [LOOK, 'answer("ok")'], memory=Shelves(note))
    changed = [each for each in played.all("memory_change") if each.body["why"] == "tool"]
    assert [item["id"] for each in changed for item in each.body["written"]] == ["note"]
    assert changed[0].causes == [played.one("tool_call").id]


def test_what_a_tool_gave_back_is_not_stored_again_and_leaves_at_the_boundary(lab: Any) -> None:
    cut = {"kind": "compaction", "id": "c", "at": 20_000}
    again = {"kind": "decision", "id": "d2", "at": 30_000, "causes": ["d"]}
    script = lab.script([{"id": "m", "at": 1}], [{"id": "n", "at": 8000}, DECIDE, cut, again])
    replies = [LOOK, 'answer("ok")', 'answer("ok")']
    played = lab.play(script, replies, memory=Shelves(finds("e1/m")))
    answered = played.all("answer")[0].id
    assert played.memory.absorbed[1] == ("e2/n", "e2/d", answered)
    assert played.all("boundary")[1].body["transcript"] == ["e2/n", "e2/d", answered]
    assert played.model.requests[2].prompt.context == ()


def test_the_budget_of_a_decision_is_one_for_block_and_results(lab: Any) -> None:
    """A result of 7 tokens leaves 6 of 13, and the next one finds them too few."""
    script = lab.script([{"id": "m", "at": 1}, {"id": "o", "at": 2}], [DECIDE])
    uses = iter([finds("e1/m"), finds("e1/o")])
    memory = Shelves(lambda *given: next(uses)(*given))
    played = lab.play(script, [LOOK, LOOK, 'answer("ok")'], memory=memory, token_budget=13)
    assert [ask.budget for ask in memory.used] == [13, 6]
    assert played.errors == [("memory", "invalid", False)]
    assert played.one("error").body["message"] == "result of 7 tokens, 6 were left"
    assert memory.used[1].shown >= {"e1/m"}


@pytest.mark.parametrize(
    ("use", "arm", "message"),
    [
        (finds("e1/ghost"), {}, "'e1/ghost' is not among the holdings"),
        (finds("e2/n"), {}, "'e2/n' is not among the holdings"),
        (
            lambda memory, *rest: Used(ok=True, text="found:", items=(shown("e1/m", sources=()),)),
            {},
            "'e1/m' is shown with other sources than it is held with",
        ),
        (lambda *given: Used(ok=True, text="two\nlines"), {}, "more than one line"),
        (finds("e1/m"), {"token_budget": 6}, "result of 7 tokens, 6 were left"),
    ],
)
def test_a_result_that_breaks_the_contract_is_the_memory_s_fault(
    lab: Any, use: Use, arm: dict[str, Any], message: str
) -> None:
    played = lab.play(story(lab), [LOOK, 'answer("ok")'], memory=Shelves(use), **arm)
    assert played.errors == [("memory", "invalid", False)]
    assert message in played.one("error").body["message"]
    assert played.all("tool_return") == []


def test_another_scope_and_hidden_items_stay_out_of_results(lab: Any) -> None:
    played = lab.play(
        story(lab, scope="other"), [LOOK, 'answer("ok")'], memory=Shelves(finds("e1/m"))
    )
    assert "belongs to scope 'other'" in played.one("error").body["message"]
    withdrawn = {
        "kind": "access_withdrawn",
        "id": "w",
        "at": 5,
        "sources": ["e1/m"],
        "text": "Gone.",
    }
    script = lab.script([{"id": "m", "at": 1}], [withdrawn, DECIDE])
    played = lab.play(
        script, [LOOK, 'answer("ok")'], memory=Shelves(finds("e1/m")), forgetting="index"
    )
    assert played.one("error").body["message"] == "'e1/m' is hidden"


def test_a_notice_names_the_results_that_gave_its_source_back(lab: Any) -> None:
    later = {
        "kind": "access_withdrawn",
        "id": "w",
        "at": 20_000,
        "sources": ["e1/m"],
        "text": "It is closed to you.",
    }
    script = lab.script([{"id": "m", "at": 1}], [DECIDE, later])
    memory = Shelves(finds("e1/m"))
    played = lab.play(script, [LOOK, 'answer("ok")'], memory=memory, forgetting="index")
    copy = played.one("tool_return").id
    said = next(each for each in played.all("said") if each.id == "e2/w")
    assert said.body["sources"] == ["e1/m", copy]
    assert memory.calls[-2][1] == frozenset({"e1/m", copy})


def test_with_lineage_a_result_becomes_a_tombstone_and_what_else_it_showed_may_come_again(
    lab: Any,
) -> None:
    """The result gave back e1/m and e1/o; e1/m is withdrawn, and e1/o is no longer before anybody."""
    later = {
        "kind": "access_withdrawn",
        "id": "w",
        "at": 20_000,
        "sources": ["e1/m"],
        "text": "It is closed to you.",
    }
    again = {"kind": "decision", "id": "d2", "at": 30_000, "causes": ["d"]}
    script = lab.script([{"id": "m", "at": 1}, {"id": "o", "at": 2}], [DECIDE, later, again])
    memory = Shelves(finds("e1/m", "e1/o"))
    replies = [LOOK, 'answer("ok")', 'answer("ok")']
    played = lab.play(script, replies, memory=memory, forgetting="lineage")
    assert played.errors == []
    copy = played.one("tool_return").id
    before, after = (request.prompt for request in played.model.requests[1:])
    assert "This is m." in before.steps[1].text
    assert [each.text for each in after.context if each.id == copy] == [TOMBSTONE]
    assert "This is m." not in played.model.requests[2].rendered
    assert memory.asks[1].shown.isdisjoint({"e1/m", "e1/o"})
    # Neither the result nor its tombstone is ever taken in.
    assert all(copy not in names for names in memory.absorbed)


def test_wrong_arguments_are_told_to_the_agent_and_reach_no_memory(lab: Any) -> None:
    memory = Shelves(finds("e1/m"))
    played = lab.play(story(lab), ['look_up(words="x")', 'answer("ok")'], memory=memory)
    assert played.one("tool_return").body["ok"] is False
    assert memory.used == []
    assert played.all("memory_read")[1].causes == [played.one("tool_call").id]


def test_an_unknown_tool_is_told_all_that_there_are(lab: Any) -> None:
    played = lab.play(
        story(lab), ['look(words="x")', "jump()", 'answer("ok")'], memory=Shelves(finds())
    )
    assert played.all("tool_return")[1].body["text"].endswith("mutter, look_up")


def test_a_memory_that_fails_in_a_tool_is_blamed(lab: Any) -> None:
    def fail(memory: Any, tool: str, arguments: Any, ask: Ask) -> Used:
        memory.put("half", sources=frozenset(["e1/m"]))
        raise KeyError("page 7")

    played = lab.play(story(lab), [LOOK], memory=Shelves(fail))
    assert played.errors == [("memory", "crash", False)]
    assert played.all("memory_change")[-2].body["why"] == "fault"


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("look",), "'look': it is a tool of the environment"),
        (("answer",), "'answer': it ends a decision"),
        (("find", "find"), "'find': it is another tool of the memory"),
    ],
)
def test_a_name_that_is_taken_is_refused(lab: Any, names: tuple[str, ...], why: str) -> None:
    with pytest.raises(InputError, match=why):
        lab.play(story(lab), memory=Shelves(finds(), *names))


def test_cmp_h14_a_cut_at_the_moment_of_a_memory_s_call_waits_for_its_result(lab: Any) -> None:
    """312 ms of completion and 200 of the tool: the cut is asked for in between."""
    cut = {"kind": "compaction", "id": "c", "at": 9400}
    script = lab.script([{"id": "m", "at": 1}], [DECIDE, cut])
    played = lab.play(script, [LOOK, 'answer("ok")'], memory=Shelves(finds("e1/m")))
    assert played.complete and played.errors == []
    forced = next(each for each in played.all("boundary") if each.body["why"] == "forced")
    assert forced.row.position > played.one("tool_return").row.position
    assert forced.body["transcript"] == ["e2/d"]
