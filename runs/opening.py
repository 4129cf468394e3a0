"""Opens a run for playing: a new one is begun, one that was cut off goes on."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runs.folder import (
    EVENTS,
    SCRIPTS,
    create_folder,
    make_folder,
    manifest,
    refuse_foreign,
    refuse_used,
)
from runs.locks import held, outlast_workers
from runs.plan import Plan, TrialPlan
from runs.preflight import check_parts
from runs.resuming import changed_packages, refuse_changed, refuse_diverging
from runs.scenarios import shortfalls
from scoring.run import Run, load_run
from simulator.engine.parts import Backends
from simulator.events.errors import InputError
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

if TYPE_CHECKING:
    from runs.admission import Gate
    from runs.purse import Budget, Till


@dataclass(frozen=True)
class Order:
    """A run as it was asked for.

    Attributes:
        plan: What is played.
        folder: Where it is recorded.
        trials: The trials that it plays of the plan.
        part: Its shard, as in `1/4`.
        resume: True when the folder may hold a part of it.
        budget: What it may spend, if that is limited.
        tell: Told what the user should know, a line at a time.
        gate: Which trials wait for a control, if any do.
    """

    plan: Plan
    folder: Path
    trials: tuple[TrialPlan, ...]
    part: str | None
    resume: bool
    budget: "Budget | None"
    tell: Callable[[str], None]
    gate: "Gate | None" = None


@dataclass(frozen=True)
class Opened:
    """A run that can be played.

    Attributes:
        log: Its log, open for writing unless it is finished.
        left: Trials that are not finished, in their order.
        cut: Names of those among them that were begun.
        new: True when nothing was played before.
        finished: True when there is nothing left to do.
        till: What it spends from, if that is limited.
    """

    log: EventLog
    left: tuple[TrialPlan, ...]
    cut: frozenset[str] = frozenset()
    new: bool = True
    finished: bool = False
    till: "Till | None" = None


@contextmanager
def begin(order: Order, backends: Backends) -> Iterator[Opened]:
    """Begin a run in a folder of its own.

    Raises:
        InputError: when the folder is in use or a part cannot be made; nothing is then left.
        NoSpace: when the disk is full.
    """
    if order.resume:
        refuse_foreign(order.folder)
    else:
        refuse_used(order.folder, order.plan.suite.name)
    identities = check_parts(order.plan, order.trials, backends)
    for line in shortfalls(order.plan.suite.scenarios):
        order.tell(line)
    till = None
    if order.budget is not None:
        till = order.budget.till(order.trials, identities, None)
    make_folder(order.folder)
    with held(order.folder):
        with uninterrupted():  # so that nothing is left half made that need not be
            made = manifest(order.plan, order.part, identities)
            log = create_folder(order.folder, order.plan, made)
        with log:
            yield Opened(log, order.trials, till=till)


@contextmanager
def go_on(order: Order, backends: Backends) -> Iterator[Opened]:
    """Open a run that has begun, to play what is left of it.

    Raises:
        InputError: when another process plays it, or when it is no longer the run that was
            begun; the folder is left as it is.
    """
    if not (order.folder / SCRIPTS).is_dir():
        message = "its frozen scripts are missing: this is a copy of a log alone, and cannot go on"
        raise InputError(message, file=str(order.folder))
    with held(order.folder):
        outlast_workers(order.folder / SCRIPTS)
        with load_run(order.folder) as run:
            left = tuple(trial for trial in order.trials if trial.id not in set(run.sealed))
            till = _checked(order, run, left, backends)
            cut, finished = frozenset(run.unfinished), _is_finished(run.log)
        with EventLog.open(order.folder / EVENTS, write=not finished) as log:
            yield Opened(log, left, cut, new=False, finished=finished, till=till)


def _checked(
    order: Order, run: Run, left: tuple[TrialPlan, ...], backends: Backends
) -> "Till | None":
    identities = check_parts(order.plan, left, backends)
    now = manifest(order.plan, order.part, identities)
    refuse_changed(order.folder, run.manifest, now)
    refuse_diverging(run, order.trials, left)
    for line in changed_packages(run.manifest, now):
        order.tell(f"since the run began, {line}")
    return order.budget.till(left, identities, run) if order.budget else None


def _is_finished(log: EventLog) -> bool:
    return any(stream.trial == RUN_STREAM and stream.sealed for stream in log.streams())


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep an interruption waiting."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
