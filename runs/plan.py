"""What a run will play: every trial, in a fixed order, and which of them a shard gets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from probes.scenario import Scenario
from runs.arms import arms, effective_part
from runs.scenarios import scenarios
from runs.suite import Prices, Suite, find_suite, in_suite, read_suite
from scoring.analysis.declared import Analysis
from scoring.names import named
from scoring.run import Run
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.trial import trial_id
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.recorded import ManifestRecorded

_MOST_TRIALS = 1_000_000


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
        forks: Of a fork's run, trial to what the manifest says of its parent.
        judge: The judge with its effective options; None unless the suite names one.
    """

    suite: Suite
    scenarios: dict[str, Scenario]
    arms: tuple[Arm, ...]
    trials: tuple[TrialPlan, ...]
    forks: dict[str, Json] = field(default_factory=dict)
    judge: PartSpec | None = None


def plan(name: str) -> Plan:
    """Read a suite and everything it names.

    Raises:
        InputError: for anything that is wrong with it, with file and line where there are any.
    """
    suite = read_suite(name)
    try:
        made_arms = tuple(arms(suite))
        judge = effective_part("model", suite.judge, "judge") if suite.judge else None
        if suite.prices.as_model != Prices().as_model:  # it is known, which a test holds to
            check_hosted(suite.prices.as_model)
        if suite.prices.judge is not None:
            check_hosted(suite.prices.judge, "prices.judge")
        read = scenarios(suite.scenarios, find_suite(name).parent)
        _check_analysis(suite.analysis, made_arms, read)
    except InputError as error:
        raise in_suite(error, name) from None
    found = {each.script.arc: _as_frozen(each) for each in read}
    count = len(made_arms) * len(found) * len(suite.seeds)
    if count > _MOST_TRIALS:
        message = f"the suite makes {count:,} trials; a run has at most {_MOST_TRIALS:,}"
        raise in_suite(InputError(message, field="seeds"), name)
    trials = tuple(
        TrialPlan(arc, arm, seed) for arm in made_arms for arc in found for seed in suite.seeds
    )
    return Plan(suite, found, made_arms, trials, judge=judge)


def _check_analysis(analysis: Analysis, made: Sequence[Arm], read: Sequence[Scenario]) -> None:
    if not {"hypotheses", "families", "confirm_seed"} & analysis.model_fields_set:
        return
    # Imported here because it brings numpy along and most suites declare nothing of their own.
    from scoring.analysis.checking import check_analysis, known_of

    known = known_of(scenario.key for scenario in read)
    check_analysis(analysis, {arm.id: arm.describe() for arm in made}, known)


def check_hosted(model: str, field: str = "prices.as") -> None:
    """Check that the price book knows a model that `usd_as_if` is priced as.

    Raises:
        InputError: when it does not: better now than after the run.
    """
    # Imported here because the price book takes 0.15 s to load and most suites need none.
    from scoring.prices import PublicPrices
    from scoring.pricing import Pricing

    try:
        Pricing(PublicPrices(), model).as_if("agent_model")
    except InputError as error:
        raise InputError(error.message, field=field) from None


def _as_frozen(scenario: Scenario) -> Scenario:
    """Return the scenario as a replay will read it.

    A world has no order of names, yet a tool that goes through it does: both must see the same.
    """
    return Scenario.model_validate_json(canonical_json(scenario.model_dump(mode="json")))


def shard(trials: tuple[TrialPlan, ...], spec: str | None) -> tuple[TrialPlan, ...]:
    """Return the share `I/N` of the trials, in their order.

    Raises:
        InputError: when the share is no `I/N` with 1 <= I <= N.
    """
    if spec is None:
        return trials
    named = {trial.id: (trial.arm.id, trial.arc, trial.seed) for trial in trials}
    kept = set(_share(named, spec))
    return tuple(trial for trial in trials if trial.id in kept)


def _share(named: dict[str, tuple[str, str, int]], spec: str | None) -> list[str]:
    """Return every Nth name beginning with the Ith, sorted by arm, arc and seed.

    The order is one that a manifest gives again, whatever the suite's was.
    """
    ordered = sorted(named, key=named.__getitem__)
    if spec is None:
        return ordered
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", spec)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise InputError(f"a shard is I/N with 1 <= I <= N, such as 1/4; got {spec!r}")
    return ordered[int(found[1]) - 1 :: int(found[2])]


def planned(manifest: ManifestRecorded) -> list[str]:
    """Return the ids of the trials that a run set out to play, sorted by arm, arc and seed."""
    forks = manifest.suite.get("forks")
    if forks:
        return sorted(forks, key=_by_arm)
    named = {
        trial_id(arc, arm, seed): (arm, arc, seed)
        for arm in manifest.arms
        for arc in manifest.arcs
        for seed in manifest.suite["seeds"]
    }
    return _share(named, manifest.suite["shard"])


def _by_arm(trial: str) -> tuple[str, str, int]:
    arc, arm, seed = named(trial)
    return arm, arc, seed


def unfinished(run: Run) -> list[str]:
    """Return the ids of the trials that a run set out to play and did not finish, begun or not."""
    sealed = frozenset(run.sealed)
    return [name for name in planned(run.manifest) if name not in sealed]
