"""Runs that are killed, and what must be true of them afterwards."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from runs.folder import EVENTS
from runs.notebook import costs, rows
from simulator.log.store import EventLog
from simulator.log.verify import verify

ROOT = Path(__file__).parents[2]
WORKERS = 2

SUITE = """
name = "paid"
token_budgets = [96]
memories = ["none", "facts"]
models = ["tests.runs.parts:Paid"]
seeds = [0, 1, 2, 3]

[[scenarios]]
files = ["story.yaml"]
"""

STORY = """
script:
  arc: story
  environment: support
  world:
    customers:
      C-2207: {name: Selma Novak, phone: 431-555-0117}
    orders:
      O-2210:
        {customer: C-2207, item: chair, total: $412.75, status: in transit, address: 118 Tulip Road}
  episodes:
    - id: e1
      at: 2025-03-03T09:00
      events:
        - {id: m1, kind: message, text: The refund for order O-2210 is $389.10.}
    - id: e2
      at: 2025-03-07T10:05
      events:
        - {id: d1, kind: decision, request: Please issue the refund for order O-2210 now.}
key:
  probes:
    - id: p1
      kind: update
      decision: e2/d1
      dependent: true
      gold:
        - {name: amount, value: $389.10, evidence: [e1/m1]}
      checks:
        - {check: world, path: /refunds/O-2210, equals: $389.10}
      reference:
        calls:
          - {tool: issue_refund, arguments: {order_id: O-2210, amount: $389.10}}
