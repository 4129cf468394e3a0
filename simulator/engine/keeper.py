"""Keeps the memory: hands it what it may see, records what it did, holds it to its contract."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import simpy

from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import Ask, Block, Item, Memory, Shown, Tooled, Used
from simulator.effects.steps import Steps
from simulator.engine.blame import blamed
from simulator.engine.clock import Process
from simulator.engine.lending import LentCall, tools_of
from simulator.engine.performer import Errand, Performer
from simulator.engine.scene import Scene
from simulator.engine.world import Schemas
from simulator.events import GLOBAL, Json, Surface
from simulator.events.faults import Fault
from simulator.events.recorded import Boundary, MemoryChanged, MemoryRead
from simulator.events.scripted import Notice
from simulator.events.tokens import count_tokens

BoundaryWhy = Literal["forced", "native", "session_end", "injected"]
ChangeWhy = Literal["absorb", "withdrawn", "deleted", "granted", "tool", "fault"]


@dataclass(frozen=True)
class _Given:
    """Something that the memory was given: what was asked of it, and on which errand."""

    why: ChangeWhy
    begin: Callable[[Memory], Steps[Any]]
    errand: Errand


class Keeper:
    """The only way to a trial's memory; its operations never overlap.

    Attributes:
        memory: The memory in force.
        tools: Its own tools, which the agent may use.
        schemas: Their schemas.
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
        self._performer = performer
        self.budget = budget
        self._ask = Ask("", budget, GLOBAL, scene.clock.now)
        self._employ(memory)
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
        yield from self.enter()
        try:
            yield from self._scene.quiet()
            context = tuple(self._scene.context)
            # What the memory gave back by its tools is never stored again.
            transcript = tuple(each for each in context if each.id not in self._scene.recalled)
            ids = tuple(surface.id for surface in transcript)
            event = self._scene.record(Boundary(why=why, asked=asked, transcript=ids), [cause])
            errand = Errand("memory", "write", "memory_model", event, GLOBAL)
            absorb = partial(_absorb, transcript)
            yield from self._give(_Given("absorb", absorb, errand))
            self._drop({surface.id for surface in context})
        finally:
            self.leave()

    def _drop(self, ids: set[str]) -> None:
        self._scene.context[:] = [each for each in self._scene.context if each.id not in ids]

    def read(self, query: str, scope: str, decision: str) -> Process[str]:
        """Read the memory for a decision and return the rendered block.

        Raises:
            Fault: culprit `memory` when the block breaks the contract.
        """
        yield from self.enter()
        try:
            ask = Ask(query, self.budget, scope, self._scene.clock.now, self._scene.shown())
            errand = Errand("memory", "read", "memory_model", decision, scope)
            block = yield from self._performer.drive(partial(self.memory.read, ask), errand)
            with blamed("memory"):
                check_block(block, ask, self._held)
                self._ask = _after(ask, block.tokens, block.items)
                rendered = block.render()
                self._record_read(rendered, block.tokens, block.items, ask, decision)
                return rendered
        finally:
            self.leave()

    def use(self, call: LentCall) -> Process[ToolOutcome]:
        """Let the memory carry out a call of one of its tools; it must have been entered.

        Raises:
            Fault: culprit `memory` when it breaks the contract; whatever went wrong in it.
        """
        shown = self._ask.shown | self._scene.shown()
        ask = replace(self._ask, now=self._scene.clock.now, shown=shown)
        used = Used(ok=False, text=call.checked.error or "")
        if call.checked.error is None:
            used = yield from self._used(call, ask)
        text = used.render()
        tokens = count_tokens(text) if used.items else 0
        with blamed("memory"):
            check_used(used, tokens, ask, self._held)
            self._ask = _after(ask, tokens, used.items)
            self._record_read(text, tokens, used.items, ask, call.event)
        contains = dict.fromkeys(source for shown in used.items for source in shown.sources)
        return ToolOutcome(ok=used.ok, text=text, contains=tuple(contains))

    def _used(self, call: LentCall, ask: Ask) -> Process[Used]:
        memory = self.memory
        assert isinstance(memory, Tooled)  # or it would have no tool of this name
        errand = Errand("memory", "read", "memory_model", call.decision, call.scope)
        use = partial(memory.use, call.tool, call.checked.arguments, ask)
        try:
            used = yield from self._performer.drive(use, errand)
        except Fault:
            with suppress(Fault):  # the first fault is the one that counts
                self._record_change("fault", call.event)
            raise
        self._record_change("tool", call.event)
        return used

    def notice(self, notice: Notice, sources: tuple[str, ...], cause: str) -> Process[None]:
        """Tell the memory that access was withdrawn or granted, or something was deleted."""
        yield from self.enter()
        try:
            errand = Errand("memory", "rebuild", "memory_model", cause, GLOBAL)
            heard = partial(_hear, notice, frozenset(sources))
            yield from self._give(_Given(notice, heard, errand))
        finally:
            self.leave()

    def take_over(self, memory: Memory) -> None:
        """Put `memory` in the place of the present one, at this instant.

        It is given all that the present one took in, in order; its calls are recorded here, and
        so is what is held and gone after each step. What the agent did by the present one's tools
        it did to that one alone.

        Raises:
            Fault: whatever went wrong in it.
        """
        past, self._past = self._past, []
        self._employ(memory)
        for given in past:
            self._scene.clock.at_once(self._give(given))

    def _employ(self, memory: Memory) -> None:
        self.memory = memory
        self.tools: tuple[Tool, ...] = tools_of(memory)
        self.schemas = Schemas(self.tools)

    def _give(self, given: _Given) -> Process[None]:
        try:
            yield from self._performer.drive(partial(given.begin, self.memory), given.errand)
        except Fault:
            with suppress(Fault):  # the first fault is the one that counts
                self._record_change("fault", given.errand.cause)
            raise
        self._record_change(given.why, given.errand.cause)
        if self._remembers:
            self._past.append(given)

    def enter(self) -> Process[None]:
        """Wait until the memory is free, and take it."""
        while self._turn is not None:
            yield self._turn
        self._turn = self._scene.clock.event()

    def leave(self) -> None:
        """Let the memory go; who waits for it may go on."""
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.succeed()

    def _record_read(
        self, text: str, tokens: int, items: tuple[Shown, ...], ask: Ask, cause: str
    ) -> None:
        self._scene.record(
            MemoryRead(
                query=ask.query,
                budget=ask.budget,
                block=self._scene.recorder.blob(text),
                tokens=tokens,
                items=tuple(_shown(shown) for shown in items),
                scope=ask.scope,
            ),
            [cause],
        )

    def _record_change(self, why: ChangeWhy, cause: str) -> None:
        with blamed("memory"):
            held = _by_id(self.memory.holdings())
            written = [item for item in held.values() if self._held.get(item.id) != item]
            gone = tuple(name for name in self._held if name not in held)
            if why in ("fault", "tool") and not written and not gone:
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


def _after(ask: Ask, tokens: int, items: tuple[Shown, ...]) -> Ask:
    """Return what may still be asked at a decision after something was shown."""
    left = None if ask.budget is None else ask.budget - tokens
    shown = ask.shown.union(*(each.sources for each in items))
    return replace(ask, budget=left, shown=shown)


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
    _check_shown(block.items, ask, held)


def check_used(used: Used, tokens: int, ask: Ask, held: dict[str, Item]) -> None:
    """Hold what a memory's tool gave back to the same contract as a block.

    Raises:
        Fault: culprit `memory`, `invalid`.
    """
    if ask.budget is not None and tokens > ask.budget:
        raise Fault("memory", "invalid", f"result of {tokens} tokens, {ask.budget} were left")
    if len(used.text.splitlines()) > 1:
        raise Fault("memory", "invalid", "the text before a result's items is more than one line")
    _check_shown(used.items, ask, held)


def _check_shown(items: Iterable[Shown], ask: Ask, held: dict[str, Item]) -> None:
    for shown in items:
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
