"""Resume: re-execute a trial that was cut off, and go on live where its record ends.

The sink decides which of the two it is: as long as it has rows to compare with, answers come
from the record, and nothing is asked, paid or stored.
"""

from collections.abc import Sequence

from simulator.agents.port import Agent
from simulator.effects.prompts import Completion
from simulator.effects.steps import Vector
from simulator.engine.arm import Arm
from simulator.engine.playing import play_trial
from simulator.engine.recorder import Sink
from simulator.engine.sinks import LogSink
from simulator.engine.sources import ModelRole, Sources
from simulator.engine.trial import genesis
from simulator.events import Script
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest
from simulator.replay.record import Diverged, RecordedSources, ReplaySink
from simulator.replay.whole import replay_trial


class ResumedSink:
    """Compares rows while the record lasts, then hands them to a sink that stores them."""

    def __init__(self, record: ReplaySink, onward: Sink) -> None:
        self._record = record
        self._onward = onward

    @property
    def live(self) -> bool:
        """True when the record has ended."""
        return self._record.ahead is None

    def take(self, row: Row) -> None:
        """Compare or store one row.

        Raises:
            Diverged: when it is not the recorded one.
        """
        self._now.take(row)

    def keep(self, content: str, data: bytes) -> None:
        """Take the bytes of a blob."""
        self._now.keep(content, data)

    def pause(self) -> None:
        """Make durable what was taken and is not in the record."""
        self._now.pause()

    @property
    def _now(self) -> Sink:
        return self._onward if self.live else self._record


class ResumedSources:
    """Answers from the record while it lasts, then from live back ends.

    The identities are the live ones: a model that was exchanged differs in the first event.
    """

    def __init__(self, recorded: RecordedSources, live: Sources, sink: ResumedSink) -> None:
        self._recorded = recorded
        self._live = live
        self._sink = sink
        self.identities = live.identities
        self.paid = live.paid

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the recorded completion of a request, or ask for one.

        Raises:
            Diverged: when the record goes on, but not with a completion.
            Fault: culprit `model`, recorded or new.
        """
        return self._now.complete(role, request)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return recorded vectors, or new ones.

        Raises:
            Diverged: when the record goes on, but not with vectors.
            Fault: culprit `embedder`, recorded or new.
        """
        return self._now.embed(texts)

    @property
    def _now(self) -> Sources:
        return self._live if self._sink.live else self._recorded


def resume_trial(
    log: EventLog, trial: str, script: Script, arm: Arm, seed: int, agent: Agent, live: Sources
) -> None:
    """Bring a trial that was begun and not sealed to its end, and seal it.

    Raises:
        Diverged: at the first event that does not come out as it was recorded; nothing is then
            added, and no live source was asked.
    """
    record = ReplaySink(trial, log.rows(trial))
    stored = LogSink(log, trial, genesis(script, arm), begun=True)
    sink = ResumedSink(record, stored)
    sources = live
    if not sink.live:
        sources = ResumedSources(RecordedSources(log, trial, record), live, sink)
    play_trial(script, arm, seed, agent=agent, sources=sources, sink=sink)
    record.finish()
    stored.finish()


def replay_begun(
    log: EventLog, trial: str, script: Script, arm: Arm, seed: int, agent: Agent
) -> int:
    """Re-execute what is recorded of a trial, finished or not; return the events compared.

    Raises:
        Diverged: at the first event that does not come out as it was recorded.
    """
    try:
        return replay_trial(log, trial, script, arm, seed, agent)
    except Diverged as diverged:
        if diverged.recorded is not None:
            raise
        return diverged.position  # the trial would go on, and the record ends here
