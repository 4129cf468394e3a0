"""Known kinds of fault of memories; `docs/faults.md` says which test holds each."""

from collections.abc import Callable
from typing import Any

import pytest

from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from simulator.effects.memory import Ask, MemorySetup
from simulator.effects.registry import lookup, names
from simulator.effects.steps import Effect, Embed, Result, perform
from simulator.events import Surface

TOLD = [
    Surface(id=f"e/{at}", role="user", text=text, time=at * 1000)
    for at, text in enumerate(
        [
            "The access code of account A-4410 is KX-20815.",
            "The phone number of customer C-2207 is 431-555-0166.",
            "Order O-2210 goes to 118 Tulip Road.",
        ]
    )
]


def handle(effect: Effect) -> Result:
    assert isinstance(effect, Embed)
    return list(LexicalEmbedder(LexicalOptions()).embed(effect.texts))


def made(name: str) -> Any:
    cls = lookup("memory", name)
    memory = cls(cls.Options(), MemorySetup(trial="kinds", has_model=False))
    perform(memory.absorb(TOLD), handle)
    return memory


@pytest.mark.parametrize("name", names("memory"))
@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_del_h10_forgetting_what_was_never_heard_forgets_nothing(name: str, how: Any) -> None:
    memory = made(name)
    before = list(memory.holdings())
    done = perform(memory.forget(frozenset({"e/99", "", "e"}), how), handle)
    assert (done.hidden, done.erased) == ((), ())
    assert list(memory.holdings()) == before
    memory.close()


@pytest.mark.parametrize("name", sorted(set(names("memory")) - {"none"}))
@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_del_h10_what_was_forgotten_comes_back_from_no_store(name: str, how: Any) -> None:
    memory = made(name)
    ask = Ask("What is the access code of account A-4410?", None, "global", 9_000)
    assert "KX-20815" in perform(memory.read(ask), handle).render()
    done = perform(memory.forget(frozenset({"e/0"}), how), handle)
    assert done.hidden or done.erased
    assert "KX-20815" not in perform(memory.read(ask), handle).render()
    shown = [item for item in memory.holdings() if not item.hidden]
    assert not any("KX-20815" in item.text for item in shown)
    held = [item for item in memory.holdings() if "KX-20815" in item.text]
    assert how == "withdrawn" or held == []
    memory.close()


@pytest.mark.parametrize("k", [1, 3, 8, 50])
def test_ret_h21_more_results_than_there_are_is_a_short_list(k: int) -> None:
    cls: Callable[..., Any] = lookup("memory", "retrieval")
    memory = cls(lookup("memory", "retrieval").Options(top_k=k), MemorySetup("kinds", False))
    perform(memory.absorb(TOLD), handle)
    block = perform(memory.read(Ask("code", None, "global", 9_000)), handle)
    assert len(block.items) == min(k, len(TOLD))
    assert [item.rank for item in block.items] == list(range(1, len(block.items) + 1))
    memory.close()
