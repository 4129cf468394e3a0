"""Plays a trial with the parts that its arm names, whatever its answers come from."""

from simulator.agents.port import Agent
from simulator.engine.arm import Arm
from simulator.engine.parts import make_environment, make_memory
from simulator.engine.recorder import Sink
from simulator.engine.sources import Sources
from simulator.engine.trial import Trial, trial_id
from simulator.events import Script


def play_trial(
    script: Script, arm: Arm, seed: int, *, agent: Agent, sources: Sources, sink: Sink
) -> bool:
    """Play one trial into `sink`; return False when a fatal fault cut it short.

    The memory is closed however the trial ends.
    """
    memory = make_memory(arm, trial_id(script.arc, arm.id, seed))
    try:
        return Trial(
            script,
            arm,
            seed,
            environment=make_environment(script.environment),
            memory=memory,
            agent=agent,
            sources=sources,
            sink=sink,
        ).play()
    finally:
        memory.close()
