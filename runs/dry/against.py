"""How far off an estimate was, from what a run of the same suite really used."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import chain

from runs.dry.playing import DryTrial
from runs.plan import Plan
from scoring.costs import Charge, Spent, charges, judge_charges, show
from scoring.pricing import Pricing
from scoring.run import Run
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError

COUNTS = {
    "calls": "calls",
    "input_tokens": "input",
    "cached_tokens": "cached",
    "output_tokens": "output",
}
"""Column to the field of `Spent` that it holds."""

DOLLARS = ("usd", "usd_as_if")

_Group = tuple[str | None, str | None]
"""Arm and purpose; None stands for all of them."""


def refuse_other(run: Run, plan: Plan) -> None:
    """Refuse a run of another suite, or of this one before it was changed.

    Raises:
        InputError: naming what is not the same.
    """
    manifest, file = run.manifest, str(run.folder)
    name = manifest.suite["name"]
    if name != plan.suite.name:
        message = f"this is a run of the suite {name!r}, not of {plan.suite.name!r}"
        raise InputError(message, file=file)
    if not _common(run, plan):
        raise InputError("no finished trial of this run is one of the suite's", file=file)
    for arc, scenario in plan.scenarios.items():
        if arc in manifest.arcs and manifest.arcs[arc]["script"] != scenario.script.hash:
            raise InputError("the run played another script of this name", file=file, field=arc)
    for arm in plan.arms:
        was = manifest.arms.get(arm.id)
        if was is not None and canonical_json(was) != canonical_json(arm.describe()):
            raise InputError("the run played other settings of this name", file=file, field=arm.id)


def _common(run: Run, plan: Plan) -> list[str]:
    planned = {trial.id for trial in plan.trials}
    return [name for name in run.sealed if name in planned]


def compare_with(run: Run, played: Sequence[DryTrial], priced: Pricing) -> dict[str, Json]:
    """Hold an estimate against a run, on the trials that the run finished.

    A row an arm and purpose, an arm (`purpose` null), a purpose (`arm` null), and one over all.
    Each figure has `estimated`, `actual`, and `off`: estimated / actual - 1, null where either is
    unknown or only the estimate has any. `measured` is the mean number of output tokens of a
    call, by whom an assumption can be made of.
    """
    sealed = set(run.sealed)
    common = {each.plan.id: each for each in played if each.plan.id in sealed}
    real = list(chain.from_iterable(charges(run.trial(name), priced) for name in common))
    judged = (each for each in judge_charges(run, priced) if _trial(each) in common)
    estimated = _grouped(chain.from_iterable(each.charges for each in common.values()))
    actual = _grouped(chain(real, judged))
    groups = sorted(estimated.keys() | actual.keys(), key=_order)
    return {
        "run": str(run.folder),
        "trials": len(common),
        "of": len(played),
        "rows": [_row(group, estimated[group], actual[group]) for group in groups],
        "measured": _measured(real),
    }


def _trial(charge: Charge) -> str:
    return f"{charge.arc}/{charge.arm}/{charge.seed}"


def _grouped(made: Iterable[Charge]) -> dict[_Group, Spent]:
    sums: dict[_Group, Spent] = defaultdict(Spent)
    for charge in made:
        arm, purpose = charge.arm, charge.line.purpose
        for group in ((arm, purpose), (arm, None), (None, purpose), (None, None)):
            sums[group].add(charge.spent)
    return sums


def _order(group: _Group) -> tuple[bool, str, bool, str]:
    arm, purpose = group
    return arm is None, arm or "", purpose is None, purpose or ""


def _row(group: _Group, estimated: Spent, actual: Spent) -> dict[str, Json]:
    row: dict[str, Json] = {"arm": group[0], "purpose": group[1]}
    for column, name in COUNTS.items():
        mine, theirs = getattr(estimated, name), getattr(actual, name)
        row[column] = {"estimated": mine, "actual": theirs, "off": _off(mine, theirs)}
    for name in DOLLARS:
        mine, theirs = getattr(estimated, name), getattr(actual, name)
        off = None if mine is None or theirs is None else _off(mine, theirs)
        row[name] = {"estimated": show(mine), "actual": show(theirs), "off": off}
    return row


def _off(estimated: Decimal | int, actual: Decimal | int) -> float | None:
    if not actual:
        return None if estimated else 0.0
    return float(Decimal(estimated) / Decimal(actual) - 1)


def _measured(real: Iterable[Charge]) -> dict[str, Json]:
    sums: dict[str, Spent] = defaultdict(Spent)
    for charge in real:
        who = {"agent_model": "agent", "memory_model": "memory"}.get(charge.line.role)
        if who is not None:
            sums[who].add(charge.spent)
    return {who: spent.output / spent.calls for who, spent in sorted(sums.items())}
