"""Plays a plan dry: every trial in memory, and of each only what its calls used is kept."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from runs.agents import agent_for
from runs.dry.backends import DryBackends, hears_no_seed
from runs.dry.judging import DryJudge
from runs.plan import Plan, TrialPlan
from runs.preflight import check_parts
from scoring.costs import Charge, charges
from scoring.pricing import Pricing
from scoring.run import Trial, event_of
from simulator.engine.playing import play_trial
from simulator.engine.sinks import ListSink

_COUNTED = frozenset(
    {"trial_opened", "session_started", "boundary", "completion", "service", "embedding", "error"}
)
"""Kinds of events that tell what a trial used."""


@dataclass(frozen=True)
class DryTrial:
    """What one trial would use.

    Attributes:
        plan: The trial.
        charges: Its calls, and the judge's about it.
        episodes: Sessions that were begun.
        errors: Error events.
    """

    plan: TrialPlan
    charges: tuple[Charge, ...]
    episodes: int
    errors: int

    def under(self, plan: TrialPlan) -> "DryTrial":
        """Return the same trial under another seed."""
        moved = tuple(each._replace(seed=plan.seed) for each in self.charges)
        return replace(self, plan=plan, charges=moved)


def play_dry(
    plan: Plan, backends: DryBackends, priced: Pricing, report: Callable[[int, int], None]
) -> list[DryTrial]:
    """Play every trial of a plan in memory; nothing is written and no model is asked.

    Raises:
        InputError: for what a run would be refused for: a world, a memory or an agent.
    """
    with closing(backends):
        check_parts(plan, plan.trials, backends)
        judge = None if plan.judge is None else DryJudge(plan, backends, priced)
        played: list[DryTrial] = []
        first: dict[tuple[str, str], DryTrial] = {}
        for trial in plan.trials:
            same = first.get((trial.arc, trial.arm.id))
            if same is None or not hears_no_seed(trial.arm):
                same = _play(plan, trial, backends, priced, judge)
                first[trial.arc, trial.arm.id] = same
            played.append(same.under(trial))
            report(len(played), len(plan.trials))
        return played if judge is None else _judged(played, judge)


def _play(
    plan: Plan,
    trial: TrialPlan,
    backends: DryBackends,
    priced: Pricing,
    judge: DryJudge | None,
) -> DryTrial:
    recorded = _record(plan, trial, backends, whole=judge is not None)
    if judge is not None:
        judge.hear(trial, recorded)
    kinds = [event.kind for event in recorded.events]
    made = tuple(charges(recorded, priced))
    return DryTrial(trial, made, kinds.count("session_started"), kinds.count("error"))


def _record(plan: Plan, trial: TrialPlan, backends: DryBackends, whole: bool) -> Trial:
    """Play a trial and read its events, or those of them that tell what it used."""
    scenario, sink = plan.scenarios[trial.arc], ListSink()
    play_trial(
        scenario.script,
        trial.arm,
        trial.seed,
        agent=agent_for(trial.arm, lambda: scenario.key),
        sources=backends.sources(trial.arm),
        sink=sink,
    )
    return Trial(
        name=trial.id,
        events=tuple(event_of(row) for row in sink.rows if whole or row.kind in _COUNTED),
        script=scenario.script,
        key=scenario.key,
        text=lambda content: sink.blobs[content].decode("utf-8"),
        blob=sink.blobs.__getitem__,
    )


def _judged(played: Sequence[DryTrial], judge: DryJudge) -> list[DryTrial]:
    asked = judge.ask([each.plan for each in played])
    return [replace(each, charges=each.charges + tuple(asked[each.plan.id])) for each in played]
