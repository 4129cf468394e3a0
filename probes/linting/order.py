"""The order in which the probes of a key come."""

from probes.scenario.structure import Before
from scoring.keys import Key, Probe


def in_order(key: Key, before: Before) -> list[tuple[int, Probe]]:
    """Return the probes with their numbers in the order in which their decisions come."""
    ordered = list(before.places)

    def rank(entry: tuple[int, Probe]) -> tuple[int, int]:
        decision = entry[1].decision
        earlier = sum(before(name, decision) for name in ordered if name != decision)
        return before.places[decision].episode, earlier

    return sorted(enumerate(key.probes), key=rank)
