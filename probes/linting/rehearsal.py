"""Rehearsal: the reference is played on the world and judged by the scorer itself."""

from collections.abc import Iterator

from probes.scenario.structure import Before, Fault
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import Key, Probe, Reference
from scoring.verdicts import Verdict, judge
from simulator.effects.environment import Environment
from simulator.engine.world import World
from simulator.events import Json, Script
from simulator.events.errors import InputError
from simulator.events.faults import Fault as EngineFault
from simulator.events.scripted import Decision


def rehearse(script: Script, key: Key, environment: Environment) -> Iterator[Fault]:
    """Yield what goes wrong when the references of all probes are played one after another.

    For each probe the reference must run and pass, and doing nothing in its place must fail.
    """
    before = Before(script)
    world = World(environment, script.world)
    for number, probe in _in_order(key, before):
        place = f"key.probes.{number}"
        event = before.events[probe.decision]
        if probe.reference is None or not isinstance(event, Decision):
            continue
        rehearsal = _Rehearsal(probe, event, place)
        try:
            yield from rehearsal.idle(world.state)
            yield from rehearsal.play(world, probe.reference)
        except InputError as error:
            yield Fault(f"{place}.checks", f"probe {probe.id!r}: {error.message}")


def _in_order(key: Key, before: Before) -> list[tuple[int, Probe]]:
    """Return the probes with their numbers in the order in which their decisions come."""
    ordered = list(before.places)

    def rank(entry: tuple[int, Probe]) -> tuple[int, int]:
        decision = entry[1].decision
        earlier = sum(before(name, decision) for name in ordered if name != decision)
        return before.places[decision].episode, earlier

    return sorted(enumerate(key.probes), key=rank)


class _Rehearsal:
    """One probe on the stage."""

    def __init__(self, probe: Probe, decision: Decision, place: str) -> None:
        self._probe = probe
        self._decision = decision
        self._place = place

    def idle(self, state: Json) -> Iterator[Fault]:
        """Yield a fault when saying and doing nothing passes."""
        if self._scored and self._verdict((), state, state, "").success:
            message = f"probe {self._probe.id!r} is passed by doing nothing"
            yield Fault(f"{self._place}.checks", message)

    def play(self, world: World, reference: Reference) -> Iterator[Fault]:
        """Play the reference on `world`, and yield what fails."""
        state, calls = world.state, []
        for index, call in enumerate(reference.calls):
            made = _call(world, call.tool, call.arguments, self._decision.at, index)
            calls.append(made)
            if not made.ok:
                message = f"probe {self._probe.id!r}: the reference fails: {made.text}"
                yield Fault(f"{self._place}.reference.calls.{index}", message)
        verdict = self._verdict(tuple(calls), state, world.state, reference.answer)
        if not self._scored:
            return
        for index, result in enumerate(verdict.results):
            if not result.passed:
                message = f"probe {self._probe.id!r}: the reference does not pass: {result.reason}"
                yield Fault(f"{self._place}.checks.{index}", message)

    @property
    def _scored(self) -> bool:
        probe = self._probe
        return bool(probe.checks) and probe.excluded is None and probe.not_scorable is None

    def _verdict(
        self, calls: tuple[CallRecord, ...], before: Json, after: Json, answer: str
    ) -> Verdict:
        record = DecisionRecord(
            trial="rehearsal",
            id=self._probe.decision,
            request=self._decision.request,
            calls=calls,
            before=before,
            after=after,
            outcome="answer",
            text=answer,
        )
        return judge(record, self._probe)


def _call(
    world: World, tool: str, arguments: dict[str, Json], now: int, position: int
) -> CallRecord:
    checked = world.check(tool, arguments)
    ok, text = False, checked.error or ""
    if checked.error is None:
        try:
            outcome = world.call(tool, checked.arguments, now)
            ok, text = outcome.ok, outcome.text
        except EngineFault as fault:
            text = fault.message
    return CallRecord(tool, checked.arguments, checked.coerced, ok, text, position)
