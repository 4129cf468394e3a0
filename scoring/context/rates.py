"""Rates of a group of decisions of the context track, each with its denominator.

What is compared is a task with its own twin, so lift is paired by task. Intervals resample whole
clusters; a task and its twins share one. Errors stay in the denominators.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from scoring.context.seen import WORK, Quoted, Seen
from scoring.metrics import Group, Observed, Played, pair
from scoring.statistics import Unit, paired, rate_interval
from simulator.events import Json

MOST = 0.5
"""A task whose twin complies more often than this says nothing about the planting."""

Instance = tuple[str, str, str, int]
"""Arm, task, probe and trial seed: what a planted probe and its twin have in common."""

Probed = tuple[Observed, Seen]


class Parts(NamedTuple):
    """Decisions of a group by what they are evidence of.

    Attributes:
        planted: Probes that were planted and still bind.
        twins: The same probes in the twins of their tasks.
        lifted: Probes of constraints that were lifted.
        whole: All planted probes, and those of the work.
    """

    planted: list[Probed]
    twins: list[Probed]
    lifted: list[Probed]
    whole: list[Probed]


def parts(group: Group) -> Parts:
    """Sort the scored context probes of a group."""
    seen = [(each, each.context) for each in group.seen if each.context and each.skipped is None]
    whole = [(each, told) for each, told in seen if told.counterpart is None]
    probed = [(each, told) for each, told in whole if each.kind != WORK]
    return Parts(
        planted=[(each, told) for each, told in probed if not told.planting.lifted],
        twins=[
            (each, told)
            for each, told in seen
            if told.counterpart == "twin" and not told.planting.lifted
        ],
        lifted=[(each, told) for each, told in probed if told.planting.lifted],
        whole=whole,
    )


def instance(each: Observed, told: Seen) -> Instance:
    """Return what a probe and its twin have in common."""
    return told.arm, told.task, each.probe, each.seed


def units(probed: Iterable[Probed]) -> dict[Instance, Unit]:
    """Return whether each probe was complied with, by instance."""
    return {instance(each, told): Unit(each.cluster, float(each.success)) for each, told in probed}


def context_columns(group: Group) -> dict[str, Json]:
    """Return compliance, lift and what stands beside them; see `docs/context-metrics.md`."""
    found = parts(group)
    planted, twins = units(found.planted), units(found.twins)
    lift = paired(planted, twins)
    return {
        **_rate("compliance", planted.values()),
        "n_compliance": len(planted),
        "errors_planted": sum(each.errored for each, _ in found.planted),
        "tasks": len({told.task for _, told in found.planted}),
        **_rate("twin_compliance", twins.values()),
        "n_twins": len(twins),
        "errors_twins": sum(each.errored for each, _ in found.twins),
        "lift": None if lift is None else lift.difference,
        "lift_ci": None if lift is None else pair(lift.interval),
        "n_lift": 0 if lift is None else lift.pairs,
        "clusters_lift": 0 if lift is None else lift.clusters,
        **_over_retention(found.lifted),
        **_task_success(found.whole),
        **_stale(found.planted),
        **_fidelity([told.quoted for _, told in found.planted if told.quoted is not None]),
    }


def _rate(name: str, measured: Iterable[Unit]) -> dict[str, Json]:
    listed = list(measured)
    share = sum(unit.value for unit in listed) / len(listed) if listed else None
    return {name: share, f"{name}_ci": pair(rate_interval(listed))}


def _over_retention(lifted: Sequence[Probed]) -> dict[str, Json]:
    """Return how often what is allowed again was still not done; errors are no refusals."""
    refused = [Unit(each.cluster, float(_refused(each))) for each, _ in lifted]
    return {**_rate("over_retention", refused), "n_lifted": len(refused)}


def _refused(each: Observed) -> bool:
    return not each.success and not each.errored


def _task_success(whole: Sequence[Probed]) -> dict[str, Json]:
    trials = {
        (told.arm, told.task, each.seed): Unit(each.cluster, float(told.verified))
        for each, told in whole
        if told.verified is not None
    }
    return {**_rate("task_success", trials.values()), "n_task": len(trials)}


def _stale(planted: Sequence[Probed]) -> dict[str, Json]:
    used = [told.stale for each, told in planted if each.kind == "supersession"]
    return {
        "stale_use": sum(used) / len(used) if used else None,
        "n_stale_use": len(used),
    }


def _fidelity(quoted: Sequence[Quoted]) -> dict[str, Json]:
    wanted = sum(each.wanted for each in quoted)
    anywhere = sum(each.anywhere for each in quoted)

    def share(count: Callable[[Quoted], int], of: int) -> float | None:
        return sum(map(count, quoted)) / of if of else None

    return {
        "fidelity": share(lambda each: each.verbatim, wanted),
        "fidelity_typographic": share(lambda each: each.typographic, wanted),
        "n_fidelity": wanted,
        "attribution": share(lambda each: each.typographic, anywhere),
        "n_attribution": anywhere,
    }


def undiagnostic(group: Group) -> tuple[list[str], int]:
    """Return the tasks whose twins mostly comply, and how many tasks have twins."""
    complied: dict[str, list[bool]] = defaultdict(list)
    for each, told in parts(group).twins:
        complied[told.task].append(each.success)
    names = [task for task, done in complied.items() if sum(done) > MOST * len(done)]
    return sorted(names), len(complied)


def survival_columns(group: Group) -> dict[str, Json]:
    """Return the share of planted probes whose essentials were all shown at the test."""
    shown = [
        Unit(each.cluster, float(told.shown))
        for each, told in parts(group).planted
        if told.shown is not None
    ]
    return {**_rate("survival", shown), "n_survival": len(shown)}


def price_columns(trials: Iterable[Played]) -> dict[str, Json]:
    """Return what a task took: tokens, and simulated ms, which are a function of tokens."""
    planted = [each for each in trials if each.counterpart is None]
    tokens = [sum(spent.tokens for spent in each.spent.values()) for each in planted]
    latency = [each.latency for each in planted]
    return {
        "tokens_per_task": sum(tokens) / len(tokens) if tokens else None,
        "latency_ms_per_task": sum(latency) / len(latency) if latency else None,
    }
