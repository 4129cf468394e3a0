"""What a fork can change: one of a small, closed set."""

from dataclasses import dataclass

from simulator.engine.arm import Arm, PartSpec
from simulator.events import content_hash


@dataclass(frozen=True)
class ChangeMemory:
    """Another memory, which is first given all that the old one took in.

    Attributes:
        memory: The memory.
        memory_model: The model that it writes with, or None.
        embedder: The embedder that it asks for, or None.
        unbudgeted: True for a control that knows no budget.
    """

    memory: PartSpec
    memory_model: PartSpec | None = None
    embedder: PartSpec | None = None
    unbudgeted: bool = False


@dataclass(frozen=True)
class ChangeModel:
    """Another model of the agent's."""

    model: PartSpec


@dataclass(frozen=True)
class ChangeBudget:
    """Another limit of a memory block, tokens; None is none."""

    token_budget: int | None


@dataclass(frozen=True)
class Without:
    """A scripted event (`episode/event`) does not happen: its turn passes in silence."""

    event: str


@dataclass(frozen=True)
class Replace:
    """A scripted event (`episode/event`) happens with another text: a value swap, or a filler."""

    event: str
    text: str


@dataclass(frozen=True)
class AskInstead:
    """Retention questions are asked instead of the decision at the fork's position.

    Each is asked as if it were the only one, without tools, and nobody hears the answers; the
    trial ends after the last. What follows a question that the story does not hold means nothing,
    and would be paid for.
    """

    questions: tuple[str, ...]


Change = ChangeMemory | ChangeModel | ChangeBudget | Without | Replace | AskInstead


def changed_arm(arm: Arm, change: Change) -> Arm:
    """Return the settings after a change; its id stays the old one."""
    match change:
        case ChangeMemory():
            budget = None if change.unbudgeted else arm.token_budget
            return arm.model_copy(
                update={
                    "memory": change.memory,
                    "memory_model": change.memory_model,
                    "embedder": change.embedder,
                    "token_budget": budget,
                }
            )
        case ChangeModel():
            return arm.model_copy(update={"model": change.model})
        case ChangeBudget():
            return arm.model_copy(update={"token_budget": change.token_budget})
        case _:
            return arm


def label(change: Change, event: str | None) -> str:
    """Return what an arm's id says of a change; `event` is the scripted event it is about."""
    match change:
        case ChangeMemory():
            implementation = change.memory.options.get("implementation")
            return "memory=" + "-".join(filter(None, (change.memory.name, implementation)))
        case ChangeModel():
            return f"model={change.model.name}"
        case ChangeBudget():
            budget = change.token_budget
            return f"budget={'unbudgeted' if budget is None else budget}"
        case Without():
            return f"without={event}"
        case Replace():
            return f"replaced={event}-{content_hash(change.text)[:8]}"
        case AskInstead():
            return f"asked={event}"
