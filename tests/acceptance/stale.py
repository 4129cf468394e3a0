"""An agent that always uses what was revised, named `tests.acceptance.stale:StaleAgent`."""

from typing import ClassVar

from pydantic import BaseModel

from probes.oracles import OracleAgent
from scoring.keys import Key, Probe
from simulator.effects.options import Options as NoOptions
from simulator.events import Json


class StaleAgent(OracleAgent):
    """Acts as the reference says, with the old value wherever a value was revised."""

    Options: ClassVar[type[BaseModel]] = NoOptions  # type: ignore[assignment]

    def __init__(self, key: Key) -> None:
        super().__init__(key.model_copy(update={"probes": tuple(map(_outdated, key.probes))}))


def _outdated(probe: Probe) -> Probe:
    if probe.reference is None or not probe.forbidden or not probe.gold:
        return probe
    new, old = probe.gold[0].value, probe.forbidden[0].value
    calls = tuple(
        call.model_copy(update={"arguments": _swapped(call.arguments, new, old)})
        for call in probe.reference.calls
    )
    reference = probe.reference.model_copy(update={"calls": calls})
    return probe.model_copy(update={"reference": reference})


def _swapped(arguments: dict[str, Json], new: str, old: str) -> dict[str, Json]:
    return {name: old if value == new else value for name, value in arguments.items()}
