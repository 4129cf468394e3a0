"""The audit: where something forgotten is still held, by path.

A holder is found by its pedigree (it names a source that is forgotten) or, where that says nothing,
by its text: it has a mark of what is forgotten that nothing else said so far has.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import jsonpatch

from simulator.effects.memory import Item
from simulator.engine.forgotten import Forgotten
from simulator.events import Json, Surface
from simulator.events.marks import marks_of
from simulator.events.nested import pointed_leaves
from simulator.models.rendering import render_surface


@dataclass(frozen=True)
class Holder:
    """Something that may still hold what is forgotten.

    Attributes:
        path: The kind of store that it belongs to.
        name: Id of the item or surface, role of the model, or JSON Pointer into the world.
        sources: Ids of the events that it is known to contain.
        text: Its text, where that is to be searched.
        hidden: True when it is never shown.
    """

    path: str
    name: str
    sources: frozenset[str]
    text: str = ""
    hidden: bool = False


class Search:
    """Looks for what an announcement was about, and for all that contains it."""

    def __init__(self, forgotten: Forgotten, announced: Iterable[str]) -> None:
        wanted = frozenset(announced)
        surfaces = forgotten.lineage.surfaces
        self._reached = {
            name: origins & wanted
            for name, origins in forgotten.origins.items()
            if origins & wanted
        }
        living = (each for name, each in surfaces.items() if name not in forgotten.origins)
        # A line of a block or a prompt has the time and the speaker of what it shows, too.
        common = frozenset().union(*(marks_of(render_surface(each)) for each in living))
        self._marks: dict[str, frozenset[str]] = {}
        # Words of the agent's that contain them may have much else from elsewhere.
        for name in sorted(wanted & surfaces.keys()):
            for mark in marks_of(surfaces[name].text) - common:
                self._marks[mark] = self._marks.get(mark, frozenset()) | {name}

    def carriers(self) -> Iterator[Json]:
        """Yield what contains the announced events besides themselves."""
        for name, origins in self._reached.items():
            if origins != {name}:
                yield {"id": name, "sources": sorted(origins)}

    def origins(self, holder: Holder) -> tuple[frozenset[str], str]:
        """Return the announced events that a holder holds, and how that is known."""
        found = [self._reached[name] for name in holder.sources if name in self._reached]
        if found:
            return frozenset().union(*found), "pedigree"
        marks = marks_of(holder.text) & self._marks.keys()
        return frozenset().union(*(self._marks[mark] for mark in marks)), "text"

    def entries(self, holders: Iterable[Holder]) -> tuple[list[Json], list[Json]]:
        """Return the entries of the holders that hold something: residues, and hidden ones."""
        residues, hidden = [], []
        for holder in holders:
            origins, by = self.origins(holder)
            entry = {"path": holder.path, "holder": holder.name, "sources": sorted(origins)}
            if origins and holder.hidden:
                hidden.append(entry)
            elif origins:
                residues.append({**entry, "by": by})
        return residues, hidden


def in_context(context: Iterable[Surface], forgotten: Forgotten) -> Iterator[Holder]:
    """Yield the surfaces of the working context; of tombstones those that may be restored."""
    for each in context:
        removed = forgotten.removes and each.id in forgotten.origins
        if not removed or forgotten.waits(each.id):
            yield Holder(_path(each), each.id, frozenset((each.id,)), hidden=removed)


def _path(surface: Surface) -> str:
    if surface.role == "assistant":
        return "agent_words"
    return "working_context" if surface.call is None else "tool_results"


def in_memory(items: Iterable[Item]) -> Iterator[Holder]:
    """Yield what a memory holds."""
    for item in items:
        yield Holder(item.store, item.id, item.sources, item.text, item.hidden)


def in_world(world: Json, pointers: Iterable[str]) -> Iterator[Holder]:
    """Yield what the agent wrote into the world and is still there."""
    for pointer in dict.fromkeys(pointers):
        value = _at(world, pointer)
        if isinstance(value, str | int | float):
            yield Holder("world_copies", pointer, frozenset(), str(value))


def places(changes: Iterable[Json], world: Json) -> Iterator[str]:
    """Yield the JSON Pointers of the plain values that changes wrote into `world`."""
    for change in changes:
        if "value" in change:
            for pointer, _ in pointed_leaves(change["value"], _resolved(change["path"], world)):
                yield pointer


def _resolved(path: str, world: Json) -> str:
    """Return a path whose `-`, the end of a list, is the place that the value then had."""
    if not path.endswith("/-"):
        return path
    whole = _at(world, path[:-2])
    return f"{path[:-1]}{len(whole) - 1}" if isinstance(whole, list) else path


def _at(world: Json, pointer: str) -> Json:
    """Return what stands at a place of the world; None where nothing does any more."""
    try:
        return jsonpatch.JsonPointer(pointer).resolve(world, None)
    except jsonpatch.JsonPointerException:  # a list stands where an object was
        return None
