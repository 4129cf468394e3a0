"""How many episodes a second are played and recorded, in scripted mode.

The work is `episodes.toml`: the quickstart's six memories on 120 arcs of the ladder, through the
runner, into a log on disk. The target is 200 episodes a second in one process, averaged over the
memories. Making the scenarios is not timed; neither is a first trial of each memory, which imports
its libraries. Every round plays arcs that the memory has not seen.
"""

import multiprocessing
import resource
import tempfile
from collections import defaultdict
from collections.abc import Sequence
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
    """What one run did, and how long it took by the clock and of CPU, seconds."""

    episodes: int
    events: int
    completions: int
    calls: int
    wall: float
    cpu: float

    def __add__(self, other: "Played") -> "Played":
        mine, theirs = vars(self), vars(other)
        return Played(**{name: mine[name] + theirs[name] for name in mine})


def timed(work: Plan, workers: int = 1) -> Played:
    """Play a plan into a folder of its own and count what the log then holds."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        wall, cpu = perf_counter(), process_time()
        result = run_plan(work, folder, workers=workers, report=lambda done, of: None)
        wall, cpu = perf_counter() - wall, process_time() - cpu
        if result.errors:
            raise RuntimeError(f"{result.errors} errors: this is not the work to be timed")
        with EventLog.open(folder / EVENTS) as log:
            completions, calls = log.count("completion"), log.count("tool_call")
    return Played(episodes(work), result.events, completions, calls, wall, cpu)


def episodes(work: Plan) -> int:
    return sum(len(work.scenarios[trial.arc].script.episodes) for trial in work.trials)


def by_memory(work: Plan) -> dict[str, Plan]:
    parts: dict[str, list[TrialPlan]] = defaultdict(list)
    for trial in work.trials:
        parts[trial.arm.memory.name].append(trial)
    return {name: part_of(work, trials) for name, trials in parts.items()}


def part_of(work: Plan, trials: Sequence[TrialPlan]) -> Plan:
    arcs = {trial.arc: work.scenarios[trial.arc] for trial in trials}
    return replace(work, trials=tuple(trials), scenarios=arcs)


def best(work: Plan) -> Played:
    """Return the fastest of a few rounds over other arcs, after a trial that does not count."""
    timed(part_of(work, work.trials[:1]))
    rounds = [part_of(work, work.trials[number::ROUNDS]) for number in range(ROUNDS)]
    return min(map(timed, rounds), key=lambda each: each.wall / each.episodes)


def peak_memory(seeds: int) -> tuple[int, float]:
    """Play every arc with `hybrid` and so many trial seeds.

    Returns the number of trials and the most MB that this process held. Hybrid keeps whatever
    retrieval and facts keep, so what piles up in them piles up here.
    """
    work = by_memory(plan(str(SUITE)))["hybrid"]
    trials = [replace(trial, seed=seed) for seed in range(seeds) for trial in work.trials]
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
    parts = by_memory(work)
    played = {name: best(part) for name, part in parts.items()}
    trials = len(work.trials) // len(parts) // ROUNDS
    print(f"one process, {trials} trials a memory, best of {ROUNDS} rounds")
    total = sum(played.values(), start=Played(0, 0, 0, 0, 0.0, 0.0))
    print_speeds({**played, "all": total})
    mean = fmean(each.episodes / each.wall for each in played.values())
    busy = fmean(each.episodes / each.cpu for each in played.values())
    print(f"mean of the memories' rates: {mean:,.0f} episodes/s (target: at least 200)")
    print(f"{busy:,.0f} per CPU second, the figure to trust where other work shares the cores")
    two = timed(work, workers=2)
    rate, one = two.episodes / two.wall, total.episodes / total.wall
    print(f"two worker processes, their start included: {rate:,.0f} episodes/s, {rate / one:.2f} x")
    (few, low), (many, high) = in_fresh_process(2), in_fresh_process(8)
    print(
        f"peak memory: {few} trials {low:.0f} MB, {many} trials {high:.0f} MB, {high / low:.2f} x"
    )


if __name__ == "__main__":
    main()
