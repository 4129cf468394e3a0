"""Before a run: every part it needs is made once, so that what is wrong is said at once."""

from collections.abc import Sequence
from contextlib import closing
from typing import Protocol

from probes.linting.soundness import refuse_open
from runs.agents import agent_for
from runs.arms import named_fault
from runs.plan import Plan, TrialPlan
from runs.scenarios import check_world
from simulator.effects.memory import Memory
from simulator.engine.arm import Arm
from simulator.engine.lending import check_names
from simulator.engine.parts import make_environment, make_memory
from simulator.engine.sources import Sources
from simulator.events import Json
from simulator.events.errors import InputError


class Opens(Protocol):
    """Opens the models and embedders of arms."""

    def sources(self, arm: Arm) -> Sources:
        """Return where the completions and vectors of an arm come from."""
        ...


def check_parts(
    plan: Plan, trials: Sequence[TrialPlan], backends: Opens
) -> dict[str, dict[str, Json]]:
    """Check worlds and gates, and make memory, agent, models and embedder of every arm in `trials`.

    Models and embedders are left open in `backends`, so that none is loaded twice. Returned is,
    for each arm, the identity of its models and embedder by role.

    Raises:
        InputError: when one of them cannot be made, an environment refuses a world, a probe can
            be passed without a memory, or a tool of a memory has the name of one of a world's.
    """
    for arc in dict.fromkeys(trial.arc for trial in trials):
        with named_fault("environment", plan.scenarios[arc].script.environment):
            try:
                check_world(plan.scenarios[arc])
            except InputError as error:
                raise InputError(f"arc {arc!r}: {error.message}", field=error.field) from None
        refuse_open(plan.scenarios[arc])
    _check_names(plan, trials)
    first = {trial.arm.id: trial for trial in trials}
    return {arm: _check_arm(trial.arm, plan, trial.arc, backends) for arm, trial in first.items()}


def _check_names(plan: Plan, trials: Sequence[TrialPlan]) -> None:
    """Check that the tools of every memory can lie beside those of every environment."""
    arms = {(trial.arm.id, plan.scenarios[trial.arc].script.environment): trial for trial in trials}
    for (_, environment), trial in arms.items():
        name = trial.arm.memory.name
        with named_fault("memory", name), closing(_memory(trial.arm)) as memory:
            try:
                check_names(make_environment(environment), memory)
            except InputError as error:
                message = f"memory {name!r} in environment {environment!r}: {error.message}"
                raise InputError(message, field="memories") from None


def _memory(arm: Arm) -> Memory:
    return make_memory(arm, f"check/{arm.id}")


def _check_arm(arm: Arm, plan: Plan, arc: str, backends: Opens) -> dict[str, Json]:
    with named_fault("agent", arm.agent.name):
        agent_for(arm, lambda: plan.scenarios[arc].key)
    with named_fault("memory", arm.memory.name):
        memory = _memory(arm)
    with closing(memory), named_fault("model", arm.model.name):
        return backends.sources(arm).identities
