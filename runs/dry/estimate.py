"""Estimates: what a suite would use and cost, and how far off that was for a run of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from runs.dry.against import compare_with, refuse_other
from runs.dry.assumptions import Lengths
from runs.dry.backends import DryBackends, is_ruled, is_scripted, judge_taken, stood_in_for
from runs.dry.playing import DryTrial, play_dry
from runs.plan import Plan, plan
from scoring.bills import cost_table
from scoring.costs import Charge
from scoring.pricing import Pricing, pricing_as
from scoring.run import Run, load_run
from simulator.engine.parts import make_environment
from simulator.events import Json


@dataclass(frozen=True)
class Asked:
    """What is to be estimated.

    Attributes:
        suite: Shipped name or path of the suite.
        prices: The user's price book, or None.
        as_model: Hosted model of `usd_as_if`; None takes the suite's.
        lengths: Assumed lengths of completions.
        against: A run of the suite to hold the estimate against, or None.
    """

    suite: str
    prices: Path | None = None
    as_model: str | None = None
    lengths: Lengths = Lengths()
    against: Path | None = None


def estimate(asked: Asked, report: Callable[[int, int], None]) -> dict[str, Json]:
    """Return what a suite would use and cost, by a dry run: in memory, without any model.

    The table is that of `costs`; `arms` sums it by arm. `basis` of an arm is `exact` where the
    dry run plays what the run plays, and `assumed` where a stand-in takes the place of a part.

    Raises:
        InputError: for anything wrong with the suite, the price book or the lengths, and for a
            folder that holds no run of this suite.
    """
    planned = plan(asked.suite)
    declared = planned.suite.prices.model_dump(by_alias=True)
    priced = pricing_as(declared, asked.prices, asked.as_model)
    if asked.against is None:
        backends = DryBackends(asked.lengths)
        played = play_dry(planned, backends, priced, report)
        return {**_told(asked, planned, backends, played, priced), "against": None}
    with load_run(asked.against) as run:
        return _held_against(run, asked, planned, priced, report)


def _held_against(
    run: Run,
    asked: Asked,
    planned: Plan,
    priced: Pricing,
    report: Callable[[int, int], None],
) -> dict[str, Json]:
    refuse_other(run, planned)
    backends = DryBackends(asked.lengths, run.manifest.identities)
    played = play_dry(planned, backends, priced, report)
    found = compare_with(run, played, priced)
    return {**_told(asked, planned, backends, played, priced), "against": found}


def _told(
    asked: Asked,
    planned: Plan,
    backends: DryBackends,
    played: Sequence[DryTrial],
    priced: Pricing,
) -> dict[str, Json]:
    made: list[Charge] = list(chain.from_iterable(each.charges for each in played))
    assumed = {arm.id for arm in planned.arms if stood_in_for(arm)}
    table, by_arm = cost_table(made, priced), cost_table(made, priced, ("arm",))
    lost = sum(each.errors for each in played if each.plan.arm.id in assumed)
    return {
        "suite": planned.suite.name,
        "trials": len(played),
        "episodes": sum(each.episodes for each in played),
        "errors": sum(each.errors for each in played),
        **table,
        "rows": [_with_basis(row, assumed) for row in table["rows"]],
        "arms": [_with_basis(row, assumed) for row in by_arm["rows"]],
        "assumed": {"output_tokens": asked.lengths.shown()},
        "most_agent_calls": most_agent_calls(planned),
        "unpriced": _unpriced(planned, backends, priced),
        "unknown": list(_unknown(planned, lost)),
    }


def _with_basis(row: Mapping[str, Json], assumed: set[str]) -> dict[str, Json]:
    return {**row, "basis": "assumed" if row["arm"] in assumed else "exact"}


def _unpriced(planned: Plan, backends: DryBackends, priced: Pricing) -> list[str]:
    """Return each model without a price, by the name that the book was asked for, and one alike."""
    parts = [
        (identity, priced.rate(arm.describe(), role, identity))
        for arm in planned.arms
        for role, identity in backends.sources(arm).identities.items()
    ]
    if planned.judge is not None:
        identity = judge_taken(planned.judge)
        parts.append((identity, priced.charged(planned.judge.name, identity)))
    names = {str(each.get("model") or each.get("name")) for each, rate in parts if rate is None}
    return [f"{name!r}{priced.book.like(name)}" for name in sorted(names)]


def most_agent_calls(planned: Plan) -> int | None:
    """Return how many completions the agents may ask for at most; None where one has no limit."""
    if any("max_steps" not in arm.agent.options for arm in planned.arms):
        return None
    most = 0
    for trial in planned.trials:
        script = planned.scenarios[trial.arc].script
        decisions = sum(1 for episode in script.episodes for _ in episode.decisions())
        # Where there is no tool to call, the first completion is the answer.
        steps = trial.arm.agent.options["max_steps"] if _has_tools(script.environment) else 1
        most += decisions * steps
    return most


@lru_cache
def _has_tools(environment: str) -> bool:
    return bool(make_environment(environment).tools)


def _unknown(planned: Plan, errors: int) -> Iterator[str]:
    """Yield what the dry run of a plan cannot know, a sentence each."""
    models = [spec for arm in planned.arms for spec in (arm.model, arm.memory_model) if spec]
    if planned.judge is not None:
        models.append(planned.judge)
    if not all(map(is_scripted, models)):
        most = most_agent_calls(planned)
        yield _ACTS if most is None else f"{_ACTS}; agents may make {most} calls in all."
        yield from _OF_MODELS
    if any(spec.name == "openai" for spec in models):
        yield from _OF_ENDPOINTS
    if any(arm.memory_model and not is_scripted(arm.memory_model) for arm in planned.arms):
        yield "What a model writes into a memory: the stand-in copies, up to the memory's limit."
    if any(arm.embedder and not is_ruled(arm.embedder) for arm in planned.arms):
        yield "Which items a real embedder ranks first: the lexical embedder stands in for it."
    if errors:
        yield (
            f"What follows the {errors} errors of the dry run: where a memory could not use what "
            "was written for it, later prompts are too short."
        )


_ACTS = (
    "How a model acts: the stand-in makes the one call that is wanted and ends, or says that it "
    "does not know; a real one may look things up, ask, or end at once"
)
_OF_MODELS = (
    "How much it writes, reasoning included; --output-tokens sets that.",
    "How its tokenizer counts: tokens are those of the suite's own counter.",
)
_OF_ENDPOINTS = (
    "What an endpoint caches: amounts take every shared prefix as cached, those without a discount "
    "none; the bill is in between.",
    "Requests that fail and are made again.",
)
