"""A long run is read by several processes, and comes out as if one had read it."""

import os
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from benchmarks.means.owner import owner
from runs.plan import plan
from runs.report.content import content
from runs.report.page import render
from runs.runner import run_plan
from scoring import passes
from scoring import run as reading
from scoring.compare import compare
from scoring.passes import each_trial
from scoring.run import Run, Trial, load_run
from simulator.events.errors import InputError
from simulator.log.errors import LogDamaged

SUITE = """
name = "many"
token_budgets = [64]
memories = ["none", "facts"]
models = ["last"]

[[scenarios]]
generate = "ladder"
seed = 3
arcs = 25
tiers = ["easy", "hard"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 100 trials: four lots."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "many.toml").write_text(SUITE, encoding="utf-8")
    run_plan(plan(str(folder / "many.toml")), folder / "run", report=lambda done, of: None)
    return folder / "run"


@pytest.fixture(autouse=True)
def spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "SPREAD_FROM", 2)


def named(_: Run) -> Callable[[Trial], tuple[str, int, int]]:
    return lambda trial: (trial.name, len(trial.events), os.getpid())


def failing(error: Exception, at: str, _: Run) -> Callable[[Trial], str]:
    def work(trial: Trial) -> str:
        if trial.name == at:
            raise error
        return trial.name

    return work


def dying(_: Run) -> Callable[[Trial], str]:
    def work(trial: Trial) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return trial.name

    return work


def test_every_trial_comes_once_and_in_order_whoever_reads_it(folder: Path) -> None:
    with load_run(folder) as run:
        alone = list(each_trial(run, named))
        spread = list(each_trial(run, named, workers=2))
        assert [each[:2] for each in spread] == [each[:2] for each in alone]
        assert [each[0] for each in spread] == list(run.sealed) and len(spread) == 100
    assert {each[2] for each in alone} == {os.getpid()}
    assert os.getpid() not in {each[2] for each in spread}


def test_a_short_run_is_read_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "SPREAD_FROM", 101)
    with load_run(folder) as run:
        assert {each[2] for each in each_trial(run, named, workers=2)} == {os.getpid()}


def test_a_comparison_does_not_depend_on_who_read_what(folder: Path) -> None:
    with load_run(folder) as run:
        assert compare([run], workers=2) == compare([run])


def test_a_report_does_not_depend_on_who_read_what(folder: Path) -> None:
    with load_run(folder) as run:
        assert render(content(run, workers=2)) == render(content(run))


@pytest.mark.parametrize(
    "error",
    [
        InputError("not so", file="a.toml", line=3, field="x"),
        LogDamaged("it was changed"),
    ],
)
def test_what_a_worker_meets_is_raised_here(folder: Path, error: Exception) -> None:
    with load_run(folder) as run:
        make = partial(failing, error, run.sealed[40])
        with pytest.raises(type(error)) as caught:
            list(each_trial(run, make, workers=2))
    assert str(caught.value) == str(error)


def test_a_killed_worker_is_told(folder: Path) -> None:
    with load_run(folder) as run, pytest.raises(ChildProcessError, match="worker process was kill"):
        list(each_trial(run, dying, workers=2))


def test_a_changed_event_stops_the_comparison_wherever_it_is_read(
    folder: Path, tmp_path: Path
) -> None:

    shutil.copytree(folder, tmp_path / "run")
    db = owner(tmp_path / "run" / "events.db")
    db.execute("UPDATE events SET time = time + 1 WHERE stream = 60 AND position = 3")
    db.close()
    with load_run(tmp_path / "run") as run, pytest.raises(LogDamaged, match="event 3 was changed"):
        compare([run], workers=2)


def test_few_scripts_and_keys_are_held_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    with load_run(folder) as run:
        whole = compare([run])
        assert len(run._models) == 100  # a script and a key an arc
    monkeypatch.setattr(reading, "_MODELS", 3)
    with load_run(folder) as run:
        assert compare([run]) == whole
        assert len(run._models) <= 3
