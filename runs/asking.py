"""Asks a run's retention questions, on a fork at each decision that tests something planted.

The run that is scored is only read. The forks are a run of their own, by default in the folder
`asked` of the one that they were taken from.
"""

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from probes.scenario import Scenario
from runs.agents import agent_for
from runs.folder import EVENTS, begun, create_folder, manifest, refuse_used, seal_run
from runs.forking import live_sources, refused, suite_of
from runs.locks import held
from runs.plan import Plan, TrialPlan
from runs.replaying import recorded_arm
from runs.stops import OutOfMoney
from runs.suite import Suite
from scoring.context.answers import ASKED, questioned
from scoring.names import named
from scoring.run import Run, load_run
from simulator.engine.arm import Arm
from simulator.engine.parts import Backends
from simulator.engine.sources import Sources
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.replay import AskInstead, Diverged, Fork, fork_trial
from simulator.replay.positions import happened
from simulator.replay.turns import asked_arm

if TYPE_CHECKING:
    from runs.purse import Budget, Till

Report = Callable[[int, int], None]
"""Told how many forks are done, of how many."""


@dataclass(frozen=True)
class AskResult:
    """What asking came to.

    Attributes:
        run: The folder of the forks.
        trials: Trials that were forked, once for each decision with questions.
        questions: Questions asked in them, whenever they were asked.
        errors: Error events behind the forks' positions.
        root: Root over the forks.
    """

    run: str
    trials: int
    questions: int
    errors: int
    root: str


@dataclass(frozen=True)
class _Fork:
    """One fork to be taken: the trial that it leaves, where, what is asked, what it is called."""

    parent: str
    decision: str
    probes: tuple[str, ...]
    questions: tuple[str, ...]
    plan: TrialPlan
    position: int
    before: str


def ask_run(
    folder: Path,
    out: Path | None,
    *,
    workers: int = 1,
    resume: bool = False,
    budget: "Callable[[Suite], Budget | None] | None" = None,
    report: Report = lambda done, of: None,
) -> AskResult:
    """Ask the retention questions of every finished trial of a run, and seal the answers.

    Raises:
        InputError: when the run has no such questions, plays no more as it was recorded, the
            folder holds something else, or `resume` finds questions about another recording.
        SpendingStopped: when the next call might have cost more than the budget leaves.
    """
    with load_run(folder) as run, ExitStack() as stack:
        place = out or _inside(folder)
        asking = _Asking(run, _forks(run))
        log = stack.enter_context(_opened(asking, place, resume))
        done = len(log.heads())
        asking.pay(budget, place if done else None)
        try:
            for number, fork in enumerate(asking.taken(log.heads(), workers), done + 1):
                fork.write(log)
                report(number, len(asking.forks))
        except OutOfMoney:
            raise asking.stopped() from None
        root = seal_run(log) if _open_ended(log) else log.root()
    return _result(place, asking.forks, root)


def _inside(folder: Path) -> Path:
    if folder.is_file():
        raise InputError("a backup has no place for the answers; name one with --out")
    return folder / ASKED


def _open_ended(log: EventLog) -> bool:
    return not any(each.sealed for each in log.streams() if each.trial == RUN_STREAM)


def _forks(run: Run) -> list[_Fork]:
    """Return the forks to be taken of a run, trial by trial."""
    if run.manifest.suite.get("forks"):
        raise InputError("its trials are forks; ask about their parents", file=str(run.folder))
    found = [fork for name in run.sealed for fork in _forks_of(run, name)]
    if not found:
        message = "no finished trial of this run tests a planting that has a `question`"
        raise InputError(message, file=str(run.folder))
    return found


def _forks_of(run: Run, name: str) -> Iterator[_Fork]:
    arc, _, seed = named(name)
    wanted = questioned(run.key(arc))
    rows = list(run.log.sound_rows(name)) if wanted else []
    for decision, probes in wanted.items():
        position = happened(rows, decision)
        if position is None:
            continue  # a fault cut the trial short before it
        arm = recorded_arm(run.log, name)
        turned = arm.model_copy(update={"id": asked_arm(arm.id, decision)})
        yield _Fork(
            parent=name,
            decision=decision,
            position=position,
            before=rows[position - 1].hash,
            probes=tuple(probe.id for probe in probes),
            questions=tuple(
                probe.planting.question.text
                for probe in probes
                if probe.planting is not None and probe.planting.question is not None
            ),
            plan=TrialPlan(arc, turned, seed),
        )


