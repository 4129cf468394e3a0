"""Plays a plan: in this process, or in several that write one log."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING

from probes.scenario import Scenario
from runs.agents import agent_for
from runs.folder import EVENTS, SCRIPTS, begun, discard_unplayed, seal_run
from runs.locks import join
from runs.opening import Opened, Order, begin, go_on, uninterrupted
from runs.plan import Plan, TrialPlan, shard
from runs.resuming import refusal
from runs.stops import OutOfMoney
from simulator.engine.parts import Backends
from simulator.engine.playing import play_trial
from simulator.engine.sinks import LogSink
from simulator.engine.trial import genesis
from simulator.events.errors import InputError
from simulator.log.errors import LogRefused, NoSpace
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.replay import Diverged, resume_trial

if TYPE_CHECKING:
    from runs.admission import Gate
    from runs.purse import Budget, Till

Report = Callable[[int, int], None]
"""Told how many trials are done, of how many."""


@dataclass(frozen=True)
class RunResult:
    """What a run came to.

    Attributes:
        trials: Trials of the run, whenever they were played.
        events: Events in all trials' streams.
        errors: Error events in them.
        root: Root over all sealed heads.
    """

    trials: int
    events: int
    errors: int
    root: str


def run_plan(
    plan: Plan,
    folder: Path,
    *,
    workers: int = 1,
    part: str | None = None,
    resume: bool = False,
    budget: "Budget | None" = None,
    gate: "Gate | None" = None,
    report: Report,
    tell: Callable[[str], None] = lambda line: None,
) -> RunResult:
    """Play a plan into a new folder or, with `resume`, what is left of it into its own.

    Whatever ends it early leaves a log that verifies: finished trials are sealed, those in
    flight are unfinished, there is no root, and it can be resumed.

    Raises:
        InputError: when the folder is in use, a part cannot be made (nothing is then left), or
            the run to resume is another one.
        SpendingStopped: when the next call might have cost more than `budget` leaves.
        ControlFailed: when a `gate` kept trials of a model from being played.
        NoSpace: when the disk is full.
    """
    order = Order(plan, folder, shard(plan.trials, part), part, resume, budget, tell, gate)
    open_run = go_on if resume and begun(folder) else begin
    with closing(Backends()) as backends:
        try:
            with open_run(order, backends) as run:
                return _play_all(run, order, workers, backends, report)
        except NoSpace as full:
            raise NoSpace(f"{full}; make room, then go on with --resume") from None


def _play_all(
    run: Opened, order: Order, workers: int, backends: Backends, report: Report
) -> RunResult:
    total = len(order.trials)
    if run.finished:
        order.tell("this run was finished before; nothing is played")
        return _result(run.log, total, run.log.root())
    if not run.new:
        order.tell(f"{total - len(run.left)} of {total} trials were finished before")
    if workers > 1:
        backends.close()  # each worker opens its own
    try:
        for done, _ in enumerate(
            _played(run, order, workers, backends), start=total - len(run.left) + 1
        ):
            report(done, total)
    except InputError:
        if run.new:
            discard_unplayed(order.folder, run.log)
        raise
    except OutOfMoney:
        assert run.till is not None
        raise run.till.stopped() from None
    return _result(run.log, total, seal_run(run.log))


def _result(log: EventLog, trials: int, root: str) -> RunResult:
    events = sum(each.events for each in log.streams() if each.trial != RUN_STREAM)
    return RunResult(trials, events, log.count("error"), root)


def _played(run: Opened, order: Order, workers: int, backends: Backends) -> Iterator[str]:
    """Play what is left; where a gate is kept, the controls first and then who passes them."""
    if order.gate is None:
        yield from _play(run, order, workers, backends)
        return
    deciding = tuple(filter(order.gate.opens, order.trials))
    named = {trial.id for trial in deciding}
    first = tuple(trial for trial in run.left if trial.id in named)
    yield from _play(replace(run, left=first), order, workers, backends)
    rest = tuple(trial for trial in run.left if trial.id not in named)
    kept, failed = order.gate.admitted(order.folder, deciding, rest, order.tell)
    yield from _play(replace(run, left=kept), order, workers, backends)
    if failed is not None:
        raise failed


def _play(run: Opened, order: Order, workers: int, backends: Backends) -> Iterator[str]:
    if not run.left:
        return iter(())
    return _play_here(run, order, backends) if workers == 1 else _spread(run, order, workers)


def _play_here(run: Opened, order: Order, backends: Backends) -> Iterator[str]:
    for trial in run.left:
        scenario = order.plan.scenarios[trial.arc]
        play(trial, scenario, run.log, backends, cut=trial.id in run.cut, till=run.till)
        yield trial.id


def play(
    trial: TrialPlan,
    scenario: Scenario,
    log: EventLog,
    backends: Backends,
    *,
    cut: bool = False,
    till: "Till | None" = None,
) -> None:
    """Play one trial, or the rest of one that was cut off, into the log and seal its stream."""
    script, arm = scenario.script, trial.arm
    agent = agent_for(arm, lambda: scenario.key)
    live = backends.sources(arm)
    sources = live if till is None else till.metered(arm, live)
    if cut:
        try:
            resume_trial(log, trial.id, script, arm, trial.seed, agent, sources)
        except Diverged as diverged:
            raise refusal(diverged, log) from None
        return
    sink = LogSink(log, trial.id, genesis(script, arm))
    play_trial(script, arm, trial.seed, agent=agent, sources=sources, sink=sink)
    sink.finish()


def _spread(run: Opened, order: Order, workers: int) -> Iterator[str]:
    """Play in several processes; which one plays what changes nothing that is hashed.

    Raises:
        ChildProcessError: when a worker was killed.
    """
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_open_worker,
        initargs=(order.folder, run.till),
    )
    try:
        with uninterrupted():  # workers inherit it, and wake up when they are ready to die
            futures = [
                pool.submit(
                    _play_there, trial, order.plan.scenarios[trial.arc], trial.id in run.cut
                )
                for trial in run.left
            ]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool:
        message = "a worker process was killed; what was finished is recorded, go on with --resume"
        raise ChildProcessError(message) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Worker:
    """What a worker process keeps between trials."""

    folder: Path
    log: EventLog | None = None
    backends: Backends
    till: "Till | None"
    failed: Exception | None = None


def _end_with_parent() -> None:
    """End this worker when the run's process is gone: nobody would take what it makes."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _open_worker(folder: Path, till: "Till | None") -> None:
    join(folder / SCRIPTS)  # before the look at the parent: a resumed run waits for this lock
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():
        os._exit(1)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # An interrupted worker just ends: what it had not written it does not write.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _Worker.folder, _Worker.till = folder, till
    _Worker.backends = Backends()


def _play_there(trial: TrialPlan, scenario: Scenario, cut: bool) -> str:
    """Play one trial in a worker; after a failure it plays no other, for nobody would keep it."""
    if _Worker.failed is not None:
        raise _Worker.failed
    try:
        if _Worker.log is None:  # opened here so that what is wrong with it is told
            _Worker.log = EventLog.open(_Worker.folder / EVENTS, write=True)
        play(trial, scenario, _Worker.log, _Worker.backends, cut=cut, till=_Worker.till)
    except (LogRefused, InputError) as error:
        _Worker.failed = error
        raise
    return trial.id
