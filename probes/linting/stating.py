"""Corrections: what an event replaces must have been stated before it, or stand in the world."""

from collections.abc import Iterator

from probes.scenario.structure import Before, Fault
from scoring.keys import Key
from scoring.matching import occurrences
from simulator.events import Script
from simulator.events.nested import names_and_texts


def correction_faults(script: Script, key: Key, before: Before) -> Iterator[Fault]:
    """Yield corrections of what no earlier event said and no text of the initial world has."""
    for i, revision in enumerate(key.revisions):
        if not any(
            occurrences(revision.was, text) for text in _earlier(script, revision.event, before)
        ):
            message = (
                f"event {revision.event!r} corrects {revision.was!r}, which no earlier event says "
                "and no document has"
            )
            yield Fault(f"key.revisions.{i}.was", message)


def _earlier(script: Script, correcting: str, before: Before) -> Iterator[str]:
    for name, event in before.events.items():
        surface = event.surface(name, event.at)
        if surface is not None and before(name, correcting):
            yield surface.text
    yield from names_and_texts(script.world)
