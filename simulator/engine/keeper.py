"""Keeps the memory: hands it what it may see, records what it did, holds it to its contract."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import simpy

from simulator.effects.memory import Ask, Block, Item, Memory, Shown
from simulator.effects.steps import Steps
from simulator.engine.blame import blamed
from simulator.engine.clock import Process
from simulator.engine.performer import Errand, Performer
from simulator.engine.scene import Scene
from simulator.events import GLOBAL, Json, Surface
from simulator.events.faults import Fault
from simulator.events.recorded import Boundary, MemoryChanged, MemoryRead
from simulator.events.scripted import Notice

BoundaryWhy = Literal["forced", "native", "session_end", "injected"]
ChangeWhy = Literal["absorb", "withdrawn", "deleted", "granted", "fault"]


@dataclass(frozen=True)
class _Given:
    """Something that the memory was given: what was asked of it, and on which errand."""

    why: ChangeWhy
    begin: Callable[[Memory], Steps[Any]]
    errand: Errand


class Keeper:
    """The only way to a trial's memory; its operations never overlap.

    Attributes:
        budget: Most tokens of a block; None is unbudgeted.
    """

    def __init__(
        self,
        scene: Scene,
        memory: Memory,
        performer: Performer,
        budget: int | None,
        remembers: bool = False,
    ) -> None:
        """Keep a memory; `remembers` what it is given, for another one that may take over."""
        self._scene = scene
        self._memory = memory
        self._performer = performer
        self.budget = budget
        self._held: dict[str, Item] = {}
        self._remembers = remembers
        self._past: list[_Given] = []
        self._turn: simpy.Event | None = None

    def boundary(self, why: BoundaryWhy, asked: int, cause: str) -> Process[None]:
        """Let the memory absorb the working context, then empty it.

        It waits until the memory is free and no tool call is open. Nothing is dropped before the
        memory has taken it in; on a fault the context stays.

        Raises:
            Fault: whatever went wrong while absorbing.
        """
        yield from self._enter()
        try:
            yield from self._scene.quiet()
            transcript = tuple(self._scene.context)
            ids = tuple(surface.id for surface in transcript)
            event = self._scene.record(Boundary(why=why, asked=asked, transcript=ids), [cause])
            errand = Errand("memory", "write", "memory_model", event, GLOBAL)
            absorb = partial(_absorb, transcript)
            yield from self._give(_Given("absorb", absorb, errand))
            self._drop(set(ids))
        finally:
            self._leave()

    def _drop(self, ids: set[str]) -> None:
        self._scene.context[:] = [each for each in self._scene.context if each.id not in ids]

    def read(self, query: str, scope: str, decision: str) -> Process[str]:
        """Read the memory for a decision and return the rendered block.

        Raises:
            Fault: culprit `memory` when the block breaks the contract.
        """
        yield from self._enter()
        try:
            shown = frozenset(surface.id for surface in self._scene.context)
            ask = Ask(query, self.budget, scope, self._scene.clock.now, shown)
            errand = Errand("memory", "read", "memory_model", decision, scope)
            block = yield from self._performer.drive(partial(self._memory.read, ask), errand)
            with blamed("memory"):
                check_block(block, ask, self._held)
                return self._record_read(block, ask, decision)
        finally:
            self._leave()

    def notice(self, notice: Notice, sources: tuple[str, ...], cause: str) -> Process[None]:
        """Tell the memory that access was withdrawn or granted, or something was deleted."""
        yield from self._enter()
        try:
            errand = Errand("memory", "rebuild", "memory_model", cause, GLOBAL)
            heard = partial(_hear, notice, frozenset(sources))
            yield from self._give(_Given(notice, heard, errand))
        finally:
            self._leave()

    def take_over(self, memory: Memory) -> None:
        """Put `memory` in the place of the present one, at this instant.

        It is given all that the present one took in, in order; its calls are recorded here, and
        so is what is held and gone after each step.

        Raises:
            Fault: whatever went wrong in it.
        """
        past, self._past, self._memory = self._past, [], memory
        for given in past:
            self._scene.clock.at_once(self._give(given))

    def _give(self, given: _Given) -> Process[None]:
        try:
            yield from self._performer.drive(partial(given.begin, self._memory), given.errand)
        except Fault:
            with suppress(Fault):  # the first fault is the one that counts
                self._record_change("fault", given.errand.cause)
            raise
        self._record_change(given.why, given.errand.cause)
        if self._remembers:
            self._past.append(given)

    def _enter(self) -> Process[None]:
        while self._turn is not None:
            yield self._turn
        self._turn = self._scene.clock.event()

    def _leave(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.succeed()

    def _record_read(self, block: Block, ask: Ask, decision: str) -> str:
        rendered = block.render()
        self._scene.record(
            MemoryRead(
                query=ask.query,
                budget=ask.budget,
                block=self._scene.recorder.blob(rendered),
                tokens=block.tokens,
                items=tuple(_shown(shown) for shown in block.items),
                scope=ask.scope,
            ),
            [decision],
        )
        return rendered

    def _record_change(self, why: ChangeWhy, cause: str) -> None:
        with blamed("memory"):
            held = _by_id(self._memory.holdings())
            written = [item for item in held.values() if self._held.get(item.id) != item]
            gone = tuple(name for name in self._held if name not in held)
            if why == "fault" and not written and not gone:
                return
            check_items(written, self._scene.seen, held)
            self._scene.record(
                MemoryChanged(
                    why=why,
                    written=tuple(_item(item) for item in written),
                    gone=gone,
                    held=len(held),
                ),
                [cause],
            )
        self._held = held


def _absorb(transcript: tuple[Surface, ...], memory: Memory) -> Steps[None]:
    return memory.absorb(transcript)


def _hear(notice: Notice, sources: frozenset[str], memory: Memory) -> Steps[Any]:
    if notice == "granted":
        return memory.regrant(sources)
    return memory.forget(sources, notice)


def _by_id(items: Iterable[Item]) -> dict[str, Item]:
    held: dict[str, Item] = {}
    for item in items:
        if item.id in held:
            raise Fault("memory", "invalid", f"two items are called {item.id!r}")
        held[item.id] = item
    return held


def check_items(items: Iterable[Item], seen: set[str], held: Mapping[str, Item]) -> None:
    """Refuse items whose pedigree is missing or names what was never absorbed, or is not held.

    Raises:
        Fault: culprit `memory`, `invalid`.
    """
    for item in items:
        if not item.sources:
            raise Fault("memory", "invalid", f"item {item.id!r} names no source")
        if not item.sources | item.saw <= seen:
            raise Fault("memory", "invalid", f"item {item.id!r} names a source it never saw")
        if item.replaced_by is not None and item.replaced_by not in held:
            raise Fault(
                "memory", "invalid", f"item {item.id!r} is replaced by one that is not held"
            )


def check_block(block: Block, ask: Ask, held: dict[str, Item]) -> None:
    """Hold a block to the port's contract: budget, scope, hidden items, no repetition.

    Raises:
        Fault: culprit `memory`, `invalid`.
    """
    if ask.budget is not None and block.tokens > ask.budget:
        raise Fault("memory", "invalid", f"block of {block.tokens} tokens, budget {ask.budget}")
    for shown in block.items:
        broken = _broken_rule(shown, held.get(shown.item), ask)
        if broken is not None:
            raise Fault("memory", "invalid", f"{shown.item!r} {broken}")


def _broken_rule(shown: Shown, item: Item | None, ask: Ask) -> str | None:
    if item is None:
        return "is not among the holdings"
    if item.hidden:
        return "is hidden"
    if item.scope not in (GLOBAL, ask.scope):
        return f"belongs to scope {item.scope!r}"
    if shown.sources and ask.shown.issuperset(shown.sources):
        return "repeats the working context"
    if not shown.sources or not item.sources.issuperset(shown.sources):
        return "is shown with other sources than it is held with"
    if "".join(shown.text.splitlines()) != shown.text:
        return "is more than one line"
    return None


def _shown(shown: Shown) -> Json:
    return {**shown.model_dump(), "sources": list(shown.sources)}


def _item(item: Item) -> Json:
    recorded: dict[str, Json] = {
        "id": item.id,
        "text": item.text,
        "sources": sorted(item.sources),
        "saw": sorted(item.saw),
        "scope": item.scope,
        "role": item.role,
        "hidden": item.hidden,
    }
    if item.replaced_by is not None:  # most memories keep no history
        recorded["replaced_by"] = item.replaced_by
    return recorded
