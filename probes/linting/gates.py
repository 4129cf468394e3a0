"""Gates: what must hold before anybody is run against a scenario, so that success means memory.

A wanted value must not be in the probe's inputs or the initial world, and no sequence of calls may
reveal it. An arc that a generator made is made once more with other gold values: whatever is shown
before success must stay the same to the byte. (That a world which is right already is no success
needs no gate: the scorer counts changes only.)
"""

from collections.abc import Iterator, Mapping

from probes.ladder import varied
from probes.linting.interference import different_sessions, different_world, shared_values
from probes.linting.leaks import leak_faults
from probes.linting.order import Announcements, in_order
from probes.linting.trying import Step, tried
from probes.risks import varied as risk_varied
from probes.scenario.structure import Before, Fault
from scoring.keys import Key, Probe
from simulator.effects.environment import Environment
from simulator.events import Script, canonical_json
from simulator.events.scripted import Decision


def gate_faults(
    script: Script, key: Key, environment: Environment | None, *, imported: bool
) -> Iterator[tuple[int, Fault]]:
    """Yield what lets a probe be passed without a memory, each with the probe's number.

    Args:
        script: A script without structure faults.
        key: Its key.
        environment: The script's environment; None when it is unknown or refuses the world, and
            then no call is tried.
        imported: The key was made elsewhere; its probes are let be as long as one value is left
            that only the memory can give.
    """
    scored = {
        number: probe
        for number, probe in enumerate(key.probes)
        if probe.dependent and probe.excluded is None and probe.not_scorable is None
    }
    closed = dict(scored)
    for number, probe in scored.items():
        for fault in leak_faults(script, probe, number, environment, imported=imported):
            closed.pop(number, None)  # calls built from what it is shown would only say it again
            yield number, fault
    other = None if imported else varied(key, 1) or risk_varied(key, 1)
    if other is not None and closed:
        yield from shared_values(key, closed)
        yield from _differing(script, key, other.script, closed)
    if environment is not None and environment.tools and closed:
        worlds = [script.world] if other is None else [script.world, other.script.world]
        steps = [step.model_dump(mode="json") for step in _steps(script, key, closed)]
        told = canonical_json({"worlds": worlds, "steps": steps})
        for number, place, message in tried(script.environment, told, imported):
            yield number, Fault(f"key.probes.{number}.{place}", message)


def _differing(
    script: Script, key: Key, other: Script, closed: Mapping[int, Probe]
) -> Iterator[tuple[int, Fault]]:
    yield from ((next(iter(closed)), fault) for fault in different_world(script, other))
    for number, probe in closed.items():
        for fault in different_sessions(script, key, other, probe):
            yield number, fault


def _steps(script: Script, key: Key, closed: Mapping[int, Probe]) -> Iterator[Step]:
    """Yield what happens to the world, probe after probe; calls are tried at the `closed` ones."""
    before = Before(script)
    announcements = Announcements(script, before)
    for number, probe in in_order(key, before):
        announced = announcements.until(probe.decision)
        event = before.events[probe.decision]
        if isinstance(event, Decision):
            yield Step(
                number=number,
                probe=probe.id,
                request=event.request,
                at=event.at,
                gold=tuple(each.value for each in probe.gold) if number in closed else None,
                calls=probe.reference.calls if probe.reference else (),
                announced=tuple(announced),
            )
