"""Influence of withdrawn content, from runs of a task and its counterparts."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from probes.counterparts import with_influence
from probes.scenario import read_scenario, write_scenario
from runs.context import INFERENCE
from runs.scenarios import scenarios
from runs.suite import Context, Files
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
influence = true
"""

EXAMPLES = Path(__file__).parents[2] / "probes" / "examples"

Play = Callable[..., Influence]


@pytest.fixture
def played(tmp_path: Path, memtrial: Memtrial) -> Play:
    """Play the task and its counterparts with a model; return the influence in the one arm."""

    def play(model: str, task: str = TASK) -> Influence:
        (tmp_path / "tasks").mkdir()
        (tmp_path / "tasks" / "task.yaml").write_text(task)
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


def test_errors_are_no_difference_and_are_counted_apart(played: Play) -> None:
    row = played("tests.runs.parts:Speechless").columns()
    assert (row["n"], row["errors"]) == (1, 1)
    assert (row["swap_changed"], row["noise_changed"], row["influence"]) == (0, 0, 0.0)


def test_an_error_with_other_values_only_is_no_influence(played: Play) -> None:
    row = played("tests.runs.parts:Fainting").columns()
    assert (row["n"], row["errors"], row["swap_changed"], row["silent"]) == (1, 1, 0, 0)


def test_a_trial_that_ended_before_its_notice_is_held_against_the_others(
    tmp_path: Path, memtrial: Memtrial
) -> None:
    # With $5.21 the memory fails at the end of the first day, so that two decisions are missing
    # there: one before the notice, which does not count, and the one after it.
    days = (
        TASK.replace(
            "        - {id: w1,",
            "        - {id: d0, kind: decision, request: Hi.}\n"
            "    - id: noon\n      at: 2025-03-04T09:00\n      events:\n"
            "        - {id: d0, kind: decision, request: Hi.}\n"
            "    - id: eve\n      at: 2025-03-05T09:00\n      events:\n"
            "        - {id: w1,",
        )
        .replace("monday/w1", "eve/w1")
        .replace("monday/d1", "eve/d1")
    )
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "task.yaml").write_text(days)
    suite = SUITE.replace("MODEL", "last").replace('"none"', '"tests.runs.parts:Squeamish"')
    (tmp_path / "suite.toml").write_text(suite)
    done = memtrial("run", "suite.toml", "--out", "run")
    assert done.status == 0, done.err
    with load_run(tmp_path / "run") as run:
        [found] = influence(run)
    row = found.columns()
    assert (row["n"], row["errors"], row["swap_changed"]) == (1, 1, 0)


def test_an_unsound_task_has_no_influence(tmp_path: Path, memtrial: Memtrial) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "task.yaml").write_text(
        TASK.replace("verdict: sound", "verdict: unsound")
    )
    (tmp_path / "suite.toml").write_text(SUITE.replace("MODEL", "parrot"))
    assert memtrial("run", "suite.toml", "--out", "run").status == 0
    assert memtrial("compare", "run", "--json").json["influence"] == []


def test_influence_is_a_table_whatever_the_arcs_are_called(
    tmp_path: Path, memtrial: Memtrial
) -> None:
    named = TASK.replace("arc: renewal", "arc: a.swap-b")
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "task.yaml").write_text(named)
    suite = SUITE.replace("MODEL", "tests.runs.parts:Weigher")
    (tmp_path / "suite.toml").write_text(suite.replace("influence = true", ""))
    assert memtrial("run", "suite.toml", "--out", "alone").status == 0
    assert memtrial("compare", "alone", "--json").json["influence"] == []
    (tmp_path / "suite.toml").write_text(suite)
    assert memtrial("run", "suite.toml", "--out", "run").status == 0
    [row] = memtrial("compare", "run", "--json").json["influence"]
    assert (row["n"], row["silent"], row["influence"]) == (1, 1, 1.0)
    shown = memtrial("compare", "run").out
    assert "What withdrawn content moved" in shown
    assert INFERENCE in shown


def test_a_suite_makes_the_versions_that_no_file_has(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    file = tmp_path / "tasks" / "task.yaml"
    file.write_text(TASK)
    swap = with_influence(read_scenario(file))[0]
    write_scenario(swap, tmp_path / "tasks" / "z.yaml")
    made = scenarios([Files(files=("tasks",), influence=True)], tmp_path)
    assert sorted(each.script.arc for each in made) == [
        *("renewal", "renewal.absent-price", "renewal.filler-price", "renewal.swap-price")
    ]


def test_a_suite_that_asks_for_what_cannot_be_made_is_told_where(
    tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / "tasks").mkdir()
    file = tmp_path / "tasks" / "task.yaml"
    file.write_text(TASK.replace("$4.10", "very cheap"))
    (tmp_path / "suite.toml").write_text(SUITE.replace("MODEL", "last"))
    line = 1 + TASK[: TASK.index("forbidden:")].count("\n")
    said = refused("run", "suite.toml", "--out", "run")
    assert "there is no other value of the form of 'very cheap'" in said
    assert f"task.yaml:{line}" in said and "key.probes.1.forbidden.0.value" in said
    shutil.copy(EXAMPLES / "context-constraint.yaml", file)
    said = refused("run", "suite.toml", "--out", "run")
    assert "suite.toml:8: scenarios.0.influence: no task of these files withdraws a value" in said


def test_generated_tasks_come_with_other_content_in_files_and_suites(
    tmp_path: Path, memtrial: Memtrial
) -> None:
    options = ("--seed", "7", "--tasks", "1", "--no-twins", "--influence", "--out", "tasks")
    assert memtrial("generate", "context", *options).status == 0
    files = sorted(each.name for each in (tmp_path / "tasks").iterdir())
    assert [name.partition(".")[2] for name in files] == [
        *("absent-revocation.yaml", "filler-revocation.yaml", "swap-revocation.yaml", "yaml")
    ]
    assert memtrial("lint", "tasks").out == "no problems\n"
    source = Context(generate="context", seed=7, tasks=1, twins=False, influence=True)
    made = scenarios([source], tmp_path)
    assert {f"{each.script.arc}.yaml" for each in made} == set(files)


def test_an_agent_that_does_not_look_is_not_moved(played: Play) -> None:
    row = played("tests.runs.parts:Once").columns()
    assert (row["n"], row["errors"], row["swap_changed"], row["noise_changed"]) == (1, 0, 0, 0)
    assert row["influence"] == 0.0


EARLY = TASK.replace(
    "        - {id: w1,",
    "        - {id: d0, kind: decision, request: What does a unit cost?}\n        - {id: w1,",
)


def test_a_copy_that_was_lawfully_in_the_world_and_is_read_back_is_no_influence(
    played: Play,
) -> None:
    row = played("tests.runs.parts:Planner", EARLY).columns()
    assert (row["n"], row["lawful"], row["swap_changed"], row["errors"]) == (1, 1, 0, 0)
    assert row["examples"] == []


def test_what_the_agent_itself_puts_into_a_call_is_not_read_back_by_its_echo(
    played: Play,
) -> None:
    row = played("tests.runs.parts:Repeater", EARLY).columns()
    assert (row["n"], row["lawful"], row["carried"], row["swap_changed"]) == (1, 0, 1, 1)


def test_what_was_done_before_the_notice_is_no_influence(played: Play) -> None:
    early = EARLY.replace(
        "id: d1, kind: decision, request: Please wrap up the renewal.",
        "id: d1, kind: decision, causes: [w1], request: Hi.",
    )
    row = played("tests.runs.parts:Once", early).columns()
    assert (row["swap_changed"], row["noise_changed"]) == (0, 0)
