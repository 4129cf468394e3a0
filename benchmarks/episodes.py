"""How many episodes a second are played and recorded, in scripted mode.

The work is the quickstart suite with more arcs: six memories on three tiers of the ladder with
the reader `last`, through the runner, into a log on disk. The target is 200 episodes a second in
one process, averaged over the memories. Making the scenarios is not timed; neither is the first
trial of each memory, in which its libraries are imported.
"""

import multiprocessing
import resource
import tempfile
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter, process_time

from runs.arms import arms
from runs.folder import EVENTS
from runs.plan import Plan, TrialPlan
from runs.runner import run_plan
from runs.scenarios import scenarios
from runs.suite import Ladder, Suite, find_suite, read_suite
from simulator.log.store import EventLog

SUITE = "quickstart"
ARCS = 40
"""Arcs of each tier; a trial of each is played by every memory."""
ROUNDS = 3
COUNTED = ("completion", "tool_call")


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


def workload() -> Plan:
    """Return the quickstart suite's plan with `ARCS` arcs a tier."""
    suite = read_suite(SUITE)
    sources = tuple(
        each.model_copy(update={"arcs": ARCS}) if isinstance(each, Ladder) else each
        for each in suite.scenarios
    )
    return planned(suite.model_copy(update={"scenarios": sources}))


def planned(suite: Suite) -> Plan:
    made = tuple(arms(suite))
    found = {each.script.arc: each for each in scenarios(suite.scenarios, find_suite(SUITE).parent)}
    trials = [TrialPlan(arc, arm, seed) for arm in made for arc in found for seed in suite.seeds]
    return Plan(suite, found, made, tuple(trials))


def timed(plan: Plan, workers: int = 1) -> Played:
    """Play a plan into a folder of its own and count what the log then holds."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        wall, cpu = perf_counter(), process_time()
        result = run_plan(plan, folder, workers=workers, report=lambda done, of: None)
        wall, cpu = perf_counter() - wall, process_time() - cpu
        if result.errors:
            raise RuntimeError(f"{result.errors} errors: this is not the work to be timed")
        with EventLog.open(folder / EVENTS) as log:
            completions, calls = map(log.count, COUNTED)
    return Played(episodes(plan), result.events, completions, calls, wall, cpu)


def episodes(plan: Plan) -> int:
    return sum(len(plan.scenarios[trial.arc].script.episodes) for trial in plan.trials)


def by_memory(plan: Plan) -> dict[str, Plan]:
    parts: dict[str, list[TrialPlan]] = defaultdict(list)
    for trial in plan.trials:
        parts[trial.arm.memory.name].append(trial)
    return {name: replace(plan, trials=tuple(trials)) for name, trials in parts.items()}


def best(plan: Plan) -> Played:
    """Return the fastest of a few rounds, after a trial that is not counted."""
    timed(replace(plan, trials=plan.trials[:1]))
    return min((timed(plan) for _ in range(ROUNDS)), key=lambda each: each.wall)


def peak_memory(share: int) -> tuple[int, float]:
    """Play every `share`th trial of the workload; return their number and this process's peak MB."""
    plan = workload()
    trials = plan.trials[::share]
    timed(replace(plan, trials=trials))
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


def in_fresh_process(share: int) -> tuple[int, float]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(peak_memory, share).result()


def print_speeds(played: dict[str, Played]) -> None:
    print(
        f"{'memory':<12}{'episodes/s':>12}{'events/s':>10}{'completions/s':>15}"
        f"{'CPU ms/episode':>16}  an episode has"
    )
    for name, each in played.items():
        n, wall = each.episodes, each.wall
        print(
            f"{name:<12}{n / wall:>12,.0f}{each.events / wall:>10,.0f}"
            f"{each.completions / wall:>15,.0f}{each.cpu / n * 1e3:>16.2f}"
            f"  {each.completions / n:.2f} completions, {each.calls / n:.2f} calls,"
            f" {each.events / n:.1f} events"
        )


def main() -> None:
    """Print the speed with each memory, with two processes, and the growth of memory."""
    plan = workload()
    parts = by_memory(plan)
    played = {name: best(part) for name, part in parts.items()}
    print(f"{len(plan.trials) // len(parts)} trials a memory, one process, best of {ROUNDS} rounds")
    print_speeds(played)
    total = sum(played.values(), start=Played(0, 0, 0, 0, 0.0, 0.0))
    print_speeds({"all together": total})
    mean = sum(each.episodes / each.wall for each in played.values()) / len(played)
    print(f"mean of the memories' rates: {mean:,.0f} episodes/s (target: at least 200)")
    two = timed(plan, workers=2)
    rate, one = two.episodes / two.wall, total.episodes / total.wall
    print(f"two worker processes, their start included: {rate:,.0f} episodes/s, {rate / one:.2f} x")
    (few, low), (many, high) = in_fresh_process(4), in_fresh_process(1)
    print(f"peak memory: {few} trials {low:.0f} MB, {many} trials {high:.0f} MB, {high / low:.2f} x")


if __name__ == "__main__":
    main()
