"""Numbers that may be used in a task: those of all that is said and of the world, but not withdrawn."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from probes.scenario.structure import Before
from scoring.context.derived import numbers
from scoring.keys import Probe
from simulator.effects.environment import Environment, Hearing
from simulator.events import Json, Script
from simulator.events.errors import InputError
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
    closed = sources | _covered(sources, script, environment)
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


def _covered(sources: set[str], script: Script, environment: Environment | None) -> set[str]:
    """Return the things that a withdrawal of some sources is about, parts of documents included."""
    things = tuple(sorted(each for each in sources if not is_event(each)))
    if not things or not isinstance(environment, Hearing):
        return set()
    try:
        return set(environment.announced(script.world, "withdrawn", things, 0).things)
    except InputError:
        return set()  # what is nothing in this world is for the check of announcements to refuse


def _open_texts(world: Json, closed: set[str]) -> Iterator[str]:
    """Yield the texts of a world but those of entries that are closed."""
    for entries in world.values() if isinstance(world, dict) else ():
        if isinstance(entries, dict):
            for name, entry in entries.items():
                if name not in closed:
                    yield from names_and_texts(entry)
        else:
            yield from names_and_texts(entries)
