"""Before a run: every part it needs is made once, so that what is wrong is said at once."""

from collections.abc import Sequence
from contextlib import closing

from probes.linting.soundness import refuse_open
from runs.agents import agent_for
from runs.arms import named_fault
from runs.plan import Plan, TrialPlan
from runs.scenarios import check_world
from simulator.engine.arm import Arm
from simulator.engine.parts import Backends, make_memory
from simulator.events import Json
from simulator.events.errors import InputError


def check_parts(
    plan: Plan, trials: Sequence[TrialPlan], backends: Backends
) -> dict[str, dict[str, Json]]:
    """Check worlds and gates, and make memory, agent, models and embedder of every arm in `trials`.

    Models and embedders are left open in `backends`, so that none is loaded twice. Returned is,
    for each arm, the identity of its models and embedder by role.

    Raises:
        InputError: when one of them cannot be made, an environment refuses a world, or a probe
            can be passed without a memory.
    """
    for arc in dict.fromkeys(trial.arc for trial in trials):
        with named_fault("environment", plan.scenarios[arc].script.environment):
            try:
                check_world(plan.scenarios[arc])
            except InputError as error:
                raise InputError(f"arc {arc!r}: {error.message}", field=error.field) from None
        refuse_open(plan.scenarios[arc])
    first = {trial.arm.id: trial for trial in trials}
    return {arm: _check_arm(trial.arm, plan, trial.arc, backends) for arm, trial in first.items()}


def _check_arm(arm: Arm, plan: Plan, arc: str, backends: Backends) -> dict[str, Json]:
    with named_fault("agent", arm.agent.name):
        agent_for(arm, lambda: plan.scenarios[arc].key)
    with named_fault("memory", arm.memory.name):
        memory = make_memory(arm, f"check/{arm.id}")
    with closing(memory), named_fault("model", arm.model.name):
        return backends.sources(arm).identities
