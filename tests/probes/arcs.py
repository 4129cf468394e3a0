"""What the tests of generated arcs share."""

import itertools
from collections.abc import Iterator
from functools import lru_cache

from probes.ladder import ladder
from probes.ladder.domains import DOMAINS
from probes.scenario import Scenario
from scoring.keys import Probe, ReferenceCall
from simulator.effects.environment import Environment
from simulator.effects.registry import lookup
from simulator.events.scripted import Document, Message
from simulator.events.times import show_date

ENVIRONMENTS = sorted(DOMAINS)


@lru_cache
def arcs(environment: str = "support", number: int = 50) -> tuple[Scenario, ...]:
    """Return so many arcs of each tier."""
    return tuple(ladder(environment, 7, number))


def probes(scenarios: tuple[Scenario, ...], *kinds: str) -> list[tuple[Scenario, Probe]]:
    return [(arc, probe) for arc in scenarios for probe in arc.key.probes if probe.kind in kinds]


def request(arc: Scenario, probe: Probe) -> str:
    name, _, event = probe.decision.partition("/")
    (episode,) = (each for each in arc.script.episodes if each.id == name)
    (decision,) = (each for each in episode.decisions() if each.id == event)
    return decision.request


def call_of(probe: Probe) -> ReferenceCall:
    assert probe.reference is not None
    (call,) = probe.reference.calls
    return call


def subject(probe: Probe) -> str:
    (found,) = (str(value) for name, value in call_of(probe).arguments.items() if "_id" in name)
    return found


def texts(arc: Scenario) -> dict[str, str]:
    """Return what is said in an arc by the full id of its event, in order."""
    return {
        f"{episode.id}/{event.id}": event.text
        for episode in arc.script.episodes
        for event in episode.events
        if isinstance(event, Message | Document)
    }


def shown(arc: Scenario, probe: Probe) -> Iterator[tuple[str, str]]:
    """Yield all that was said before a probe's session by anybody but the agent: day and text."""
    before = itertools.takewhile(
        lambda each: each.id != probe.decision.partition("/")[0], arc.script.episodes
    )
    for episode in before:
        for event in episode.events:
            if isinstance(event, Message) and event.role != "assistant":
                yield show_date(event.at), event.text
            elif isinstance(event, Document):
                yield show_date(event.at), f"Document {event.title}: {event.text}"


def session(event: str, arc: Scenario) -> int:
    """Return the place of the session that an event belongs to."""
    return [each.id for each in arc.script.episodes].index(event.partition("/")[0])


def environment_of(name: str) -> Environment:
    made: Environment = lookup("environment", name)()
    return made
