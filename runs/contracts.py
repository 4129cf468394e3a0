"""The contract tests of the five ports, run on a part by its name."""

from collections.abc import Callable, Mapping
from typing import Any

from environments.contract import check_environment, never_succeeded
from memories.contract import check_memory, echo_notes
from memories.embedders.contract import check_embedder
from memories.extraction.dictation import WRITE_FACTS, written_facts
from runs.arms import effective_part
from runs.suite import Part
from scoring.keys import Key
from simulator.agents.contract import check_agent
from simulator.agents.port import Agent
from simulator.effects.embedder import Embedder
from simulator.effects.environment import Environment
from simulator.effects.memory import Memory, MemorySetup
from simulator.effects.prompts import Prompt
from simulator.effects.registry import lookup
from simulator.engine.arm import PartSpec
from simulator.engine.blame import blamed
from simulator.engine.parts import make
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.faults import Culprit, Fault
from simulator.models.contract import check_model
from simulator.models.port import Model

PORTS: dict[str, type] = {
    "memory": Memory,
    "agent": Agent,
    "environment": Environment,
    "model": Model,
    "embedder": Embedder,
}


def broken_promises(
    port: str, name: str, options: Mapping[str, str] | None = None, world: Json = None
) -> list[str]:
    """Return the promises of a port that a part breaks, a sentence each.

    Args:
        port: One of `PORTS`.
        name: A registered name, or `package.module:Class`.
        options: The part's options; what is left out has its default.
        world: Of an environment, the world that it is tried in; None is the empty one.

    Raises:
        InputError: when there is no such part, an option is wrong, the part cannot be made here
            (a missing extra or file), or an environment refuses the world.
    """
    cls = lookup(port, name)
    missing = sorted(each for each in _members(port) if not hasattr(cls, each))
    if missing:
        return [f"it has no `{each}`" for each in missing]
    if port == "environment":
        if options:
            raise InputError("an environment has no options", field="option")
        return _told("environment", lambda: check_environment(cls, world))
    if world is not None:
        raise InputError(f"only an environment is tried in a world, no {port}", field="world")
    return _CHECKS[port](effective_part(port, Part(name=name, options=dict(options or {})), port))


def untried_tools(name: str, world: Json) -> list[str]:
    """Return the tools of a sound environment that did nothing but err in this world."""
    return never_succeeded(lookup("environment", name), world)


def _members(port: str) -> set[str]:
    """Return what a class must have: a port's methods and its class attributes."""
    cls = PORTS[port]
    methods = {each for each in vars(cls) if not each.startswith("_") and callable(vars(cls)[each])}
    noted = cls.__annotations__.items()
    return methods | {each for each, kind in noted if "ClassVar" in str(kind)}


def _told(culprit: Culprit, check: Callable[[], None]) -> list[str]:
    """Run a check that raises; anything that comes out of a stranger's part is a broken promise."""
    try:
        with blamed(culprit):
            try:
                check()
            except AssertionError as error:
                return [str(error) or "an assertion of its own failed"]
    except Fault as fault:
        return [f"it raised {fault.message}"]
    return []


def _memory(spec: PartSpec) -> list[str]:
    budgeted = spec.options.get("implementation") != "unbudgeted"

    def fresh(setup: MemorySetup) -> Memory:
        memory: Memory = make("memory", spec, setup)
        return memory

    return check_memory(fresh, _write, budgeted)


def _write(prompt: Prompt) -> str:
    """Play a memory model: facts where these are asked for, else copied notes."""
    if WRITE_FACTS not in prompt.tools:
        return echo_notes(prompt)
    last_words = (surface.text.split()[-1].strip(".") for surface in prompt.context)
    return written_facts([("thing", "value", word) for word in last_words])


def _agent(spec: PartSpec) -> list[str]:
    cls = lookup("agent", spec.name)

    def fresh() -> Agent:
        # An oracle is made with a key; whether it then acts rightly is not the port's question.
        key = Key(arc="contract", domain="contract", cluster="contract", probes=())
        agent: Agent = cls(key) if cls.oracle else make("agent", spec)
        return agent

    return _told("agent", lambda: check_agent(fresh))


def _model(spec: PartSpec) -> list[str]:
    return _told("model", lambda: check_model(lambda: make("model", spec)))


def _embedder(spec: PartSpec) -> list[str]:
    return _told("embedder", lambda: check_embedder(lambda: make("embedder", spec)))


_CHECKS: dict[str, Callable[[Any], list[str]]] = {
    "memory": _memory,
    "agent": _agent,
    "model": _model,
    "embedder": _embedder,
}
