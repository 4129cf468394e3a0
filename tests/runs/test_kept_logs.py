"""A log that a released version wrote opens, verifies, compares, traces and replays for ever.

`tests/fixtures/logs/VERSION` is what that version wrote with

    memtrial run tests/fixtures/logs/suite.toml --out tests/fixtures/logs/VERSION

It is written once, at the release, and never again: when a test here fails, the code has to
change. What a later version adds to scripts, keys or events must be left out of what is hashed
where it has its default, and a part that acts differently needs another name.
"""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from simulator.log.schema import SCHEMA_VERSION, schema_version
from simulator.log.store import EventLog
from simulator.log.verify import verify
from tests.runs.conftest import Memtrial

LOGS = Path(__file__).parents[1] / "fixtures" / "logs"
MAX_BYTES = 300_000


class Kept(NamedTuple):
    """What is known of a kept log.

    Attributes:
        root: Its root.
        events: Events in its trials' streams.
        schema: Number of its schema.
        success: Memory to its dependent success.
        answer: What the agent with facts did at the last decision.
    """

    root: str
    events: int
    schema: int
    success: dict[str, float]
    answer: tuple[str, dict[str, str]]


KEPT = {
    "0.1.0": Kept(
        root="d7312cdd34433831e6141f740cd74741f446fe1e1b551bab55aa037ebf31d274",
        events=133,
        schema=3,
        success={"none": 0.0, "retrieval": 1.0, "summary": 0.0, "facts": 1.0},
        answer=("issue_refund", {"order_id": "O-2210", "amount": "$389.10"}),
    )
}


@pytest.fixture(params=sorted(KEPT))
def kept(request: pytest.FixtureRequest) -> Kept:
    return KEPT[request.param]


@pytest.fixture
def run(request: pytest.FixtureRequest, kept: Kept, tmp_path: Path) -> Path:
    """A copy, so that no test can write into what is kept."""
    (version,) = (name for name, each in KEPT.items() if each is kept)
    shutil.copytree(LOGS / version, tmp_path / "run")
    return tmp_path / "run"


def test_every_kept_log_is_tested_and_small() -> None:
    folders = [path for path in LOGS.iterdir() if path.is_dir()]
    assert sorted(path.name for path in folders) == sorted(KEPT)
    for folder in folders:
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert {path.name.split(".")[-1] for path in files} == {"db", "json"}
        assert sum(path.stat().st_size for path in files) < MAX_BYTES


def test_it_verifies(memtrial: Memtrial, run: Path, kept: Kept) -> None:
    done = memtrial("verify", run, "--root", kept.root, "--json")
    assert (done.status, done.json["faults"], done.json["unfinished"]) == (0, [], [])
    assert done.json["events"] == kept.events + 3  # the run-level stream's
    assert len(done.json["heads"]) == len(kept.success)


def test_it_compares(memtrial: Memtrial, run: Path, kept: Kept) -> None:
    rows = memtrial("compare", run, "--json").json["rows"]
    assert {row["memory"]: row["tsr_dependent"] for row in rows} == kept.success
    assert {row["tsr_independent"] for row in rows} == {1.0}


def test_it_traces(memtrial: Memtrial, run: Path, kept: Kept) -> None:
    (*_, last) = memtrial("trace", run, "facts", "--json").json["decisions"]
    (call,) = last["calls"]
    assert (call["tool"], call["arguments"]) == kept.answer and call["ok"]
    assert last["verdict"] == "passed"


def test_it_replays(memtrial: Memtrial, run: Path, kept: Kept) -> None:
    done = memtrial("replay", run, "--json")
    assert done.status == 0, done.json["divergence"]
    assert (done.json["events"], done.json["trials"]) == (kept.events, len(kept.success))


def test_it_is_read_without_being_touched(memtrial: Memtrial, run: Path) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    for command in (["verify"], ["compare"], ["costs"], ["score"], ["replay"]):
        assert memtrial(*command, run).status == 0
    assert memtrial("report", run, "--html", "report.html").status == 0
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_a_writer_lifts_it_and_changes_nothing_that_is_hashed(run: Path, kept: Kept) -> None:
    before = verify(run / "events.db")
    with EventLog.open(run / "events.db") as log:
        assert schema_version(log._db) == kept.schema <= SCHEMA_VERSION
    with EventLog.open(run / "events.db", write=True) as log:
        assert schema_version(log._db) == SCHEMA_VERSION
    assert verify(run / "events.db") == before
