"""Contradictions: one probe of a decision forbids what another one, or the right way to act, does."""

from collections.abc import Iterator, Mapping, Sequence

from probes.scenario.structure import Fault
from scoring.arguments import same_arguments
from scoring.checks import same
from scoring.keys import CalledCheck, NotCalledCheck, Probe
from simulator.effects.environment import Environment
from simulator.events import Json, canonical_json


def contradiction_faults(
    probe: Probe, probes: Sequence[Probe], environment: Environment | None
) -> Iterator[Fault]:
    """Yield calls that a probe forbids and another probe of its decision wants, or its reference makes.

    Places are relative to the probe. A call is forbidden when it has all arguments of the check;
    so a wanted one is when the check names none that it leaves open.
    """
    schemas = {tool.name: tool.parameters for tool in environment.tools} if environment else {}
    for i, check in enumerate(probe.checks):
        if isinstance(check, NotCalledCheck):
            told = f"probe {probe.id!r} forbids {check.tool} with {canonical_json(check.arguments)}"
            for what in _against(check, probe, probes, schemas):
                yield Fault(f"checks.{i}", f"{told}, {what}")


def _against(
    check: NotCalledCheck,
    probe: Probe,
    probes: Sequence[Probe],
    schemas: Mapping[str, dict[str, Json]],
) -> Iterator[str]:
    for other in probes:
        if other.decision == probe.decision:
            for wanted in other.checks:
                if isinstance(wanted, CalledCheck) and _is_one(
                    check, wanted.tool, wanted.arguments, schemas
                ):
                    yield f"which probe {other.id!r} wants"
    for call in probe.reference.calls if probe.reference else ():
        if _is_one(check, call.tool, call.arguments, schemas):
            yield "which the reference of its decision does"
            return


def _is_one(
    check: NotCalledCheck,
    tool: str,
    arguments: dict[str, Json],
    schemas: Mapping[str, dict[str, Json]],
) -> bool:
    """Return whether a call is one of those that a check forbids."""
    if tool != check.tool:
        return False
    if tool in schemas:
        return same_arguments(schemas[tool], check.arguments, arguments)
    return all(
        name in arguments and same(arguments[name], value)
        for name, value in check.arguments.items()
    )