class _Asking:
    """The forks of a run, and what they are asked with."""

    def __init__(self, run: Run, forks: list[_Fork]) -> None:
        self._run = run
        self.forks = forks
        self._till: Till | None = None
        arms = {fork.plan.arm.id: fork.plan.arm for fork in forks}
        self.suite = suite_of(run)
        self.plan = Plan(
            suite=self.suite.model_copy(
                update={"description": f"Retention questions about {run.name}."}
            ),
            scenarios={
                arc: Scenario(script=run.script(arc), key=run.key(arc))
                for arc in dict.fromkeys(fork.plan.arc for fork in forks)
            },
            arms=tuple(arms.values()),
            trials=tuple(fork.plan for fork in forks),
            forks={fork.plan.id: self._noted(fork) for fork in forks},
        )
        with closing(Backends()) as backends:
            self.identities = {
                name: live_sources(backends, arm).identities for name, arm in arms.items()
            }

    def _noted(self, fork: _Fork) -> Json:
        return {
            "run": self._run.name,
            "root": self._run.log.root(),
            "trial": fork.parent,
            "position": fork.position,
            "before": fork.before,
            "change": f"questions at {fork.decision}",
            "probes": list(fork.probes),
            "reused": {},
        }

    def pay(self, budget: "Callable[[Suite], Budget | None] | None", so_far: Path | None) -> None:
        """Pay for all calls from `budget`, after what the folder `so_far` holds already."""
        if budget is None:
            return
        with ExitStack() as stack:
            run = None if so_far is None else stack.enter_context(load_run(so_far))
            limit = budget(self.suite)
            if limit is not None:
                self._till = limit.till(self.plan.trials, self.identities, run)

    def stopped(self) -> Exception:
        """Return what tells that the limit is reached."""
        assert self._till is not None
        return self._till.stopped()

    def taken(self, heads: Mapping[str, str], workers: int) -> Iterator[Fork]:
        """Take the forks that are not among `heads`, in order."""
        left = [fork for fork in self.forks if fork.plan.id not in heads]
        if workers == 1 or len(left) < 2:
            with closing(Backends()) as backends:
                for fork in left:
                    yield take(self._run, fork, backends, self._till)
            return
        with ProcessPoolExecutor(
            min(workers, len(left)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_open_worker,
            initargs=(self._run.folder, self._till),
        ) as pool:
            yield from pool.map(_take_there, left)


def take(run: Run, fork: _Fork, backends: Backends, till: "Till | None") -> Fork:
    """Take one fork.

    Raises:
        InputError: when the trial does not play again as it was recorded.
    """

    def sources(arm: Arm) -> Sources:
        live = live_sources(backends, arm)
        turned = arm.model_copy(update={"id": fork.plan.arm.id})
        return live if till is None else till.metered(turned, live)

    try:
        return fork_trial(
            run.log,
            fork.parent,
            run.script(fork.plan.arc),
            fork.decision,
            AskInstead(fork.questions),
            sources=sources,
            agent=agent_for(recorded_arm(run.log, fork.parent), partial(run.key, fork.plan.arc)),
        )
    except Diverged as diverged:
        raise refused(fork.parent, diverged, run.folder) from None


_here: tuple[Run, Backends, "Till | None"]
"""What a worker process works with."""


def _open_worker(folder: Path, till: "Till | None") -> None:
    global _here
    _here = (load_run(folder), Backends(), till)


def _take_there(fork: _Fork) -> Fork:
    run, backends, till = _here
    return take(run, fork, backends, till)


@contextmanager
def _opened(asking: _Asking, place: Path, resume: bool) -> Iterator[EventLog]:
    """Open the folder's log, and hold it."""
    if not begun(place):
        refuse_used(place)
        log = create_folder(place, asking.plan, manifest(asking.plan, None, asking.identities))
    elif resume:
        _compare(asking, place)
        log = EventLog.open(place / EVENTS, write=True)
    else:
        message = "the folder holds a run; go on with --resume, or choose another with --out"
        raise InputError(message, file=str(place))
    with log, held(place):
        yield log


def _compare(asking: _Asking, place: Path) -> None:
    with load_run(place) as begun_before:
        if begun_before.manifest.suite.get("forks") != asking.plan.forks:
            message = "it holds other questions, or questions about another recording"
            raise InputError(message, file=str(place))


def _result(place: Path, forks: Sequence[_Fork], root: str) -> AskResult:
    with load_run(place) as asked:
        errors = sum(
            event.kind == "error" and event.position >= fork.position
            for fork in forks
            for event in asked.trial(fork.plan.id).events
        )
    questions = sum(len(fork.questions) for fork in forks)
    return AskResult(str(place), len(forks), questions, errors, root)
