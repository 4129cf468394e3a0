"""Agents for testing: what each does with a prompt, and what that scores by the real scorer."""

from collections.abc import Callable
from typing import Any

import pytest

from environments.support import Support
from probes.ladder import ladder
from probes.oracles import (
    AlwaysRefuse,
    DoNothing,
    OracleAgent,
    PerfectReader,
    Snooper,
    holds_gold,
)
from probes.scenario import Scenario
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import Probe
from scoring.verdicts import judge
from simulator.agents.actions import Answer, Refusal
from simulator.agents.port import Desk
from simulator.effects.steps import CallTool, Effect, ToolReturn, perform
from simulator.engine.world import World
from simulator.events import Surface
from simulator.events.scripted import Decision, Message

ARCS = ladder("support", 21, 8)
Make = Callable[[Scenario], Any]


def block_of(arc: Scenario, until: str) -> str:
    """Return everything said in the sessions before `until`, a memory that forgets nothing."""
    lines = []
    for episode in arc.script.episodes:
        if episode.id == until:
            break
        lines += [event.text for event in episode.events if isinstance(event, Message)]
    return "\n".join(lines)


def play(arc: Scenario, make: Make, *, remember: bool) -> list[tuple[Probe, bool, bool]]:
    """Play an arc; for each probe: success, and whether the prompt held all gold."""
    world, agent = World(Support(), arc.script.world), make(arc)
    probes = {probe.decision: probe for probe in arc.key.probes}
    rows = []
    for episode in arc.script.episodes:
        said = [e for e in episode.events if isinstance(e, Message)]
        context = tuple(Surface(id=e.id, role=e.role, text=e.text, time=e.at) for e in said)
        for decision in episode.decisions():
            probe = probes[f"{episode.id}/{decision.id}"]
            block = block_of(arc, episode.id) if remember else ""
            desk = _desk(probe, decision, block, context)
            verdict = judge(_decide(world, agent, desk, decision), probe)
            rows.append((probe, verdict.success, holds_gold(probe, desk)))
    return rows


def _desk(probe: Probe, decision: Decision, block: str, context: tuple[Surface, ...]) -> Desk:
    return Desk(
        decision=probe.decision,
        request=decision.request,
        instructions=Support.instructions,
        tools=Support.tools,
        examples=Support.examples,
        recall=lambda: block,
        context=lambda: context,
        steps=tuple,
    )


def _decide(world: World, agent: Any, desk: Desk, decision: Decision) -> DecisionRecord:
    before = world.state
    calls: list[CallRecord] = []

    def handle(effect: Effect) -> ToolReturn:
        assert isinstance(effect, CallTool)
        checked = world.check(effect.tool, effect.arguments)
        assert checked.error is None
        outcome = world.call(effect.tool, checked.arguments, decision.at)
        record = CallRecord(
            effect.tool, checked.arguments, (), outcome.ok, outcome.text, len(calls)
        )
        calls.append(record)
        return ToolReturn(outcome.ok, outcome.text)

    outcome = perform(agent.act(desk), handle)
    return DecisionRecord(
        trial="t",
        id=desk.decision,
        request=desk.request,
        calls=tuple(calls),
        before=before,
        after=world.state,
        outcome="answer" if isinstance(outcome, Answer) else "refusal",
        text=outcome.text,
    )


def passed(make: Make, *, remember: bool, dependent: bool) -> list[bool]:
    return [
        success
        for arc in ARCS
        for probe, success, _ in play(arc, make, remember=remember)
        if probe.dependent is dependent
    ]


@pytest.mark.parametrize("remember", [True, False])
def test_the_oracle_passes_every_probe_with_and_without_a_memory(remember: bool) -> None:
    def make(arc: Scenario) -> OracleAgent:
        return OracleAgent(arc.key)

    assert all(passed(make, remember=remember, dependent=True))
    assert all(passed(make, remember=remember, dependent=False))


@pytest.mark.parametrize("remember", [True, False])
def test_a_perfect_reader_passes_exactly_where_the_prompt_holds_the_gold(remember: bool) -> None:
    for arc in ARCS:
        for probe, success, held in play(
            arc, lambda each: PerfectReader(each.key), remember=remember
        ):
            assert success == held == (remember or not probe.dependent)


def test_a_snooper_without_a_memory_never_guesses_a_planted_value() -> None:
    def make(_: Scenario) -> Snooper:
        return Snooper(Snooper.Options())

    found = passed(make, remember=False, dependent=True)
    assert len(found) >= 24 and not any(found)
    # It is no straw man: it does all that is asked in full, and finds a fact that it is shown.
    assert all(passed(make, remember=False, dependent=False))
    assert any(passed(make, remember=True, dependent=True))


@pytest.mark.parametrize("agent", [DoNothing, AlwaysRefuse])
def test_doing_nothing_and_refusing_never_pass(agent: Any) -> None:
    for dependent in (True, False):
        assert not any(passed(lambda _: agent(agent.Options()), remember=True, dependent=dependent))


def test_only_agents_that_see_a_key_are_oracles() -> None:
    assert OracleAgent.oracle and PerfectReader.oracle
    assert not (Snooper.oracle or DoNothing.oracle or AlwaysRefuse.oracle)


def test_a_decision_without_a_probe_is_only_answered() -> None:
    probe = ARCS[0].key.probes[0]
    decision = next(ARCS[0].script.episodes[0].decisions())
    desk = _desk(probe, decision, "", ())
    empty = ARCS[0].key.model_copy(update={"probes": ()})

    def never(effect: Effect) -> ToolReturn:
        raise AssertionError(effect)

    assert perform(OracleAgent(empty).act(desk), never) == Answer("Done.")
    assert perform(PerfectReader(empty).act(desk), never) == Answer("Done.")
    assert isinstance(perform(AlwaysRefuse(AlwaysRefuse.Options()).act(desk), never), Refusal)
