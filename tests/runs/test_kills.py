"""A run that is killed at any instant goes on: nothing is lost, doubled or paid for twice."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runs.killing import (
    Case,
    Outcome,
    Zygote,
    check_resumed,
    kill_and_resume,
    whole_run,
    zygote,
)

WHO = ("self", "all", "run")


@pytest.fixture(scope="module")
def processes() -> Iterator[Zygote]:
    with zygote() as made:
        yield made


@pytest.fixture(scope="module")
def whole(processes: Zygote, tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[str]]:
    return whole_run(processes, tmp_path_factory.mktemp("whole") / "case")


def test_the_points_are_all_commits_syncs_and_renames(whole: tuple[Outcome, list[str]]) -> None:
    """Eight trials of one or two paid completions and an end; what a run does besides is known."""
    outcome, points = whole
    assert outcome.paid.total() == 12  # none: 1 completion, facts: a call and an answer
    commits = [point for point in points if point.startswith("commit") and "story/" in point]
    assert len(commits) == 2 * (12 + 8)
    others = [point for point in points if point not in commits]
    assert sorted({point.rpartition(" ")[0] for point in others}) == [
        "commit append @run 2",
        "commit schema",
        "commit write_trial @run 0",
        *(f"fsync {number}" for number in range(1, 6)),  # script, key, their folders, the run's
        "replace events.db",
    ]
    assert len(others) == 2 * 9


def test_a_kill_before_or_after_any_write_costs_nothing_but_what_is_in_flight(
    processes: Zygote, whole: tuple[Outcome, list[str]], tmp_path: Path
) -> None:
    """Benchmark `kills` does it with every one of the three ways to be killed at every point."""
    outcome, points = whole
    for number, (point, who) in enumerate(zip(points, itertools.cycle(WHO), strict=False)):
        kill_and_resume(processes, tmp_path / f"{number}", outcome, [{"at": point, "who": who}])


def test_kills_at_random_instants(
    processes: Zygote, whole: tuple[Outcome, list[str]], tmp_path: Path
) -> None:
    """Benchmark `kills` does it 200 times."""
    source = random.Random(19)
    for number in range(5):
        orders = [
            {"seconds": source.uniform(0, 0.3), "who": source.choice(["all", "run"])}
            for _ in range(1 + number % 3)
        ]
        kill_and_resume(processes, tmp_path / f"{number}", whole[0], orders)


def test_log_h19_a_run_killed_twice_plays_each_trial_once(
    processes: Zygote, whole: tuple[Outcome, list[str]], tmp_path: Path
) -> None:
    """Kill after trial 3 of 8, resume, kill again at once, resume: as if nothing had happened."""
    outcome, points = whole
    (third,) = [each for each in points if "append story/none" in each and "/2 9 after" in each]
    case = Case(processes, tmp_path / "h19")
    assert case.run(at=third, who="all", workers=1)["status"] < 0
    paid = case.paid()
    assert (paid.total(), case.in_flight()) == (3, 0)
    assert case.resume(seconds=0, who="all", workers=1)["hit"]
    assert case.paid() == paid
    assert case.resume(workers=1)["status"] == 0
    assert "3 of 8 trials were finished before" in case.told
    check_resumed(case, outcome, 0)


def test_a_run_killed_after_each_of_its_writes_comes_to_its_end(
    processes: Zygote, whole: tuple[Outcome, list[str]], tmp_path: Path
) -> None:
    outcome, _ = whole
    passed = tmp_path / "points"
    assert Case(processes, tmp_path / "alone").run(workers=1, points=str(passed))["status"] == 0
    case = Case(processes, tmp_path / "chain")
    for point in passed.read_text().splitlines():
        if point.startswith("commit") and point.endswith("after") and "@run 2" not in point:
            assert case.resume(at=point, who="all", workers=1)["status"] < 0, point
            assert case.in_flight() == 0
    assert case.resume(workers=1)["status"] == 0
    check_resumed(case, outcome, 0)
