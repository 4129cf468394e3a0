"""`memtrial ask`: retention questions on forks, which the scored run never hears of."""

import shutil
from pathlib import Path

import pytest

from runs.asking import ask_run
from scoring.context.answers import answers, asked_of, holds_questions
from scoring.run import load_run
from tests.probes.tasks import TASK
from tests.runs.conftest import Memtrial

SUITE = """
name = "renewal"
memories = ["none", "replay"]
models = ["parrot"]

[[scenarios]]
files = ["renewal.yaml", "twin.yaml"]
"""


@pytest.fixture
def run(tmp_path: Path, memtrial: Memtrial) -> Path:
    """A played suite of a task and its twin, two trials each."""
    from probes.counterparts import twin
    from probes.scenario import read_scenario, write_scenario

    (tmp_path / "renewal.yaml").write_text(TASK)
    scenario = read_scenario(tmp_path / "renewal.yaml")
    write_scenario(twin(scenario, scenario.key.probes[0]), tmp_path / "twin.yaml")
    (tmp_path / "suite.toml").write_text(SUITE)
    done = memtrial("run", "suite.toml", "--out", "run")
    assert done.status == 0, done.err
    return tmp_path / "run"


def test_questions_are_asked_of_tasks_and_not_of_twins(run: Path, memtrial: Memtrial) -> None:
    before = (run / "events.db").read_bytes()
    done = memtrial("ask", run, "--json")
    assert done.status == 0, done.err
    assert (done.json["trials"], done.json["questions"], done.json["errors"]) == (2, 2, 0)
    assert (run / "events.db").read_bytes() == before
    assert memtrial("verify", run / "asked").status == 0
    replayed = memtrial("replay", run / "asked", "--json")
    assert (replayed.json["ok"], replayed.json["trials"]) == (True, 2)


def test_what_was_said_is_read_back_beside_the_trial_that_is_scored(
    run: Path, memtrial: Memtrial
) -> None:
    memtrial("ask", run)
    with load_run(run) as opened, asked_of(opened) as asked:
        assert asked is not None and holds_questions(asked) and not holds_questions(opened)
        told = dict(answers(asked))
    assert sorted(name.split("/")[0] for name in told) == ["renewal", "renewal"]
    assert {each.probe for each in told.values()} == {"rule"}
    # The parrot repeats its session, which no cut has emptied.
    assert all("Do not write to P-2009" in str(each.text) for each in told.values())


def test_the_number_of_workers_changes_nothing(run: Path, memtrial: Memtrial) -> None:
    one = memtrial("ask", run, "--json").json["root"]
    two = memtrial("ask", run, "--out", "other", "--workers", "2", "--json")
    assert (two.status, two.json["root"]) == (0, one)


def test_asking_that_was_cut_off_goes_on(run: Path, memtrial: Memtrial) -> None:
    whole = memtrial("ask", run, "--json").json["root"]

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_run(run, Path("cut"), report=stop)
    assert memtrial("ask", run, "--out", "cut").status == 2
    resumed = memtrial("ask", run, "--out", "cut", "--resume", "--json")
    assert (resumed.status, resumed.json["root"]) == (0, whole)
    again = memtrial("ask", run, "--out", "cut", "--resume", "--json")
    assert (again.status, again.json["root"]) == (0, whole)


def test_answers_about_another_recording_are_refused(run: Path, memtrial: Memtrial) -> None:
    memtrial("ask", run)
    (run.parent / "suite.toml").write_text(SUITE.replace("parrot", "last"))
    memtrial("run", run.parent / "suite.toml", "--out", "other")
    shutil.copytree(run / "asked", "other/asked")
    done = memtrial("ask", "other", "--resume")
    assert done.status == 2 and "about another recording" in done.err


def test_a_run_without_questions_is_refused(run: Path, small_run: Path, memtrial: Memtrial) -> None:
    done = memtrial("ask", small_run)
    assert done.status == 2 and "no finished trial of this run tests a planting" in done.err
    memtrial("ask", run)
    done = memtrial("ask", run / "asked")
    assert done.status == 2 and "its trials are forks" in done.err


def test_answers_have_no_scores_of_their_own(run: Path, memtrial: Memtrial) -> None:
    memtrial("ask", run)
    done = memtrial("compare", run / "asked")
    assert done.status == 2 and "name the run that they are about" in done.err


def test_a_backup_needs_a_place_for_the_answers(run: Path, memtrial: Memtrial) -> None:
    memtrial("backup", run, "copy.db")
    done = memtrial("ask", "copy.db")
    assert done.status == 2 and "name one with --out" in done.err
    assert memtrial("ask", "copy.db", "--out", "answers").status == 0


def test_a_limit_of_zero_asks_a_free_model(run: Path, memtrial: Memtrial) -> None:
    assert memtrial("ask", run, "--max-usd", "0").status == 0
