"""What a run will play: every trial, in a fixed order, and which of them a shard gets."""

import re
from dataclasses import dataclass

from probes.scenario import Scenario
from runs.arms import arms
from runs.scenarios import scenarios
from runs.suite import Suite, find_suite, read_suite
from simulator.engine.arm import Arm
from simulator.engine.trial import trial_id
from simulator.events import canonical_json
from simulator.events.errors import InputError


@dataclass(frozen=True)
class TrialPlan:
    """One trial to play: its arc, arm and seed."""

    arc: str
    arm: Arm
    seed: int

    @property
    def id(self) -> str:
        """The trial's id."""
        return trial_id(self.arc, self.arm.id, self.seed)


@dataclass(frozen=True)
class Plan:
    """A suite made concrete.

    Attributes:
        suite: The suite.
        scenarios: Arc to scenario.
        arms: The arms in the suite's order.
        trials: The trials in order: arm by arm, so that a model's prompts share prefixes.
    """

    suite: Suite
    scenarios: dict[str, Scenario]
    arms: tuple[Arm, ...]
    trials: tuple[TrialPlan, ...]


def plan(name: str) -> Plan:
    """Read a suite and everything it names.

    Raises:
        InputError: for anything that is wrong with it.
    """
    suite = read_suite(name)
    made_arms = tuple(arms(suite))
    read = scenarios(suite.scenarios, find_suite(name).parent)
    found = {each.script.arc: _as_frozen(each) for each in read}
    trials = tuple(
        TrialPlan(arc, arm, seed) for arm in made_arms for arc in found for seed in suite.seeds
    )
    return Plan(suite, found, made_arms, trials)


def _as_frozen(scenario: Scenario) -> Scenario:
    """Return the scenario as a replay will read it.

    A world has no order of names, yet a tool that goes through it does: both must see the same.
    """
    return Scenario.model_validate_json(canonical_json(scenario.model_dump(mode="json")))


def shard(trials: tuple[TrialPlan, ...], spec: str | None) -> tuple[TrialPlan, ...]:
    """Return the share `I/N` of the trials: every Nth, beginning with the Ith.

    Raises:
        InputError: when the share is no `I/N` with 1 <= I <= N.
    """
    if spec is None:
        return trials
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", spec)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise InputError(f"a shard is I/N with 1 <= I <= N, such as 1/4; got {spec!r}")
    return trials[int(found[1]) - 1 :: int(found[2])]
