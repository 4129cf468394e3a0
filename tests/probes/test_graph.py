"""The episode graph: what is refused, and the order against a brute force."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events import Episode
from simulator.events.errors import InputError
from simulator.events.graph import episode_graph, order
from simulator.events.scripted import Compaction, Decision, Message, ScriptedEvent, priority


def message(name: str, at: int, *causes: str) -> Message:
    return Message(id=name, at=at, causes=causes, text=name)


def decision(name: str, at: int, *causes: str) -> Decision:
    return Decision(id=name, at=at, causes=causes, request=name)


def episode(*events: ScriptedEvent) -> Episode:
    return Episode(id="e1", events=events)


def names(made: Episode) -> list[str]:
    return [event.id for event in order(made)]


def test_an_edge_runs_from_cause_to_effect() -> None:
    graph = episode_graph(
        episode(message("a", 0), message("b", 1, "a"), decision("d", 2, "a", "b"))
    )
    assert set(graph.edges) == {("a", "b"), ("a", "d"), ("b", "d")}
    assert graph.nodes["b"]["place"] == 1


@pytest.mark.parametrize(
    ("events", "field", "says"),
    [
        ((message("a", 0, "c"), message("b", 0, "a"), message("c", 0, "b")), "causes", "circle"),
        ((message("a", 0, "a"),), "e1/a.causes", "a -> a"),
        ((message("m1", 0), message("m2", 0, "m3")), "e1/m2.causes", "no event 'm3'"),
        ((message("a", 0), message("a", 1)), "e1/a.id", "2 events of episode 'e1' have this id"),
        ((decision("d", 0), decision("f", 1)), "e1/f.causes", "'d' and 'f' are not ordered"),
    ],
)
def test_a_faulty_graph_is_refused(events: Sequence[ScriptedEvent], field: str, says: str) -> None:
    for function in (episode_graph, order):
        with pytest.raises(InputError) as caught:
            function(episode(*events))
        assert field in str(caught.value.field) and says in caught.value.message


def test_decisions_may_be_ordered_over_other_events() -> None:
    made = episode(decision("f", 0, "m"), message("m", 0, "d"), decision("d", 9))
    assert names(made) == ["d", "m", "f"]


def test_ties_go_by_time_then_priority_then_place() -> None:
    made = episode(
        decision("d", 5),
        Compaction(id="c", at=5),
        message("b", 5),
        message("a", 5),
        message("z", 4),
    )
    assert names(made) == ["z", "b", "a", "c", "d"]


@st.composite
def graphs(draw: st.DrawFn) -> list[ScriptedEvent]:
    """Draw messages with distinct times and a compaction, each caused by some drawn before it."""
    times = draw(st.lists(st.integers(0, 30), min_size=1, max_size=7, unique=True))
    events: list[ScriptedEvent] = []
    for place, at in enumerate(times):
        known = [event.id for event in events]
        causes = tuple(draw(st.lists(st.sampled_from(known), unique=True))) if known else ()
        kind = draw(st.sampled_from([Message, Compaction]))
        if kind is Message:
            events.append(Message(id=f"n{place}", at=at, causes=causes, text="x"))
        else:
            events.append(Compaction(id=f"n{place}", at=at, causes=causes))
    return events


def by_hand(events: list[ScriptedEvent]) -> list[str]:
    """Return the order by the rule as it is written: of what is ready, the smallest goes next."""
    done: list[str] = []
    waiting = list(events)
    while waiting:
        ready = [event for event in waiting if set(event.causes) <= set(done)]
        best = min(ready, key=lambda event: (event.at, priority(event), events.index(event)))
        done.append(best.id)
        waiting.remove(best)
    return done


@given(events=graphs(), data=st.data())
def test_the_order_is_the_written_rule_and_does_not_depend_on_authoring(
    events: list[ScriptedEvent], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(events))
    assert names(episode(*events)) == by_hand(events)
    assert names(episode(*shuffled)) == by_hand(events)
