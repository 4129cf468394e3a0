"""The memories that are shipped keep the contract, and the contract catches those that do not."""

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel

from memories.contract import check_memory, echo_notes
from memories.extraction.dictation import written_facts
from memories.facts import Facts, FactsOptions
from memories.hybrid import Hybrid, HybridOptions
from memories.ledger import Ledger, LedgerOptions
from memories.lines import show, verbatim
from memories.none import NoMemory, NoOptions
from memories.paging import Paging, PagingOptions
from memories.replay import Replay, ReplayOptions
from memories.retrieval import Retrieval, RetrievalOptions
from memories.shelf import Shelf
from memories.summary import Summary, SummaryOptions
from simulator.effects.memory import Ask, Block, Forgetting, Gone, Item, MemorySetup, Reach, Used
from simulator.effects.options import Options
from simulator.effects.prompts import Prompt
from simulator.effects.steps import Steps
from simulator.events import Surface


def write(prompt: Prompt) -> str:
    """Play a memory model: facts where these are asked for, copied notes for the summary."""
    if not prompt.tools:
        return echo_notes(prompt)
    return written_facts([("x", "y", each.text.split()[-1].strip(".")) for each in prompt.context])


ARMS: list[tuple[Any, Options]] = [
    (NoMemory, NoOptions()),
    (Replay, ReplayOptions()),
    (Replay, ReplayOptions(implementation="oldest", dates=False)),
    (Replay, ReplayOptions(implementation="unbudgeted")),
    (Retrieval, RetrievalOptions()),
    (Retrieval, RetrievalOptions(top_k=3, order="chronological", dates=False)),
    (Retrieval, RetrievalOptions(provenance=False)),
    (Summary, SummaryOptions()),
    (Summary, SummaryOptions(implementation="truncating", max_tokens=60)),
    (Summary, SummaryOptions(implementation="model")),
    (Facts, FactsOptions()),
    (Facts, FactsOptions(implementation="domain")),
    (Facts, FactsOptions(implementation="domain", domain="support")),
    (Facts, FactsOptions(implementation="model")),
    (Hybrid, HybridOptions()),
    (Hybrid, HybridOptions(implementation="interleaved", provenance=False)),
    (Hybrid, HybridOptions(implementation="deduplicated")),
    (Hybrid, HybridOptions(extractor="domain")),
    (Hybrid, HybridOptions(extractor="model", max_facts=2)),
    (Ledger, LedgerOptions()),
    (Ledger, LedgerOptions(max_rest_tokens=0, dates=False, provenance=False)),
    (Paging, PagingOptions()),
    (Paging, PagingOptions(implementation="agent")),
    (Paging, PagingOptions(core_tokens=40, top_k=2)),
]


@pytest.mark.parametrize(("memory", "options"), ARMS, ids=lambda each: repr(each)[:60])
def test_built_in_memories_keep_every_promise(memory: Any, options: Options) -> None:
    budgeted = getattr(options, "implementation", None) != "unbudgeted"
    assert check_memory(lambda setup: memory(options, setup), write, budgeted) == []


class Shared(Replay):
    """Keeps its items where every instance finds them."""

    common: ClassVar[Any] = None

    def __init__(self, options: ReplayOptions, setup: MemorySetup) -> None:
        super().__init__(options, setup)
        Shared.common = Shared.common or self.shelf
        self.shelf = Shared.common


class Spendthrift(Replay):
    def read(self, ask: Ask) -> Steps[Block]:
        return super().read(Ask(ask.query, None, ask.scope, ask.now, ask.shown))


class Nosy(Replay):
    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        return super().absorb([each.model_copy(update={"scope": "global"}) for each in transcript])


class Echo(Replay):
    def read(self, ask: Ask) -> Steps[Block]:
        return super().read(Ask(ask.query, ask.budget, ask.scope, ask.now))


class Elephant(Replay):
    """Says that it forgets."""

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        yield from ()
        return Forgetting(erased=tuple(sources))


class Miser(Replay):
    """Never gives back what was withdrawn."""

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        yield from ()


class Clumsy(Replay):
    """Forgets by the beginning of an id."""

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        met = {item.id for item in self.shelf if any(item.id.startswith(s) for s in sources)}
        return super().forget(frozenset(met), how, reach)


