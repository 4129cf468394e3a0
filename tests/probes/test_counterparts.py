"""Counterparts: a task without a planting is the same task in everything else."""

from pathlib import Path

import pytest

from probes.counterparts import twin, with_twins
from probes.linting.lint import lint
from probes.scenario import read_scenario, write_scenario
from simulator.events.errors import InputError
from tests.probes.tasks import TASK


@pytest.fixture
def task(tmp_path: Path):
    file = tmp_path / "renewal.yaml"
    file.write_text(TASK)
    return file


def test_several_context_probes_test_one_decision(task):
    assert lint([task]) == []


def test_a_twin_lacks_its_planting_and_nothing_else(task):
    scenario = read_scenario(task)
    made = twin(scenario, scenario.key.probes[0])
    [episode] = made.script.episodes
    assert [event.id for event in episode.events] == ["r1", "w1", "d1"]
    assert episode.events[0].causes == ()
    assert episode.events[1].causes == ("r1",)
    assert made.script.arc == made.key.arc == "renewal.without-rule"
    assert made.key.counterpart.of == "renewal"
    assert made.key.probes == scenario.key.probes
    assert lint([made]) == []


def test_each_planted_probe_has_a_twin_and_the_work_has_none(task):
    arcs = [each.script.arc for each in with_twins(read_scenario(task))]
    assert arcs == ["renewal", "renewal.without-rule", "renewal.without-price"]


def test_what_waited_for_the_planting_waits_for_what_that_waited_for(task):
    scenario = read_scenario(task)
    made = twin(scenario, scenario.key.probes[1])
    assert made.script.episodes[0].events[-1].causes == ("r1",)


def test_a_task_and_its_twins_read_back_as_written(task, tmp_path):
    for number, made in enumerate(with_twins(read_scenario(task))):
        write_scenario(made, tmp_path / f"{number}.yaml")
        assert read_scenario(tmp_path / f"{number}.yaml") == made


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("events: [monday/m1]", "events: [monday/m9]", "there is no event 'monday/m9'"),
        ("events: [monday/w1]", "events: [monday/d1]", "does not come before it"),
        ("kind: constraint", "kind: independent", "which plants nothing"),
        ("kind: task", "kind: obligation", "needs a `planting`"),
        ("dependent: false", "dependent: true", "its twin says what it depends on"),
    ],
)
def test_a_planting_that_means_nothing_is_refused_with_its_line(task, old, new, message):
    task.write_text(TASK.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        read_scenario(task)
    assert caught.value.line


def test_two_right_ways_to_act_at_one_decision_are_refused(task):
    head, found, rest = TASK.rpartition("The contract renews in May.")
    task.write_text(f"{head}It renews in May.{rest}")
    with pytest.raises(InputError, match="by two references"):
        read_scenario(task)
