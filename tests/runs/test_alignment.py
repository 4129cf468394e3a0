"""Trials that part, worked out by hand: where, and under which names events are compared."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from runs.diff.alignment import Parting, fields, first_parting, item_name, keyed, keys
from runs.diff.blocks import pair_items
from scoring.run import Trial, load_run
from tests.runs.hand import FACT, Hand, begin, item, knows, knows_nothing, shown

Write = Callable[[Hand], None]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., list[Trial]]:
    """Write one trial a function, and read them back."""

    def write(*trials: Write) -> list[Trial]:
        folder = begin(tmp_path / "run")
        names = [folder.trial(f"arm{n}", each) for n, each in enumerate(trials)]
        with load_run(folder.done()) as run:
            return [run.trial(name) for name in names]

    return write


def parting(trials: Sequence[Trial]) -> tuple[str, str | None, str | None] | None:
    found: Parting | None = first_parting(*(keyed(trial) for trial in trials))
    if found is None:
        return None
    return (
        found.what,
        None if found.a is None else found.a.event.id,
        None if found.b is None else found.b.event.id,
    )


def test_recorded_events_are_named_by_what_caused_them(written: Callable[..., list[Trial]]) -> None:
    one, other = written(knows, knows_nothing)
    assert list(keys(one.events).values()) == [
        "trial_opened",
        "session plant",
        "plant/m",
        "session plant > boundary",
        "session plant > boundary > memory_change",
        "session ask",
        "ask/d",
        "ask/d > memory_read",
        "ask/d > act completion",
        "ask/d > tool_call",
        "ask/d > tool_call > tool_return",
        "ask/d > tool_call > world_change",
        "ask/d > act completion 2",
        "ask/d > answer",
        "session ask > boundary",
        "session ask > boundary > memory_change",
        "trial_closed",
    ]
    # In the other trial the same events stand one place later, and have the same names.
    assert keys(other.events)["#13"] == "session ask > boundary > memory_change"
    assert keys(other.events)["#9"] == "ask/d > act completion"


def test_equal_trials_of_two_arms_at_two_times_differ_in_nothing(tmp_path: Path) -> None:
    folder = begin(tmp_path / "run")
    names = [folder.trial("x", knows), folder.trial("y", knows, time=50, memory="facts")]
    with load_run(folder.done()) as run:
        assert parting([run.trial(name) for name in names]) is None


def test_the_first_event_that_only_one_has(written: Callable[..., list[Trial]]) -> None:
    assert parting(written(knows, knows_nothing)) == ("only_b", None, "#4")


def test_the_same_the_other_way_round(written: Callable[..., list[Trial]]) -> None:
    assert parting(written(knows_nothing, knows)) == ("only_a", "#4", None)


def test_an_event_with_other_content(written: Callable[..., list[Trial]]) -> None:
    trials = written(knows, lambda hand: knows(hand, amount="$54.00"))
    assert parting(trials) == ("changed", "#8", "#8")
    one, other = (keyed(trial) for trial in trials)
    found = first_parting(one, other)
    assert found and found.a and found.b
    assert list(fields(found.a.told, found.b.told)) == [
        ("text", 'pay(amount="$45.00")', 'pay(amount="$54.00")')
    ]


def test_one_outcome_instead_of_another(written: Callable[..., list[Trial]]) -> None:
    def refuses(hand: Hand) -> None:
        hand.plant(FACT)
        hand.open()
        hand.refuse("No.")
        hand.close()

    def answers(hand: Hand) -> None:
        hand.plant(FACT)
        hand.open()
        hand.answer("No.")
        hand.close()

    assert parting(written(answers, refuses)) == ("instead", "#8", "#8")


def test_a_scripted_event_that_was_left_out(written: Callable[..., list[Trial]]) -> None:
    def deaf(hand: Hand) -> None:
        hand.plant(heard=False)

    assert parting(written(lambda hand: hand.plant(FACT), deaf)) == ("only_a", "plant/m", None)


def test_a_trial_that_ends_before_the_other(written: Callable[..., list[Trial]]) -> None:
    def more(hand: Hand) -> None:
        hand.plant(FACT)
        hand.open()

    assert parting(written(lambda hand: hand.plant(FACT), more)) == ("only_b", None, "#5")


def test_the_same_events_in_another_order(written: Callable[..., list[Trial]]) -> None:
    [trial] = written(knows)
    events = keyed(trial)
    swapped = [*events[:1], events[2], events[1], *events[3:]]
    found = first_parting(events, swapped)
    assert found == Parting("order", events[1], events[2])


def test_positions_inside_of_an_event_are_put_as_names(
    written: Callable[..., list[Trial]],
) -> None:
    """The answer is `#13` in one trial and `#14` in the other; items of both are the same."""

    def remembers(hand: Hand) -> None:
        knows(hand)
        hand.end("#5", ("#13",), item("#13:0", "Done.", "#13"), held=2)

    def later(hand: Hand) -> None:
        hand.plant(FACT, embeds=True)
        hand.open()
        hand.answer("x")
        hand.end("#6", ("#9",), item("#9:0", "Done.", "#9"), held=2)

    one, other = (keyed(trial) for trial in written(remembers, later))
    assert one[-1].told["written"] == [
        {**item("ask/d > answer:0", "Done."), "sources": ["ask/d > answer"]}
    ]
    assert other[-1].told["written"] == one[-1].told["written"]


@pytest.mark.parametrize(
    ("name", "put"),
    [("#9", "X"), ("#9:0", "X:0"), ("#9#4", "X#4"), ("#99", "#99"), ("e/a#9", "e/a#9")],
)
def test_an_items_name_is_put_where_it_begins_with_a_position(name: str, put: str) -> None:
    assert item_name(name, {"#9": "X"}) == put


def test_items_are_paired_by_text_and_sources_and_then_by_sources() -> None:
    a = [shown("1", "one", "s/1"), shown("2", "two", "s/2"), shown("3", "three", "s/3")]
    b = [shown("9", "new", "s/9"), shown("7", "zwei", "s/2"), shown("8", "one", "s/1")]
    pairs = pair_items(a, b, ({}, {}))
    assert [(pair.what, pair.places) for pair in pairs] == [
        ("same", (1, 3)),
        ("changed", (2, 2)),
        ("only_a", (3, None)),
        ("only_b", (None, 1)),
    ]
    assert [(pair.a or {}).get("text") for pair in pairs] == ["one", "two", "three", None]
    assert [(pair.b or {}).get("text") for pair in pairs] == ["one", "zwei", None, "new"]


def test_of_items_in_another_order_the_fewest_have_moved() -> None:
    a = [shown(name, name, f"s/{name}") for name in "abcd"]
    b = [shown(name, name, f"s/{name}") for name in "dabc"]
    whats = [pair.what for pair in pair_items(a, b, ({}, {}))]
    assert whats == ["same", "same", "same", "moved"]


def test_an_item_that_is_hidden_in_one_of_them_has_changed() -> None:
    kept = item("1", "one", "s/1")
    [pair] = pair_items([kept], [{**kept, "hidden": True}], ({}, {}))
    assert pair.what == "changed"
    [pair] = pair_items([kept], [{**kept, "replaced_by": "2"}], ({}, {}))
    assert pair.what == "changed"


def test_of_equal_items_each_has_one_partner() -> None:
    twice = [shown("1", "one", "s/1"), shown("2", "one", "s/1")]
    whats = [pair.what for pair in pair_items(twice, twice[:1], ({}, {}))]
    assert whats == ["same", "only_a"]


def test_sources_are_compared_by_names_that_hold_across_trials() -> None:
    mine, theirs = [shown("#4", "one", "#4")], [shown("#7", "one", "#7")]
    [pair] = pair_items(mine, theirs, ({"#4": "x"}, {"#7": "x"}))
    assert pair.what == "same"
    assert [each.what for each in pair_items(mine, theirs, ({"#4": "x"}, {"#7": "y"}))] == [
        "only_a",
        "only_b",
    ]


def test_a_later_time_is_no_difference(written: Callable[..., list[Trial]]) -> None:
    [trial] = written(knows)
    events = tuple(replace(event, time=event.time + 7) for event in trial.events)
    later = replace(trial, events=events)
    assert first_parting(keyed(trial), keyed(later)) is None
