"""Any single changed byte is found, and found where it is.

A seeded share of what `python -m benchmarks flips` does ten thousand times.
"""

import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from benchmarks.means.flipping import (
    BYTES,
    SHARES,
    TABLES,
    Flip,
    Original,
    flip_value,
    outcome,
    rightly,
    stored,
)
from simulator.log.findings import LogFault, Verification
from simulator.log.verify import verify
from tests.simulator.log.story import TRIAL, finished_run

KEPT = Path(__file__).parents[2] / "fixtures" / "logs" / "0.1.0" / "events.db"
SEEDS = 60


@pytest.fixture(params=["every kind of event", "a real run"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "log.db"
    path.write_bytes(KEPT.read_bytes() if request.param == "a real run" else finished_run())
    return path


def outcomes(log: Path, share: str, seeds: int) -> Counter[str]:
    original, counted, path = Original(log), Counter[str](), log.with_name("changed.db")
    for seed in range(seeds):
        shutil.copyfile(log, path)
        counted[outcome(original, path, share, Random(f"{share} {seed}"))] += 1
    return counted


@pytest.mark.parametrize("share", SHARES)
def test_any_changed_byte_of_a_value_is_found_and_attributed(log: Path, share: str) -> None:
    assert outcomes(log, share, SEEDS) == {"found": SEEDS}


def test_any_changed_byte_of_the_file_is_found_or_changes_nothing(log: Path) -> None:
    counted = outcomes(log, BYTES, 2 * SEEDS)
    assert set(counted) <= {"found", "refused", "equal"}
    assert counted["found"] > counted["refused"] and counted["equal"]


def test_an_untouched_log_raises_no_alarm(log: Path) -> None:
    assert verify(log).ok


# The judge can say no


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ([(TRIAL, 4)], True),
        ([], False),
        ([(TRIAL, 5)], False),
        ([("shop/none/0", 4)], False),
        ([(TRIAL, 4), (TRIAL, 5)], False),
        ([(None, None)], False),
    ],
)
def test_a_finding_elsewhere_is_a_misattribution(
    tmp_path: Path, found: list[tuple[str | None, int | None]], verdict: bool
) -> None:
    path = tmp_path / "log.db"
    path.write_bytes(finished_run())
    original = Original(path)
    (number,) = (number for number, trial in original.trials.items() if trial == TRIAL)
    flip = Flip("events", "body", {"stream": number, "position": 4}, b"x")
    faults = tuple(LogFault(trial=trial, position=at, what="") for trial, at in found)
    told = Verification(
        ok=False, events=0, root="", heads={}, faults=faults, unlisted=0, unfinished=()
    )
    assert rightly(original, flip, told) is verdict


@pytest.mark.parametrize("share", SHARES)
def test_a_flip_changes_one_value_and_no_other(log: Path, share: str) -> None:
    before = stored(log)
    for seed in range(20):
        path = log.with_name("changed.db")
        shutil.copyfile(log, path)
        flip = flip_value(path, share, Random(seed))
        after = stored(path)
        assert [table for table in TABLES if before[table] != after[table]] == [flip.table]
        rows = set(before[flip.table]) ^ set(after[flip.table])
        assert len(rows) == 2, "one row as it was, and as it is now"
