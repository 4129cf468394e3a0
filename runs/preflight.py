"""Before a run: every part it needs is made once, so that what is wrong is said at once."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from runs.agents import agent_for
from runs.plan import Plan, TrialPlan
from runs.scenarios import check_world
from simulator.engine.arm import Arm
from simulator.engine.blame import blamed
from simulator.engine.parts import Backends, make_memory
from simulator.events.errors import InputError
from simulator.events.faults import Culprit, Fault


def check_parts(plan: Plan, trials: Sequence[TrialPlan], backends: Backends) -> None:
    """Check worlds, and make memory, agent, models and embedder of every arm in `trials`.

    Models and embedders are left open in `backends`, so that none is loaded twice.

    Raises:
        InputError: when one of them cannot be made, or an environment refuses a world.
    """
    for arc in dict.fromkeys(trial.arc for trial in trials):
        with _made("environment", plan.scenarios[arc].script.environment):
            try:
                check_world(plan.scenarios[arc])
            except InputError as error:
                raise InputError(f"arc {arc!r}: {error.message}", field=error.field) from None
    for trial in {trial.arm.id: trial for trial in trials}.values():
        _check_arm(trial.arm, plan, trial.arc, backends)


def _check_arm(arm: Arm, plan: Plan, arc: str, backends: Backends) -> None:
    with _made("agent", arm.agent.name):
        agent_for(arm, lambda: plan.scenarios[arc].key)
    with _made("memory", arm.memory.name):
        memory = make_memory(arm, f"check/{arm.id}")
    with closing(memory), _made("model", arm.model.name):
        backends.sources(arm, memory)


@contextmanager
def _made(port: Culprit, name: str) -> Iterator[None]:
    """Say of anything that a part raises while it is made which part it was."""
    try:
        with blamed(port):
            yield
    except Fault as fault:
        raise InputError(f"{port} {name!r} cannot be made: {fault.message}") from fault
