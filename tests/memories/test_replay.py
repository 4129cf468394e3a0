from typing import Any

import pytest

from memories.none import NoMemory, NoOptions
from memories.replay import Replay, ReplayOptions
from simulator.effects.memory import MemorySetup


def test_none_gives_nothing_back(bench: Any, say: Any, setup: MemorySetup) -> None:
    memory = NoMemory(NoOptions(), setup)
    bench.absorb(memory, say("u1", "The refund is $5."))
    assert bench.read(memory, "refund").render() == ""
    assert list(memory.holdings()) == []


@pytest.fixture
def filled(bench: Any, say: Any, setup: MemorySetup) -> dict[str, Replay]:
    made = {}
    for name in ("newest", "oldest", "unbudgeted"):
        memory = Replay(
            ReplayOptions.model_validate({"implementation": name, "dates": False}), setup
        )
        bench.absorb(memory, say("u1", "one"), say("a1", "two", "assistant"))
        bench.absorb(memory, say("t1", "three\nand  more", "tool", day=1))
        made[name] = memory
    return made


# The header costs 5. "user: one" costs 3, "assistant: two" (9 letters = 3 tokens) 5,
# "tool: three and more" 5, and each line break 1: 4, 6 and 6.
@pytest.mark.parametrize(
    ("name", "budget", "expected"),
    [
        ("newest", 10, ["user: one"]),
        ("newest", 11, ["tool: three and more"]),
        ("newest", 15, ["user: one", "tool: three and more"]),
        ("newest", 17, ["assistant: two", "tool: three and more"]),
        ("newest", 21, ["user: one", "assistant: two", "tool: three and more"]),
        ("oldest", 10, ["user: one"]),
        ("oldest", 15, ["user: one", "assistant: two"]),
        ("unbudgeted", 1, ["user: one", "assistant: two", "tool: three and more"]),
    ],
)
def test_the_budget_keeps_one_end(
    bench: Any, filled: dict[str, Replay], name: str, budget: int, expected: list[str]
) -> None:
    assert bench.lines(filled[name], budget=budget) == expected


def test_lines_carry_their_date_by_default(bench: Any, say: Any, setup: MemorySetup) -> None:
    memory = Replay(ReplayOptions(), setup)
    bench.absorb(memory, say("u1", "one", day=2))
    assert bench.read(memory).render() == "From earlier sessions:\n[2025-03-05] user: one"


def test_habits_say_what_becomes_of_old_lines(setup: MemorySetup) -> None:
    assert Replay(ReplayOptions(), setup).habit == "truncates"
    assert Replay(ReplayOptions(implementation="unbudgeted"), setup).habit == "accumulates"
