"""What a memory held: small logs whose histories are worked out by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.holdings import Held, held_after, held_at, histories
from scoring.run import Event
from simulator.log.errors import LogDamaged


def item(name: str, text: str, *sources: str, **more: Any) -> dict[str, Any]:
    """Return an item as the log writes it."""
    recorded = {"id": name, "text": text, "sources": sorted(sources), "saw": [], "hidden": False}
    return {**recorded, "scope": "global", "role": "user", **more}


def change(
    position: int, why: str, written: list[Any], gone: tuple[str, ...] = (), cause: str = "#0"
) -> Event:
    body = {"why": why, "written": written, "gone": list(gone), "held": 0}
    return Event(position, f"#{position}", "memory_change", 0, "global", body, (cause,))


def told(events: list[Event], name: str) -> list[tuple[int, str, tuple[str, ...], bool]]:
    return [(each.position, each.what, each.by, each.held) for each in histories(events)[name]]


# A written digest: at event 6 line d1 gives way to d3, which carries event a; d2 is left out.
DIGEST = [
    change(3, "absorb", [item("d1", "code 1", "a"), item("d2", "call Ann", "b")], cause="#2"),
    change(6, "absorb", [item("d3", "code 2", "a", "c")], ("d1", "d2"), cause="#5"),
]


def test_a_digest_replaces_the_line_it_carries_on_and_evicts_the_other() -> None:
    assert told(DIGEST, "d1") == [(3, "written", (), True), (6, "replaced", ("d3",), False)]
    assert told(DIGEST, "d2") == [(3, "written", (), True), (6, "evicted", (), False)]
    assert told(DIGEST, "d3") == [(6, "written", (), True)]
    step = histories(DIGEST)["d2"][-1]
    assert (step.event, step.cause, step.why, step.item.text) == ("#6", "#5", "absorb", "call Ann")


@pytest.mark.parametrize("gone", [("d9",), ("d1", "d1")])
def test_log_what_was_not_held_cannot_go(gone: tuple[str, ...]) -> None:
    forged = [DIGEST[0], change(6, "absorb", [], gone)]
    with pytest.raises(LogDamaged, match=r"event 6 lets go of 'd[19]', which is not held"):
        histories(forged)


@pytest.mark.parametrize(
    ("position", "names"),
    [(2, []), (3, ["d1", "d2"]), (5, ["d1", "d2"]), (6, ["d3"]), (99, ["d3"])],
)
def test_what_was_held_at_a_position(position: int, names: list[str]) -> None:
    assert list(held_at(DIGEST, position)) == names


def test_notices_hide_restore_and_erase() -> None:
    told_by = item("m", "code 1", "a")
    events = [
        change(3, "absorb", [told_by]),
        change(5, "withdrawn", [{**told_by, "hidden": True}], cause="e2/w"),
        change(7, "granted", [told_by], cause="e2/g"),
        change(9, "deleted", [], ("m",), cause="e3/x"),
    ]
    assert told(events, "m") == [
        (3, "written", (), True),
        (5, "hidden", (), True),
        (7, "restored", (), True),
        (9, "erased", (), False),
    ]
    assert held_at(events, 5)["m"].hidden
    assert not held_at(events, 7)["m"].hidden
    assert held_at(events, 9) == {}
    assert [step.cause for step in histories(events)["m"]] == ["#0", "e2/w", "e2/g", "e3/x"]


def test_an_item_absorbed_while_it_is_withdrawn_is_written_and_hidden_at_once() -> None:
    events = [change(3, "absorb", [item("m", "code 1", "a", hidden=True)])]
    assert told(events, "m") == [(3, "written", (), True), (3, "hidden", (), True)]


def test_what_a_deletion_made_a_memory_write_anew_stands_for_what_it_erased() -> None:
    events = [
        change(3, "absorb", [item("d1", "code 1 for Ann", "a", "b")]),
        change(5, "deleted", [item("d2", "Ann has a code", "b")], ("d1",)),
    ]
    assert told(events, "d1") == [(3, "written", (), True), (5, "erased", ("d2",), False)]


def test_a_fact_kept_as_history_is_replaced_and_comes_back_with_its_successor_gone() -> None:
    old, new = item("a#0", "O-1: tier = gold", "a"), item("b#1", "O-1: tier = silver", "b")
    events = [
        change(3, "absorb", [old]),
        change(6, "absorb", [{**old, "replaced_by": "b#1"}, new]),
        change(8, "deleted", [old], ("b#1",)),
    ]
    assert told(events, "a#0") == [
        (3, "written", (), True),
        (6, "replaced", ("b#1",), True),
        (8, "reinstated", (), True),
    ]
    assert told(events, "b#1") == [(6, "written", (), True), (8, "erased", (), False)]
    assert held_at(events, 6)["a#0"].replaced_by == "b#1"
    assert list(held_at(events, 8)) == ["a#0"]


def test_history_that_is_hidden_is_not_reinstated() -> None:
    old, new = item("a#0", "O-1: tier = gold", "a"), item("b#1", "O-1: tier = silver", "b")
    events = [
        change(3, "absorb", [{**old, "replaced_by": "b#1"}, new]),
        change(5, "withdrawn", [{**old, "hidden": True}]),
        change(7, "granted", [{**old, "replaced_by": "b#1"}]),
    ]
    steps = [(position, what) for position, what, _, _ in told(events, "a#0")]
    assert steps == [
        (3, "written"),
        (3, "replaced"),
        (5, "hidden"),
        (7, "restored"),
        (7, "replaced"),
    ]


def test_one_item_under_one_name_is_rewritten_and_takes_in_another() -> None:
    digest = item("digest", "Ann", "a")
    events = [
        change(3, "absorb", [digest, item("b", "Bob", "b"), item("c", "Cid", "c")]),
        change(6, "absorb", [item("digest", "Ann, Bob", "a", "b")], ("b", "c")),
    ]
    assert told(events, "digest") == [(3, "written", (), True), (6, "rewritten", (), True)]
    assert told(events, "b")[-1] == (6, "replaced", ("digest",), False)
    assert told(events, "c")[-1] == (6, "evicted", (), False)


def test_an_item_that_is_only_hidden_takes_nothings_place() -> None:
    beside = item("y", "Y", "a")
    events = [
        change(3, "absorb", [item("x", "X", "a"), beside]),
        change(6, "absorb", [{**beside, "hidden": True}], ("x",)),
    ]
    assert told(events, "x")[-1] == (6, "evicted", (), False)
    assert told(events, "y")[-1] == (6, "hidden", (), True)


def test_an_item_may_come_back_under_its_name() -> None:
    events = [
        change(3, "absorb", [item("x", "X", "a")]),
        change(5, "absorb", [], ("x",)),
        change(7, "absorb", [item("x", "X again", "b")]),
    ]
    assert [each[1] for each in told(events, "x")] == ["written", "evicted", "written"]
    past = histories(events)["x"]
    assert held_after(past) == Held("x", "X again", ("b",), role="user")
    assert held_after(past[:2]) is None


NAMES = st.sampled_from("abcd")
SNAPSHOT = st.dictionaries(
    NAMES,
    st.tuples(st.sampled_from(["one", "two"]), st.sets(NAMES, min_size=1), st.booleans()),
)


def as_recorded(snapshots: list[dict[str, Any]]) -> list[Event]:
    """Return the changes from one snapshot of holdings to the next as an engine would log them."""
    events, before = [], dict[str, Any]()
    for position, snapshot in enumerate(snapshots):
        after = {
            name: item(name, text, *sources, hidden=hidden)
            for name, (text, sources, hidden) in snapshot.items()
        }
        written = [each for name, each in after.items() if before.get(name) != each]
        gone = tuple(name for name in before if name not in after)
        events.append(change(position, "absorb", written, gone))
        before = after
    return events


@given(st.lists(SNAPSHOT, min_size=1, max_size=6))
def test_whatever_a_memory_does_its_holdings_come_out_at_every_position(
    snapshots: list[dict[str, Any]],
) -> None:
    events = as_recorded(snapshots)
    for position, snapshot in enumerate(snapshots):
        held = held_at(events, position)
        found = {each.id: (each.text, set(each.sources), each.hidden) for each in held.values()}
        assert found == snapshot
    for past in histories(events).values():
        assert past[0].what == "written"
        assert [each.position for each in past] == sorted(each.position for each in past)
