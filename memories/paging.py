"""Paging: a small core that is always shown, and an archive of everything that is not.

The agent itself moves lines between the two, by tools of the memory. Both hold lines word for
word, and a line of the core is a copy that names the same source, so forgetting reaches it there.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from memories.budget import fit, line_tokens
from memories.lines import show
from memories.shelf import Shelf, repeats
from memories.words import content_stems, value_words
from simulator.effects.environment import Tool
from simulator.effects.memory import (
    Ask,
    Block,
    Forgetting,
    Gone,
    Habit,
    Item,
    MemoryOptions,
    MemorySetup,
    Reach,
    Shown,
    Used,
)
from simulator.effects.steps import Steps
from simulator.events import Surface
from simulator.events.times import show_date
from simulator.events.tokens import count_tokens
from simulator.models.rendering import one_line

_CORE = "core:"
_FOUND = "found:"


class PagingOptions(MemoryOptions):
    """Options of `paging`.

    Attributes:
        implementation: What fills the core at boundaries: `fifo`, the newest lines that fit in
            beside those that the agent keeps; `agent`, nothing but what the agent keeps.
        core_tokens: Size limit of the core of one scope and of a block, tokens, header included.
        top_k: Most lines that one search gives back.
    """

    implementation: Literal["fifo", "agent"] = "fifo"
    core_tokens: int = Field(default=128, ge=16)
    top_k: int = Field(default=8, ge=1)


def _tool(name: str, description: str, **properties: Any) -> Tool:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return Tool(name=name, description=description, parameters=schema, read_only=True)


_LINES = {"type": "array", "items": {"type": "string", "examples": ["L9041"]}, "minItems": 1}


class Paging:
    """Shows the core; gives back of the archive what the agent searches for."""

    Options: ClassVar[type[BaseModel]] = PagingOptions
    habit: Habit = "accumulates"
    embedder: str | None = None
    tools: tuple[Tool, ...] = (
        _tool("search_archive", "Recall archived lines by their words.", words={"type": "string"}),
        _tool("keep_in_core", "Pin archived lines, so that they stay visible.", lines=_LINES),
        _tool("drop_from_core", "Unpin lines, so that only the archive has them.", lines=_LINES),
    )

    def __init__(self, options: PagingOptions, setup: MemorySetup) -> None:
        self._options = options
        self._archive = Shelf()
        self._core = Shelf()
        self._kept: set[str] = set()
        self._numbered = 0

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Put every surface into the archive, and with `fifo` into the core as well."""
        yield from ()
        for surface in transcript:
            self._numbered += 1
            line = self._archive.put(_line(surface, f"L{self._numbered}"))
            if line is not None and self._options.implementation == "fifo":
                self._core.put(_copy(line))
        self._trim()

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the core's lines that fit, kept ones and then newer ones first, oldest on top."""
        yield from ()
        lines = [item for item in self._core.visible(ask) if not repeats(item, ask)]
        limit = self._options.core_tokens
        budget = limit if ask.budget is None else min(limit, ask.budget)
        shown = fit(map(show, self._by_rank(lines)), budget)
        return Block(items=tuple(sorted(shown, key=lambda line: _number(line.item))))

    def use(self, tool: str, arguments: dict[str, Any], ask: Ask) -> Steps[Used]:
        """Search the archive, or move lines between it and the core."""
        yield from ()
        match tool:
            case "search_archive":
                return self._search(arguments["words"], ask)
            case "keep_in_core":
                return self._keep(list(dict.fromkeys(arguments["lines"])), ask)
            case _:
                return self._drop(list(dict.fromkeys(arguments["lines"])), ask)

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Hide or erase every line that contains one of `sources`, in archive and core."""
        yield from ()
        stores = [store.forget(sources, how, reach) for store in (self._archive, self._core)]
        self._kept &= set(self._core.by_id)
        return Forgetting(
            hidden=tuple(each for done in stores for each in done.hidden),
            erased=tuple(each for done in stores for each in done.erased),
        )

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Show again what was hidden because of `sources`."""
        yield from ()
        self._archive.regrant(sources)
        self._core.regrant(sources)
        self._trim()

    def holdings(self) -> Iterator[Item]:
        """Yield every line of the archive, hidden or not, and then those of the core."""
        yield from self._archive
        yield from self._core

    def close(self) -> None:
        """Nothing is held outside Python's heap."""

    def _by_rank(self, lines: Iterable[Item]) -> list[Item]:
        """Return the lines that the agent keeps, then the others, the newest of each first."""
        return sorted(lines, key=lambda item: (item.id not in self._kept, -_number(item.id)))

    def _trim(self) -> None:
        """Let the oldest lines go that the agent does not keep, until each scope's core fits.

        Hidden lines take no room and stay; they may be granted again.
        """
        seen = [item for item in self._core if not item.hidden]
        for scope in dict.fromkeys(item.scope for item in seen):
            lines = [item for item in seen if item.scope == scope]
            shown = fit(map(show, self._by_rank(lines)), self._options.core_tokens)
            stay = {line.item for line in shown} | self._kept
            self._core.drop([item.id for item in lines if item.id not in stay])

    def _search(self, words: str, ask: Ask) -> Used:
        lines = [item for item in self._archive.visible(ask) if not repeats(item, ask)]
        shared = {item.id: _shared(item, words) for item in lines}
        ranked = sorted(lines[::-1], key=lambda item: -shared[item.id])
        ranked = [item for item in ranked if shared[item.id]][: self._options.top_k]
        if not ranked:
            return Used(ok=True, text=f"{_FOUND} nothing")
        found = _fitting([show(item, rank) for rank, item in enumerate(ranked, 1)], ask.budget)
        if not found:
            return Used(ok=True, text=f"{_FOUND} {len(ranked)} lines, and no room to show one")
        return Used(ok=True, text=_FOUND, items=found)

    def _keep(self, names: list[str], ask: Ask) -> Used:
        lines = {item.id: item for item in self._archive.visible(ask)}
        if fault := _unknown(names, lines):
            return fault
        new = [_copy(lines[name]) for name in names]
        wanted = {item.id: item for item in self._core if item.id in self._kept and not item.hidden}
        wanted |= {item.id: item for item in new}
        for scope in {item.scope for item in new}:
            held = [show(item) for item in wanted.values() if item.scope == scope]
            if len(fit(held, self._options.core_tokens)) < len(held):
                return Used(ok=False, text="error: the core has no room for that; drop lines first")
        for item in new:
            self._core.put(item)
            self._kept.add(item.id)
        self._trim()
        return Used(ok=True, text=f"kept in the core: {', '.join(names)}")

    def _drop(self, names: list[str], ask: Ask) -> Used:
        lines = {item.id.removeprefix(_CORE): item for item in self._core.visible(ask)}
        if fault := _unknown(names, lines):
            return fault
        self._kept -= {lines[name].id for name in names}
        self._core.drop([lines[name].id for name in names])
        return Used(ok=True, text=f"no longer in the core: {', '.join(names)}")


