"""Any small story is played whole: each event once, in order, nothing lost between sessions."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.effects.prompts import Prompt
from simulator.effects.steps import Complete
from simulator.events import Script
from simulator.events.graph import order

NOTHING_SAID = ("compaction", "session_end")


@st.composite
def episodes(draw: st.DrawFn) -> list[list[dict[str, Any]]]:
    return [draw(events()) for _ in range(draw(st.integers(1, 3)))]


@st.composite
def events(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Events with causes among those drawn before them; decisions follow one another."""
    made: list[dict[str, Any]] = []
    last_decision: list[str] = []
    for number in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(["message", "message", "compaction", "decision"]))
        earlier = [event["id"] for event in made]
        causes = set(draw(st.lists(st.sampled_from(earlier), max_size=2)) if earlier else [])
        name = f"x{number}"
        if kind == "decision":
            causes.update(last_decision)
            last_decision = [name]
        made.append(
            {
                "kind": kind,
                "id": name,
                "at": draw(st.integers(0, 3000)),
                "causes": sorted(causes),
            }
        )
    return draw(st.permutations(made))


class Coin:
    """Replies drawn in advance: tool calls, answers, and texts that are neither."""

    def __init__(self, draws: list[int]) -> None:
        self._draws = draws

    def __call__(self, request: Any) -> str:
        number = self._draws.pop() if self._draws else 0
        return ('answer("ok")', "add(amount=1)", "look()", "mumble")[number]


def summarise(memory: Any, transcript: Any) -> Any:
    yield Complete(Prompt(instructions="Sum up.", request=str(len(transcript))), 9)
    yield from memory._keep(transcript)


def is_at_its_time_and_after_its_causes(script: Script, played: Any) -> None:
    recorded = {event.id: event for event in played.events}
    for episode in script.episodes:
        for event in episode.events:
            name = f"{episode.id}/{event.id}"
            if event.kind == "compaction":
                (mine,) = [each for each in played.all("boundary") if each.causes == [name]]
                assert mine.body["asked"] == event.at <= mine.time
                continue
            mine = recorded[name]
            assert mine.time >= event.at
            assert mine.causes == [f"{episode.id}/{cause}" for cause in event.causes]
            for cause in mine.causes:
                if cause in recorded:
                    assert recorded[cause].row.position < mine.row.position


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    drawn=episodes(),
    draws=st.lists(st.integers(0, 3), max_size=30),
    latency=st.sampled_from(["typical", "none"]),
    slow=st.booleans(),
)
def test_any_story_is_played_whole(
    lab: Any, drawn: Any, draws: list[int], latency: str, slow: bool
) -> None:
    script = lab.script(*drawn)

    def play() -> Any:
        memory = lab.Memory(absorb=summarise) if slow else lab.Memory()
        replies = (lambda request: "so far") if slow else None
        return lab.play(
            script,
            Coin(list(draws)),
            memory=memory,
            memory_replies=replies,
            latency=latency,
            token_budget=None,
        )

    played = play()
    assert played.complete

    authored = [
        f"{episode.id}/{event.id}"
        for episode in script.episodes
        for event in episode.events
        if event.kind not in NOTHING_SAID
    ]
    assert sorted(e.id for e in played.events if not e.id.startswith("#")) == sorted(authored)
    is_at_its_time_and_after_its_causes(script, played)

    times = [row.time for row in played.rows]
    assert times == sorted(times)

    shown = [e.id for e in played.events if e.kind in ("said", "decision", "answer")]
    shown += [e.id for e in played.events if e.kind in ("tool_call", "tool_return")]
    absorbed = [name for e in played.all("boundary") for name in e.body["transcript"]]
    assert sorted(absorbed) == sorted(shown)  # each in exactly one boundary
    for boundary in played.all("boundary"):
        calls = {"tool_call": 0, "tool_return": 0}
        for event in played.events[: boundary.row.position]:
            if event.kind in calls:
                calls[event.kind] += 1
        assert calls["tool_call"] == calls["tool_return"]

    assert play().rows == played.rows


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(drawn=events())
def test_where_nothing_takes_time_events_are_played_in_the_graphs_order(
    lab: Any, drawn: list[dict[str, Any]]
) -> None:
    messages = [{**event, "kind": "message"} for event in drawn]
    script = lab.script(messages)
    played = lab.play(script, latency="none")
    assert [event.id for event in played.all("said")] == [
        f"e1/{event.id}" for event in order(script.episodes[0])
    ]
    assert json.loads(played.rows[-1].body) == {"complete": True}
