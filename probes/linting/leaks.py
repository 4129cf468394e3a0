"""The leak check: a wanted value must reach the decision through the memory and nothing else."""

from collections.abc import Iterator

import networkx as nx

from probes.scenario.structure import Fault, Place, places
from scoring.keys import Probe
from scoring.matching import occurrences
from simulator.effects.environment import Environment
from simulator.events import Episode, Json, Script
from simulator.events.graph import episode_graph
from simulator.events.scripted import Compaction, Injected


def leak_faults(
    script: Script, probe: Probe, number: int, environment: Environment | None, *, imported: bool
) -> Iterator[Fault]:
    """Yield where a dependent probe's gold can be read without a memory.

    Looked at are the initial world, the environment's tools, instructions and examples, and every
    surface of the probe's session since its last compaction that does not wait for the decision.

    An author can take every such value out. An imported question stays as it was asked, and still
    tests the memory as long as one value is left that only the memory can give; so its values are
    a fault only where all of them can be read.
    """
    if not probe.dependent:
        return
    texts = [*_world_texts(script.world, "script.world"), *_session_texts(script, probe)]
    if environment is not None:
        texts.extend(("script.environment", text) for text in environment_texts(environment))
    everything = "\n".join(text for _, text in texts)
    # What is not in all of it together is in no part.
    found = [
        [place for place, text in texts if occurrences(gold.value, text)]
        if occurrences(gold.value, everything)
        else []
        for gold in probe.gold
    ]
    if imported and not all(found):
        return
    for index, (gold, shown) in enumerate(zip(probe.gold, found, strict=True)):
        for place in shown:
            message = f"probe {probe.id!r}: {gold.value!r} can be read without a memory"
            yield Fault(place, f"{message} (key.probes.{number}.gold.{index})")


def environment_texts(environment: Environment) -> Iterator[str]:
    """Yield every text of an environment that all prompts show."""
    yield environment.instructions
    yield from environment.examples
    for tool in environment.tools:
        yield f"{tool.name} {tool.description}"
        yield from (text for _, text in _world_texts(tool.parameters, ""))


def _world_texts(value: Json, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, entry in value.items():
            yield f"{place}.{name}", name
            yield from _world_texts(entry, f"{place}.{name}")
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _world_texts(entry, f"{place}.{index}")
    elif value is not None and not isinstance(value, bool):
        yield place, str(value)


def _session_texts(script: Script, probe: Probe) -> Iterator[tuple[str, str]]:
    found = places(script)[probe.decision]
    episode = script.episodes[found.episode]
    name = episode.events[found.event].id
    hidden = _not_shown(episode, name)
    for index, event in enumerate(episode.events):
        surface = event.surface(event.id, event.at)
        if surface is not None and event.id not in hidden and not isinstance(event, Injected):
            yield Place(found.episode, index).dotted(), surface.text


def _not_shown(episode: Episode, decision: str) -> set[str]:
    """Return the events that the decision cannot see: cut off before it, or only after it."""
    graph = episode_graph(episode)
    hidden = set(nx.descendants(graph, decision))
    for event in episode.events:
        if isinstance(event, Compaction) and nx.has_path(graph, event.id, decision):
            hidden |= nx.ancestors(graph, event.id)
    return hidden
