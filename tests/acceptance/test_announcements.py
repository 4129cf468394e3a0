"""An announcement that changes the world, through the log, a replay, a fork and a look back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.forking import Wanted, fork_run
from runs.replaying import replay_run
from scoring.decisions import decisions, stage_at
from scoring.run import Run, Trial, load_run
from scoring.verdicts import verdicts
from tests.acceptance import stage

CLOSED = "error: you have no access to document DOC-1001"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The arc `desk`, with a memory that keeps everything, with and without forgetting."""
    folder = tmp_path_factory.mktemp("announced")
    path = stage.suite(
        folder,
        arcs=1,
        models=["last"],
        memories=[{"name": "replay", "implementation": "unbudgeted"}],
        environments={},
        desk=True,
        more='forgetting = ["off", "index"]',
    )
    stage.play(path, folder / "run")
    return folder / "run"


@pytest.fixture
def run(folder: Path) -> Iterator[Run]:
    with load_run(folder) as run:
        yield run


def returned(trial: Trial) -> list[str]:
    return [event.body["text"] for event in trial.events if event.kind == "tool_return"]


def place(trial: Trial, name: str) -> int:
    return trial.by_id[name].position


def test_what_is_read_is_what_may_be_seen_in_every_mode(run: Run) -> None:
    trials = list(run.trials())
    assert {trial.opened["options"]["forgetting"] for trial in trials} == {"off", "index"}
    for trial in trials:
        first, contract, person, closed, alone, again, gone, _ = returned(trial)
        assert first.endswith(": The unit price in DOC-1001 is $4.10.") and again == first
        assert contract.endswith(": DOC-1002 renews for 12 months.")
        assert person == f"{alone}; meetings: 2023-05-30 10:00 review"
        assert (closed, gone) == (CLOSED, "error: document DOC-1002 was deleted")


def test_the_world_of_every_decision_is_the_announced_one(run: Run) -> None:
    for trial in run.trials():
        before = {record.id: record.before for record in decisions(trial)}
        withdrawn = trial.by_id["wednesday/w1"].time
        closed = {"DOC-1000": withdrawn, "DOC-1001": withdrawn, "calendar": withdrawn}
        assert "withdrawn" not in before["wednesday/d3"]
        assert before["wednesday/d4"]["withdrawn"] == closed
        assert before["friday/d1"]["withdrawn"] == {"DOC-1000": withdrawn, "calendar": withdrawn}
        assert list(before["friday/d2"]["deleted"]) == ["DOC-1002"]
        at = place(trial, "wednesday/w1")
        assert "withdrawn" not in stage_at(trial, at).world
        assert stage_at(trial, at + 1).world["withdrawn"] == closed


def test_only_with_forgetting_are_the_results_gone_that_contain_it(run: Run) -> None:
    for trial in run.trials():
        forgets = trial.opened["options"]["forgetting"] == "index"
        blocks = {record.id: record.block for record in decisions(trial)}
        assert ("$4.10" in blocks["wednesday/d4"]) is not forgets
        assert ("10:00 review" in blocks["wednesday/d5"]) is not forgets
        assert "$4.10" in blocks["friday/d1"]  # granted again


def test_the_reader_reports_and_is_judged(run: Run) -> None:
    for trial in run.trials():
        (verdict,) = verdicts(trial)
        assert [call.tool for call in verdict.record.calls] == ["submit_report"]
        assert [result.passed for result in verdict.results] == [True, True]


def test_a_replay_is_the_same(folder: Path) -> None:
    done = replay_run(folder, lambda done, of: None)
    assert done.divergence is None and done.trials == 2


def test_a_fork_without_the_announcement_has_its_world_without_it(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    trial = next(run.trials()).name
    wanted = Wanted(without="wednesday/w1")
    made = fork_run(folder, trial, "wednesday/w1", wanted, tmp_path / "out", lambda done, of: None)
    with load_run(tmp_path / "out") as child:
        (forked,) = [each for each in child.trials() if each.name == made.trial]
        assert "wednesday/w1" not in forked.by_id
        assert returned(forked)[3] == returned(forked)[0]
        assert "withdrawn" not in decisions(forked)[3].before
        changed = [
            e.causes for e in forked.events if e.kind == "world_change" and not e.body["call"]
        ]
        assert changed == [("friday/x1",)]  # nothing was withdrawn that could be granted again
    assert replay_run(tmp_path / "out", lambda done, of: None).divergence is None
