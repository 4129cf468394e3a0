"""A share of the fuzzing of `benchmarks/fuzz.py`, the same inputs every time."""

import tomllib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks import fuzz
from benchmarks.fuzzing.inputs import as_toml, as_yaml
from benchmarks.fuzzing.targets import TARGETS, Target, demand
from probes.scenario.nodes import Mapping, compose

EXAMPLES = {
    "scenario files": 150,
    "suites": 200,
    "model output": 250,
    "tool arguments": 800,
    "forged logs": 6,
}
"""Inputs by target, so that all take some twenty seconds."""

MADE = [make() for make in TARGETS]


@pytest.mark.parametrize("target", MADE, ids=[target.name for target in MADE])
def test_no_input_ends_in_a_traceback(target: Target) -> None:
    ends: set[str] = set()

    @settings(
        max_examples=EXAMPLES[target.name],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def check(value: Any) -> None:
        ends.add(target.check(value))

    check()
    assert len(ends) > 1, "every input ended the same way: the fuzzer does not reach deep"


def test_the_shares_are_all_of_it() -> None:
    assert sum(target.share for target in MADE) == 100
    assert set(EXAMPLES) == {target.name for target in MADE}


def test_a_failure_is_counted_and_its_place_told() -> None:
    def check(value: int) -> str:
        demand(value < 50, f"{value} is too much")
        return "fine"

    tally = fuzz.fuzz(Target("numbers", 100, st.integers(0, 100), check), 200, 1)
    assert tally.ends.total() >= 100 and tally.ends["FAILED"] > 0 and tally.ends["fine"] > 0
    assert all("is too much" in place and "demand" in place for place in tally.failures)


def test_the_same_seed_tries_the_same_inputs() -> None:
    def inputs(number: int) -> list[int]:
        seen: list[int] = []

        def check(value: int) -> str:
            seen.append(value)
            return "seen"

        fuzz.fuzz(Target("numbers", 100, st.integers(), check), 30, number)
        return seen

    assert inputs(1) == inputs(1) != inputs(2)


def test_trees_are_written_as_what_they_are() -> None:

    tree = {"a": [1, {"b c": "x\n\x7f"}], "d": True, "e": 1.5}
    assert tomllib.loads(as_toml(tree)) == tree
    assert isinstance(compose(as_yaml({"a": [1, {"b c": "x"}]})), Mapping)
