import random
import sys
import weakref
from pathlib import Path
from subprocess import run
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memories import chroma
from memories.chroma import Collection, collection_name
from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from memories.retrieval import Retrieval, RetrievalOptions
from simulator.effects.memory import Ask, Block, MemorySetup
from simulator.effects.steps import Embed, perform
from simulator.events import Surface

SETUP = MemorySetup(trial="arc/arm/0", has_model=False)
WORDS = "refund return address order code delivery plan tier money parcel".split()


def embed(effect: Any) -> Any:
    assert isinstance(effect, Embed)
    return LexicalEmbedder(LexicalOptions()).embed(effect.texts)


def make(k: int = 8, **options: Any) -> Retrieval:
    return Retrieval(RetrievalOptions(top_k=k, **options), SETUP)


def ask(query: str, scope: str = "global", budget: int | None = None) -> Ask:
    return Ask(query, budget, scope, 0)


def surfaces(texts: list[str], scopes: list[str] | None = None) -> list[Surface]:
    named = scopes or ["global"] * len(texts)
    return [
        Surface(id=f"e/{at}", role="user", text=text, time=at * 1000, scope=scope)
        for at, (text, scope) in enumerate(zip(texts, named, strict=True))
    ]


def found(memory: Retrieval, query: str, scope: str = "global") -> list[tuple[str, int | None]]:
    block: Block = perform(memory.read(ask(query, scope)), embed)
    return [(shown.item, shown.distance) for shown in block.items]


def brute_force(told: list[Surface], query: str, scope: str, k: int) -> list[tuple[str, int]]:
    """Rank with plain Python floats, by the published definition of cosine distance."""
    lexical = LexicalEmbedder(LexicalOptions())
    [wanted] = lexical.embed([query])
    scored = []
    for surface in told:
        if surface.scope in (scope, "global"):
            [vector] = lexical.embed([surface.text])
            cosine = sum(float(a) * float(b) for a, b in zip(vector, wanted, strict=True))
            scored.append((round((1 - cosine) * 1_000_000), surface.time, surface.id))
    return [(name, distance) for distance, _, name in sorted(scored)[:k]]


TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(TEXT, st.sampled_from(("global", "alpha", "beta"))), max_size=30),
    TEXT,
    st.integers(1, 12),
    st.randoms(use_true_random=False),
)
def test_results_equal_brute_force_whatever_the_order_and_batches_of_insertion(
    told: list[tuple[str, str]], query: str, k: int, chance: random.Random
) -> None:
    story = surfaces([text for text, _ in told], [scope for _, scope in told])
    shuffled = chance.sample(story, len(story))
    whole, pieces = make(k), make(k)
    perform(whole.absorb(story), embed)
    for at in range(0, len(shuffled), 7):
        perform(pieces.absorb(shuffled[at : at + 7]), embed)
    expected = brute_force(story, query, "alpha", k)
    assert found(whole, query, "alpha") == expected
    assert found(pieces, query, "alpha") == expected
    whole.close()
    pieces.close()


def test_results_of_many_near_vectors_equal_brute_force_and_are_prefixes_of_a_larger_k() -> None:
    chance = random.Random(7)
    texts = [" ".join(chance.choices(WORDS, k=4)) for _ in range(400)]
    story = surfaces(texts)
    small, large = make(8), make(60)
    for memory in (small, large):
        perform(memory.absorb(story), embed)
    for query in ("refund code", "parcel address plan", "tier"):
        assert found(large, query) == brute_force(story, query, "global", 60)
        assert found(small, query) == found(large, query)[:8]
    small.close()
    large.close()


def test_equal_texts_go_by_event_order_with_numbers_read_as_numbers() -> None:
    told = [Surface(id=f"#{n}", role="user", text="same words", time=5) for n in (10, 9, 100)]
    memory = make()
    perform(memory.absorb(told), embed)
    assert [name for name, _ in found(memory, "same words")] == ["#9", "#10", "#100"]
    memory.close()


def test_distances_are_millionths_of_the_cosine_distance() -> None:
    memory = make()
    perform(memory.absorb(surfaces(["refund", "7 8"])), embed)
    # "7" and "8" have one feature of equal weight each: half of the square, cosine 1/sqrt(2).
    assert found(memory, "7")[0] == ("e/1", 292_893)
    assert found(memory, "refund")[0] == ("e/0", 0)
    memory.close()


def test_the_scope_filter_applies_before_top_k() -> None:
    texts = ["refund"] * 30 + ["refund plan"]
    story = surfaces(texts, ["beta"] * 30 + ["alpha"])
    memory = make(2)
    perform(memory.absorb(story), embed)
    assert [name for name, _ in found(memory, "refund", "alpha")] == ["e/30"]
    assert found(memory, "refund") == []
    memory.close()