"""


class Caller(Protocol):
    """Calls the command line: by forks of a warm process, or as its users do."""

    def call(self, **order: Any) -> dict[str, Any]:
        """Call it as `order` says, and return `status`, `out`, `err`, and `hit` of a kill."""
        ...


class Zygote:
    """The process whose forks are the runs."""

    def __init__(self, *before: str) -> None:
        self._process = subprocess.Popen(
            [*before, sys.executable, "-P", "-m", "tests.runs.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "PYTHONPATH": str(ROOT)},
        )

    def call(self, **order: Any) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate()


@contextmanager
def zygote(*before: str) -> Iterator[Zygote]:
    made = Zygote(*before)
    try:
        yield made
    finally:
        made.close()


@dataclass(frozen=True)
class Outcome:
    """What a finished run is held to.

    Attributes:
        root: Its root.
        scores: Rows of the comparison.
        costs: The cost table.
        paid: How often each completion was paid for.
    """

    root: str
    scores: Any
    costs: Any
    paid: Counter[str]


class Case:
    """One run in a folder of its own."""

    def __init__(self, caller: Caller, folder: Path, suite: str = SUITE) -> None:
        folder.mkdir(parents=True)
        (folder / "suite.toml").write_text(suite, encoding="utf-8")
        (folder / "story.yaml").write_text(STORY, encoding="utf-8")
        self.caller = caller
        self._folder = folder
        self._ledger = folder / "ledger"
        self.run_folder = folder / "run"
        self.told = ""

    def call(self, *arguments: str, **order: Any) -> dict[str, Any]:
        done = self.caller.call(
            folder=str(self._folder), ledger=str(self._ledger), arguments=arguments, **order
        )
        self.told = done["out"] + done["err"]
        assert "Traceback" not in self.told, self.told
        return done

    def run(self, *options: str, workers: int = WORKERS, **order: Any) -> dict[str, Any]:
        command = ("run", "suite.toml", "--out", "run", "--workers", str(workers))
        return self.call(*command, *options, **order)

    def resume(self, *options: str, **order: Any) -> dict[str, Any]:
        return self.run("--resume", *options, **order)

    def paid(self) -> Counter[str]:
        """Return how often each completion was asked for, and so paid."""
        return Counter(self._ledger.read_text().split() if self._ledger.exists() else [])

    def in_flight(self) -> int:
        """Check what a kill left; return the number of completions paid and not recorded."""
        recorded = 0
        if (self.run_folder / EVENTS).exists():
            found = verify(self.run_folder / EVENTS)
            assert found.ok, found.faults
            with EventLog.open(self.run_folder / EVENTS) as log:
                recorded = log.count("completion")
        return self.paid().total() - recorded

    def outcome(self) -> Outcome:
        found = verify(self.run_folder / EVENTS)
        assert found.ok and not found.unfinished
        with EventLog.open(self.run_folder / EVENTS) as log:
            assert all(stream.sealed and stream.attempt == 1 for stream in log.streams())
        return Outcome(
            found.root, rows([self.run_folder]), costs(self.run_folder), Counter(self.paid())
        )


def check_resumed(case: Case, whole: Outcome, lost: int) -> None:
    """Check a run that was killed, with `lost` completions in flight in all, and resumed."""
    found = case.outcome()
    assert found.root == whole.root
    assert found.scores == whole.scores
    assert found.costs == whole.costs
    assert found.paid.keys() == whole.paid.keys()
    assert found.paid.total() == whole.paid.total() + lost


def points(lines: Sequence[str]) -> list[str]:
    """Return the names of points in the order in which they were first passed."""
    return list(dict.fromkeys(lines))


class Kill(NamedTuple):
    """What one kill did: whether it hit a living process, and the completions it lost."""

    hit: bool
    lost: int


def kill_and_resume(
    caller: Caller,
    folder: Path,
    whole: Outcome,
    orders: Sequence[dict[str, Any]],
) -> list[Kill]:
    """Run, killed as each order says in turn, and then to the end; return what each kill did.

    A run that a kill missed, for it was over before, is resumed like any other.
    """
    case = Case(caller, folder)
    kills: list[Kill] = []
    for number, order in enumerate(orders):
        done = case.run(*(["--resume"] if number else []), **order)
        before = sum(kill.lost for kill in kills)
        kills.append(Kill(done["hit"], case.in_flight() - before))
        assert 0 <= kills[-1].lost <= WORKERS
    done = case.resume()
    assert done["status"] == 0, case.told
    check_resumed(case, whole, sum(kill.lost for kill in kills))
    return kills


def whole_run(zygote: Zygote, folder: Path) -> tuple[Outcome, list[str]]:
    """Return what an unbroken run comes to, and the points that it passes."""
    case = Case(zygote, folder)
    passed = folder / "points"
    assert case.run(points=str(passed))["status"] == 0, case.told
    return case.outcome(), points(passed.read_text().splitlines())


def on_small_disk(place: Path) -> tuple[str, ...]:
    """Return what to put before a command so that `place` is a disk of its own, of 4 MB."""
    script = f'mount -t tmpfs -o size=4m tmpfs "{place}" && exec "$@"'
    return ("unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh")


def small_disks_work(place: Path) -> bool:
    """Return whether this machine lets a process mount a disk for itself."""
    try:
        done = subprocess.run([*on_small_disk(place), "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


class SmallDisk:
    """A case whose run is on a disk of a size that can be changed; it is seen by forks only."""

    def __init__(self, zygote: Zygote, case: Case, place: Path) -> None:
        self._zygote = zygote
        self._case = case
        self._place = place
        self.run_folder = place / "run"

    def resize(self, kilobytes: int, empty: bool = False) -> None:
        clear = f'rm -rf "{self.run_folder}" && ' if empty else ""
        command = f'{clear}mount -o remount,size={kilobytes}k "{self._place}"'
        done = self._zygote.call(shell=command)
        assert done["status"] == 0, done["err"]

    def run(self, *options: str) -> dict[str, Any]:
        return self._case.call(
            "run", "suite.toml", "--out", str(self.run_folder), "--json", *options
        )

    def verify(self) -> bool:
        """Return whether the run has begun; a log that is there must be sound."""
        done = self._case.call("verify", str(self.run_folder), "--json")
        if done["status"] == 2:
            assert "this folder is no run: it has no events.db" in done["err"], done["err"]
            return False
        assert done["status"] == 0 and json.loads(done["out"])["faults"] == []
        return True

    def fill_and_resume(self, kilobytes: int, workers: int, root: str) -> bool:
        """Run on a disk that is too small, then on a large one; return whether it had begun.

        Raises:
            LargeEnough: when the small disk was not too small.
        """
        self.resize(kilobytes, empty=True)
        done = self.run("--workers", str(workers))
        assert done["status"] in (0, 1), done
        if done["status"] == 0:
            raise LargeEnough
        says = rf"memtrial: {self.run_folder}\S*: .* its disk is full; make room, then go on with "
        assert re.match(says, done["err"].splitlines()[-1]), done["err"]
        self.resize(4096)
        begun = self.verify()
        resumed = self.run("--resume", "--workers", str(workers))
        assert resumed["status"] == 0, resumed
        assert json.loads(resumed["out"])["root"] == root
        return begun


class LargeEnough(Exception):
    """The run fitted onto the disk."""