def _line(surface: Surface, name: str) -> Item:
    """Return a line as it is shown: its name, by which the tools take it, stands with its date."""
    said = one_line(surface.text)
    return Item(
        id=name,
        text=f"[{show_date(surface.time)} {name}] {surface.role}: {said}",
        sources=frozenset((surface.id,)),
        saw=frozenset((surface.id,)),
        time=surface.time,
        scope=surface.scope,
        role=surface.role,
        store="archive",
    )


def _copy(line: Item) -> Item:
    return line.model_copy(update={"id": f"{_CORE}{line.id}", "store": "core"})


def _number(name: str) -> int:
    return int(name.removeprefix(_CORE).removeprefix("L"))


def _shared(item: Item, words: str) -> int:
    """Return how much a line shares with some words: 2 for a word with a digit, such as an id."""
    said = item.text.partition("] ")[2]
    ids = value_words(said) & value_words(words)
    return len(ids) + len(content_stems(said) & content_stems(words))


def _fitting(lines: Sequence[Shown], budget: int | None) -> tuple[Shown, ...]:
    """Return the lines, best first, that fit into a result of so many tokens."""
    if budget is None:
        return tuple(lines)
    left = budget - count_tokens(_FOUND)
    kept = []
    for line in lines:
        if line_tokens(line.text) <= left:
            kept.append(line)
            left -= line_tokens(line.text)
    return tuple(kept)


def _unknown(names: Iterable[str], lines: dict[str, Item]) -> Used | None:
    missing = [name for name in names if name not in lines]
    if not missing:
        return None
    return Used(ok=False, text=one_line(f"error: there is no line {', '.join(missing)}")[:500])
