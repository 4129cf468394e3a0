"""Playing a recorded trial again, through the turning points that its genesis tells."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from simulator.agents.port import Agent
from simulator.effects.memory import Memory
from simulator.effects.prompts import Completion
from simulator.effects.steps import Vector
from simulator.engine.arm import Arm
from simulator.engine.parts import make_environment, make_memory
from simulator.engine.recorder import Sink
from simulator.engine.sources import ModelRole, Sources
from simulator.engine.trial import Trial, trial_id
from simulator.engine.turning import Turn, Turning
from simulator.events import Json, Script
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest


@dataclass
class SameRecord:
    """A record that goes on behind a turning point, where other parts answered.

    Attributes:
        record: Where the answers come from, in the order in which they were recorded.
        identities: Identities from the turning point on.
        paid: Never.
    """

    record: Sources
    identities: dict[str, Json]
    paid: bool = False

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the next recorded completion."""
        return self.record.complete(role, request)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the next recorded vectors."""
        return self.record.embed(texts)


def recorded_turns(log: EventLog, trial: str) -> tuple[Turn, ...]:
    """Return the turning points of a trial in order: none unless it is a fork.

    Raises:
        InputError: when the log has no such trial.
    """
    return tuple(Turn.model_validate(each) for each in log.genesis(trial).get("forked", ()))


def behind(turns: Iterable[Turn], record: Sources) -> Iterator[tuple[Turn, Sources]]:
    """Yield turning points with the record that answers behind each of them."""
    for turn in turns:
        yield turn, SameRecord(record, turn.identities)


def settings(turn: Turn) -> Arm:
    """Return the arm that holds behind a turning point."""
    return Arm.from_description(turn.arm, turn.options)


def play_again(
    script: Script,
    arm: Arm,
    seed: int,
    *,
    agent: Agent,
    sources: Sources,
    sink: Sink,
    turns: Iterable[tuple[Turn, Sources]] = (),
) -> None:
    """Play a trial from its start, with memories of its own.

    Args:
        script: What is played.
        arm: The settings that it began with.
        seed: The trial seed.
        agent: The agent.
        sources: Where completions and vectors come from up to the first turning point.
        sink: Where the events go.
        turns: Turning points, each with where completions and vectors come from behind it.
    """
    with ExitStack() as memories:

        def fresh(arm: Arm) -> Memory:
            memory = make_memory(arm, trial_id(script.arc, arm.id, seed))
            memories.callback(memory.close)
            return memory

        Trial(
            script,
            arm,
            seed,
            environment=make_environment(script.environment),
            memory=fresh(arm),
            agent=agent,
            sources=sources,
            sink=sink,
            turnings=[
                Turning(turn, later, fresh(settings(turn)) if turn.anew else None)
                for turn, later in turns
            ],
        ).play()
