"""Where a wrong record can be put: after the right value was said, before it is asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

from probes.scenario import Scenario
from scoring.keys import Gold, Probe, ReferenceCall


@dataclass(frozen=True)
class Target:
    """A gold value of one probe.

    Attributes:
        probe: The probe.
        gold: The value.
        call: The call of the reference that needs it.
        sessions: Indices of the sessions that a record may come in: not before the value was
            said, and before the session of the probe.
    """

    probe: Probe
    gold: Gold
    call: ReferenceCall
    sessions: range

    @property
    def about(self) -> dict[str, str]:
        """What the call is about: its arguments that are no gold value of the probe."""
        gold = {each.value for each in self.probe.gold}
        return {
            name: value
            for name, value in self.call.arguments.items()
            if isinstance(value, str) and value not in gold
        }


def targets(scenario: Scenario) -> Iterator[Target]:
    """Yield the gold values that a wrong record can speak of, in the order of the key."""
    order = [episode.id for episode in scenario.script.episodes]
    for probe in scenario.key.probes:
        asked = order.index(probe.decision.partition("/")[0])
        for gold in probe.gold if probe.dependent else ():
            said = [order.index(event.partition("/")[0]) for event in gold.evidence]
            call = _call(probe, gold)
            if said and max(said) < asked and call is not None:
                yield Target(probe, gold, call, range(max(said), asked))


def _call(probe: Probe, gold: Gold) -> ReferenceCall | None:
    """Return the right call that needs the value, if it names something beside gold values."""
    values = {each.value for each in probe.gold}
    for call in probe.reference.calls if probe.reference else ():
        given = list(call.arguments.values())
        if gold.value in given and any(value not in values for value in given):
            return call
    return None