def test_identical_lines_are_all_found() -> None:
    """Chroma's own search loses one of them now and then; asked for all, it must not show."""
    for seed in range(12):
        chance = random.Random(seed)
        texts = [chance.choice(["Done.", "Refund issued.", "order code"]) for _ in range(48)]
        memory = make(48)
        perform(memory.absorb(surfaces(texts)), embed)
        assert len(found(memory, "refund")) == 48
        memory.close()


def test_ret_h20_absorbing_an_id_again_replaces_text_and_vector() -> None:
    memory = make()
    perform(memory.absorb(surfaces(["old tier"])), embed)
    perform(memory.absorb(surfaces(["new refund"])), embed)
    block: Block = perform(memory.read(ask("refund")), embed)
    assert [shown.text for shown in block.items] == ["[1970-01-01] user: new refund"]
    assert memory.index.ids() == ["e/0"]
    memory.close()


def test_withdrawn_lines_leave_chroma_and_deleted_ones_never_come_back() -> None:
    memory = make()
    perform(memory.absorb(surfaces(["refund one", "refund two"])), embed)
    hidden = perform(memory.forget(frozenset(("e/0",)), "withdrawn"), embed)
    assert hidden.hidden == ("e/0",)
    assert memory.index.ids() == ["e/1"]
    perform(memory.regrant(frozenset(("e/0",))), embed)
    assert memory.index.ids() == ["e/0", "e/1"]
    assert perform(memory.forget(frozenset(("e/0",)), "deleted"), embed).erased == ("e/0",)
    assert perform(memory.forget(frozenset(("ghost",)), "deleted"), embed).erased == ()
    assert [name for name, _ in found(memory, "refund one")] == ["e/1"]
    assert memory.index.ids() == ["e/1"]
    memory.close()


def test_ret_h20_two_memories_of_one_trial_in_one_process_share_nothing() -> None:
    one, other = make(), make()
    perform(one.absorb(surfaces(["refund"])), embed)
    perform(other.absorb(surfaces(["parcel"])), embed)
    assert one.index.name != other.index.name
    one.close()
    one.close()
    block: Block = perform(other.read(ask("refund")), embed)
    assert [shown.text for shown in block.items] == ["[1970-01-01] user: parcel"]
    other.close()


def test_blocks_go_by_rank_or_by_time() -> None:
    texts = ["plan tier", "money", "refund plan", "refund"]
    for order, expected in (
        ("rank", ["e/3", "e/2", "e/0"]),
        ("chronological", ["e/0", "e/2", "e/3"]),
    ):
        memory = make(3, order=order, dates=False)
        perform(memory.absorb(surfaces(texts)), embed)
        assert [name for name, _ in found(memory, "refund plan refund refund")] == expected
        memory.close()


def test_a_boundary_is_one_embedding_call_and_a_read_another(bench: Any, say: Any) -> None:
    memory = make()
    bench.absorb(memory, say("u1", "one"), say("u2", "two  lines\nof it"))
    bench.absorb(memory)
    bench.read(memory, "which?")
    assert bench.embedded == [("one", "two lines of it"), ("which?",)]
    memory.close()


def test_an_empty_memory_embeds_nothing(bench: Any) -> None:
    memory = make()
    assert bench.read(memory, "which?") == Block()
    assert bench.embedded == []
    memory.close()


def test_a_line_in_the_working_context_takes_no_place(bench: Any, say: Any) -> None:
    memory = make(1)
    bench.absorb(memory, say("u1", "refund"), say("u2", "refund plan"))
    [line] = bench.read(memory, "refund", shown=frozenset(("u1",))).items
    assert (line.item, line.rank) == ("u2", 1)
    memory.close()


def test_options_reach_the_embedder() -> None:
    memory = make(implementation="minilm")
    assert (memory.embedder, memory.habit) == ("minilm", "accumulates")
    memory.close()


@pytest.mark.parametrize("trial", ["arc/arm/0", "ä ö/✓", "x" * 2000])
def test_collection_names_are_legal_and_unique(trial: str) -> None:
    names = {collection_name(trial) for _ in range(5)}
    assert len(names) == 5
    for name in names:
        assert 3 <= len(name) <= 512
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_a_worn_system_is_dropped_once_its_last_collection_closes() -> None:
    vector = np.full(4, 0.5, dtype=np.float32)
    survivor = Collection("survivor")
    survivor.put(["a"], [vector], ["global"])
    worn = chroma._current
    assert worn is not None
    while chroma._current is worn:
        Collection("filler").close()
    assert survivor.search(vector, frozenset(("global",))) == ["a"]
    stopped = weakref.ref(worn._system)
    survivor.close()
    assert worn.live == 0
    with pytest.raises(AttributeError):  # the stopped system has let go of Chroma's core
        worn.client.heartbeat()
    assert stopped() is not None


def test_chroma_is_imported_only_when_a_retrieval_is_made() -> None:
    code = (
        "import sys, memories.hybrid, memories.retrieval, memories.contract\n"
        "sys.exit('chromadb' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
