"""Rehearsal: every variant of every probe is played on the world and judged by the scorer itself."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from probes.linting.order import Announcements, in_order
from probes.linting.variants import Banned, Variant, banned, filled, ideal, variants
from probes.scenario.structure import Before, Fault
from scoring.admissibility import inadmissible
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import (
    Check,
    EitherCheck,
    Key,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    ReferenceCall,
)
from scoring.scorers import CLAUSE, Scorer
from scoring.verdicts import Verdict, judge
from simulator.effects.environment import Environment
from simulator.engine.world import World
from simulator.events import Json, Script, canonical_json
from simulator.events.errors import InputError
from simulator.events.faults import Fault as EngineFault
from simulator.events.scripted import Decision

_SHOWN = 100
_PASSES = {
    "violation": "passes, so nothing forbids it",
    "other value": "passes, so no check rests on this gold value",
}


def rehearse(
    script: Script, key: Key, environment: Environment, scorer: Scorer = CLAUSE
) -> Iterator[tuple[int, Fault]]:
    """Yield what goes wrong, with the number of the probe, when all probes are played in order.

    The ideal decision must run and pass, alone and when it names the dead values to rule them
    out. Violations, refusals, silence and echoes must fail, and each must be seen for what it is.
    """
    before = Before(script)
    stage = _Stage(script, environment, scorer)
    announcements = Announcements(script, before)
    for number, probe in in_order(key, before):
        for announcement in announcements.until(probe.decision):
            try:
                stage.world.announce(announcement, announcement.at)
            except EngineFault as fault:
                yield number, Fault("script.environment", f"it fails: {fault.message}")
        stage.come_to(probe.decision)
        event = before.events[probe.decision]
        if not isinstance(event, Decision):
            continue
        faults, stage.world.state = _rehearsed(_scene(probe, event, stage))
        for place, message in faults:
            yield number, Fault(f"key.probes.{number}.{place}", message)


@dataclass(frozen=True)
class _Scene:
    """One probe on the stage; what comes of it rests on `told`, the environment and the scorer."""

    told: str
    environment: type[Environment]
    scorer: Scorer
    probe: Probe = field(compare=False)
    decision: Decision = field(compare=False)
    stage: "_Stage" = field(compare=False)


def _scene(probe: Probe, decision: Decision, stage: "_Stage") -> _Scene:
    evidence = {"__all__": {"evidence"}}
    rest = probe.model_dump(
        mode="json", exclude={"planting": True, "gold": evidence, "forbidden": evidence}
    )
    told = canonical_json([rest, decision.request, decision.at, stage.world.state])
    return _Scene(told, stage.environment, stage.scorer, probe, decision, stage)


# A task and its twins differ in what was said long before; most of their probes are played alike.
@lru_cache(maxsize=64)
def _rehearsed(scene: _Scene) -> tuple[tuple[Fault, ...], Json]:
    """Return what goes wrong with a probe, and the world as the ideal decision leaves it."""
    rehearsal = _Rehearsal(scene.probe, scene.decision, scene.stage)
    try:
        faults = tuple(rehearsal.faults())
    except InputError as error:
        faults = (Fault("checks", f"probe {scene.probe.id!r}: {error.message}"),)
    return faults, scene.stage.world.state


class _Stage:
    """Where probes are played one after another, and who judges them."""

    def __init__(self, script: Script, environment: Environment, scorer: Scorer) -> None:
        self.world = World(environment, script.world)
        self.tools = environment.tools
        self.environment = type(environment)
        self.scorer = scorer
        self._name = script.environment
        self._decision, self._opened = "", self.world.state
        # Variants make the same calls over and over; what one comes to depends on nothing else.
        # A state is never changed in place, and each is kept, so its identity stands for it.
        self._made: dict[tuple[int, str, int], _Made] = {}

    def come_to(self, decision: str) -> None:
        """Set the stage for a decision: all its probes find the world as the first one did."""
        if decision != self._decision:
            self._decision, self._opened = decision, self.world.state
        self.world.state = self._opened

    def play(self, variant: Variant, probe: Probe, decision: Decision) -> Verdict:
        """Play a variant of a probe on the world as it is, and judge it."""
        before = self.world.state
        calls = tuple(
            self._call(call, decision.at, index) for index, call in enumerate(variant.calls)
        )
        record = DecisionRecord(
            trial="rehearsal",
            id=probe.decision,
            request=decision.request,
            calls=calls,
            before=before,
            after=self.world.state,
            outcome=variant.outcome,
            text=variant.text,
            environment=self._name,
        )
        return judge(record, probe, self.scorer)

    def _call(self, call: ReferenceCall, now: int, position: int) -> CallRecord:
        before = self.world.state
        told = (id(before), canonical_json([call.tool, call.arguments]), now)
        if told not in self._made:
            record = self._called(call, now)
            self._made[told] = _Made(record, before, self.world.state)
        made = self._made[told]
        self.world.state = made.after
        return replace(made.record, position=position)

    def _called(self, call: ReferenceCall, now: int) -> CallRecord:
        checked = self.world.check(call.tool, call.arguments)
        ok, text = False, checked.error or ""
        if checked.error is None:
            try:
                outcome = self.world.call(call.tool, checked.arguments, now)
                ok, text = outcome.ok, outcome.text
            except EngineFault as fault:
                text = fault.message
        return CallRecord(call.tool, checked.arguments, checked.coerced, ok, text, 0)


class _Made(NamedTuple):
    """A call that was made: its record, and the world before and after it."""

    record: CallRecord
    before: Json
    after: Json


class _Rehearsal:
    """One probe on the stage; its faults' places are relative to it."""

    def __init__(self, probe: Probe, decision: Decision, stage: _Stage) -> None:
        self._probe = probe
        self._decision = decision
        self._stage = stage
        self._banned = banned(probe)
        self._failed: set[int] = set()
        self._used: set[str] = set()

    def faults(self) -> Iterator[Fault]:
        """Yield what goes wrong, and leave the world as the ideal decision leaves it."""
        world, right = self._stage.world, ideal(self._probe)
        start = world.state
        scored = self._played(Variant("silence", "")).skipped is None
        missed = [] if right is None else [*self._missed(right)]
        end = world.state
        if scored:
            yield from missed
            if not missed:
                yield from self._unexpected(start)
                yield from self._idle(right)
        world.state = end

    def _missed(self, right: Variant) -> Iterator[Fault]:
        """Yield what keeps the ideal decision from passing."""
        verdict = self._played(right)
        for index, call in enumerate(verdict.record.calls):
            if not call.ok:
                yield self._fault(f"reference.calls.{index}", f"the reference fails: {call.text}")
        for index, result in enumerate(verdict.results):
            if not result.passed:
                message = f"variant 'ideal' does not pass: {result.reason}"
                yield self._fault(f"checks.{index}", message)
        if verdict.success:
            for each in self._misused(verdict):
                yield self._fault(each.place, f"variant 'ideal' uses {each.value!r}")

    def _unexpected(self, start: Json) -> Iterator[Fault]:
        """Yield each kind of variant whose verdict is not the expected one, by what it shows."""
        seen: set[tuple[str, str]] = set()
        for variant in variants(self._probe, self._decision.request, self._stage.tools):
            self._stage.world.state = start
            found = self._wrong(variant, self._played(variant))
            if found is not None and (variant.name, variant.shows) not in seen:
                seen.add((variant.name, variant.shows))
                message = f"variant {variant.name!r} {found}: {_shown(variant)}"
                yield self._fault(variant.shows, message)

    def _wrong(self, variant: Variant, verdict: Verdict) -> str | None:
        """Return what is wrong with a verdict, and note what the variant moves."""
        self._failed |= {i for i, result in enumerate(verdict.results) if not result.passed}
        misused = self._misused(verdict)
        if variant.uses is not None:
            self._used |= {each.value for each in misused}
        if variant.name == "violation" and not all(call.ok for call in verdict.record.calls[:1]):
            return None  # what the world refuses is no violation
        if not variant.right:
            if variant.evades and self._probe.in_context and self._probe.kind != "task":
                return None  # that it is no way to comply shows in the probe of the work itself
            return _PASSES.get(variant.name, "passes") if verdict.success else None
        if misused:
            return f"counts as a use of {misused[0].value!r}"
        reasons = [result.reason for result in verdict.results if not result.passed]
        return None if verdict.success else f"does not pass ({reasons[0]})"

    def _idle(self, right: Variant | None) -> Iterator[Fault]:
        """Yield the checks that no variant fails and the forbidden values that none is seen to use.

        Other values are shown idle by a variant that passes.
        """
        if right is None:
            return
        for i, check in enumerate(self._probe.checks):
            if i not in self._failed and not self._excused(check, right):
                yield self._fault(f"checks.{i}", "no variant fails this check, so it tests nothing")
        for each in self._banned:
            if each.place.startswith("forbidden") and each.value not in self._used:
                yield self._fault(each.place, f"no variant is seen to use {each.value!r}")

    def _excused(self, check: Check, right: Variant) -> bool:
        """Return whether a check may pass all variants: it is no test, or the world has no case."""
        if isinstance(check, EitherCheck):
            return any(self._excused(each, right) for each in check.of)
        if isinstance(check, NeverSaysCheck):
            return inadmissible(check.phrase) is not None
        if not isinstance(check, NotCalledCheck):
            return False
        arguments = filled(check, right, self._stage.tools)
        return self._stage.world.check(check.tool, arguments).error is None

    def _misused(self, verdict: Verdict) -> list[Banned]:
        """Return the forbidden values that the scorer saw used."""
        used = {misuse.value for misuse in verdict.misuses}
        return [each for each in self._banned if each.value in used]

    def _fault(self, place: str, message: str) -> Fault:
        episode = self._probe.decision.partition("/")[0]
        return Fault(place, f"probe {self._probe.id!r} of episode {episode!r}: {message}")

    def _played(self, variant: Variant) -> Verdict:
        return self._stage.play(variant, self._probe, self._decision)


def _shown(variant: Variant) -> str:
    """Return what a variant does, short enough for one line."""
    calls = [f"{call.tool}({canonical_json(call.arguments)})" for call in variant.calls]
    told = " ".join([*calls, f"{variant.outcome} {variant.text!r}"])
    return told if len(told) <= _SHOWN else f"{told[: _SHOWN - 1]}…"
