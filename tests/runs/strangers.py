"""Parts that break one promise each; `tests.runs.test_contracts` says which."""

import itertools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from environments.conversation import Conversation
from memories.replay import Replay, ReplayOptions
from memories.shelf import Shelf
from simulator.agents.actions import Answer, Outcome
from simulator.agents.port import Desk
from simulator.agents.scaffold import prompt_of
from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import MemorySetup
from simulator.effects.options import Options as NoOptions
from simulator.effects.steps import CallTool, Complete, Embed, Steps, Vector
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.scripted.readers import LastReader

COUNTER = itertools.count()


class Leaky(Replay):
    common: ClassVar[Shelf] = Shelf()

    def __init__(self, options: ReplayOptions, setup: MemorySetup) -> None:
        super().__init__(options, setup)
        self.shelf = Leaky.common


class Polite:
    """An agent that answers what the model says, and keeps every promise."""

    Options: ClassVar[type[BaseModel]] = NoOptions
    oracle: ClassVar[bool] = False

    def __init__(self, options: NoOptions) -> None:
        self.decided = 0

    def act(self, desk: Desk) -> Steps[Outcome]:
        self.decided += 1
        completion = yield Complete(prompt_of(desk), 16)
        return Answer(self.say(completion.text))

    def say(self, text: str) -> str:
        return text


class Tireless(Polite):
    def act(self, desk: Desk) -> Steps[Outcome]:
        while True:
            yield CallTool("close_ticket", {"ticket": "T-31"})


class Moody(Polite):
    def say(self, text: str) -> str:
        return text if self.decided == 1 else "Not again."


class Dice(Polite):
    def say(self, text: str) -> str:
        return str(next(COUNTER))


class Mute(Polite):
    def act(self, desk: Desk) -> Steps[Outcome]:
        yield Complete(prompt_of(desk), 16)
        return None  # type: ignore[return-value]


class Librarian(Polite):
    def act(self, desk: Desk) -> Steps[Outcome]:
        yield Embed(("a",))
        return Answer("Done.")


class Brittle(Polite):
    def act(self, desk: Desk) -> Steps[Outcome]:
        result = yield CallTool("close_ticket", {"ticket": "T-31"})
        if not result.ok:
            raise KeyError("ticket")
        return Answer("Done.")


class Accuser(Polite):
    def act(self, desk: Desk) -> Steps[Outcome]:
        yield Complete(prompt_of(desk), 16)
        raise Fault("memory", "crash", "the memory is to blame")


class Undeclared(Polite):
    oracle = None  # type: ignore[assignment]


class Nameless(LastReader):
    def identity(self) -> dict[str, Json]:
        return {"model": next(COUNTER)}


class Unit:
    """An embedder that keeps every promise, if not by much: a direction for each length."""

    Options: ClassVar[type[BaseModel]] = NoOptions
    deterministic: ClassVar[bool] = True

    def __init__(self, options: NoOptions) -> None:
        self.dimension = 8

    def identity(self) -> dict[str, Json]:
        return {"name": "unit"}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.vector(text, place) for place, text in enumerate(texts)]

    def vector(self, text: str, place: int) -> Any:
        return np.eye(8, dtype=np.float32)[len(text) % 8]


class Long(Unit):
    def vector(self, text: str, place: int) -> Any:
        return super().vector(text, place) * np.float32(1.01)


class Double(Unit):
    def vector(self, text: str, place: int) -> Any:
        return super().vector(text, place).astype(np.float64)


class Flat(Unit):
    def vector(self, text: str, place: int) -> Any:
        return super().vector(text, place)[:4]


class Short(Unit):
    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return super().embed(texts[:1])


class Blind(Unit):
    def vector(self, text: str, place: int) -> Any:
        return super().vector("", place)


class Placed(Unit):
    def vector(self, text: str, place: int) -> Any:
        return super().vector("x" * place, place)


class Unstorable(Unit):
    def identity(self) -> dict[str, Json]:
        return {"name": "unit", "weights": float("nan")}


class Loud(Conversation):
    tools: ClassVar[tuple[Tool, ...]] = (
        Tool(
            name="ring",
            description="Ring a bell.",
            parameters={"type": "object", "properties": {}, "additionalProperties": False},
            read_only=True,
        ),
    )

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        return ToolOutcome(ok=True, text="")


class Sly(Conversation):
    """Counts what was looked at, which a tool that only reads must not do."""

    tools: ClassVar[tuple[Tool, ...]] = (
        Tool(
            name="look",
            description="Look at a thing.",
            parameters={
                "type": "object",
                "properties": {"name": {"type": "string", "examples": ["lamp"]}},
                "required": ["name"],
                "additionalProperties": False,
            },
            read_only=True,
        ),
    )

    def check_world(self, world: Json) -> None:
        """Take any world."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        name = arguments["name"]
        if name not in world:
            return ToolOutcome(ok=False, text="error: there is no such thing")
        change = {"op": "replace", "path": f"/{name}", "value": world[name] + 1}
        return ToolOutcome(ok=True, text="seen", changes=(change,))


class Bare:
    tools: ClassVar[tuple[Tool, ...]] = ()
    instructions: ClassVar[str] = "Do it."
    examples: ClassVar[tuple[str, ...]] = ()

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        return ToolOutcome(ok=True, text="done")
