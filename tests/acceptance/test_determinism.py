"""Same seed, same bytes: whatever process, machine setting, folder, day or division of work."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from probes.ladder import ladder
from probes.ladder.domains import DOMAINS
from runs.suite import read_suite
from scoring.run import Trial, load_run
from simulator.effects.registry import PORTS, names
from simulator.events import canonical_json
from simulator.log.rows import root_hash
from simulator.log.store import EventLog
from tests.acceptance import stage

YEAR_LATER = """
import datetime, time

class Later(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(days=366)

    @classmethod
    def utcnow(cls):
        return super().utcnow() + datetime.timedelta(days=366)

year = 366 * 24 * 3600
seconds, nanoseconds = time.time, time.time_ns
today, now = datetime.date.today(), datetime.datetime.now()
time.time = lambda: seconds() + year
time.time_ns = lambda: nanoseconds() + year * 10**9
datetime.datetime = Later
assert (datetime.date.today() - today).days >= 366
assert (datetime.datetime.now() - now).days >= 366
"""

ELSEWHERE = {
    "PYTHONHASHSEED": "4711",
    "TZ": "Asia/Kathmandu",
    "LC_ALL": "tr_TR.UTF-8",
    "LANG": "tr_TR.UTF-8",
}

# Between them the two halves play every trial under every change of place and time.
VARIANTS: dict[str, tuple[str, dict[str, str], str]] = {
    "two workers": ("--workers 2", {"PYTHONHASHSEED": "2"}, ""),
    "first half": ("--shard 1/2", ELSEWHERE, YEAR_LATER),
    "second half": ("--shard 2/2", ELSEWHERE, YEAR_LATER),
}
"""Name of a run to its arguments, environment and code that runs first."""


@pytest.fixture(scope="module")
def variants(
    varied_suite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Path]]:
    """The suite's run in processes of their own, each from a folder of its own."""
    folders, processes = {}, []
    for name, (arguments, env, code) in VARIANTS.items():
        here = tmp_path_factory.mktemp(name.replace(" ", "-"))
        folders[name] = here / "run"
        command = stage.command(code, "run", varied_suite, "--out", "run", *arguments.split())
        processes.append(
            subprocess.Popen(
                command, cwd=here, env=os.environ | env, stderr=subprocess.PIPE, text=True
            )
        )
    try:
        for process in processes:
            _, said = process.communicate()
            assert process.returncode == 0, said
        yield folders
    finally:
        for process in processes:
            process.kill()


def heads(folder: Path) -> dict[str, str]:
    with EventLog.open(folder / "events.db") as log:
        return log.heads()


def recorded_root(folder: Path) -> str:
    """Return the root that the run itself sealed."""
    with EventLog.open(folder / "events.db") as log:
        rows = [row for row in log.rows("@run") if row.kind == "root"]
    return str(json.loads(rows[-1].body)["root"])


def test_two_workers_come_to_the_same_root(varied_run: Path, variants: dict[str, Path]) -> None:
    assert heads(variants["two workers"]) == heads(varied_run)
    assert recorded_root(variants["two workers"]) == recorded_root(varied_run)


def test_shards_elsewhere_a_year_later_make_up_the_same_whole(
    varied_run: Path, variants: dict[str, Path]
) -> None:
    """Under another hash seed, time zone, locale, folder and system date."""
    first, second = heads(variants["first half"]), heads(variants["second half"])
    assert first and second and not set(first) & set(second)
    assert first | second == heads(varied_run)
    assert root_hash(first | second) == recorded_root(varied_run)


def test_another_seed_has_another_root(varied_run: Path, tmp_path: Path) -> None:
    memories: list[stage.Memory] = [{"name": "none"}]
    roots = [
        stage.play(path, path.parent / "run").root
        for seed in (1, 2)
        if (path := _suite(tmp_path / str(seed), seed, memories))
    ]
    assert len({*roots, recorded_root(varied_run)}) == 3


def _suite(folder: Path, seed: int, memories: list[stage.Memory]) -> Path:
    folder.mkdir()
    return stage.suite(folder, arcs=1, models=["last"], memories=memories, seed=seed)


def test_nothing_registered_is_left_out(varied_suite: Path, varied_run: Path) -> None:
    suite = read_suite(str(varied_suite))
    with load_run(varied_run) as run:
        trials = list(run.trials())
    options = [trial.opened["options"] for trial in trials]
    identities = [trial.opened["identities"] for trial in trials]
    played = {
        "memory": {each["memory"] for each in options},
        "model": {each["model"] for each in options},
        "agent": {each["agent"] for each in options},
        "environment": {trial.script.environment for trial in trials},
        "embedder": {each["embedder"]["name"] for each in identities if "embedder" in each},
    }
    assert set(played) == set(PORTS)
    for port, found in played.items():
        assert found == set(names(port)) - stage.NEED_EXTRA.get(port, set()), port
    assert any("memory_model" in each for each in identities)
    assert {getattr(each, "generate", "files") for each in suite.scenarios} == {"ladder", "files"}


def test_every_kind_of_scripted_event_is_played(varied_run: Path) -> None:
    with load_run(varied_run) as run:
        kinds = {
            event.kind
            for trial in run.trials()
            for episode in trial.script.episodes
            for event in episode.events
        }
    assert kinds == {
        "message",
        "document",
        "tool_result",
        "access_withdrawn",
        "access_granted",
        "document_deleted",
        "compaction",
        "decision",
        "session_end",
    }


def test_an_announcement_changes_the_world_alike_for_every_memory(varied_run: Path) -> None:
    """`withdrawn` holds DOC-1000 and its part from w1 on, and DOC-1000 alone from g1 on."""
    changes: dict[str, set[str]] = {}
    with load_run(varied_run) as run:
        for trial in run.trials():
            for event in trial.events:
                if trial.arc == "desk" and event.kind == "world_change" and not event.body["call"]:
                    (cause,) = event.causes
                    changes.setdefault(cause, set()).add(canonical_json(event.body["patch"]))
    assert {cause: len(patches) for cause, patches in changes.items()} == {
        "wednesday/w1": 1,
        "friday/g1": 1,
        "friday/x1": 1,
    }
    assert "/withdrawn/DOC-1001" in changes["friday/g1"].pop()


def test_a_run_has_no_errors_of_its_own(varied_run: Path) -> None:
    with EventLog.open(varied_run / "events.db") as log:
        assert log.count("error") == 0


def test_relative_dates_follow_the_story(variants: dict[str, Path]) -> None:
    """`yesterday`, said on 2023-05-24, is 2023-05-23 on any day on which it is played."""
    checked = 0
    for name in ("first half", "second half"):
        with load_run(variants[name]) as run:
            for trial in run.trials():
                if trial.arc == "talk" and trial.arm.startswith("facts-pattern"):
                    texts = [item["text"] for item in _written(trial)]
                    assert any("2023-05-23" in text for text in texts), texts
                    checked += 1
    assert checked == len(stage.READERS)


def _written(trial: Trial) -> Iterator[dict[str, Any]]:
    for event in trial.events:
        if event.kind == "memory_change":
            yield from event.body["written"]


def test_generated_arcs_are_the_same_in_every_process() -> None:
    code = (
        "from probes.ladder import ladder\n"
        "from probes.ladder.domains import DOMAINS\n"
        "for name in DOMAINS:\n"
        "    for made in ladder(name, 5, 2): print(made.script.hash, made.key.hash)"
    )
    env = os.environ | ELSEWHERE
    command = [sys.executable, "-P", "-c", code]
    output = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    made = [each for name in DOMAINS for each in ladder(name, 5, 2)]
    here = [f"{each.script.hash} {each.key.hash}" for each in made]
    assert output.splitlines() == here
    assert len(set(here)) == 18
