"""Keeps the memory: hands it what it may see, records what it did, holds it to its contract."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import simpy

from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import Ask, Block, Item, Memory, Reach, Shown, Tooled, Used
from simulator.effects.steps import Steps
from simulator.engine.blame import blamed
from simulator.engine.clock import Process
from simulator.engine.lending import LentCall, tools_of
from simulator.engine.performer import FATAL, Errand, Performer
from simulator.engine.promises import by_id, check_block, check_items, check_used
from simulator.engine.scene import Scene
from simulator.engine.world import Schemas
from simulator.events import GLOBAL, Json, Surface
from simulator.events.faults import Fault
from simulator.events.recorded import Boundary, MemoryChanged, MemoryRead, Purpose
from simulator.events.scripted import Notice
from simulator.events.tokens import count_tokens

BoundaryWhy = Literal["forced", "native", "session_end", "injected"]
ChangeWhy = Literal["absorb", "withdrawn", "deleted", "granted", "rebuild", "tool", "fault"]

_Deed = Callable[[], Process[Any]]


@dataclass(frozen=True)
class Heard:
    """One thing that a memory is told: what happened to which events, and how far that goes."""

    notice: Notice
    events: frozenset[str]
    reach: Reach


@dataclass(frozen=True)
class Loss:
    """What forgetting took along: ids of events in the order in which they were said.

    Attributes:
        rebuilt: What the memory absorbed again.
        lost: What it can show no more, though it may.
    """

    rebuilt: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Keeper:
    """The only way to a trial's memory; its operations never overlap.

    Attributes:
        memory: The memory in force.
        tools: Its own tools, which the agent may use.
        schemas: Their schemas.
        budget: Most tokens of a block; None is unbudgeted.
        held: What it held after its last change, by item id.
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
        self.held: dict[str, Item] = {}
        self._remembers = remembers
        self._past: list[_Deed] = []
        self._turn: simpy.Event | None = None

    def boundary(
        self, why: BoundaryWhy, asked: int, cause: str, limit: int | None = None
    ) -> Process[None]:
        """Let the memory absorb the working context, then empty it.

        It waits until the memory is free and no tool call is open. Nothing is dropped before the
        memory has taken it in; on a fault the context stays. With a `limit` nothing happens when
        by then the context holds no more tokens than that.

        Raises:
            Fault: whatever went wrong while absorbing.
        """
        yield from self.enter()
        try:
            yield from self._scene.quiet()
            tokens = None if limit is None else self._scene.tokens()
            if limit is not None and tokens is not None and tokens <= limit:
                return
            dropped = {surface.id for surface in self._scene.context}
            # What the memory gave back by its tools is never stored again.
            own = (each for each in self._scene.context if each.id not in self._scene.recalled)
            transcript = self._scene.forgotten.whole(own)
            ids = tuple(surface.id for surface in transcript)
            event = self._scene.record(
                Boundary(why=why, asked=asked, transcript=ids, tokens=tokens, compact_at=limit),
                [cause],
            )
            yield from self._do(partial(self._absorb, "absorb", "write", transcript, event))
            self._drop(dropped)
        finally:
            self.leave()

    def _drop(self, ids: set[str]) -> None:
        self._scene.context[:] = [each for each in self._scene.context if each.id not in ids]

    def read(self, query: str, scope: str, decision: str) -> Process[Block]:
        """Read the memory for a decision.

        Raises:
            Fault: culprit `memory` when the block breaks the contract.
        """
        yield from self.enter()
        try:
            ask = Ask(query, self.budget, scope, self._scene.clock.now, self._scene.shown())
            errand = Errand("memory", "read", "memory_model", decision, scope)
            block = yield from self._performer.drive(partial(self.memory.read, ask), errand)
            with blamed("memory"):
                check_block(block, ask, self.held)
                self._ask = _after(ask, block.tokens, block.items)
                self._record_read(block.render(), block.tokens, block.items, ask, decision)
            return block
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
            check_used(used, tokens, ask, self.held)
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

    def notice(self, heard: Sequence[Heard], cause: str) -> Process[Loss]:
        """Tell the memory that access was withdrawn or granted, or something was deleted.

        Through lineage, what may still be used and was lost with it is absorbed again.

        Raises:
            Fault: whatever went wrong while forgetting. When it cannot be absorbed again, that is
                recorded, and it counts as lost.
        """
        yield from self.enter()
        try:
            loss: Loss = yield from self._do(partial(self._hear, tuple(heard), cause))
            return loss
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
        for again in past:
            self._scene.clock.at_once(self._do(again))

    def _employ(self, memory: Memory) -> None:
        self.memory = memory
        self.tools: tuple[Tool, ...] = tools_of(memory)
        self.schemas = Schemas(self.tools)

    def _do(self, begin: _Deed) -> Process[Any]:
        """Give the memory something, and remember it where another one may take over."""
        done = yield from begin()
        if self._remembers:
            self._past.append(begin)
        return done

    def _absorb(
        self, why: ChangeWhy, purpose: Purpose, transcript: tuple[Surface, ...], cause: str
    ) -> Process[None]:
        def begin() -> Steps[None]:
            return self.memory.absorb(transcript)

        yield from self._give(begin, why, purpose, cause)

    def _hear(self, heard: tuple[Heard, ...], cause: str) -> Process[Loss]:
        with blamed("memory"):
            before = _carried(self.memory.holdings())
        for each in heard:
            yield from self._give(partial(_told, self.memory, each), each.notice, "rebuild", cause)
        if all(each.notice == "granted" for each in heard):
            return Loss()
        lost = self._lost(before)
        if not lost or any(each.reach == "index" for each in heard):
            return Loss((), tuple(each.id for each in lost))
        try:
            yield from self._absorb("rebuild", "rebuild", lost, cause)
        except Fault as fault:
            if fault.culprit in FATAL:
                raise
            self._scene.fail(fault, None, False, [cause])
            return Loss((), tuple(each.id for each in lost))
        still = tuple(each.id for each in self._lost(before))
        return Loss(tuple(each.id for each in lost), still)

    def _lost(self, before: set[str]) -> tuple[Surface, ...]:
        """Return what was carried before and may still be used, but is carried no more."""
        forgotten = self._scene.forgotten
        lost = before - _carried(self.held.values()) - forgotten.origins.keys()
        return tuple(each for name, each in forgotten.lineage.surfaces.items() if name in lost)

    def _give(
        self, begin: Callable[[], Steps[Any]], why: ChangeWhy, purpose: Purpose, cause: str
    ) -> Process[None]:
        errand = Errand("memory", purpose, "memory_model", cause, GLOBAL)
        try:
            yield from self._performer.drive(begin, errand)
        except Fault:
            with suppress(Fault):  # the first fault is the one that counts
                self._record_change("fault", cause)
            raise
        self._record_change(why, cause)

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
        forgotten = self._scene.forgotten.origins
        with blamed("memory"):
            held = by_id(self.memory.holdings())
            written = [item for item in held.values() if self.held.get(item.id) != item]
            gone = tuple(name for name in self.held if name not in held)
            if why in ("fault", "tool") and not written and not gone:
                return
            check_items(written, self._scene.seen, held)
            self._scene.record(
                MemoryChanged(
                    why=why,
                    written=tuple(
                        _item(item, not item.sources.isdisjoint(forgotten)) for item in written
                    ),
                    gone=gone,
                    held=len(held),
                ),
                [cause],
            )
        self.held = held


def _carried(items: Iterable[Item]) -> set[str]:
    """Return the events that are carried by something that may be given back."""
    return {source for item in items if not item.hidden for source in item.sources}


def _told(memory: Memory, heard: Heard) -> Steps[Any]:
    if heard.notice == "granted":
        return memory.regrant(heard.events)
    return memory.forget(heard.events, heard.notice, heard.reach)


def _after(ask: Ask, tokens: int, items: tuple[Shown, ...]) -> Ask:
    """Return what may still be asked at a decision after something was shown."""
    left = None if ask.budget is None else ask.budget - tokens
    shown = ask.shown.union(*(each.sources for each in items))
    return replace(ask, budget=left, shown=shown)


def _shown(shown: Shown) -> Json:
    return {**shown.model_dump(), "sources": list(shown.sources)}


def _item(item: Item, forgotten: bool) -> Json:
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
    if forgotten:
        recorded["store"] = item.store
    return recorded
