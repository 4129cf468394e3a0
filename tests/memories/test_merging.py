"""How a hybrid puts its halves together, line by line, and what a line says of its speaker."""

from typing import Any

import pytest

from memories.hybrid import Hybrid, HybridOptions
from memories.retrieval import Retrieval, RetrievalOptions
from simulator.effects.memory import MemorySetup

OLD, NEW = "user: The refund for order O-1 is $5.", "user: The refund for order O-1 is $7."
FACT = "order O-1: refund amount = $7"
CLERK = "user: The clerk was friendly about the refund."
QUERY = "refund for order O-1"


def make(setup: MemorySetup, **options: Any) -> Hybrid:
    return Hybrid(HybridOptions.model_validate({"dates": False, **options}), setup)


@pytest.fixture
def told(say: Any) -> list[Any]:
    texts = (OLD, NEW, CLERK)
    return [say(f"u{at}", text.removeprefix("user: ")) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("implementation", "expected"),
    [
        ("facts_first", [FACT, OLD, CLERK]),
        ("interleaved", [OLD, FACT, CLERK]),
        ("deduplicated", [FACT, CLERK]),
    ],
)
def test_each_order_of_merging(
    bench: Any, told: Any, setup: MemorySetup, implementation: str, expected: list[str]
) -> None:
    memory = make(setup, implementation=implementation)
    bench.absorb(memory, *told)
    assert bench.lines(memory, QUERY) == expected
    memory.close()


def test_a_value_that_returned_is_no_value_of_the_past(
    bench: Any, say: Any, setup: MemorySetup
) -> None:
    memory = make(setup, implementation="deduplicated", max_facts=1)
    texts = [OLD, NEW, OLD.replace(" is ", " is again ")]
    bench.absorb(memory, *(say(f"u{n}", t.removeprefix("user: ")) for n, t in enumerate(texts)))
    # $5 holds: its first line stays, that of $7 goes, and the last is the fact's own.
    assert bench.lines(memory, QUERY) == [FACT.replace("$7", "$5"), OLD]
    memory.close()


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Order O-1 had $5 at first.", False),
        ("Order O-1 went from $5 to $7.", True),  # the value that holds stands there, too
        ("Order O-2 has $5.", True),  # another order
        ("Order O-1 weighs 5 kg, see order O-12: $50 or $5.25.", True),  # other values
    ],
)
def test_lines_of_the_past_are_told_by_entity_and_value(
    bench: Any, say: Any, told: Any, setup: MemorySetup, line: str, kept: bool
) -> None:
    memory = make(setup, implementation="deduplicated", max_facts=1)
    bench.absorb(memory, *told, say("a", line, role="assistant"))
    assert (f"assistant: {line}" in bench.lines(memory, QUERY)) is kept
    memory.close()


def test_what_took_the_place_is_withdrawn_and_the_line_is_back(
    bench: Any, told: Any, setup: MemorySetup
) -> None:
    memory = make(setup, implementation="deduplicated")
    bench.absorb(memory, *told)
    bench.forget(memory, "withdrawn", "u1")
    # $5 holds again; its line is covered by its fact.
    assert bench.lines(memory, QUERY) == [FACT.replace("$7", "$5"), CLERK]
    memory.close()


def test_a_fact_that_no_longer_fits_gives_its_line_back(
    bench: Any, say: Any, setup: MemorySetup
) -> None:
    memory = make(setup, implementation="interleaved", provenance=False)
    long = "The refund for order O-1 was a long story, so the refund took order O-1 a week."
    bench.absorb(memory, say("u1", "O-1: $5 back."), say("u2", long))
    asked = "refund refund order O-1 story week"
    assert bench.lines(memory, asked) == [long, "O-1: refund amount = $5"]
    # The fact has 9 tokens, the line that it stands for 8: "O", "-", "1", ":", "$", "5", "back", ".".
    budget = bench.read(memory, asked).tokens - 1
    assert bench.lines(memory, asked, budget=budget) == [long, "O-1: $5 back."]
    memory.close()


@pytest.mark.parametrize("memory_class", [Retrieval, Hybrid])
def test_provenance_says_whose_words_a_line_has(
    bench: Any, say: Any, setup: MemorySetup, memory_class: Any
) -> None:
    shown = {}
    for provenance in (True, False):
        options = RetrievalOptions if memory_class is Retrieval else HybridOptions
        memory = memory_class(options(provenance=provenance, dates=False), setup)
        bench.absorb(
            memory, say("u1", "All quiet here."), say("t1", "Queue is short.", role="tool")
        )
        shown[provenance] = sorted(bench.lines(memory, "quiet queue"))
        memory.close()
    assert shown == {
        True: ["tool: Queue is short.", "user: All quiet here."],
        False: ["All quiet here.", "Queue is short."],
    }


def test_what_a_line_says_of_its_speaker_moves_no_rank(
    bench: Any, say: Any, setup: MemorySetup
) -> None:
    """Texts are embedded without it, so that one factor is changed and no other."""
    ranks = []
    for provenance in (True, False):
        memory = Retrieval(RetrievalOptions(provenance=provenance), setup)
        bench.absorb(memory, say("u1", "All quiet."), say("t1", "The tool is quiet.", role="tool"))
        block = bench.read(memory, "tool quiet")
        ranks.append([(each.item, each.distance) for each in block.items])
        memory.close()
    assert ranks[0] == ranks[1]
