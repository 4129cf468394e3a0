"""Several writers, and writers that die."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.log import files
from simulator.log.errors import LogRefused
from simulator.log.store import EventLog
from simulator.log.verify import verify
from tests.simulator.log.story import (
    GENESIS,
    append_hundred,
    chained,
    events,
    trial_rows,
    write,
    write_run,
)


def test_log_h18_three_processes_append_a_hundred_events_each(tmp_path: Path) -> None:
    """300 rows, no gap, no quiet loss."""
    path = tmp_path / "events.db"
    EventLog.create(path).close()
    spawn = multiprocessing.get_context("spawn")
    writers = [
        spawn.Process(target=append_hundred, args=(str(path), f"shop/arm{number}/0"))
        for number in range(3)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    found = verify(path)
    assert found.ok and found.events == 300
    with EventLog.open(path) as log:
        for trial in log.heads():
            assert [row.position for row in log.rows(trial)] == list(range(100))
        assert len(log.heads()) == 3


def test_log_h18_a_second_writer_of_one_stream_is_told(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    with EventLog.create(path) as first, EventLog.open(path, write=True) as second:
        rows = chained(first.begin("a", GENESIS), events("a/b/0")[1:4])
        second.append("a", rows[:1], {})
        with pytest.raises(LogRefused, match="the stream goes on at 1"):
            first.append("a", rows[:2], {})
        first.append("a", rows[1:], {})
        assert list(second.rows("a")) == rows


def test_log_h18_a_writer_that_waits_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0)
    path = tmp_path / "events.db"
    with EventLog.create(path) as first, EventLog.open(path, write=True) as second:
        with first._transaction(), pytest.raises(LogRefused, match="database is locked"):
            second.begin("a", GENESIS)
        second.begin("a", GENESIS)


KILLED = """
import os, signal, sys
from simulator.log.store import EventLog
from tests.simulator.log import story

def measures():
    yield story.Measure(0, "us", 1)
    os.kill(os.getpid(), signal.SIGKILL)

trial = "shop/killed/0"
with EventLog.open(sys.argv[1], write=True) as log:
    log.write_trial(trial, story.GENESIS, story.trial_rows(trial), story.contents(trial), 1, measures())
"""


def test_a_writer_killed_inside_a_transaction_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    write_run(path)
    before = verify(path)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert verify(path) == before and before.ok
    with EventLog.open(path, write=True) as log:
        write(log, "shop/killed/0")
        assert list(log.rows("shop/killed/0")) == trial_rows("shop/killed/0")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Whoever starts the tests may have told them to ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_inside_a_transaction_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "events.db"
    with EventLog.create(path) as log:
        with pytest.raises(KeyboardInterrupt), log._transaction():
            log._begin("a", GENESIS, 1)
            os.kill(os.getpid(), signal.SIGINT)
        assert log.streams() == []
        write(log, "shop/a/0")
    assert verify(path).ok
