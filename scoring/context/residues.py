"""Residues: what still holds dropped content after it was to be forgotten."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.context.course import Course, Shown
from scoring.context.notices import Dropped
from scoring.context.paths import (
    PROMPT_CACHE,
    WORLD_COPIES,
    path_of_surface,
)
from scoring.context.traces import SHOWN, Example, Tallies
from scoring.run import Event
from simulator.events.folding import fold
from simulator.events.nested import leaves

Item = Mapping[str, Any]


def find_residues(course: Course, dropped: Dropped, found: Tallies) -> None:
    """Count what holds dropped content right after the notice, and what takes it in later.

    Hidden items are no residues: nobody is ever shown them. What the agent says after the notice
    is a use, and becomes a residue only when a memory takes it in.
    """
    keeper = _Finder(course, dropped, found)
    for shown in course.context(dropped.settled):
        keeper.surface(shown)
    for pointer, text in _copies(course, dropped):
        keeper.copy(pointer, text)
    keeper.holdings()
    keeper.cached_prompts()


class _Finder:
    def __init__(self, course: Course, dropped: Dropped, found: Tallies) -> None:
        self._course, self._dropped, self._found = course, dropped, found

    def surface(self, shown: Shown) -> None:
        """Look at a surface of the working context after the notice."""
        by = self._course.carries(self._dropped, shown, self._dropped.settled)
        if by is not None:
            path = path_of_surface(shown.role, shown.called)
            self._note(path, shown.id, shown.text, by, self._dropped.settled)

    def copy(self, pointer: str, text: str) -> None:
        """Note a copy that the agent had written into the world."""
        self._note(WORLD_COPIES, pointer, text, "text", self._dropped.settled)

    def holdings(self) -> None:
        """Look at what the memory holds after the notice, and at what it writes later."""
        held: dict[str, Item] = {}
        for event in self._course.trial.events:
            if event.position >= self._dropped.until:
                return
            if event.kind == "memory_change":
                for name in event.body["gone"]:
                    held.pop(name, None)
                held.update((item["id"], item) for item in event.body["written"])
                if event.position > self._dropped.settled:
                    self._items(event.body["written"], event.position)
            if event.position == self._dropped.settled:
                self._items(held.values(), event.position)

    def _items(self, items: Any, position: int) -> None:
        for item in items:
            by = None if item["hidden"] else carried(self._dropped, item, position)
            if by is not None:
                path = self._course.path_of(item["id"], item["sources"])
                self._note(path, item["id"], item["text"], by, position)

    def cached_prompts(self) -> None:
        """Look at what later prompts were given at the price of a prompt that held the content."""
        words = self._course.words(self._dropped)
        for before, event in _consecutive(self._course, self._dropped):
            if event.body["usage"]["cached"]:
                text = self._course.text(event.body["rendered"])
                shared = text[: _shared(self._course.text(before.body["rendered"]), text)]
                if holds_words(self._dropped, words, shared, event.position):
                    self._note(PROMPT_CACHE, event.id, event.body["role"], "text", event.position)

    def _note(self, path: str, thing: str, text: str, by: str, position: int) -> None:
        trial, notice = self._course.trial, self._dropped.position
        self._found.add(
            "residue",
            path,
            thing,
            self._course.clock.between(notice, position),
            Example(trial.name, position, text[:SHOWN], by),
            at_notice=position == self._dropped.settled,
        )


def carried(dropped: Dropped, item: Item, position: int) -> str | None:
    """Return by what an item of a memory is known to hold dropped content."""
    if dropped.events.intersection(item["sources"]):
        return "pedigree"
    return "text" if dropped.holds(fold(item["text"]), position) else None


def holds_words(dropped: Dropped, words: tuple[str, ...], text: str, position: int) -> bool:
    """Return whether a prompt holds a dropped surface as it was said, or a dropped value."""
    return any(each in text for each in words) or dropped.holds(fold(text), position)


def _copies(course: Course, dropped: Dropped) -> Iterator[tuple[str, str]]:
    """Yield where the agent had written dropped content into the world by the notice."""
    written: dict[str, str] = {}
    for event in course.trial.events[: dropped.settled + 1]:
        if event.kind == "world_change" and event.body["call"]:
            for number, operation in enumerate(event.body["patch"]):
                _write(written, operation, f"{event.position}.{number}")
    for pointer, text in written.items():
        if dropped.holds(fold(text), dropped.settled):
            yield pointer, text


def _write(written: dict[str, str], operation: Mapping[str, Any], place: str) -> None:
    path = operation["path"]
    for pointer in [each for each in written if each == path or each.startswith(f"{path}/")]:
        del written[pointer]
    texts = [str(leaf) for leaf in leaves(operation.get("value")) if leaf is not None]
    if texts:
        # Every addition to a list has the same path.
        written[f"{path}@{place}" if path.endswith("/-") else path] = "\n".join(texts)


def _consecutive(course: Course, dropped: Dropped) -> Iterator[tuple[Event, Event]]:
    """Yield the completions after the notice, each with the one of the same model before it."""
    before: dict[str, Event] = {}
    for event in course.trial.events:
        if event.position >= dropped.until:
            return
        if event.kind == "completion":
            role = event.body["role"]
            if role in before and event.position > dropped.settled:
                yield before[role], event
            before[role] = event


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
