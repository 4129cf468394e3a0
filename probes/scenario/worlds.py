"""A scenario's world, and what its announcements say of it, held against its environment."""

from probes.scenario.structure import Place
from simulator.effects.environment import Environment, Hearing
from simulator.engine.blame import blamed
from simulator.engine.parts import make_environment
from simulator.events import Script
from simulator.events.errors import InputError, nearest
from simulator.events.faults import Fault
from simulator.events.scripted import Announcement


def checked_environment(script: Script) -> Environment:
    """Return the environment of a script that it can be played in.

    Raises:
        InputError: with the field of the script: when there is no such environment, it refuses
            the world, or an announcement is about what is nothing in this world.
    """
    environment = make_environment(script.environment)
    environment.check_world(script.world)
    for i, episode in enumerate(script.episodes):
        for j, event in enumerate(episode.events):
            if isinstance(event, Announcement) and event.things:
                place = Place(i, j).dotted("sources").removeprefix("script.")
                _check_things(environment, script, event, place)
    return environment


def _check_things(
    environment: Environment, script: Script, event: Announcement, place: str
) -> None:
    """Ask about each thing by itself; nothing that happens makes one known or unknown."""
    for k, source in enumerate(event.sources):
        if source not in event.things:
            continue
        field = f"{place}.{k}"
        if not isinstance(environment, Hearing):
            raise InputError(_no_thing(script, source), field=field)
        try:
            with blamed("environment"):
                environment.announced(script.world, event.notice, (source,), event.at)
        except InputError as error:
            raise InputError(error.message, field=field) from None
        except Fault as fault:
            raise InputError(f"the environment fails: {fault.message}", field=field) from None


def _no_thing(script: Script, source: str) -> str:
    names = [f"{episode.id}/{event.id}" for episode in script.episodes for event in episode.events]
    return (
        f"there is no event {source!r}, and in the environment {script.environment!r} nothing but "
        f"events can be withdrawn, granted or deleted{nearest(source, names)}"
    )
