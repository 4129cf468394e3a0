"""The order in which the probes of a key come, and what is announced before each."""

from probes.scenario.structure import Before
from scoring.keys import Key, Probe
from simulator.events import Script, event_id
from simulator.events.graph import order
from simulator.events.scripted import Announcement


def in_order(key: Key, before: Before) -> list[tuple[int, Probe]]:
    """Return the probes with their numbers in the order in which their decisions come."""

    def rank(entry: tuple[int, Probe]) -> tuple[int, int]:
        decision = entry[1].decision
        return before.places[decision].episode, len(before.causes(decision))

    return sorted(enumerate(key.probes), key=rank)


class Announcements:
    """The announcements about things of the world, in playing order; each is given once."""

    def __init__(self, script: Script, before: Before) -> None:
        self._before = before
        self._ahead = {
            event_id(episode.id, event.id): event
            for episode in script.episodes
            for event in order(episode)
            if isinstance(event, Announcement) and event.things
        }

    def until(self, decision: str) -> list[Announcement]:
        """Return those not given yet that are surely over before a decision."""
        found = [name for name in self._ahead if self._before(name, decision)]
        return [self._ahead.pop(name) for name in found]