class Thorough(Replay):
    """Takes a digest for a record, whatever the reach."""

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        yield from ()
        for surface in transcript:
            self.shelf.put(verbatim(surface, dates=False, derived=True))

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        return super().forget(sources, how, "lineage")


class Naive(Replay):
    """Forgets what it holds, and not what comes."""

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        held, self.shelf = self.shelf, Shelf()
        for item in held:
            self.shelf.put(item.model_copy(update={"hidden": False}))
        yield from super().absorb(transcript)


class Patchwork(Replay):
    """Keeps a session in one item, and what was lost with a part of it for good."""

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        yield from ()
        for scope in dict.fromkeys(surface.scope for surface in transcript):
            part = [surface for surface in transcript if surface.scope == scope]
            text = " ".join(surface.text for surface in part)
            item = verbatim(part[0], dates=False, text=text, part=f"+{len(part)}")
            names = frozenset(surface.id for surface in part)
            self.shelf.put(item.model_copy(update={"sources": names, "saw": names}))


class Orphans(Replay):
    def holdings(self) -> list[Item]:
        return [item.model_copy(update={"sources": frozenset()}) for item in self.shelf]


class Fickle(Replay):
    reads = 0

    def read(self, ask: Ask) -> Steps[Block]:
        block = yield from super().read(ask)
        Fickle.reads += 1
        return Block(items=block.items[Fickle.reads % 2 :])


class Brittle(Replay):
    """Takes it ill when it is asked to forget what it never heard."""

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        self.shelf.drop(sources)
        return super().forget(sources, how, reach)


class Lax(Replay):
    class Options(BaseModel):
        """Takes whatever it is given."""


class Leaky(Paging):
    """Keeps what it is asked to in a form of its own that no longer knows its sources."""

    def use(self, tool: str, arguments: dict[str, Any], ask: Ask) -> Steps[Used]:
        used = yield from super().use(tool, arguments, ask)
        if tool == "keep_in_core" and used.ok:
            kept = self._archive.by_id[arguments["lines"][0]]
            note = {"id": f"L900{kept.id[1:]}", "sources": frozenset({"u11"})}
            self._archive.put(kept.model_copy(update=note))
        return used


class Wide(Paging):
    """Takes no notice of whose request it is."""

    def use(self, tool: str, arguments: dict[str, Any], ask: Ask) -> Steps[Used]:
        lines = [item for item in self._archive if not item.hidden]
        yield from ()
        return Used(ok=True, text="found:", items=tuple(map(show, lines[:3])))


class Bold(Paging):
    """Has a tool that is said to change the world."""

    tools = (Paging.tools[0].model_copy(update={"read_only": False}), *Paging.tools[1:])


@pytest.mark.parametrize(
    ("memory", "complaints"),
    [
        (Leaky, ["after tools moved it, what was withdrawn is still held"]),
        (Wide, ["belongs to scope", "tokens where 8 are left"]),
        (Bold, ["'search_archive' is not `read_only`"]),
    ],
)
def test_the_contract_catches_what_tools_break(memory: Any, complaints: list[str]) -> None:
    broken = check_memory(lambda setup: memory(PagingOptions(), setup))
    for complaint in complaints:
        assert any(complaint in each for each in broken), broken


@pytest.mark.parametrize(
    ("memory", "complaint"),
    [
        (Shared, "sees what another one absorbed"),
        (Spendthrift, "tokens with a budget of"),
        (Nosy, "shows an item of scope 'beta'"),
        (Echo, "which the working context shows"),
        (Elephant, "still held"),
        (Miser, "not as before"),
        (Clumsy, "deleting 'u1' also deletes"),
        (Thorough, "with the reach 'index'"),
        (Naive, "after it had been forgotten"),
        (Patchwork, "absorbing again what was lost, and granting it is not as before"),
        (Orphans, "which were not absorbed"),
        (Fickle, "gives another block"),
        (Brittle, "the memory raised KeyError"),
        (Lax, "accepts an unknown option"),
    ],
)
def test_the_contract_catches_a_broken_promise(memory: Any, complaint: str) -> None:
    broken = check_memory(lambda setup: memory(ReplayOptions(), setup))
    assert any(complaint in each for each in broken), broken
