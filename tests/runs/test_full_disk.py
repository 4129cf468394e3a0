"""A full disk, wherever it is met: a clear message, a log that verifies, a run that goes on."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runs.conftest import Memtrial
from tests.runs.killing import (
    STORY,
    SUITE,
    Case,
    LargeEnough,
    SmallDisk,
    Zygote,
    on_small_disk,
    small_disks_work,
    zygote,
)

STEP = 40
"""Kilobytes by which the disk grows from try to try; benchmark `kills` takes single pages."""


@pytest.fixture(scope="module")
def processes() -> Iterator[Zygote]:
    with zygote() as made:
        yield made


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    place = tmp_path / "disk"
    place.mkdir()
    if not small_disks_work(place):
        pytest.skip("this machine lets no process mount a disk of its own")
    with zygote(*on_small_disk(place)) as made:
        yield SmallDisk(made, Case(made, tmp_path / "case"), place)


def test_a_run_on_a_disk_of_any_size_stops_cleanly_and_goes_on(
    small_disk: SmallDisk, processes: Zygote, tmp_path: Path
) -> None:
    whole = Case(processes, tmp_path / "whole")
    assert whole.run()["status"] == 0
    begun = []
    with pytest.raises(LargeEnough):
        for size in range(4, 4096, STEP):
            begun.append(small_disk.fill_and_resume(size, 2, whole.outcome().root))
    assert {False, True} == set(begun)  # met before and after the run had begun


@pytest.mark.parametrize("workers", [1, 2])
def test_a_log_that_may_not_grow_stops_the_run_and_it_goes_on(
    processes: Zygote, tmp_path: Path, workers: int
) -> None:
    """SQLite's own limit of pages stands for the disk where none can be mounted."""
    whole = Case(processes, tmp_path / "whole")
    assert whole.run()["status"] == 0
    for pages in range(3, 100, 9):
        case = Case(processes, tmp_path / f"{pages}")
        done = case.run(workers=workers, pages=pages)
        if done["status"] == 0:
            break
        assert done["status"] == 1
        assert "nothing was written: its disk is full; make room, then go on with --" in case.told
        lost = case.in_flight()
        assert 0 <= lost <= workers
        assert case.resume(workers=workers)["status"] == 0
        found = case.outcome()
        assert found.root == whole.outcome().root
        assert found.paid.total() == whole.paid().total() + lost
    assert 30 < pages < 90


@pytest.mark.parametrize("nth", [1, 2, 3, 4, 5])
def test_a_folder_that_cannot_be_written_names_the_file(
    memtrial: Memtrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "story.yaml").write_text(STORY, encoding="utf-8")
    original, calls = os.fsync, 0

    def fsync(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == nth:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        original(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    done = memtrial("run", "suite.toml", "--out", "run")
    named = ["run/scripts/", "run", "run/keys/", "run", "run"][nth - 1]
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"memtrial: {named}")
    assert done.err.endswith(
        "nothing was written: its disk is full; make room, then go on with --resume\n"
    )
    assert memtrial("run", "suite.toml", "--out", "run", "--resume").status == 0
