"""Time travel: re-execute a trial from its record, stop, and ask the memory what it holds."""

from collections.abc import Collection, Iterable

from simulator.agents.port import Agent
from simulator.effects.memory import Item, Memory
from simulator.engine.arm import Arm
from simulator.engine.parts import make_agent, make_environment, make_memory
from simulator.engine.trial import Trial
from simulator.events import Script
from simulator.log.rows import Row
from simulator.log.store import EventLog
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
    tells of it is true from the `memory_change` on that ends the work.

    Raises:
        Diverged: at the first event that differs.
    """
    memory = make_memory(arm, trial)
    sink = _Stopping(trial, log.rows(trial), frozenset(positions), memory)
    try:
        if positions:
            Trial(
                script,
                arm,
                seed,
                environment=make_environment(script.environment),
                memory=memory,
                agent=agent or make_agent(arm),
                sources=RecordedSources(log, trial, sink),
                sink=sink,
            ).play()
    except _Arrived:
        pass
    finally:
        memory.close()
    return sink.held


class _Arrived(BaseException):
    """The last position has been reached; no part may catch it."""


class _Stopping(ReplaySink):
    """A replaying sink that asks the memory at some positions and stops after the last."""

    def __init__(
        self, trial: str, recorded: Iterable[Row], positions: frozenset[int], memory: Memory
    ) -> None:
        super().__init__(trial, recorded)
        self._positions = positions
        self._memory = memory
        self._last = max(positions, default=-1)
        self.held: dict[int, tuple[Item, ...]] = {}

    def take(self, row: Row) -> None:
        """Compare one row, and look around where it was asked for.

        Raises:
            Diverged: at the first difference.
        """
        super().take(row)
        if row.position in self._positions:
            self.held[row.position] = tuple(self._memory.holdings())
        if row.position == self._last:
            raise _Arrived
