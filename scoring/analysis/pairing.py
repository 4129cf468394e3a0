"""Which arms a hypothesis holds against each other."""

from collections.abc import Iterator, Mapping

from scoring.analysis.declared import UNBUDGETED, Family, Hypothesis, Side
from scoring.grouping import MEMORY_SIDE
from simulator.events import Json

Arms = Mapping[str, Mapping[str, Json]]
"""Arm id to its flat options, in order."""

_OPTIONS_OF = {"model": "model_options", "agent": "agent_options"}


def values_of(arm: str, options: Mapping[str, Json], key: str) -> tuple[Json, ...]:
    """Return what a side may call the value of one factor of an arm.

    A model can be named by its back end or, where that loads one of several, by the model that
    it loads.
    """
    if key == "arm":
        return (arm,)
    if key == "token_budget":
        budget = options.get("token_budget")
        return (UNBUDGETED if budget is None else budget,)
    named = (options.get(key),)
    loaded = (options.get(f"{key}_options") or {}).get("model") if key.endswith("model") else None
    return named if loaded is None else (*named, loaded)


def stands(side: Side, arm: str, options: Mapping[str, Json]) -> bool:
    """Return whether an arm is one of a side."""
    return all(value in values_of(arm, options, key) for key, value in side.items())


def pairs(hypothesis: Hypothesis, arms: Arms) -> list[tuple[str, str]]:
    """Return the pairs of arms that a hypothesis compares, each once, in the order of the arms.

    Two arms are a pair when they differ on the memory's side only, and in what the hypothesis
    names. Their token budgets are equal unless one of them has none, or the hypothesis names
    budgets.
    """
    named = {*hypothesis.first, *hypothesis.second}
    return [
        (one, other)
        for one in arms
        if stands(hypothesis.first, one, arms[one])
        for other in arms
        if other != one
        and stands(hypothesis.second, other, arms[other])
        and ("arm" in named or _comparable(arms[one], arms[other], named))
    ]


def _comparable(one: Mapping[str, Json], other: Mapping[str, Json], named: set[str]) -> bool:
    free = MEMORY_SIDE | named | {_OPTIONS_OF[name] for name in named if name in _OPTIONS_OF}
    budgets = (one.get("token_budget"), other.get("token_budget"))
    return (all(one.get(name) == other.get(name) for name in {*one, *other} - free)) and (
        "token_budget" in named or None in budgets or budgets[0] == budgets[1]
    )


def family_hypotheses(family: Family, arms: Arms) -> Iterator[Hypothesis]:
    """Yield a default family: each memory against `none`, or against unbudgeted replay."""
    second: Side = {"memory": family}
    if family == "replay":
        second["token_budget"] = UNBUDGETED
    memories = dict.fromkeys(str(options["memory"]) for options in arms.values())
    for memory in memories:
        if memory not in ("none", family):
            yield Hypothesis(
                name=f"{memory} against {family}",
                first={"memory": memory},
                second=second,
                family=f"against {family}",
            )


def model_name(options: Mapping[str, Json]) -> str:
    """Return the agent's model as tables show it: `last`, `llama-cpp:smollm2`."""
    names = [str(name) for name in values_of("", options, "model") if name is not None]
    return ":".join(names) or "the model"


def memory_name(options: Mapping[str, Json]) -> str:
    """Return a memory with its implementation, as tables show it: `none`, `facts/pattern`."""
    implementation = options.get("implementation", "standard")
    name = str(options["memory"])
    return name if implementation in (None, "standard") else f"{name}/{implementation}"
