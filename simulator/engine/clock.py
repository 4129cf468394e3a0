"""The simulated clock: SimPy, stopped while a completion is outstanding.

If time ran on while a model thinks, the order in which answers come back would change the log.
So every request of an instant is answered, in id order, before time moves on.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import simpy

from simulator.events.faults import Fault

_PLACES = 1 << 32

T = TypeVar("T")
Process = Generator[simpy.Event, Any, T]
"""A SimPy process that returns a T."""


@dataclass
class _Request:
    order: tuple[str, int]
    answer: Callable[[], Any]
    event: simpy.Event


class Clock:
    """Integer milliseconds; what is due at one instant takes turns in a fixed order."""

    def __init__(self, start: int) -> None:
        self._sim = simpy.Environment(initial_time=start)
        self._outstanding: list[_Request] = []

    @property
    def now(self) -> int:
        """Simulated time, ms."""
        return int(self._sim.now)

    def start(self, process: Process[Any]) -> simpy.Process:
        """Start a process at this instant."""
        return self._sim.process(process)

    def event(self) -> simpy.Event:
        """Return an event that somebody will trigger."""
        return self._sim.event()

    def all_of(self, events: list[simpy.Event]) -> simpy.Event:
        """Return an event for when all of `events` have happened."""
        return self._sim.all_of(events)

    def sleep(self, ms: int) -> simpy.Event:
        """Return an event `ms` from now."""
        return self._sim.timeout(ms)

    def turn(self, rank: int, place: int = 0) -> simpy.Event:
        """Return an event of this instant: the lowest (rank, place) that is ready goes first."""
        event = self._sim.event()
        event._ok, event._value = True, None  # SimPy's own way to make an event that succeeds
        self._sim.schedule(event, priority=simpy.events.NORMAL + 1 + rank * _PLACES + place)
        return event

    def ask(self, asker: str, answer: Callable[[], T]) -> simpy.Event:
        """Return an event that carries `answer()`, called before time moves on.

        Requests of one instant are answered in order of `asker`, then of arrival. A `Fault` is
        raised where the event is waited for.
        """
        request = _Request((asker, len(self._outstanding)), answer, self._sim.event())
        self._outstanding.append(request)
        return request.event

    def at_once(self, process: Process[T]) -> T:
        """Run a process to its end at this instant, without time for what it waits for.

        Raises:
            Exception: whatever the process raised.
        """
        value: Any = None
        fault: Fault | None = None
        while True:
            try:
                process.send(value) if fault is None else process.throw(fault)
            except StopIteration as stop:
                return cast(T, stop.value)
            value, fault = None, None
            if self._outstanding:
                try:
                    value = self._outstanding.pop().answer()
                except Fault as failed:
                    fault = failed

    def run(self, process: simpy.Process) -> None:
        """Run until `process` is over.

        Raises:
            Exception: whatever the process raised.
        """
        while not process.processed:
            if self._outstanding and self._sim.peek() > self._sim.now:
                self._answer_all()
            else:
                self._sim.step()

    def _answer_all(self) -> None:
        requests, self._outstanding = self._outstanding, []
        for request in sorted(requests, key=lambda each: each.order):
            try:
                result = request.answer()
            except Fault as fault:
                request.event.fail(fault)
            else:
                request.event.succeed(result)
