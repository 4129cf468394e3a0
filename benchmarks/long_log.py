"""What a long log costs: is every command's time linear in the events, and at what memory?

A suite of ladder arcs with scripted readers is played by two workers until the log holds about
100,000 and then 1,000,000 events; each command is then called whole, as a user calls it. `run`
keeps the plan in memory, which grows with the arcs; `run, 15 arcs` plays as many trials of few
arcs under more seeds, so that only the log grows. `verify` and `replay` keep a stream at a time.
CPU time counts the processes that a command starts; where other work shares the cores, it is the
column to trust. The peak is the largest single process.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

ARCS = (110, 1100)
"""Arcs a tier: 908 events each with three memories."""

FEW = 5
"""Arcs a tier when only the log grows."""

SUITE = """
name = "long"
token_budgets = [96]
models = ["last"]
memories = ["none", "replay", "facts"]
seeds = {seeds}

[[scenarios]]
generate = "ladder"
seed = 7
arcs = {arcs}
tiers = ["easy", "medium", "hard"]
"""


class Cost(NamedTuple):
    """What one call of a command cost: seconds by the clock and of CPU, peak MB of a process."""

    wall: float
    cpu: float
    peak: float


def call(*arguments: str | Path) -> Cost:
    """Call the command line whole.

    Raises:
        RuntimeError: when it fails.
    """
    command = [sys.executable, "-c", "from runs.cli import main; main()", *map(str, arguments)]
    begun = perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"memtrial {' '.join(command[3:])} ended with {process.returncode}")
    return Cost(perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def costs(folder: Path, arcs: int) -> Iterator[tuple[str, Cost]]:
    """Play a suite of so many arcs and yield the cost of each command on it."""
    suite, run = folder / "long.toml", folder / "run"
    suite.write_text(SUITE.format(arcs=arcs, seeds=[0]), encoding="utf-8")
    yield "run", call("run", suite, "--out", run, "--workers", "2")
    with EventLog.open(run / "events.db") as log:
        middle = [stream.trial for stream in log.streams() if stream.trial != RUN_STREAM]
    yield "verify", call("verify", run)
    yield "replay", call("replay", run)
    yield "compare", call("compare", run)
    yield "costs", call("costs", run)
    yield "trace", call("trace", run, middle[len(middle) // 2])
    yield "report", call("report", run)
    yield "backup", call("backup", run, folder / "copy.db")
    (folder / "copy.db").unlink()
    yield f"run, {3 * FEW} arcs", few_arcs(folder, arcs)


def few_arcs(folder: Path, arcs: int) -> Cost:
    """Play as many trials as `arcs` arcs a tier have, of few arcs under more seeds."""
    suite = folder / "seeds.toml"
    suite.write_text(SUITE.format(arcs=FEW, seeds=list(range(arcs // FEW))), encoding="utf-8")
    return call("run", suite, "--out", folder / "seeds", "--workers", "2")


def events(run: Path) -> int:
    """Return the number of events of a run."""
    with EventLog.open(run / "events.db") as log:
        return sum(stream.events for stream in log.streams())


def main(sizes: Sequence[int] = ARCS) -> None:
    """Measure and print."""
    for arcs in sizes:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            for name, cost in costs(folder, arcs):
                if name == "run":
                    count = events(folder / "run")
                    size = (folder / "run" / "events.db").stat().st_size / 1e6
                    print(f"{count:,} events, {3 * 3 * arcs:,} trials, {size:,.0f} MB")
                    print(f"{'':<14}{'wall s':>9}{'CPU s':>9}{'µs/event':>10}{'peak MB':>9}")
                each = cost.cpu / count * 1e6
                print(
                    f"{name:<14}{cost.wall:>9.1f}{cost.cpu:>9.1f}{each:>10.1f}{cost.peak:>9.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
