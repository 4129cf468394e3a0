"""Names of trials are read in one place, and what is none is damage."""

import pytest

from scoring.names import named
from simulator.log.errors import LogDamaged


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("renewal/facts-pattern+last+96/0", ("renewal", "facts-pattern+last+96", 0)),
        ("a/x/y/12", ("a", "x/y", 12)),
        ("a/b/-1", ("a", "b", -1)),
    ],
)
def test_a_name_has_an_arc_an_arm_and_a_seed(name: str, parts: tuple[str, str, int]) -> None:
    assert named(name) == parts


@pytest.mark.parametrize(
    "name", ["", "a", "a/b", "a/b/", "a//1", "/b/1", "a/b/x", "a/b/-", "a/b/²"]
)
def test_log_what_is_no_name_of_a_trial_is_damage(name: str) -> None:
    with pytest.raises(LogDamaged, match="is no name of a trial"):
        named(name)
