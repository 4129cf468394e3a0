"""Corrupted arcs: who goes by the dates of records must act as in the clean arc.

The proof is the `dated` reader on full replay: everything said before a probe's session, each with
its date, and what the session itself shows. With the wrong records and without them it must say
the same. Otherwise an arc would punish a memory that shows what it should.
"""

from collections.abc import Iterator, Set

from memories.lines import verbatim
from probes.linting.leaks import not_shown
from probes.scenario.structure import Fault
from scoring.keys import Key, Probe
from simulator.effects.environment import Environment
from simulator.effects.memory import BLOCK_HEADER
from simulator.effects.prompts import Prompt
from simulator.events import Episode, Script, Surface, event_id
from simulator.events.graph import order
from simulator.models.rendering import render_plain
from simulator.models.scripted.reading import read_prompt


def dated_faults(script: Script, key: Key, environment: Environment) -> Iterator[tuple[int, Fault]]:
    """Yield the probes of a corrupted arc at which records mislead who goes by their dates."""
    wrong = {each.event for each in key.corrupted}
    for number, probe in enumerate(key.probes if wrong else ()):
        if not probe.dependent:
            continue
        clean, corrupted = (
            dated_reply(script, probe, environment, without) for without in (wrong, set())
        )
        if clean != corrupted:
            message = (
                f"probe {probe.id!r}: who goes by the dates of records says {corrupted!r}, and "
                f"{clean!r} without the wrong ones"
            )
            yield number, Fault(f"key.probes.{number}", message)


def dated_reply(script: Script, probe: Probe, environment: Environment, without: Set[str]) -> str:
    """Return what the `dated` reader says at a probe when some events are left out."""
    # Here, since logs are verified and replayed where there is no model at all.
    from simulator.models.scripted.readers import DatedReader

    prompt = replay_prompt(script, probe, environment, without)
    return DatedReader(DatedReader.Options()).reply(read_prompt(render_plain(prompt)), 0)


def replay_prompt(
    script: Script, probe: Probe, environment: Environment, without: Set[str] = frozenset()
) -> Prompt:
    """Return the prompt of a probe's decision on full replay when some events are left out."""
    session, _, decision = probe.decision.partition("/")
    place = [episode.id for episode in script.episodes].index(session)
    (asked,) = (each for each in script.episodes[place].decisions() if each.id == decision)
    past = (surface for each in script.episodes[:place] for surface in _surfaces(each))
    hidden = not_shown(script.episodes[place], decision) | {decision}
    here = _surfaces(script.episodes[place], hidden)
    lines = [verbatim(each, dates=True).text for each in past if each.id not in without]
    return Prompt(
        instructions=environment.instructions,
        tools=environment.tools,
        examples=environment.examples,
        block="\n".join([BLOCK_HEADER, *lines]) if lines else "",
        context=tuple(each for each in here if each.id not in without),
        request=asked.request,
    )


def _surfaces(episode: Episode, hidden: Set[str] = frozenset()) -> Iterator[Surface]:
    for event in order(episode):
        surface = event.surface(event_id(episode.id, event.id), event.at)
        if surface is not None and event.id not in hidden:
            yield surface
