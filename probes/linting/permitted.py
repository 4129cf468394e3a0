"""Numbers that may be used in a task: those of all that is said and of the world, but not withdrawn."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from probes.linting.announcing import with_parts
from probes.scenario.structure import Before
from scoring.context.derived import numbers
from scoring.keys import Probe
from simulator.effects.environment import Environment
from simulator.events import Json, Script
from simulator.events.nested import names_and_texts
from simulator.events.scripted import Announcement, is_event


def open_numbers(
    script: Script, withdrawn: Sequence[Probe], before: Before, environment: Environment | None
) -> tuple[Fraction, ...]:
    """Return the numbers that may be used: of all that is said, and of the initial world.

    Args:
        script: A script without structure faults.
        withdrawn: Probes whose planting withdraws something.
        before: What happens before what in the script.
        environment: Tells what a withdrawal covers; None when it is unknown or refuses the world.
    """
    sources = {each for probe in withdrawn for each in _closed_sources(probe, before)}
    things = tuple(sorted(each for each in sources if not is_event(each)))
    closed = sources | {*with_parts(things, "withdrawn", 0, script, environment)}
    texts = list(_open_texts(script.world, closed))
    for episode in script.episodes:
        for event in episode.events:
            name = f"{episode.id}/{event.id}"
            surface = event.surface(name, event.at)
            if surface is not None and name not in sources:
                texts.append(surface.text)
    return tuple(dict.fromkeys(number.value for text in texts for number in numbers(text)))


def _closed_sources(probe: Probe, before: Before) -> Iterator[str]:
    """Yield what a planting says was withdrawn, and what the events that plant it are about."""
    if probe.planting is not None:
        yield from probe.planting.sources
        for name in probe.planting.events:
            event = before.events.get(name)  # a twin lacks it
            if isinstance(event, Announcement):
                yield from event.sources


def _open_texts(world: Json, closed: set[str]) -> Iterator[str]:
    """Yield the texts of a world but those of entries that are closed."""
    for entries in world.values() if isinstance(world, dict) else ():
        if isinstance(entries, dict):
            for name, entry in entries.items():
                if name not in closed:
                    yield from names_and_texts(entry)
        else:
            yield from names_and_texts(entries)
