"""Runs that are killed, or whose disk is full, and go on: how many, and what became of them.

A run is 8 trials with 12 paid completions and 2 workers. After each kill, verification, root,
scores, costs and the model's own ledger of calls are held to those of an unbroken run; a kill
after which anything differs is counted as broken. With `strace`, system calls are hit one by one:
what SQLite does in between, which no Python code can stop at, is then met too.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.runs.killing import (
    ROOT,
    Case,
    LargeEnough,
    SmallDisk,
    Zygote,
    check_resumed,
    kill_and_resume,
    on_small_disk,
    small_disks_work,
    whole_run,
    zygote,
)
from tests.runs.parts import LEDGER

HITS = 200
SPAWNED_HITS = 20
WHO = ("self", "run", "all")
SYNCS = ("fsync", "fdatasync", "rename", "unlink", "ftruncate")
STRIDE = 5
"""Of SQLite's writes, every fifth is hit."""

COMMAND = (sys.executable, "-P", "-c", "from runs.cli import main; main()")


class Users:
    """Calls the command line as its users do: new processes, spawned workers.

    Attributes:
        before: What stands before the command.
    """

    def __init__(self, before: Sequence[str] = ()) -> None:
        self.before = before

    def call(self, **order: Any) -> dict[str, Any]:
        process = subprocess.Popen(
            [*self.before, *COMMAND, *order["arguments"]],
            cwd=order["folder"],
            env={**os.environ, "PYTHONPATH": str(ROOT), LEDGER: order["ledger"]},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        hit = False
        try:
            out, err = process.communicate(timeout=order.get("seconds"))
        except subprocess.TimeoutExpired:
            hit = True
            kill = os.killpg if order["who"] == "all" else os.kill
            kill(process.pid, signal.SIGKILL)
            out, err = process.communicate()  # until the last worker has let go of the pipes
        return {"status": process.returncode, "hit": hit, "out": out, "err": err}


class Tally:
    """Counts what became of kills of one sort."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.runs = self.hits = self.lost = self.broken = 0

    def count(self, work: Callable[[], Iterable[tuple[bool, int]]]) -> None:
        try:
            for hit, lost in work():
                self.hits += hit
                self.lost += lost
        except AssertionError as error:
            self.broken += 1
            print(f"broken: {self.what}: {error}")
        self.runs += 1

    def tell(self) -> None:
        print(
            f"{self.what:<44}{self.runs:>6}{self.hits:>7}{self.lost:>11}{self.broken:>8}",
            flush=True,
        )


class Bench:
    """What all parts share: a warm process, a folder, and the unbroken run."""

    def __init__(self, warm: Zygote, folder: Path) -> None:
        self.warm = warm
        self.folder = folder
        self.whole, self.points = whole_run(warm, folder / "whole")
        self._cases = 0

    def place(self) -> Path:
        """Return a folder for the next case; the last one is removed."""
        shutil.rmtree(self.folder / f"{self._cases}", ignore_errors=True)
        self._cases += 1
        return self.folder / f"{self._cases}"

    def at_points(self) -> None:
        for who in WHO:
            tally = Tally(f"at each commit, fsync and rename, {who}")
            for point in self.points:
                tally.count(lambda: self._at(point, who))  # noqa: B023  (called at once)
            tally.tell()

    def _at(self, point: str, who: str) -> list[tuple[bool, int]]:
        kills = kill_and_resume(self.warm, self.place(), self.whole, [{"at": point, "who": who}])
        return [(True, kill.lost) for kill in kills]

    def at_random(self, what: str, caller: Any, hits: int, longest: float) -> None:
        """Kill at random instants, and half of the time the resumed run as well."""
        source, tally = random.Random(what), Tally(what)
        while tally.hits < hits:
            orders = [
                {"seconds": source.uniform(0, longest), "who": source.choice(["run", "all"])}
                for _ in range(source.choice([1, 2]))
            ]
            tally.count(lambda: self._random(caller, orders))  # noqa: B023  (called at once)
        tally.tell()

    def _random(self, caller: Any, orders: list[dict[str, Any]]) -> list[tuple[bool, int]]:
        kills = kill_and_resume(caller, self.place(), self.whole, orders)
        return [(kill.hit, kill.lost) for kill in kills]

    def traced(self, call: str, fault: str, numbers: Iterable[int]) -> None:
        """Run with the nth system call of a name hit by a fault, as strace injects it."""
        tally = Tally(f"{call}: {fault}")
        for number in numbers:
            when = f"{number}+" if fault.startswith("error") else f"{number}"
            tally.count(lambda: self._traced(call, f"{fault}:when={when}"))  # noqa: B023
        tally.tell()

    def _traced(self, call: str, fault: str) -> list[tuple[bool, int]]:
        case = Case(Users(_strace(call, fault)), self.place())
        done = case.run(workers=1)
        lost = case.in_flight()
        assert lost in (0, 1)
        # The last writes carry the journal over; without them the run is done, and its log whole.
        assert done["status"] <= 0 or "its disk is full" in case.told, case.told
        case.caller = self.warm
        assert case.resume()["status"] == 0, case.told
        check_resumed(case, self.whole, lost)
        return [(True, lost)]

    def calls(self, call: str) -> int:
        """Return how many system calls of a name an unbroken run makes."""
        trace = self.folder / "trace"
        case = Case(Users(_strace(call, into=str(trace))), self.place())
        case.run(workers=1)
        return sum(f"{call}(" in line for line in trace.read_text().splitlines())

    def on_small_disks(self) -> None:
        place = self.folder / "disk"
        place.mkdir()
        if not small_disks_work(place):
            print("this machine lets no process mount a disk of its own")
            return
        for workers in (1, 2):
            tally = Tally(f"disk full, by pages of 4 kB, {workers} workers")
            with zygote(*on_small_disk(place)) as warm:
                disk = SmallDisk(warm, Case(warm, self.place()), place)
                for size in range(4, 4096, 4):
                    try:
                        tally.count(lambda: self._filled(disk, size, workers))  # noqa: B023
                    except LargeEnough:
                        break
            tally.tell()

    def _filled(self, disk: SmallDisk, size: int, workers: int) -> list[tuple[bool, int]]:
        disk.fill_and_resume(size, workers, self.whole.root)
        return [(True, 0)]


def _strace(call: str, fault: str | None = None, into: str = os.devnull) -> tuple[str, ...]:
    inject = () if fault is None else ("-e", f"inject={call}:{fault}")
    return ("strace", "-f", "-qq", "-o", into, "-e", f"trace={call}", *inject)


def system_calls(bench: Bench) -> None:
    """Hit system calls one by one: all that order writes, and a share of the writes."""
    if shutil.which("strace") is None:
        print("strace is not installed: no system call is hit")
        return
    for call in SYNCS:
        bench.traced(call, "signal=SIGKILL", range(1, bench.calls(call) + 1))
    writes = range(1, bench.calls("pwrite64") + 1, STRIDE)
    bench.traced("pwrite64", "signal=SIGKILL", writes)
    bench.traced("pwrite64", "error=ENOSPC", writes)


def main() -> None:
    """Print, for each sort of kill, how many there were and what they did."""
    print(f"{'':<44}{'runs':>6}{'hits':>7}{'in flight':>11}{'broken':>8}")
    with tempfile.TemporaryDirectory() as folder, zygote() as warm:
        bench = Bench(warm, Path(folder))
        bench.at_points()
        bench.at_random("at random instants", warm, HITS, 0.5)
        bench.at_random("at random instants, spawned workers", Users(), SPAWNED_HITS, 6.0)
        bench.on_small_disks()
        system_calls(bench)


if __name__ == "__main__":
    main()
