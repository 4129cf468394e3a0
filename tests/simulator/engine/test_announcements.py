"""Announcements about things of the world: it changes, whatever the memory does about it."""

from typing import Any, ClassVar

import pytest

from simulator.effects.environment import Announced, Hearing, Tool, ToolOutcome
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.scripted import AccessWithdrawn

NAME = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
DECISION = {"kind": "decision", "id": "d", "at": 1000}
LATER = {"kind": "decision", "id": "later", "at": 9000}
WORLD = {"pages": {"A": "four", "A1": "five", "B": "six"}, "closed": []}


class Shelf:
    """Pages by name; what is announced of a page holds for those whose name begins like it too."""

    tools: ClassVar[tuple[Tool, ...]] = (
        Tool(name="read", description="Read.", parameters=NAME, read_only=True),
    )
    instructions: ClassVar[str] = "Read pages."
    examples: ClassVar[tuple[str, ...]] = ()

    def check_world(self, world: Json) -> None:
        """Any world will do."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        name = arguments["name"]
        if name in world["closed"]:
            return ToolOutcome(ok=False, text=f"error: {name} is closed")
        return ToolOutcome(ok=True, text=world["pages"][name], contains=(name,))

    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        unknown = [source for source in sources if source not in world["pages"]]
        if unknown:
            raise InputError(f"there is no page {unknown[0]}")
        things = [page for page in world["pages"] if page.startswith(sources)]
        closed = [page for page in world["closed"] if page not in things]
        closed += things if notice != "granted" else []
        changed = closed != world["closed"]
        change: Json = {"op": "replace", "path": "/closed", "value": closed}
        return Announced(things=tuple(things), changes=(change,) if changed else ())


class Fails(Shelf):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        raise RuntimeError("no ears")


class Rips(Shelf):
    def announced(self, world: Json, notice: Any, sources: tuple[str, ...], now: int) -> Announced:
        return Announced(things=sources, changes=({"op": "remove", "path": "/nowhere"},))


def notice(kind: str, at: int, *sources: str, **more: Any) -> dict[str, Any]:
    event = {"kind": kind, "id": f"n{at}", "at": at, "sources": list(sources), "text": "Hear this."}
    return {**event, **more}


def reading(*names: str) -> list[str]:
    return [*(f'read(name="{name}")' for name in names), 'answer("ok")']


@pytest.mark.parametrize("forgetting", ["off", "index"])
def test_the_world_changes_in_every_forgetting_mode(lab: Any, forgetting: str) -> None:
    script = lab.script(
        [DECISION],
        [
            notice("access_withdrawn", 5000, "A", scope="ann"),
            LATER,
            notice("access_granted", 20000, "A"),
            {**LATER, "id": "last", "at": 30000, "causes": ["later"]},
        ],
        world=WORLD,
    )
    replies = [*reading("A", "A1"), *reading("A", "A1", "B"), *reading("A")]
    played = lab.play(script, replies, environment=Shelf(), forgetting=forgetting)
    assert [event.body["text"] for event in played.all("tool_return")] == [
        *("four", "five"),
        *("error: A is closed", "error: A1 is closed", "six"),
        "four",
    ]
    first, second = played.all("world_change")
    assert first.body == {
        "call": "",
        "patch": [{"op": "replace", "path": "/closed", "value": ["A", "A1"]}],
    }
    assert (first.causes, first.time, first.row.scope) == (["e2/n5000"], 5000, "ann")
    assert played.events[first.row.position - 1].id == "e2/n5000"  # the agent hears of it first
    assert (second.causes, second.body["patch"][0]["value"]) == (["e2/n20000"], [])
    assert script.world == WORLD and played.errors == []


def test_a_notice_is_about_every_result_so_far_that_contains_the_thing(lab: Any) -> None:
    events = [
        notice("access_withdrawn", 5000, "e1/m", "A"),
        notice("access_granted", 6000, "A1"),
    ]
    script = lab.script([{"id": "m", "at": 1}, {**DECISION, "causes": ["m"]}], events, world=WORLD)
    played = lab.play(
        script, reading("B", "A1", "A", "A1"), environment=Shelf(), forgetting="index", max_steps=9
    )
    b, part, whole, again = (event.id for event in played.all("tool_return"))
    heard = {event.id: event.body["sources"] for event in played.all("said")}
    assert heard["e2/n5000"] == ["e1/m", "A", "A1", whole, part, again]
    assert heard["e2/n6000"] == ["A1", part, again]
    told = [call[1] for call in played.memory.calls if call[0] in ("forget", "regrant")]
    assert told == [frozenset({"e1/m", part, whole, again}), frozenset({part, again})]
    hidden = {name for name, item in played.memory.items.items() if item.hidden}
    assert hidden == {"e1/m", whole} and b in played.memory.items


def test_what_was_not_read_is_not_forgotten_and_an_error_contains_nothing(lab: Any) -> None:
    script = lab.script(
        [notice("document_deleted", 500, "A"), DECISION],
        [notice("document_deleted", 5000, "A")],
        world=WORLD,
    )
    played = lab.play(script, reading("A"), environment=Shelf(), forgetting="index")
    assert played.all("tool_return")[0].body["ok"] is False
    told = [call[1] for call in played.memory.calls if call[0] == "forget"]
    assert told == [frozenset(), frozenset()]
    assert len(played.all("world_change")) == 1  # the second time it is so already


def test_events_alone_leave_the_world_alone(lab: Any) -> None:
    script = lab.script([{"id": "m", "at": 1}], [notice("document_deleted", 5000, "e1/m")])
    played = lab.play(script, environment=Fails())
    assert not played.all("world_change")
    assert played.all("said")[1].body["sources"] == ["e1/m"]


@pytest.mark.parametrize(
    ("environment", "source", "error"),
    [
        (Shelf(), "C", ("script", "invalid", True)),
        (Fails(), "A", ("environment", "crash", True)),
        (Rips(), "A", ("environment", "crash", True)),
    ],
)
def test_what_cannot_be_announced_ends_the_trial(
    lab: Any, environment: Any, source: str, error: Any
) -> None:
    script = lab.script([notice("access_withdrawn", 5000, source), LATER], world=WORLD)
    played = lab.play(script, environment=environment)
    assert played.errors == [error] and not played.complete
    assert not played.all("said") and not played.all("decision")


def test_an_environment_without_things_hears_of_none(lab: Any) -> None:
    assert isinstance(Shelf(), Hearing) and not isinstance(lab.Till(), Hearing)
    played = lab.play(lab.script([notice("access_withdrawn", 5000, "A")]))
    assert played.errors == [("script", "invalid", True)]
    assert "nothing like 'A'" in played.one("error").body["message"]


def test_a_call_gives_what_may_be_seen_when_it_returns(lab: Any) -> None:
    """The call is made at 1,312 ms, 200 ms before its result; the notice comes in between."""
    script = lab.script([DECISION, notice("access_withdrawn", 1400, "B", causes=[])], world=WORLD)
    played = lab.play(script, reading("B"), environment=Shelf())
    called, returned = played.one("tool_call"), played.one("tool_return")
    assert called.time < 1400 < returned.time
    assert returned.body["text"] == "error: B is closed"


def test_sources_are_events_or_things() -> None:
    event = AccessWithdrawn(id="n", at=0, sources=("e1/m", "DOC-1", "u1"), text="Hear this.")
    assert event.things == ("DOC-1", "u1")


class Index(Shelf):
    """A shelf on which `all` is a page that shows every page that is open."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        if arguments["name"] != "all":
            return super().call(world, tool, arguments, now)
        pages = [page for page in world["pages"] if page not in world["closed"]]
        return ToolOutcome(ok=True, text=", ".join(pages), contains=tuple(pages))


@pytest.mark.parametrize("last", ["access_withdrawn", "document_deleted"])
def test_a_result_of_two_things_is_free_when_both_are(lab: Any, last: str) -> None:
    """A and B are withdrawn; granting A gives back what shows A alone, and B's the rest."""
    events = [
        notice("access_withdrawn", 5000, "A"),
        notice(last, 6000, "B"),
        notice("access_granted", 7000, "A"),
        notice("access_granted", 8000, "B"),
    ]
    script = lab.script([DECISION], events, world=WORLD)
    played = lab.play(
        script, reading("A", "B", "all"), environment=Index(), forgetting="index", max_steps=9
    )
    one, other, both = (event.id for event in played.all("tool_return"))
    told = [call[1] for call in played.memory.calls if call[0] in ("forget", "regrant")]
    back = frozenset({other, both}) if last == "access_withdrawn" else frozenset()
    assert told == [{one, both}, {other, both}, {one}, back]
