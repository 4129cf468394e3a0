"""Plays a plan: in this process, or in several that write one log."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from probes.scenario import Scenario
from runs.agents import agent_for
from runs.folder import EVENTS, create_folder, seal_run
from runs.plan import Plan, TrialPlan, shard
from simulator.engine.parts import Backends, make_environment, make_memory
from simulator.engine.sinks import LogSink
from simulator.engine.trial import Trial, genesis
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
        InputError: when the folder is in use or a part cannot be made.
    """
    trials = shard(plan.trials, part)
    log = create_folder(folder, plan, part)
    with log:
        played = (
            _play_here(plan, trials, log)
            if workers == 1
            else _spread(plan, trials, folder, workers)
        )
        for done, _ in enumerate(played, start=1):
            report(done, len(trials))
        root = seal_run(log)
        events = sum(each.events for each in log.streams() if each.trial != RUN_STREAM)
        errors = log.count("error")
    return RunResult(len(trials), events, errors, root)


def _play_here(plan: Plan, trials: tuple[TrialPlan, ...], log: EventLog) -> Iterator[str]:
    backends = Backends()
    try:
        for trial in trials:
            play(trial, plan.scenarios[trial.arc], log, backends)
            yield trial.id
    finally:
        backends.close()


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
            sources=backends.sources(trial.arm, memory),
            sink=sink,
        ).play()
    finally:
        memory.close()
    sink.finish()


def _spread(plan: Plan, trials: tuple[TrialPlan, ...], folder: Path, workers: int) -> Iterator[str]:
    """Play in several processes; which one plays what changes nothing that is hashed."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_open_worker, initargs=(folder / EVENTS,)
    )
    try:
        futures = [pool.submit(_play_there, trial, plan.scenarios[trial.arc]) for trial in trials]
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Worker:
    """What a worker process keeps between trials."""

    log: EventLog
    backends: Backends


def _open_worker(path: Path) -> None:
    # An interrupted worker just ends: its unfinished trial was never written.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _Worker.log = EventLog.open(path, write=True)
    _Worker.backends = Backends()


def _play_there(trial: TrialPlan, scenario: Scenario) -> str:
    play(trial, scenario, _Worker.log, _Worker.backends)
    return trial.id
