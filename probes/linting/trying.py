"""Tries every probe of an arc from its world alone, and says what the calls give away."""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache

from probes.linting.probing import Said, probe_world
from scoring.keys import ReferenceCall
from scoring.matching import occurrences
from simulator.engine.parts import make_environment
from simulator.engine.world import World
from simulator.events import Frozen
from simulator.events.faults import Fault
from simulator.events.scripted import AnyAnnouncement


class Step(Frozen):
    """One decision of an arc.

    Attributes:
        number: The probe's place in the key.
        probe: Its id.
        request: What is asked for.
        at: When, ms.
        gold: The values that must not be found; None where nothing is tried.
        calls: The right calls, which lead on to the next decision's world.
        announced: What is announced about the world before it, since the step before.
    """

    number: int
    probe: str
    request: str
    at: int
    gold: tuple[str, ...] | None
    calls: tuple[ReferenceCall, ...]
    announced: tuple[AnyAnnouncement, ...] = ()


@lru_cache(maxsize=1_024)
def tried(name: str, told: str, imported: bool) -> tuple[tuple[int, str, str], ...]:
    """Return what gives a gold value away: the probe's number, the place in it, and how.

    Corrupted versions of an arc have its world and its decisions, so each arc is tried once.

    Args:
        name: Registered name of the environment.
        told: Canonical JSON of `worlds` and `steps`; the second world, if there is one, is that of
            the arc with other gold values. The same calls are made in both, and nothing that is
            said before success may tell them apart.
        imported: Let a probe be as long as one of its values is not given away.
    """
    given = json.loads(told)
    environment = make_environment(name)
    stages = [World(environment, world) for world in given["worlds"]]
    found: list[tuple[int, str, str]] = []
    for step in map(Step.model_validate, given["steps"]):
        for stage in stages:
            _hear(stage, step)
        if step.gold is not None:
            said = [
                probe_world(environment, name, stage.state, step.request, step.at)
                for stage in stages
            ]
            faults = [*_interference(said), *_revealed(step.gold, said[0], imported)]
            found += [
                (step.number, place, f"probe {step.probe!r}: {what}") for place, what in faults
            ]
        for stage in stages:
            _go_on(stage, step)
    return tuple(found)


def _interference(said: Sequence[Sequence[Said]]) -> Iterator[tuple[str, str]]:
    for other in said[1:]:
        for one, another in zip(said[0], other, strict=False):
            if one != another:
                yield "gold", f"{one.call} says {one.text!r}, and with other gold {another.text!r}"
                break


def _revealed(
    gold: Sequence[str], said: Sequence[Said], imported: bool
) -> Iterator[tuple[str, str]]:
    everything = "\n".join(dict.fromkeys(each.text for each in said))
    found = [
        next((each for each in said if occurrences(value, each.text)), None)
        if occurrences(value, everything)
        else None
        for value in gold
    ]
    if imported and not all(found):
        return
    for i, (value, each) in enumerate(zip(gold, found, strict=True)):
        if each is not None:
            yield f"gold.{i}.value", f"{each.call} gives {value!r} away: {each.text!r}"


def _hear(stage: World, step: Step) -> None:
    for announcement in step.announced:
        try:
            stage.announce(announcement, announcement.at)
        except Fault:
            return  # as below


def _go_on(stage: World, step: Step) -> None:
    """Make the right calls, the same ones in every world."""
    for call in step.calls:
        checked = stage.check(call.tool, call.arguments)
        if checked.error is None:
            try:
                stage.call(call.tool, checked.arguments, step.at)
            except Fault:
                return  # that a right call fails is for the rehearsal to say
