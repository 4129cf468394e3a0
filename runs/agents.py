"""The agent of a trial: an oracle is made with the key, everybody else must do without one."""

from collections.abc import Callable
from typing import cast

from scoring.keys import Key
from simulator.agents.port import Agent
from simulator.effects.registry import lookup
from simulator.engine.arm import Arm
from simulator.engine.parts import make_agent


def agent_for(arm: Arm, key: Callable[[], Key]) -> Agent:
    """Make the arm's agent; the key of its arc is fetched for an oracle only.

    An agent whose class says `oracle` is made as `Class(key)`; its trials are marked in the log
    and are never results.
    """
    cls = lookup("agent", arm.agent.name)
    return cast(Agent, cls(key())) if cls.oracle else make_agent(arm)
