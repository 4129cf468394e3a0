"""`run --gate`: a model plays its replay control first, and nothing else where it fails it.

The order of playing changes nothing that is hashed, so a run that was stopped here and goes on
without the gate is the run that never had one.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runs.plan import Plan, TrialPlan
from runs.stops import ControlFailed
from scoring.analysis.declared import CLEAN
from scoring.analysis.gates import CONTROL, gate_rows
from scoring.analysis.pairing import model_name, stands
from scoring.grouping import rest_of
from simulator.effects.registry import lookup
from simulator.engine.arm import Arm
from simulator.events import Json
from simulator.events.errors import InputError

Row = Mapping[str, Json]


@dataclass(frozen=True)
class Gate:
    """Which control each arm of a real model waits for.

    Attributes:
        plan: What is played.
        controls: Arm id to the id of its control arm; arms of scripted readers wait for none.
    """

    plan: Plan
    controls: Mapping[str, str]

    def opens(self, trial: TrialPlan) -> bool:
        """Return whether a trial is one by which its model is judged: of a control, clean."""
        clean = self.plan.scenarios[trial.arc].key.corruption == CLEAN
        return clean and self.controls.get(trial.arm.id) == trial.arm.id

    def admitted(
        self,
        folder: Path,
        played: Sequence[TrialPlan],
        rest: Sequence[TrialPlan],
        tell: Callable[[str], None],
    ) -> tuple[tuple[TrialPlan, ...], ControlFailed | None]:
        """Return which of the `rest` may be played, and what is to be told once they are.

        `played` are all trials of the run or shard that `opens` is true of, which are finished.
        """
        rows = {row["control"]: row for row in self._rows(folder, played)}
        failed = {arm: row for arm, row in rows.items() if row["passed"] is False}
        for arm in dict.fromkeys(self.controls.values()):
            if arm not in rows or rows[arm]["passed"] is None:
                tell(f"{arm} has no dependent decision here, so its model is not gated")
        kept = tuple(each for each in rest if self.controls.get(each.arm.id) not in failed)
        if len(kept) == len(rest):
            return kept, None
        return kept, ControlFailed(_told(list(failed.values()), len(rest) - len(kept)))

    def _rows(self, folder: Path, played: Sequence[TrialPlan]) -> Sequence[Row]:
        # Imported here because numpy comes along, and most runs are not gated.
        from scoring.analysis.sheets import sheets
        from scoring.compare import CURRENT, scored_run, scoring
        from scoring.pricing import pricing
        from scoring.run import load_run

        with load_run(folder) as run:
            score = scoring(folder.name, CURRENT, None, None, run)
            trials = [score(run.trial(each.id)) for each in played]
            found = scored_run(run, folder.name, pricing(run), trials)
        threshold = self.plan.suite.analysis.control_threshold
        (sheet,) = sheets(found.settings, found.trials)
        return gate_rows(sheet, threshold)


def gate_of(plan: Plan) -> Gate:
    """Return the gate of a plan.

    Raises:
        InputError: when a real model has no unbudgeted replay arm.
    """
    groups: dict[str, list[Arm]] = defaultdict(list)
    for arm in plan.arms:
        if not lookup("model", arm.model.name).scripted:
            groups[rest_of(arm.describe())].append(arm)
    return Gate(plan, {arm.id: _control(arms) for arms in groups.values() for arm in arms})


def _control(arms: Sequence[Arm]) -> str:
    for arm in arms:
        if stands(CONTROL, arm.id, arm.describe()):
            return arm.id
    raise InputError(
        f"--gate needs a replay control of {model_name(arms[0].describe())}; add a memory "
        "'replay' with implementation = 'unbudgeted'",
        field="memories",
    )


def _told(rows: Sequence[Row], left: int) -> str:
    failures = "; ".join(
        f"{row['model']} is right in {row['right']} of {row['n']} dependent decisions under its "
        f"replay control, below {row['threshold']:.2f}"
        for row in rows
    )
    return (
        f"{failures}; not played for it: {left} of the run's trials, from which nothing about "
        "memories would follow; to play them all the same go on with --resume and without --gate"
    )
