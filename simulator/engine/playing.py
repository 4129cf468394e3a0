"""Plays a trial with the parts that its arm names, whatever its answers come from."""

from collections.abc import Iterable
from contextlib import ExitStack

from simulator.agents.port import Agent
from simulator.effects.memory import Memory
from simulator.engine.arm import Arm
from simulator.engine.parts import make_environment, make_memory
from simulator.engine.recorder import Sink
from simulator.engine.sources import Sources
from simulator.engine.trial import Trial, trial_id
from simulator.engine.turning import Turn, Turning
from simulator.events import Script


def play_trial(
    script: Script,
    arm: Arm,
    seed: int,
    *,
    agent: Agent,
    sources: Sources,
    sink: Sink,
    turns: Iterable[tuple[Turn, Sources]] = (),
) -> bool:
    """Play a trial from its start; return False when a fatal fault cut it short.

    Its memories are closed however it ends.

    Args:
        script: What is played.
        arm: The settings that it began with.
        seed: The trial seed.
        agent: The agent.
        sources: Where completions and vectors come from up to the first turning point.
        sink: Where the events go.
        turns: Turning points, each with where completions and vectors come from behind it.
    """
    with ExitStack() as memories:

        def fresh(arm: Arm) -> Memory:
            memory = make_memory(arm, trial_id(script.arc, arm.id, seed))
            memories.callback(memory.close)
            return memory

        return Trial(
            script,
            arm,
            seed,
            environment=make_environment(script.environment),
            memory=fresh(arm),
            agent=agent,
            sources=sources,
            sink=sink,
            turnings=[
                Turning(turn, later, fresh(settings(turn)) if turn.anew else None)
                for turn, later in turns
            ],
        ).play()


def settings(turn: Turn) -> Arm:
    """Return the arm that holds behind a turning point."""
    return Arm.from_description(turn.arm, turn.options)
