"""Counterparts: a task without a planting is the same task in everything else."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.counterparts import swaps, twin, with_influence, with_twins
from probes.fillers import filler, other_value
from probes.linting.lint import lint
from probes.scenario import Scenario, read_scenario, write_scenario
from scoring.keys import NeverSaysCheck
from scoring.planting import Counterpart
from simulator.events.errors import InputError
from simulator.events.scripted import ToolResult
from simulator.events.tokens import count_tokens
from tests.probes.tasks import TASK


@pytest.fixture
def task(tmp_path: Path) -> Path:
    file = tmp_path / "renewal.yaml"
    file.write_text(TASK)
    return file


def test_several_context_probes_test_one_decision(task: Path) -> None:
    assert lint([task]) == []


def test_a_twin_lacks_its_planting_and_nothing_else(task: Path) -> None:
    scenario = read_scenario(task)
    made = twin(scenario, scenario.key.probes[0])
    [episode] = made.script.episodes
    assert [event.id for event in episode.events] == ["r1", "w1", "d1"]
    assert episode.events[0].causes == ()
    assert episode.events[1].causes == ("r1",)
    assert made.script.arc == made.key.arc == "renewal.twin-rule"
    assert made.key.counterpart == Counterpart(of="renewal", kind="twin", probe="rule")
    assert made.key.probes == scenario.key.probes
    assert lint([made]) == []


def test_each_planted_probe_has_a_twin_and_the_work_has_none(task: Path) -> None:
    arcs = [each.script.arc for each in with_twins(read_scenario(task))]
    assert arcs == ["renewal", "renewal.twin-rule", "renewal.twin-price"]


def test_what_waited_for_the_planting_waits_for_what_that_waited_for(task: Path) -> None:
    scenario = read_scenario(task)
    made = twin(scenario, scenario.key.probes[1])
    assert made.script.episodes[0].events[-1].causes == ("r1",)


def test_a_task_and_its_twins_read_back_as_written(task: Path, tmp_path: Path) -> None:
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
def test_a_planting_that_means_nothing_is_refused_with_its_line(
    task: Path, old: str, new: str, message: str
) -> None:
    task.write_text(TASK.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        read_scenario(task)
    assert caught.value.line


def test_two_right_ways_to_act_at_one_decision_are_refused(task: Path) -> None:
    head, found, rest = TASK.rpartition("The contract renews in May.")
    task.write_text(f"{head}It renews in May.{rest}")
    with pytest.raises(InputError, match="by two references"):
        read_scenario(task)


def told(scenario: Scenario) -> str:
    """What the agent was shown of the document that was withdrawn."""
    event = scenario.script.episodes[0].events[1]
    assert isinstance(event, ToolResult)
    return event.text


def test_a_swap_has_other_values_of_the_same_form_in_what_was_withdrawn(task: Path) -> None:
    [swap, absent, filler] = with_influence(read_scenario(task))
    assert [each.script.arc.partition(".")[2] for each in (swap, absent, filler)] == [
        *("swap-price", "absent-price", "filler-price")
    ]
    # Every digit goes on by one: 4.10 becomes 5.21.
    assert told(swap) == "document DOC-1003: A unit is $5.21."
    assert swap.script.world["documents"]["DOC-1003"]["versions"] == ["A unit is $5.21."]
    assert swap.script.world["documents"]["DOC-1002"]["versions"] == ["The contract renews in May."]
    price = swap.key.probes[1]
    assert price.forbidden[0].value == "$5.21"
    assert price.checks == (NeverSaysCheck(phrase="$5.21", failure="leakage"),)
    assert "$4.10" not in swap.model_dump_json()


def test_talk_in_the_place_of_withdrawn_content_is_as_long_and_empty(task: Path) -> None:
    scenario = read_scenario(task)
    length = count_tokens("document DOC-1003: A unit is $4.10.")
    for made in with_influence(scenario)[1:]:
        said = told(made)
        assert count_tokens(said) == length
        assert not any(char.isdigit() for char in said)
        assert "$4.10" not in made.script.model_dump_json()


def test_a_swapped_value_does_not_follow_from_what_may_be_used(tmp_path: Path) -> None:
    # 521 lines on 100 pages give 5.21, the first other value of $4.10; so it becomes 6.32.
    file = tmp_path / "renewal.yaml"
    lines = "The contract renews in May. It has 521 lines on 100 pages."
    file.write_text(TASK.replace("The contract renews in May.]}", f"{lines}]}}"))
    scenario = read_scenario(file)
    made = with_influence(scenario)
    assert swaps(scenario, scenario.key.probes[1]) == {"$4.10": "$6.32"}
    assert lint([scenario, *made]) == []


def test_a_part_of_a_longer_value_becomes_the_part_of_the_other_one(tmp_path: Path) -> None:
    file = tmp_path / "renewal.yaml"
    value = "{value: $4.10, failure: leakage, evidence: [monday/r1]}"
    shorter, longer = value.replace("$4.10", "4.10"), value.replace("$4.10", "unit is $4.10")
    file.write_text(TASK.replace(value, f"{shorter}, {longer}"))
    scenario = read_scenario(file)
    exchanged = {"unit is $4.10": "unit is $5.21", "4.10": "5.21"}
    assert swaps(scenario, scenario.key.probes[1]) == exchanged
    swap = with_influence(scenario)[0]
    assert told(swap) == "document DOC-1003: A unit is $5.21."
    assert [each.value for each in swap.key.probes[1].forbidden] == ["5.21", "unit is $5.21"]


def test_a_value_that_has_no_other_is_named_by_its_field(tmp_path: Path) -> None:
    file = tmp_path / "renewal.yaml"
    file.write_text(TASK.replace("$4.10", "very cheap"))
    with pytest.raises(InputError, match="no other value of the form of 'very cheap'") as caught:
        with_influence(read_scenario(file))
    assert caught.value.field == "key.probes.1.forbidden.0.value"


def test_a_withdrawal_of_no_value_has_no_influence_to_measure(tmp_path: Path) -> None:
    file = tmp_path / "renewal.yaml"
    told = "      forbidden: [{value: $4.10, failure: leakage, evidence: [monday/r1]}]\n"
    check = "{check: never_says, phrase: $4.10, failure: leakage}"
    text = TASK.replace(told, "").replace(check, "{check: never_cites, source: DOC-1003}")
    assert "forbidden" not in text
    file.write_text(text)
    assert with_influence(read_scenario(file)) == []


def test_counterparts_lint_clean(task: Path) -> None:
    assert lint(with_influence(read_scenario(task))) == []


@given(st.text(min_size=1, max_size=300), st.sampled_from([0, 1]))
def test_talk_has_exactly_the_tokens_of_any_text(text: str, number: int) -> None:
    assert count_tokens(filler(text, number)) == count_tokens(text)


@given(st.from_regex(r"\$?[1-9][0-9]{0,3}(\.[0-9]{2})?", fullmatch=True), st.integers(0, 5))
def test_another_value_has_the_same_form_and_other_digits(value: str, tried: int) -> None:
    taken = [value]
    for _ in range(tried):
        taken.append(other_value(value, taken))
    other = other_value(value, taken)
    assert other not in taken
    assert [char.isdigit() for char in other] == [char.isdigit() for char in value]
    assert all(a != b for a, b in zip(value, other, strict=True) if a.isdigit())
    assert other.lstrip("$")[0] != "0"


def test_a_value_without_digits_has_no_other() -> None:
    with pytest.raises(InputError, match="no other value of the form of 'the merger'"):
        other_value("the merger", [])
