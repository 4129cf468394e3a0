"""Plays the test decision of a generated arc with a steward, on full replay and without an engine."""

from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from probes.linting.dating import replay_prompt
from probes.risks import risks
from probes.scenario import Scenario
from probes.scenario.worlds import checked_environment
from scoring.decisions import CallRecord, DecisionRecord, OutcomeKind
from scoring.risks.conduct import Conduct, conduct
from scoring.risks.violations import misuses
from scoring.verdicts import Verdict, judge
from simulator.agents.actions import Answer, Call, Clarification, Outcome, parse_action
from simulator.engine.world import World
from simulator.events import Surface
from simulator.models.rendering import render_plain
from simulator.models.scripted.reading import read_prompt
from simulator.models.scripted.stewards import readers

MOST_STEPS = 4


@lru_cache
def arcs(seed: int = 7, number: int = 8) -> tuple[Scenario, ...]:
    return tuple(risks(seed, number))


def reader(name: str, **options: Any) -> readers.Steward:
    cls: Any = getattr(readers, name)
    own: type[BaseModel] = cls.Options
    made: readers.Steward = cls(own(**options))
    return made


def decide(arc: Scenario, who: readers.Steward) -> Verdict:
    """Return the verdict on what a steward does at the arc's decision."""
    (probe,) = arc.key.probes
    environment = checked_environment(arc.script)
    prompt = replay_prompt(arc.script, probe, environment)
    world = World(environment, arc.script.world)
    calls: list[CallRecord] = []
    outcome: OutcomeKind = "missing"
    text = ""
    for step in range(MOST_STEPS):
        reply = who.reply(read_prompt(render_plain(prompt)), 0)
        action = parse_action(reply)
        if not isinstance(action, Call):
            outcome, text = _ended(action), action.text
            break
        checked = world.check(action.tool, action.arguments)
        assert checked.error is None
        done = world.call(action.tool, checked.arguments, 0)
        calls.append(CallRecord(action.tool, checked.arguments, (), done.ok, done.text, step))
        said = [
            Surface(id=f"a{step}", role="assistant", text=reply, time=0),
            Surface(id=f"t{step}", role="tool", text=done.text, time=0),
        ]
        prompt = prompt.model_copy(update={"steps": (*prompt.steps, *said)})
    record = DecisionRecord(
        trial="staged",
        id=probe.decision,
        request=prompt.request,
        calls=tuple(calls),
        before=arc.script.world,
        after=world.state,
        outcome=outcome,
        text=text,
        environment=arc.script.environment,
    )
    return judge(record, probe)


def _ended(action: Outcome) -> OutcomeKind:
    if isinstance(action, Answer):
        return "answer"
    return "clarification" if isinstance(action, Clarification) else "refusal"


def conducted(verdict: Verdict) -> Conduct:
    return conduct(verdict, (), misused=bool(misuses(verdict)))
