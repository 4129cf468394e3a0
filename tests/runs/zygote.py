"""Runs the command line in forks of one warm process, and kills it where it is told to.

`python -m tests.runs.zygote` reads a line of JSON for each call and answers with one. A call is
over when every process that it started is gone. Workers are forked instead of spawned: that
saves their imports, which are most of a short run.
"""

import json
import multiprocessing
import os
import select
import signal
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial, wraps
from io import StringIO
from pathlib import Path
from typing import Any

_context = multiprocessing.get_context
multiprocessing.get_context = lambda method=None: _context("fork")  # type: ignore[assignment]

from runs.cli import main  # noqa: E402  (the start method is chosen first)
from simulator.log.store import EventLog  # noqa: E402
from tests.runs.parts import LEDGER  # noqa: E402

WARM_UP = """
name = "warm"
memories = ["facts"]
models = ["last"]
[[scenarios]]
generate = "ladder"
arcs = 1
tiers = ["easy"]
"""


class Plan:
    """What is done to the processes of one call.

    Attributes:
        points: File that gets the name of each point as it is passed.
        at: Name of the point to kill at, ending in ` before` or ` after`.
        who: `self` (the process at the point), `run` (the one that was called) or `all`.
        pages: Most pages that the log may have, where its disk is to be full.
    """

    points: str | None = None
    at: str | None = None
    who: str = "self"
    pages: int | None = None
    run: int = 0
    doing: str = ""
    syncs: int = 0


def kill() -> None:
    if Plan.who == "all":
        os.killpg(0, signal.SIGKILL)
    os.kill(Plan.run if Plan.who == "run" else os.getpid(), signal.SIGKILL)


def pass_by(name: str) -> None:
    if Plan.points:
        handle = os.open(Plan.points, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, f"{name}\n".encode())
        os.close(handle)
    if name == Plan.at:
        kill()


@contextmanager
def point(name: str) -> Iterator[None]:
    pass_by(f"{name} before")
    yield
    pass_by(f"{name} after")


class Connection(sqlite3.Connection):
    """A connection whose commits are points."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql != "COMMIT":
            return super().execute(sql, *values)
        with point(f"commit {Plan.doing or 'schema'}"):
            return super().execute(sql, *values)


def named(method: Callable[..., Any]) -> Callable[..., Any]:
    """Name a write by its method, its trial and the position that it begins at."""

    @wraps(method)
    def write(log: EventLog, trial: str, *values: Any, **options: Any) -> Any:
        rows = [each for each in values if isinstance(each, list)]
        start = rows[0][0].position if rows and rows[0] else "end"
        Plan.doing = f"{method.__name__} {trial} {start}"
        try:
            return method(log, trial, *values, **options)
        finally:
            Plan.doing = ""

    return write


def connect(original: Callable[..., sqlite3.Connection], *values: Any, **options: Any) -> Any:
    made = original(*values, factory=Connection, **options)
    if Plan.pages is not None:
        made.execute(f"PRAGMA max_page_count = {Plan.pages}")
    return made


def fsync(original: Callable[[int], None], handle: int) -> None:
    Plan.syncs += 1
    with point(f"fsync {Plan.syncs}"):
        original(handle)


def replace(original: Callable[..., None], source: Any, target: Any) -> None:
    with point(f"replace {Path(target).name}"):
        original(source, target)


def install() -> None:
    sqlite3.connect = partial(connect, sqlite3.connect)
    os.fsync = partial(fsync, os.fsync)
    os.replace = partial(replace, os.replace)
    for name in ("begin", "append", "seal", "write_trial"):
        setattr(EventLog, name, named(getattr(EventLog, name)))


def called(arguments: list[str]) -> int:
    """Call the command line and return its status."""
    sys.argv = ["memtrial", *arguments]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:  # what escapes the command line is what a test wants to see
        traceback.print_exc()
    return 70


def child(order: dict[str, Any], out: int, err: int) -> None:
    os.setpgid(0, 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.chdir(order["folder"])
    os.environ[LEDGER] = order["ledger"]
    Plan.points, Plan.at, Plan.who = order.get("points"), order.get("at"), order.get("who", "self")
    Plan.pages, Plan.run = order.get("pages"), os.getpid()
    status = called(order["arguments"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def serve(order: dict[str, Any]) -> dict[str, Any]:
    """Fork a call and wait until all its processes are gone, or run a command of the shell."""
    if "shell" in order:
        done = subprocess.run(order["shell"], shell=True, capture_output=True, text=True)
        return {"status": done.returncode, "hit": False, "out": done.stdout, "err": done.stderr}
    life, alive = os.pipe()
    os.set_inheritable(alive, True)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            os.close(life)
            child(order, out.fileno(), err.fileno())
        os.close(alive)
        os.setpgid(pid, pid)  # here too: whoever comes first, the group is there
        hit = _kill_after(order, life, pid)
        while os.read(life, 1):
            pass
        os.close(life)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        err.seek(0)
        return {
            "status": status,
            "hit": hit,
            "out": out.read().decode(),
            "err": err.read().decode(),
        }


def _kill_after(order: dict[str, Any], life: int, pid: int) -> bool:
    """Kill after `seconds`, if anybody is alive then; say whether somebody was."""
    if order.get("seconds") is None:
        return False
    ended, _, _ = select.select([life], [], [], order["seconds"])
    if ended:
        return False
    os.killpg(pid, signal.SIGKILL) if order["who"] == "all" else os.kill(pid, signal.SIGKILL)
    return True


def warm_up() -> None:
    """Import what a run imports, by running one."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        with redirect_stderr(StringIO()):
            suite = Path(folder, "warm.toml")
            suite.write_text(WARM_UP, encoding="utf-8")
            for command in (["run", str(suite), "--out"], ["verify"], ["compare"], ["costs"]):
                assert called([*command, f"{folder}/run"]) == 0


def loop() -> None:
    warm_up()
    install()
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)


if __name__ == "__main__":
    loop()
