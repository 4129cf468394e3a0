"""The clock: whole milliseconds, ranks within an instant, and standing still for answers."""

from collections.abc import Generator
from typing import Any

import pytest

from simulator.engine.clock import Clock
from simulator.events.faults import Fault


def run_all(clock: Clock, *processes: Generator[Any, Any, Any]) -> None:
    def everything() -> Generator[Any, Any, None]:
        yield clock.all_of([clock.start(each) for each in processes])

    clock.run(clock.start(everything()))


def test_requests_of_one_instant_are_answered_in_id_order_before_time_moves_on() -> None:
    clock = Clock(0)
    answered: list[tuple[str, int]] = []

    def asker(name: str) -> Generator[Any, Any, None]:
        def answer() -> str:
            answered.append((name, clock.now))
            return name.upper()

        yield clock.sleep(5)
        assert (yield clock.ask(name, answer)) == name.upper()
        assert clock.now == 5

    def bystander() -> Generator[Any, Any, None]:
        yield clock.sleep(6)
        answered.append(("six", clock.now))

    run_all(clock, bystander(), asker("c"), asker("a"), asker("b"))
    assert answered == [("a", 5), ("b", 5), ("c", 5), ("six", 6)]


def test_equal_askers_are_answered_in_order_of_arrival() -> None:
    clock = Clock(0)
    answered: list[int] = []

    def asker(number: int) -> Generator[Any, Any, None]:
        yield clock.ask("same", lambda: answered.append(number))

    run_all(clock, asker(1), asker(2), asker(3))
    assert answered == [1, 2, 3]


def test_a_request_made_by_an_answer_is_answered_at_the_same_instant() -> None:
    clock = Clock(7)
    times: list[int] = []

    def asker() -> Generator[Any, Any, None]:
        for _ in range(3):
            yield clock.ask("me", lambda: times.append(clock.now))

    def bystander() -> Generator[Any, Any, None]:
        yield clock.sleep(1)
        times.append(clock.now)

    run_all(clock, bystander(), asker())
    assert times == [7, 7, 7, 8]


def test_everything_due_at_an_instant_happens_before_the_instant_is_answered() -> None:
    clock = Clock(0)
    seen: list[str] = []

    def asker() -> Generator[Any, Any, None]:
        yield clock.ask("a", lambda: seen.append("answer"))

    def late() -> Generator[Any, Any, None]:
        yield clock.turn(3)
        seen.append("turn")

    run_all(clock, asker(), late())
    assert seen == ["turn", "answer"]


@pytest.mark.parametrize("arrival", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_turns_go_by_rank_whoever_came_first(arrival: list[int]) -> None:
    clock = Clock(0)
    seen: list[int] = []

    def taker(rank: int) -> Generator[Any, Any, None]:
        yield clock.sleep(4)
        yield clock.turn(rank)
        seen.append(rank)

    run_all(clock, *(taker(rank) for rank in arrival))
    assert (seen, clock.now) == ([0, 1, 2], 4)


def test_turns_of_equal_rank_go_by_place() -> None:
    clock = Clock(0)
    seen: list[tuple[int, int]] = []

    def taker(rank: int, place: int) -> Generator[Any, Any, None]:
        yield clock.turn(rank, place)
        seen.append((rank, place))

    run_all(clock, *(taker(*turn) for turn in [(1, 0), (0, 7), (2, 0), (0, 3), (1, 9)]))
    assert seen == [(0, 3), (0, 7), (1, 0), (1, 9), (2, 0)]


def test_a_fault_is_raised_where_the_answer_is_waited_for() -> None:
    clock = Clock(0)
    caught: list[Fault] = []

    def fail() -> None:
        raise Fault("model", "overflow", "too long", "raw")

    def asker() -> Generator[Any, Any, None]:
        try:
            yield clock.ask("a", fail)
        except Fault as fault:
            caught.append(fault)

    run_all(clock, asker())
    assert [(f.culprit, f.fault, f.message, f.detail) for f in caught] == [
        ("model", "overflow", "too long", "raw")
    ]


def test_what_a_process_raises_comes_out_of_run_whole() -> None:
    clock = Clock(0)

    def failing() -> Generator[Any, Any, None]:
        yield clock.sleep(1)
        raise Fault("harness", "crash", "it broke", "raw")

    with pytest.raises(Fault, match="harness crash: it broke") as caught:
        clock.run(clock.start(failing()))
    assert caught.value.detail == "raw"


def test_time_is_a_whole_number_of_ms() -> None:
    clock = Clock(1_700_000_000_000)
    run_all(clock, iter_sleep(clock, 1))
    assert clock.now == 1_700_000_000_001
    assert type(clock.now) is int


def iter_sleep(clock: Clock, ms: int) -> Generator[Any, Any, None]:
    yield clock.sleep(ms)


def test_what_is_done_at_once_takes_no_time_and_gets_its_answers() -> None:
    clock = Clock(7)
    heard: list[object] = []

    def fail() -> str:
        raise Fault("model", "overflow", "too long")

    def asker() -> Generator[Any, Any, int]:
        yield clock.sleep(1000)
        heard.append((yield clock.ask("a", lambda: "A")))
        try:
            yield clock.ask("a", fail)
        except Fault as fault:
            heard.append(fault.message)
        yield clock.sleep(1000)
        return clock.now

    def whole() -> Generator[Any, Any, None]:
        yield clock.sleep(3)
        assert clock.at_once(asker()) == 10
        yield clock.sleep(5)
        heard.append(clock.now)

    clock.run(clock.start(whole()))
    assert heard == ["A", "too long", 15]


def test_a_fault_of_what_is_done_at_once_comes_out() -> None:
    def broken() -> Generator[Any, Any, None]:
        yield Clock(0).sleep(1)
        raise Fault("memory", "crash", "gone")

    with pytest.raises(Fault, match="gone"):
        Clock(0).at_once(broken())
