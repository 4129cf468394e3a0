"""Arms: settings that are spelled out, come back whole, and have a safe name."""

from typing import Any

import pytest
from pydantic import ValidationError

from simulator.engine.arm import Arm, PartSpec, slug


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"token_budget": None, "forgetting": "index", "latency": "none"},
        {"memory": PartSpec(name="x", options={"implementation": "newest", "k": 3})},
        {"memory_model": PartSpec(name="writer", options={"seed": 1})},
        {"embedder": PartSpec(name="lexical", options={"dimension": 64})},
        {"agent": PartSpec(name="own:Agent", options={"a": [1, {"b": None}]})},
    ],
)
def test_an_arm_comes_back_from_its_description(lab: Any, changes: dict[str, Any]) -> None:
    arm = lab.arm(**changes)
    assert Arm.from_description(arm.id, arm.describe()) == arm


def test_the_description_is_flat_and_complete(lab: Any) -> None:
    memory = PartSpec(name="replay", options={"implementation": "newest"})
    assert lab.arm(memory=memory).describe() == {
        "memory": "replay",
        "implementation": "newest",
        "memory_options": {"implementation": "newest"},
        "model": "part",
        "model_options": {},
        "memory_model": None,
        "memory_model_options": {},
        "embedder": None,
        "embedder_options": {},
        "agent": "part",
        "agent_options": {},
        "token_budget": 256,
        "compaction": "forced",
        "forgetting": "off",
        "counter": "pieces-1",
        "latency": "typical",
    }
    assert lab.arm().describe()["implementation"] == "standard"


def test_an_unknown_setting_is_refused(lab: Any) -> None:
    with pytest.raises(ValidationError):
        lab.arm(top_kk=200)
    with pytest.raises(ValidationError):
        lab.arm(forgetting="perhaps")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["replay", "last", "256"], "replay+last+256"),
        (["a b/c", "k=3,n=2"], "a_b_c+k=3,n=2"),
        (["café"], "caf_"),
    ],
)
def test_a_slug_is_safe_in_paths(parts: list[str], expected: str) -> None:
    assert slug(parts) == expected


def test_a_long_slug_ends_in_a_hash_of_all_of_it() -> None:
    long, other = (slug(["x" * 118, last]) for last in ("yy", "zz"))
    assert long[:101] == other[:101] == "x" * 100 + "~"
    assert len(long) == 113 and long != other
    assert slug(["x" * 118, "y"]) == "x" * 118 + "+y"  # 120 characters are still shown whole


def test_a_slug_behind_an_id_leaves_the_id_as_it_is() -> None:
    assert slug(["forked=3", "without=e1/m1"], behind="a+b") == "a+b+forked=3+without=e1_m1"
    long = [slug(["x" * 60], behind=each + "y" * 60) for each in ("a", "b")]
    assert all(len(each) == 113 for each in long) and long[0][101:] != long[1][101:]
