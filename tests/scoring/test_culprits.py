"""Errors by culprit: what a script, a tool or a memory breaks is on nobody else's account."""

from collections.abc import Callable
from typing import Any

import pytest

from runs.errors import CULPRITS, errors_table
from scoring.compare import compare
from scoring.grouping import check_factors
from scoring.keys import Probe, WorldCheck

CHECK = WorldCheck(path="/orders/o1/refund", equals="45.00")
NOBODY = dict.fromkeys(CULPRITS, 0)


def probe(number: int, kind: Any = "recall") -> Probe:
    decision = f"ask{number}/d"
    return Probe(id=f"p{number}", kind=kind, decision=decision, dependent=True, checks=(CHECK,))


@pytest.fixture
def made(maker: Callable[..., Any]) -> Any:
    run = maker()
    world = {"orders": {"o1": {"refund": None}}}
    run.arc("a1", [probe(1), probe(2, "update")], world=world)
    run.arm("none")
    return run


def row(run: Any, by: list[str] | None = None) -> Any:
    with run.write() as opened:
        return compare([opened], by)["rows"]


@pytest.mark.parametrize("culprit", CULPRITS)
def test_a_decision_counts_under_who_ended_it(made: Any, play: Any, culprit: str) -> None:
    made.play("a1", "none", 0, play(error=(culprit, "crash")), play())
    (found,) = row(made)
    assert found["errors_by_culprit"] == {**NOBODY, culprit: 1}
    assert (found["errors"], found["errors_elsewhere"]) == (1, 0)


@pytest.mark.parametrize("culprit", ["script", "environment", "memory", "embedder", "harness"])
def test_decisions_that_a_broken_part_kept_from_happening_are_not_the_agents(
    made: Any, culprit: str
) -> None:
    """The part fails at the end of the first session, so that neither decision is reached."""
    tape = made.tape("a1", "none")
    tape.session("plant")
    tape.fail(culprit, "crash", None, True)
    (found,) = row(made)
    assert found["errors_by_culprit"] == {**NOBODY, culprit: 2}
    assert found["errors_by_culprit"]["agent"] == found["errors_by_culprit"]["model"] == 0
    assert (found["n"], found["errors"], found["errors_elsewhere"]) == (2, 2, 1)
    assert found["tsr_dependent"] == 0


def test_a_memory_that_failed_at_a_compaction_is_counted_elsewhere(made: Any, play: Any) -> None:
    tape = made.tape("a1", "none")
    for number in (1, 2):
        tape.session(f"ask{number}")
        tape.fail("memory", "empty", None, False)
        tape.decide(f"ask{number}/d", "Pay.", play())
    (found,) = row(made)
    assert (found["errors"], found["errors_elsewhere"]) == (0, 2)
    assert found["errors_by_culprit"] == NOBODY


def test_the_columns_add_up_to_the_errors_in_every_grouping(made: Any, play: Any) -> None:
    made.play("a1", "none", 0, play(error=("memory", "crash")), play(error=("model", "empty")))
    for by in (None, ["memory"], ["probe_kind"], ["arc"]):
        for found in row(made, by):
            assert sum(found["errors_by_culprit"].values()) == found["errors"]
            made.folder = made.folder.with_name(made.folder.name + "x")
    recall, update = row(made, ["probe_kind"])
    assert recall["errors_by_culprit"] == {**NOBODY, "memory": 1}
    assert update["errors_by_culprit"] == {**NOBODY, "model": 1}
    assert recall["errors_elsewhere"] is None, "an error of a trial belongs to no kind of probe"


def test_the_table_has_a_column_for_everybody(made: Any, play: Any) -> None:
    made.play("a1", "none", 0, play(error=("memory", "crash")), play())
    table = errors_table(row(made))
    assert table is not None
    assert table.columns == ("arm", "decisions", *CULPRITS, "elsewhere")
    assert table.rows == [["none", "2", "0", "0", "1", "0", "0", "0", "0", "0"]]


def test_without_errors_there_is_no_table(made: Any, play: Any) -> None:
    made.play("a1", "none", 0, play(), play())
    assert errors_table(row(made)) is None


def test_rows_that_pool_arms_are_told_apart(made: Any, play: Any) -> None:
    """Two kinds of probes, one of which had an error: neither is charged with the other's."""
    made.arm("facts", memory="facts")
    for arm in ("none", "facts"):
        made.play("a1", arm, 0, play(error=("memory", "crash")), play())
    table = errors_table(row(made, ["probe_kind"]))
    assert table is not None
    assert [(line[0], line[1], line[4]) for line in table.rows] == [
        ("recall", "2", "2"),
        ("update", "2", "0"),
    ]


def test_an_implementation_is_one_of_a_memory() -> None:
    """`facts/model` and `summary/model` have a name in common and nothing else."""
    assert check_factors(["implementation"]) == ("memory", "implementation")
    assert check_factors(["tier", "implementation", "memory"]) == (
        "memory",
        "tier",
        "implementation",
    )
    assert check_factors(["tier"]) == ("tier",)
