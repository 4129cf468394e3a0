"""Replay: re-execute a whole trial from its record and hold every event against it."""

from simulator.agents.port import Agent
from simulator.engine.arm import Arm
from simulator.engine.parts import make_agent
from simulator.engine.playing import play_trial
from simulator.events import Script
from simulator.log.store import EventLog
from simulator.replay.again import behind, recorded_turns
from simulator.replay.record import RecordedSources, ReplaySink


def replay_trial(
    log: EventLog, trial: str, script: Script, arm: Arm, seed: int, agent: Agent | None = None
) -> int:
    """Re-execute one trial and return the number of events compared.

    An `agent` is given for an oracle, which the arm alone cannot make. The `arm` is the one that
    the trial began with; what a fork changed stands in the log.

    Raises:
        Diverged: at the first event that differs.
    """
    sink = ReplaySink(trial, log.rows(trial))
    record = RecordedSources(log, trial, sink)
    play_trial(
        script,
        arm,
        seed,
        agent=agent or make_agent(arm),
        sources=record,
        sink=sink,
        turns=behind(recorded_turns(log, trial), record),
    )
    return sink.finish()
