"""Plays one arc with a model whose replies are given, in memory, and scores what came of it."""

from collections.abc import Sequence
from functools import cache

from probes.scenario import Scenario
from runs.arms import arms
from runs.suite import Suite
from scoring.run import Event
from scoring.run import Trial as Record
from scoring.verdicts import verdicts
from simulator.agents.scaffold import Scaffold, ScaffoldOptions
from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.engine.arm import Arm
from simulator.engine.parts import make_environment, make_memory
from simulator.engine.sinks import ListSink
from simulator.engine.sources import LiveSources, ModelRole
from simulator.engine.trial import Trial
from simulator.log.bodies import body_of
from simulator.models.port import CompletionRequest, Model
from simulator.models.scripted.readers import LastReader

MEMORIES: tuple[dict[str, str], ...] = (
    {"name": "none"},
    {"name": "replay"},
    {"name": "summary"},
    {"name": "facts"},
    {"name": "summary", "implementation": "model"},
    {"name": "facts", "implementation": "model"},
)
"""Every memory that needs no index: one of those costs milliseconds a trial."""


class Replies(LastReader):
    """A model that says the given texts in turn, and then for ever the last one."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__(Options())
        self._texts = texts
        self._said = 0

    def complete(self, request: CompletionRequest) -> Completion:
        text = self._texts[min(self._said, len(self._texts) - 1)]
        self._said += 1
        return Completion(text=text, finish="stop", usage=Usage(input=1, output=1))


@cache
def arm(number: int) -> Arm:
    """Return the arm with a memory of `MEMORIES`."""
    suite = Suite.model_validate(
        {
            "name": "fuzz",
            "scenarios": [{"files": ["-"]}],
            "memories": [MEMORIES[number]],
            "models": ["last"],
            "memory_model": "last",
            "token_budgets": [96],
        }
    )
    return arms(suite)[0]


def play(
    scenario: Scenario, memory: int, replies: Sequence[str] | None = None
) -> tuple[Event, ...]:
    """Play a scenario, score it, and return its events; without replies a reader reads."""
    chosen, sink = arm(memory), ListSink()
    model = LastReader(Options()) if replies is None else Replies(replies)
    models: dict[ModelRole, Model] = {"agent_model": model, "memory_model": model}
    held = make_memory(chosen, "fuzz")
    Trial(
        scenario.script,
        chosen,
        0,
        environment=make_environment(scenario.script.environment),
        memory=held,
        agent=Scaffold(ScaffoldOptions()),
        sources=LiveSources(models, None),
        sink=sink,
    ).play()
    held.close()
    events = tuple(
        Event(row.position, row.id, row.kind, row.time, row.scope, body_of(row))
        for row in sink.rows
    )
    record = Record(
        "fuzz",
        events,
        scenario.script,
        scenario.key,
        lambda key: sink.blobs[key].decode(),
        sink.blobs.__getitem__,
    )
    list(verdicts(record))
    return events


def errors(events: Sequence[Event]) -> list[tuple[str, str, str]]:
    """Return culprit, fault and message of each error."""
    bodies = [event.body for event in events if event.kind == "error"]
    return [(body["culprit"], body["fault"], body["message"]) for body in bodies]
