from typing import Any

import pytest

from memories.hybrid import Hybrid, HybridOptions
from simulator.effects.memory import MemorySetup
from simulator.events.errors import InputError


def make(setup: MemorySetup, **options: Any) -> Hybrid:
    return Hybrid(HybridOptions.model_validate({"dates": False, **options}), setup)


def test_facts_come_first_and_lines_they_cover_are_left_out(
    bench: Any, say: Any, setup: MemorySetup
) -> None:
    memory = make(setup)
    bench.absorb(
        memory,
        say("u1", "The refund for order O-1 is $5."),
        say("u2", "The refund for order O-1 is $7."),
        say("u3", "The clerk was friendly about the refund."),
    )
    # The superseded line of u1 comes back: no fact shown stands for it.
    assert bench.lines(memory, "refund for order O-1") == [
        "order O-1: refund amount = $7",
        "user: The refund for order O-1 is $5.",
        "user: The clerk was friendly about the refund.",
    ]
    memory.close()


def test_one_budget_holds_both(bench: Any, say: Any, setup: MemorySetup) -> None:
    memory = make(setup)
    bench.absorb(memory, say("u1", "The refund for order O-1 is $5."), say("u2", "refund hello"))
    # Header 5, fact line 1 + 10 (order O - 1 : refund amount = $ 5), "user: refund hello" 1 + 4.
    assert len(bench.lines(memory, "refund", budget=15)) == 1
    assert len(bench.lines(memory, "refund", budget=20)) == 1
    assert len(bench.lines(memory, "refund", budget=21)) == 2
    memory.close()


def test_each_half_has_its_limit(bench: Any, say: Any, setup: MemorySetup) -> None:
    memory = make(setup, max_facts=1, top_k=2)
    told = [say(f"u{n}", f"The refund for order O-{n} is ${n}.") for n in range(1, 6)]
    bench.absorb(memory, *told)
    shown = bench.lines(memory, "refund for order O-3")
    assert shown[0] == "order O-3: refund amount = $3"
    assert len(shown) == 2  # of the two nearest lines, the first is the one the fact covers
    memory.close()


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_del_a_token_is_gone_from_both_stores(
    bench: Any, say: Any, setup: MemorySetup, how: str
) -> None:
    memory = make(setup)
    bench.absorb(
        memory, say("u1", "The return code for order O-1 is ZX-4471."), say("u2", "Hello.")
    )
    forgotten = bench.forget(memory, how, "u1")
    ids = forgotten.hidden if how == "withdrawn" else forgotten.erased
    assert ids == ("u1#0", "u1")
    assert "ZX-4471" not in bench.read(memory, "return code ZX-4471").render()
    assert memory.lines.index.ids() == ["u2"]
    bench.regrant(memory, "u1")
    assert ("ZX-4471" in bench.read(memory, "return code").render()) == (how == "withdrawn")
    assert bench.forget(memory, "deleted", "nobody").erased == ()
    memory.close()


def test_options_reach_the_halves(setup: MemorySetup) -> None:
    memory = make(setup, embedder="minilm")
    assert (memory.embedder, memory.lines.embedder, memory.habit) == (
        "minilm",
        "minilm",
        "accumulates",
    )
    memory.close()
    with pytest.raises(InputError, match="needs a memory model"):
        make(setup, extractor="model")
