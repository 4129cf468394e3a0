"""How many episodes a second are played and recorded, in scripted mode.

The work is `episodes.toml`: the quickstart's six memories on 120 arcs of the ladder, through the
runner, into a log on disk. The target is 200 episodes a second in one process, averaged over the
memories. A round is one run of all memories on arcs that none has seen; a memory's time is what
passes from the end of its first trial, which may have a run or a library to open, to the end of
its last. The rate of the whole run has everything in it: its beginning, first trials and the seal.
"""

import multiprocessing
import resource
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time

from runs.folder import EVENTS
from runs.plan import Plan, TrialPlan, plan
from runs.runner import run_plan
from simulator.log.store import EventLog
from simulator.models.scripted.filling import fill
from simulator.models.scripted.readers import LastReader
from simulator.models.scripted.reading import Reading
from simulator.models.written import write_call

SUITE = Path(__file__).with_suffix(".toml")
ROUNDS = 3


class Inquirer(LastReader):
    """Acts as `last`, but looks something up before it gives up.

    So every episode has at least two completions and a tool call, whatever the memory knows.
    """

    name = "inquirer"

    def reply(self, reading: Reading, seed: int) -> str:
        action = super().reply(reading, seed)
        if reading.steps or reading.toolbox is None or not action.startswith("answer"):
            return action
        for tool in reading.toolbox.tools:
            arguments = fill(reading.toolbox, tool, reading, lambda mentions: None)
            if arguments:
                return write_call(tool.name, arguments)
        return action


@dataclass(frozen=True)
class Played:
    """What was played, and how long it took by the clock and of CPU, seconds."""

    episodes: int
    events: int
    completions: int
    calls: int
    wall: float
    cpu: float


@dataclass(frozen=True)
class Run:
    """A run as a whole, and each memory's share of it without that memory's first trial."""

    whole: Played
    memories: dict[str, Played]


def timed(work: Plan, workers: int = 1) -> Run:
    """Play a plan into a folder of its own and count what the log then holds."""
    marks = [_now()]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        result = run_plan(
            work, folder, workers=workers, report=lambda done, of: marks.append(_now())
        )
        marks.append(_now())
        if result.errors:
            raise RuntimeError(f"{result.errors} errors: this is not the work to be timed")
        with EventLog.open(folder / EVENTS) as log:
            whole = _played(log, work, work.trials, marks[0], marks[-1])
            shares = {} if workers > 1 else _shares(log, work, marks[1:-1])
    return Run(whole, shares)


Instant = tuple[float, float]
"""Seconds by the clock, and of CPU."""


def _now() -> Instant:
    return perf_counter(), process_time()


def _shares(log: EventLog, work: Plan, ends: Sequence[Instant]) -> dict[str, Played]:
    """Return each memory's share; trials are played memory by memory, so it lies in one piece."""
    ended: dict[str, list[tuple[TrialPlan, Instant]]] = defaultdict(list)
    for trial, end in zip(work.trials, ends, strict=True):
        ended[trial.arm.memory.name].append((trial, end))
    return {
        name: _played(log, work, [trial for trial, _ in rest], first, rest[-1][1])
        for name, ((_, first), *rest) in ended.items()
        if rest
    }


def _played(
    log: EventLog, work: Plan, trials: Sequence[TrialPlan], begin: Instant, end: Instant
) -> Played:
    kinds = [row.kind for trial in trials for row in log.rows(trial.id)]
    return Played(
        sum(len(work.scenarios[trial.arc].script.episodes) for trial in trials),
        len(kinds),
        kinds.count("completion"),
        kinds.count("tool_call"),
        end[0] - begin[0],
        end[1] - begin[1],
    )


def part_of(work: Plan, trials: Sequence[TrialPlan]) -> Plan:
    arcs = {trial.arc: work.scenarios[trial.arc] for trial in trials}
    return replace(work, trials=tuple(trials), scenarios=arcs)


def rounds(work: Plan) -> list[Run]:
    """Return a few runs over other arcs each, after one that does not count."""
    arcs = list(work.scenarios)
    shares = [set(arcs[:1]), *(set(arcs[number::ROUNDS]) for number in range(ROUNDS))]
    plans = [part_of(work, [trial for trial in work.trials if trial.arc in arc]) for arc in shares]
    return [timed(each) for each in plans][1:]


def fastest(played: Iterable[Played]) -> Played:
    return min(played, key=lambda each: each.wall / each.episodes)


def peak_memory(seeds: int) -> tuple[int, float]:
    """Play every arc with `hybrid` and so many trial seeds.

    Returns the number of trials and the most MB that this process held. Hybrid keeps whatever
    retrieval and facts keep, so what piles up in them piles up here.
    """
    work = plan(str(SUITE))
    hybrid = [trial for trial in work.trials if trial.arm.memory.name == "hybrid"]
    trials = [replace(trial, seed=seed) for seed in range(seeds) for trial in hybrid]
    timed(part_of(work, trials))
    return len(trials), peak_mb()


def peak_mb() -> float:
    """Return the most memory that this process ever held.

    Linux's `ru_maxrss` starts at what the parent held when it forked, so it is asked only where
    there is no better figure.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def in_fresh_process(seeds: int) -> tuple[int, float]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(peak_memory, seeds).result()


def print_speeds(played: dict[str, Played]) -> None:
    print(
        f"{'memory':<12}{'episodes/s':>12}{'events/s':>10}{'completions/s':>15}"
        f"{'episodes/CPU s':>16}  an episode has"
    )
    for name, each in played.items():
        n, wall = each.episodes, each.wall
        print(
            f"{name:<12}{n / wall:>12,.0f}{each.events / wall:>10,.0f}"
            f"{each.completions / wall:>15,.0f}{n / each.cpu:>16,.0f}"
            f"  {each.completions / n:.2f} completions, {each.calls / n:.2f} calls,"
            f" {each.events / n:.1f} events"
        )


def main() -> None:
    """Print the speed with each memory, with two processes, and the growth of memory."""
    work = plan(str(SUITE))
    runs = rounds(work)
    played = {name: fastest(run.memories[name] for run in runs) for name in runs[0].memories}
    whole = fastest(run.whole for run in runs)
    print(f"one process, {len(work.scenarios) // ROUNDS} arcs a run, best of {ROUNDS} runs")
    print_speeds({**played, "whole run": whole})
    mean = fmean(each.episodes / each.wall for each in played.values())
    busy = fmean(each.episodes / each.cpu for each in played.values())
    print(f"mean of the memories' rates: {mean:,.0f} episodes/s (target: at least 200)")
    print(f"{busy:,.0f} per CPU second, the figure to trust where other work shares the cores")
    two, one = timed(work, workers=2).whole, timed(work).whole
    rate, alone = two.episodes / two.wall, one.episodes / one.wall
    print(
        f"two worker processes, their start included: {rate:,.0f} episodes/s, {rate / alone:.2f} x"
    )
    (few, low), (many, high) = in_fresh_process(2), in_fresh_process(8)
    print(
        f"peak memory: {few} trials {low:.0f} MB, {many} trials {high:.0f} MB, {high / low:.2f} x"
    )


if __name__ == "__main__":
    main()
