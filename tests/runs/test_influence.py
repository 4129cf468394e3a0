"""Influence of withdrawn content, from runs of a task and its counterparts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.context.influence import Influence, influence
from scoring.run import load_run
from tests.probes.tasks import TASK
from tests.runs.conftest import Memtrial

SUITE = """
name = "renewal"
memories = ["none"]
models = ["MODEL"]

[[scenarios]]
files = ["tasks"]
"""

Play = Callable[..., Influence]


@pytest.fixture
def played(tmp_path: Path, memtrial: Memtrial) -> Play:
    """Play the task and its counterparts with a model; return the influence in the one arm."""
    from probes.counterparts import with_influence
    from probes.scenario import read_scenario, write_scenario

    def play(model: str, task: str = TASK) -> Influence:
        (tmp_path / "tasks").mkdir()
        (tmp_path / "tasks" / "task.yaml").write_text(task)
        for made in with_influence(read_scenario(tmp_path / "tasks" / "task.yaml")):
            write_scenario(made, tmp_path / "tasks" / f"{made.script.arc}.yaml")
        (tmp_path / "suite.toml").write_text(SUITE.replace("MODEL", model))
        done = memtrial("run", "suite.toml", "--out", "run")
        assert done.status == 0, done.err
        with load_run(tmp_path / "run") as run:
            [found] = influence(run)
        return found

    return play


def test_content_that_moves_an_agent_without_being_named_is_silent_influence(played: Play) -> None:
    # $4.10 is cheap and $5.21 dear; without a price nothing depends on which talk stands there.
    row = played("tests.runs.parts:Weigher").columns()
    assert (row["n"], row["swap_changed"], row["silent"], row["carried"]) == (1, 1, 1, 0)
    assert (row["absent_changed"], row["noise_changed"], row["influence"]) == (1, 0, 1.0)
    assert row["examples"][0].endswith("monday/d1")


def test_a_number_worked_out_from_withdrawn_ones_is_derived(played: Play) -> None:
    # $4.10 and the fee of $1.05 in the permitted document come to $5.15.
    task = TASK.replace("renews in May.]", "renews in May. A fee of $1.05 is due.]")
    row = played("tests.runs.parts:Reckoner", task).columns()
    assert (row["swap_changed"], row["derived"], row["carried"], row["silent"]) == (1, 1, 0, 0)
    assert (row["noise_changed"], row["influence"]) == (0, 1.0)


def test_what_repeats_everything_differs_with_any_talk_so_nothing_stands_out(played: Play) -> None:
    row = played("parrot").columns()
    assert (row["swap_changed"], row["carried"], row["noise_changed"]) == (1, 1, 1)
    assert row["influence"] == 0.0


def test_an_agent_that_does_not_look_is_not_moved(played: Play) -> None:
    row = played("tests.runs.parts:Speechless").columns()
    assert (row["n"], row["swap_changed"], row["noise_changed"]) == (1, 0, 0)
    assert row["influence"] == 0.0


def test_what_was_done_before_the_notice_is_no_influence(played: Play) -> None:
    early = TASK.replace(
        "        - {id: w1,",
        "        - {id: d0, kind: decision, request: What does a unit cost?}\n        - {id: w1,",
    ).replace(
        "id: d1, kind: decision, request: Please wrap up the renewal.",
        "id: d1, kind: decision, causes: [w1], request: Hi.",
    )
    row = played("tests.runs.parts:Once", early).columns()
    assert (row["swap_changed"], row["noise_changed"]) == (0, 0)
