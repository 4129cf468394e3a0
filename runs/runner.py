"""Plays a plan: in this process, or in several that write one log."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

from probes.scenario import Scenario
from runs.agents import agent_for
from runs.folder import EVENTS, create_folder, discard_unplayed, refuse_used, seal_run
from runs.plan import Plan, TrialPlan, shard
from runs.preflight import check_parts
from simulator.engine.parts import Backends, make_environment, make_memory
from simulator.engine.sinks import LogSink
from simulator.engine.trial import Trial, genesis
from simulator.events.errors import InputError
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

Report = Callable[[int, int], None]
"""Told how many trials are done, of how many."""


@dataclass(frozen=True)
class RunResult:
    """What a run came to.

    Attributes:
        trials: Trials played.
        events: Events in all trials' streams.
        errors: Error events in them.
        root: Root over all sealed heads.
    """

    trials: int
    events: int
    errors: int
    root: str


def run_plan(
    plan: Plan, folder: Path, *, workers: int = 1, part: str | None = None, report: Report
) -> RunResult:
    """Play a plan into a new folder.

    An interruption leaves a log that verifies: finished trials are sealed, the one in flight is
    unfinished, and there is no root.

    Raises:
        InputError: when the folder is in use or a part cannot be made; nothing is then left.
    """
    trials = shard(plan.trials, part)
    refuse_used(folder, plan.suite.name)
    with closing(Backends()) as backends:
        check_parts(plan, trials, backends)
        if workers > 1:
            backends.close()  # each worker opens its own
        with _uninterrupted():  # a folder is made whole or not at all
            log = create_folder(folder, plan, part)
        with log:
            played = (
                _play_here(plan, trials, log, backends)
                if workers == 1
                else _spread(plan, trials, folder, workers)
            )
            try:
                for done, _ in enumerate(played, start=1):
                    report(done, len(trials))
            except InputError:
                discard_unplayed(folder, log)
                raise
            return _sealed(log, len(trials))


def _sealed(log: EventLog, trials: int) -> RunResult:
    root = seal_run(log)
    events = sum(each.events for each in log.streams() if each.trial != RUN_STREAM)
    return RunResult(trials, events, log.count("error"), root)


def _play_here(
    plan: Plan, trials: tuple[TrialPlan, ...], log: EventLog, backends: Backends
) -> Iterator[str]:
    for trial in trials:
        play(trial, plan.scenarios[trial.arc], log, backends)
        yield trial.id


def play(trial: TrialPlan, scenario: Scenario, log: EventLog, backends: Backends) -> None:
    """Play one trial into the log and seal its stream."""
    script = scenario.script
    sink = LogSink(log, trial.id, genesis(script, trial.arm))
    memory = make_memory(trial.arm, trial.id)
    try:
        Trial(
            script,
            trial.arm,
            trial.seed,
            environment=make_environment(script.environment),
            memory=memory,
            agent=agent_for(trial.arm, lambda: scenario.key),
            sources=backends.sources(trial.arm),
            sink=sink,
        ).play()
    finally:
        memory.close()
    sink.finish()


def _spread(plan: Plan, trials: tuple[TrialPlan, ...], folder: Path, workers: int) -> Iterator[str]:
    """Play in several processes; which one plays what changes nothing that is hashed.

    Raises:
        ChildProcessError: when a worker was killed.
    """
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_open_worker, initargs=(folder / EVENTS,)
    )
    try:
        with _uninterrupted():  # workers inherit it, and wake up when they are ready to die
            futures = [
                pool.submit(_play_there, trial, plan.scenarios[trial.arc]) for trial in trials
            ]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool:
        message = "a worker process was killed; what was finished is recorded"
        raise ChildProcessError(message) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep an interruption waiting."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


class _Worker:
    """What a worker process keeps between trials."""

    log: EventLog
    backends: Backends


def _end_with_parent() -> None:
    """End this worker when the run's process is gone: nobody would take what it makes."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _open_worker(path: Path) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # An interrupted worker just ends: its unfinished trial was never written.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _Worker.log = EventLog.open(path, write=True)
    _Worker.backends = Backends()


def _play_there(trial: TrialPlan, scenario: Scenario) -> str:
    play(trial, scenario, _Worker.log, _Worker.backends)
    return trial.id
