"""Presentations: later prompts that showed dropped content, by the path that showed it.

A decision whose agent asks no model counts as one prompt of its block and its working context.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.context.course import ENDS, Course, Shown
from scoring.context.notices import Dropped
from scoring.context.paths import BLOCK, MEMORY_PROMPT, path_of_surface
from scoring.context.residues import carried, holds_words
from scoring.context.traces import SHOWN, Example, Tallies
from scoring.run import Event
from simulator.events.folding import fold

Item = Mapping[str, Any]


def find_presentations(course: Course, dropped: Dropped, found: Tallies) -> None:
    """Count the prompts after a notice that show dropped content; each once by each path."""
    reading: tuple[Item, ...] = ()
    words = course.words(dropped)
    opened: Event | None = None
    prompted = False
    for event in course.after(dropped):
        if event.kind == "decision":
            opened, prompted, reading = event, False, ()
        elif event.kind == "memory_read":
            reading = tuple(event.body["items"])
        elif event.kind == "completion" and event.body["role"] == "agent_model":
            prompted = True
            _note(course, dropped, found, event, _prompt(course, dropped, event, reading))
        elif event.kind == "completion":
            text = course.text(event.body["rendered"])
            if holds_words(dropped, words, text, event.position):
                told = [(MEMORY_PROMPT, f"{event.body['purpose']} {event.body['role']}", "text")]
                _note(course, dropped, found, event, told)
        elif event.kind in ENDS and opened is not None and not prompted:
            shown = course.context(opened.position)
            told = [
                *_items(course, dropped, reading, opened.position),
                *_surfaces(course, dropped, shown, opened.position),
            ]
            _note(course, dropped, found, opened, told)


Told = tuple[str, str, str]
"""Path, text and how it is known."""


def _prompt(
    course: Course, dropped: Dropped, event: Event, reading: tuple[Item, ...]
) -> Iterator[Told]:
    body, position = event.body, event.position
    block = course.text(body["block"])
    shown = tuple(item for item in reading if item["text"] in block)
    found = [*_items(course, dropped, shown, position)]
    if not found and dropped.holds(fold(block), position):
        found.append((BLOCK, block, "text"))
    yield from found
    for section in ("context", "steps"):
        yield from _surfaces(course, dropped, course.surfaces(body[section]), position)


def _items(
    course: Course, dropped: Dropped, items: tuple[Item, ...], position: int
) -> Iterator[Told]:
    for item in items:
        by = carried(dropped, item, position)
        if by is not None:
            yield course.path_of(item["item"], item["sources"]), item["text"], by


def _surfaces(
    course: Course, dropped: Dropped, surfaces: tuple[Shown, ...], position: int
) -> Iterator[Told]:
    for shown in surfaces:
        by = course.carries(dropped, shown, position)
        if by is not None:
            yield path_of_surface(shown.role, shown.called), shown.text, by


def _note(course: Course, dropped: Dropped, found: Tallies, event: Event, told: Any) -> None:
    for path, text, by in told:
        found.add(
            "presentation",
            path,
            event.id,
            course.clock.between(dropped.position, event.position),
            Example(course.trial.name, event.position, text[:SHOWN], by),
            within=event.id,
        )
