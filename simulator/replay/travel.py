"""Time travel: re-execute a trial from its record, stop, and ask the memory what it holds."""

from collections.abc import Callable, Collection, Iterable

from simulator.agents.port import Agent
from simulator.effects.memory import Item
from simulator.engine.arm import Arm
from simulator.engine.parts import make_agent
from simulator.engine.playing import prepared_trial
from simulator.events import Script
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.replay.again import behind, recorded_turns
from simulator.replay.record import RecordedSources, ReplaySink


def travel(
    log: EventLog,
    trial: str,
    script: Script,
    arm: Arm,
    seed: int,
    positions: Collection[int],
    agent: Agent | None = None,
) -> dict[int, tuple[Item, ...]]:
    """Return position to everything the memory held, hidden or not, when that event was recorded.

    The trial is re-executed once, every event is compared with its record, and nothing is played
    beyond the last position. While a memory is at work it may hold half of a change; what the log
    tells of it is true from the `memory_change` on that ends the work. In a fork the memory that
    is in force at the position is asked; the `arm` is the one that the trial began with.

    Raises:
        Diverged: at the first event that differs.
    """
    if not positions:
        return {}
    sink = _Stopping(
        trial, log.rows(trial), frozenset(positions), lambda: playing.memory.holdings()
    )
    record = RecordedSources(log, trial, sink)
    parts = prepared_trial(
        script,
        arm,
        seed,
        agent=agent or make_agent(arm),
        sources=record,
        sink=sink,
        turns=behind(recorded_turns(log, trial), record),
    )
    with parts as playing:
        try:
            playing.play()
        except _Arrived:
            pass
    return sink.held


class _Arrived(BaseException):
    """The last position has been reached; no part may catch it."""


class _Stopping(ReplaySink):
    """A replaying sink that asks the memory at some positions and stops after the last."""

    def __init__(
        self,
        trial: str,
        recorded: Iterable[Row],
        positions: frozenset[int],
        holdings: Callable[[], Iterable[Item]],
    ) -> None:
        super().__init__(trial, recorded)
        self._positions = positions
        self._holdings = holdings
        self._last = max(positions)
        self.held: dict[int, tuple[Item, ...]] = {}

    def take(self, row: Row) -> None:
        """Compare one row, and look around where it was asked for.

        Raises:
            Diverged: at the first difference.
        """
        super().take(row)
        if row.position in self._positions:
            self.held[row.position] = tuple(self._holdings())
        if row.position == self._last:
            raise _Arrived
