"""Which probes can be believed: what is wrong with each, and imported ones set aside for it."""

import re
from collections.abc import Iterator

from probes.linting.announcing import closed_faults, planting_faults
from probes.linting.contradictions import contradiction_faults
from probes.linting.dating import dated_faults
from probes.linting.gates import gate_faults
from probes.linting.granting import forgotten_faults, granting_faults, regranted_faults
from probes.linting.planting import context_faults
from probes.linting.rehearsal import rehearse
from probes.linting.sourcing import sourcing_faults
from probes.linting.stating import correction_faults
from probes.linting.window import window_faults
from probes.linting.wording import wording_faults
from probes.scenario import Scenario
from probes.scenario.structure import Before, Fault
from probes.scenario.worlds import checked_environment
from scoring.keys import Key
from simulator.effects.environment import Environment
from simulator.events import Script
from simulator.events.errors import InputError

_OURS = re.compile(r"authored|\S+ seed=-?\d+(?: \w+=\S+)*")
# What a reason need not say again, since it stands at its probe.
_NAMED = re.compile(r"^probe '[^']*'(?: of episode '[^']*')?:? ?| \(key\.[\w.]+\)$")


def is_imported(key: Key) -> bool:
    """Return whether a key was made elsewhere: it is neither `authored` nor a generator's."""
    return _OURS.fullmatch(key.origin) is None


def probe_faults(
    script: Script, key: Key, environment: Environment | None
) -> Iterator[tuple[int, Fault]]:
    """Yield what is wrong with the probes that are scored, each with the probe's number.

    Args:
        script: A script without structure faults.
        key: Its key.
        environment: The script's environment, None when it is unknown or refuses the world: what
            has to be played is then left out.
    """
    before, imported = Before(script), is_imported(key)
    for number, probe in enumerate(key.probes):
        if probe.excluded is None and probe.not_scorable is None:
            words = wording_faults(probe, key, before, imported=imported)
            told = [*words, *sourcing_faults(probe, script.world)]
            told += planting_faults(probe, key, before)
            told += forgotten_faults(probe, before)
            told += contradiction_faults(probe, key.probes, environment)
            if environment is not None:
                told += closed_faults(probe, script, before, environment)
                told += regranted_faults(probe, script, before, environment)
            for place, message in told:
                yield number, Fault(f"key.probes.{number}.{place}", message)
    yield from context_faults(script, key, before, environment)
    yield from gate_faults(script, key, environment, imported=imported)
    if environment is not None:
        yield from dated_faults(script, key, environment)
        yield from rehearse(script, key, environment)


def story_faults(
    script: Script, key: Key, environment: Environment | None = None
) -> Iterator[Fault]:
    """Yield what is wrong with a story as a whole, which is without structure faults.

    Who imports a scenario cannot mend what it corrects.
    """
    before = Before(script)
    yield from window_faults(script)
    if environment is not None:
        yield from granting_faults(script, before, environment)
    if not is_imported(key):
        yield from correction_faults(script, key, before)


def refuse_open(scenario: Scenario) -> None:
    """Refuse an authored or generated scenario with a probe that needs no memory.

    Imported ones have such probes `excluded`.

    Raises:
        InputError: when there is one, or no such environment, or it refuses the world or an announcement.
    """
    script, key = scenario.script, scenario.key
    if is_imported(key):
        return
    environment = checked_environment(script)
    for _, fault in gate_faults(script, key, environment, imported=False):
        message = f"arc {script.arc!r} does not test a memory: {fault.message}"
        raise InputError(f"{message} (memtrial lint says where)")


def exclude_unsound(scenario: Scenario) -> Scenario:
    """Return an imported scenario with every probe that lint refuses `excluded`, and the reason.

    A scenario that is authored or generated here is returned as it is: there, it is lint's to
    refuse it and its author's to mend it.

    Raises:
        InputError: when there is no such environment, or it refuses the world.
    """
    script, key = scenario.script, scenario.key
    if not is_imported(key):
        return scenario
    environment = checked_environment(script)
    reasons: dict[int, str] = {}
    for number, fault in probe_faults(script, key, environment):
        reasons.setdefault(number, f"unsound: {_NAMED.sub('', fault.message)}")
    if not reasons:
        return scenario
    probes = [
        probe.model_copy(update={"excluded": reasons.get(number, probe.excluded)})
        for number, probe in enumerate(key.probes)
    ]
    # Built anew, since a copy would keep the hash of the old key.
    fields = {name: getattr(key, name) for name in Key.model_fields} | {"probes": tuple(probes)}
    return Scenario(script=script, key=Key(**fields))
