"""What the parts of one trial share: the clock, the recorder, the working context."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import simpy

from simulator.engine.clock import Clock, Process
from simulator.engine.forgotten import Forgotten
from simulator.engine.latency import Latency
from simulator.engine.recorder import Recorder
from simulator.events import Surface
from simulator.events.faults import Fault
from simulator.events.recorded import ErrorRecorded, Recorded
from simulator.events.residues import TOMBSTONE
from simulator.events.tokens import count_tokens
from simulator.models.rendering import render_surface


@dataclass
class Scene:
    """The state of a trial that is not the memory's, the agent's or the world's.

    Attributes:
        arc: Name of the arc.
        seed: Trial seed.
        clock: The simulated clock.
        recorder: Where events go.
        latency: How long things take.
        context: The working context: surfaces since the last boundary.
        seen: Ids of all surfaces so far; a memory's sources must be among them.
        forgotten: What may no longer be used.
        recalled: Surfaces of calls of the memory's own tools, to the ids of the events whose text
            they contain; no memory takes in again what it gave back.
        open_calls: Tool calls without a result; no boundary may fall between the two.
        turn_at: Position at which the trial turns, -1 for none.
        turn: Called there, before the event is recorded.
    """

    arc: str
    seed: int
    clock: Clock
    recorder: Recorder
    latency: Latency
    context: list[Surface] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    forgotten: Forgotten = field(default_factory=Forgotten)
    recalled: dict[str, frozenset[str]] = field(default_factory=dict)
    open_calls: int = 0
    turn_at: int = -1
    turn: Callable[[], None] = lambda: None
    _quiet: list[simpy.Event] = field(default_factory=list)

    def record(self, event: Recorded, causes: Iterable[str] = (), name: str | None = None) -> str:
        """Record an event at this instant and return its id."""
        if self.recorder.position == self.turn_at:
            self.turn()
        return self.recorder.emit(event, self.clock.now, causes, name)

    def fail(self, fault: Fault, decision: str | None, fatal: bool, causes: list[str]) -> str:
        """Record a fault as an event."""
        return self.record(
            ErrorRecorded(
                culprit=fault.culprit,
                fault=fault.fault,
                message=fault.message,
                decision=decision,
                fatal=fatal,
                detail=fault.detail,
            ),
            causes,
        )

    def show(self, surface: Surface, decision: str = "") -> None:
        """Put a surface into the working context; `decision` is the one that an agent made it for."""
        self.seen.add(surface.id)
        if self.forgotten.watches:
            surface = self.forgotten.entering(surface, self.context, decision)
        self.context.append(surface)

    def tokens(self) -> int:
        """Return the tokens of the working context as prompts show it, a line a surface."""
        return sum(count_tokens(render_surface(each)) for each in self.context)

    def shown(self) -> frozenset[str]:
        """Return the ids of the events whose text the working context shows.

        A tombstone shows no more of what a memory's tool had given back there.
        """
        ids = frozenset(surface.id for surface in self.context)
        whole = [surface.id for surface in self.context if surface.text != TOMBSTONE]
        return ids.union(*(self.recalled[each] for each in whole if each in self.recalled))

    def call_opened(self) -> None:
        """A tool call is under way."""
        self.open_calls += 1

    def call_closed(self) -> None:
        """A tool call has its result; who waits for quiet may go on."""
        self.open_calls -= 1
        if not self.open_calls:
            waiting, self._quiet = self._quiet, []
            for event in waiting:
                event.succeed()

    def quiet(self) -> Process[None]:
        """Wait until no tool call is open."""
        if self.open_calls:
            event = self.clock.event()
            self._quiet.append(event)
            yield event
