"""The episode graph: which event must be over before which, checked before anything is played."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx

from simulator.events.errors import InputError, nearest
from simulator.events.script import Episode, event_id
from simulator.events.scripted import Decision, Injected, ScriptedEvent, priority

if TYPE_CHECKING:
    Graph = nx.DiGraph[str]
else:
    Graph = nx.DiGraph  # networkx is generic for type checkers only


class GraphFault(NamedTuple):
    """One thing that is wrong with an episode's graph.

    Attributes:
        event: Id of the event, without the episode.
        field: The event's field that is wrong, `id` or `causes`.
        message: What is wrong, one sentence.
    """

    event: str
    field: str
    message: str


def episode_graph(episode: Episode) -> Graph:
    """Return the episode's graph: a node an event (its id), an edge from each cause to its effect.

    A node carries its `event` and its authored `place`.

    Raises:
        InputError: naming event and field, for a duplicate id, a missing cause, a cycle, or two
            decisions of which neither must follow the other.
    """
    for fault in graph_faults(episode):
        place = f"{event_id(episode.id, fault.event)}.{fault.field}"
        raise InputError(fault.message, field=place)
    return _graph(episode)


@lru_cache(maxsize=1024)  # every arm plays the same episodes
def order(episode: Episode) -> tuple[ScriptedEvent, ...]:
    """Return the events in playing order.

    Causes come first; among events whose causes are over, the smallest (time, priority, authored
    place) goes next, so that the order of authoring matters for exact ties only.

    Raises:
        InputError: as `episode_graph`.
    """
    graph = episode_graph(episode)
    return tuple(graph.nodes[node]["event"] for node in _sorted_nodes(graph))


def graph_faults(episode: Episode) -> Iterator[GraphFault]:
    """Yield what is wrong with the episode's graph; a later kind is sought only without earlier."""
    faults = [*_duplicates(episode), *_missing(episode)]
    yield from faults
    if faults:
        return
    graph = _graph(episode)
    cycle = _cycle(graph)
    if cycle:
        circle = " -> ".join([*cycle, cycle[0]])
        yield GraphFault(cycle[0], "causes", f"the causes run in a circle: {circle}")
        return
    yield from _unordered(graph)
    yield from _too_late(graph)


def _graph(episode: Episode) -> Graph:
    graph: Graph = nx.DiGraph()
    for place, event in enumerate(episode.events):
        graph.add_node(event.id, event=event, place=place)
    for event in episode.events:
        graph.add_edges_from((cause, event.id) for cause in event.causes)
    return graph


def _duplicates(episode: Episode) -> Iterator[GraphFault]:
    for name, count in Counter(event.id for event in episode.events).items():
        if count > 1:
            yield GraphFault(name, "id", f"{count} events of episode {episode.id!r} have this id")


def _missing(episode: Episode) -> Iterator[GraphFault]:
    known = {event.id for event in episode.events}
    for event in episode.events:
        for cause in event.causes:
            if cause not in known:
                message = f"there is no event {cause!r} in episode {episode.id!r}"
                yield GraphFault(event.id, "causes", message + nearest(cause, known))


def _cycle(graph: Graph) -> list[str]:
    """Return the events of one circle, the one authored first in front; nothing where none is."""
    try:
        names = [source for source, _ in nx.find_cycle(graph)]
    except nx.NetworkXNoCycle:
        return []
    first = min(range(len(names)), key=lambda i: int(graph.nodes[names[i]]["place"]))
    return [*names[first:], *names[:first]]


def _unordered(graph: Graph) -> Iterator[GraphFault]:
    events = [graph.nodes[node]["event"] for node in _sorted_nodes(graph)]
    decisions = [event.id for event in events if isinstance(event, Decision)]
    for earlier, later in pairwise(decisions):
        if not nx.has_path(graph, earlier, later):
            message = f"decisions {earlier!r} and {later!r} are not ordered by their causes"
            yield GraphFault(later, "causes", message)


def _too_late(graph: Graph) -> Iterator[GraphFault]:
    for cause, effect in graph.edges:
        if isinstance(graph.nodes[cause]["event"], Injected):
            message = f"{cause!r} is injected after the session, so nothing in it can wait for it"
            yield GraphFault(effect, "causes", message)


def _sorted_nodes(graph: Graph) -> Iterator[str]:
    def rank(node: str) -> tuple[int, int, int]:
        event: ScriptedEvent = graph.nodes[node]["event"]
        return event.at, priority(event), graph.nodes[node]["place"]

    return iter(nx.lexicographical_topological_sort(graph, key=rank))
