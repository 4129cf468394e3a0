"""Makes the parts of a trial from an arm; models and embedders are made once a process."""

from typing import Any, cast

from simulator.agents.port import Agent
from simulator.effects.embedder import Embedder
from simulator.effects.environment import Environment
from simulator.effects.memory import Memory, MemorySetup
from simulator.effects.options import read_options
from simulator.effects.registry import lookup, lookup_environment
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.blame import blamed
from simulator.engine.sources import LiveSources, ModelRole
from simulator.events import canonical_json
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.models.port import Model


def make(port: str, spec: PartSpec, *extra: Any) -> Any:
    """Make a part from its effective options."""
    cls = lookup(port, spec.name)
    return cls(read_options(cls.Options, spec.options, f"{port} {spec.name!r}"), *extra)


def make_memory(arm: Arm, trial: str) -> Memory:
    """Make the arm's memory for one trial."""
    setup = MemorySetup(trial=trial, has_model=arm.memory_model is not None)
    return cast(Memory, make("memory", arm.memory, setup))


def make_agent(arm: Arm) -> Agent:
    """Make the arm's agent."""
    return cast(Agent, make("agent", arm.agent))


def make_environment(name: str) -> Environment:
    """Make the environment that a scenario names.

    Raises:
        InputError: when it is not registered, or cannot be made.
    """
    cls = lookup_environment(name)
    try:
        with blamed("environment"):
            return cast(Environment, cls())
    except Fault as fault:
        message = f"the environment {name!r} cannot be made: {fault.message}"
        raise InputError(message) from fault


class Backends:
    """The models and embedders of one process: opened once, closed together."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Any] = {}

    def sources(self, arm: Arm) -> LiveSources:
        """Return live sources for a trial of this arm."""
        models: dict[ModelRole, Model] = {"agent_model": self._get("model", arm.model)}
        if arm.memory_model is not None:
            models["memory_model"] = self._get("model", arm.memory_model)
        embedder: Embedder | None = None
        if arm.embedder is not None:
            embedder = self._get("embedder", arm.embedder)
        return LiveSources(models, embedder)

    def _get(self, port: str, spec: PartSpec) -> Any:
        key = (port, canonical_json([spec.name, spec.options]))
        if key not in self._open:
            self._open[key] = make(port, spec)
        return self._open[key]

    def close(self) -> None:
        """Close every model."""
        for (port, _), part in self._open.items():
            if port == "model":
                part.close()
        self._open.clear()
