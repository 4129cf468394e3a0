"""The replay control of each model: can it act at all when everything is shown to it?"""

from collections import defaultdict
from collections.abc import Sequence

from scoring.analysis.declared import UNBUDGETED, Side
from scoring.analysis.pairing import model_name, stands
from scoring.analysis.sheets import Sheet
from scoring.contrasts import TESTED
from scoring.metrics import Group, Observed
from scoring.outcomes import ABSTAINED
from simulator.events import Json

CONTROL: Side = {"memory": "replay", "token_budget": UNBUDGETED}
NO_STATEMENT = "no statement"
"""Verdict under a model whose replay control failed."""

ENDINGS = ("right", "wrong", "did_not_act", "model_error", "other_error")
"""What became of a dependent decision under the control: see `ending`."""


def gate_rows(sheet: Sheet, threshold: float) -> list[dict[str, Json]]:
    """Return a row a model: its replay control on clean arcs, and what its failures were.

    `passed` is None where the run has no control for the model, or none with a dependent
    decision. `rest` is everything that the model's arms have besides their memory.
    """
    by_rest: dict[str, list[str]] = defaultdict(list)
    for arm in sheet.arms:
        by_rest[sheet.setting.rest(arm)].append(arm)
    return [_row(sheet, rest, arms, threshold) for rest, arms in by_rest.items()]


def _row(sheet: Sheet, rest: str, arms: Sequence[str], threshold: float) -> dict[str, Json]:
    known = sheet.arms
    control = next((arm for arm in arms if stands(CONTROL, arm, known[arm])), None)
    shown = _observed(sheet, control) if control else []
    group = Group(tuple(shown))
    success, interval = group.tsr(True), group.tsr_interval(True)
    everything = Group(tuple(each for arm in arms for each in _observed(sheet, arm)))
    return {
        "run": sheet.setting.run,
        "rest": rest,
        "model": model_name(known[arms[0]]),
        "arms": list(arms),
        "control": control,
        "evidence": " + ".join(sorted({sheet.evidence[arm] for arm in arms})),
        "n": len(group.part(True)),
        "tsr_dependent": success,
        "tsr_dependent_ci": None if interval is None else list(interval),
        "threshold": threshold,
        "passed": None if success is None else success >= threshold,
        **_endings(group.part(True)),
        "tsr_independent": everything.tsr(False),
        "n_independent": len(everything.part(False)),
    }


def _observed(sheet: Sheet, arm: str) -> list[Observed]:
    return [each.observed for each in sheet.cells(arm, {}, ())[()]]


def _endings(seen: Sequence[Observed]) -> dict[str, Json]:
    found = [ending(each) for each in seen]
    return {name: found.count(name) for name in ENDINGS}


def ending(each: Observed) -> str:
    """Return what became of a decision.

    A model that cannot act shows as `model_error` (its calls do not parse, it runs out of steps
    or tokens), one that will not as `did_not_act`: by its outcome it asked or refused, which
    answering without the act that was due is too. `wrong` is all else that failed; `other_error`
    is nobody's failure to act.
    """
    if each.errored:
        return "model_error" if each.culprit in ("model", "agent") else "other_error"
    if each.success:
        return "right"
    abstained = each.acting is not None and each.acting.outcome in ABSTAINED
    return "did_not_act" if abstained else "wrong"


def gate_warnings(rows: Sequence[dict[str, Json]]) -> list[str]:
    """Return what a reader must know of models whose control failed, or that have none.

    Scripted readers are no models, so nothing is said of them; of somebody's table only a failed
    control is told, since it was no run of ours that left one out.
    """
    return [
        said
        for row in rows
        if is_gated(row["evidence"], row["passed"])
        if (said := _warning(row)) is not None
    ]


def is_gated(evidence: str, passed: bool | None) -> bool:
    """Return whether a control is one to speak of."""
    return set(evidence.split(" + ")) <= TESTED and (passed is False or evidence != "external")


def _warning(row: dict[str, Json]) -> str | None:
    model = row["model"]
    if row["passed"] is None:
        return (
            f"{model} has no unbudgeted replay control, so what a memory failed to give cannot be "
            "told from what the model would not have used anyway"
        )
    if row["passed"]:
        return None
    endings = ", ".join(
        f"{row[name]} {name.replace('_', ' ')}" for name in ENDINGS[1:] if row[name]
    )
    return (
        f"{model}: no statement about memories follows; with everything shown to it (replay "
        f"control) it is right in {row['right']} of {row['n']} dependent decisions, below the "
        f"threshold of {row['threshold']:.2f} ({endings})"
    )


def withhold(pairs: Sequence[dict[str, Json]], controls: Sequence[dict[str, Json]]) -> None:
    """Take the verdicts back from contrasts under a model whose control failed."""
    failed = {
        (row["run"], arm) for row in controls if row["passed"] is False for arm in row["arms"]
    }
    for row in pairs:
        runs = {row["run"]} if "run" in row else {run for run, _ in failed}
        if row["verdict"] is not None and any((run, row["against"]) in failed for run in runs):
            row["verdict"] = NO_STATEMENT
