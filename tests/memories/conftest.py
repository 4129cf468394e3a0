from collections.abc import Callable
from typing import Any

import pytest

from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from simulator.effects.memory import Ask, Block, Memory, MemorySetup
from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.effects.steps import Complete, Effect, Embed, Result, perform
from simulator.events import GLOBAL, Surface
from simulator.events.times import DAY, parse_time

START = parse_time("2025-03-03T09:00")


class Bench:
    """Plays surfaces into a memory and answers its effects."""

    def __init__(self) -> None:
        self.embedder = LexicalEmbedder(LexicalOptions())
        self.replies: list[tuple[str, str]] = []
        self.prompts: list[Prompt] = []
        self.embedded: list[tuple[str, ...]] = []

    def reply(self, text: str, finish: str = "stop") -> None:
        self.replies.append((text, finish))

    def handle(self, effect: Effect) -> Result:
        if isinstance(effect, Complete):
            self.prompts.append(effect.prompt)
            text, finish = self.replies.pop(0)
            usage = Usage(input=1, output=1)
            return Completion.model_validate({"text": text, "finish": finish, "usage": usage})
        assert isinstance(effect, Embed)
        self.embedded.append(effect.texts)
        return list(self.embedder.embed(effect.texts))

    def absorb(self, memory: Memory, *surfaces: Surface) -> None:
        perform(memory.absorb(surfaces), self.handle)

    def read(
        self,
        memory: Memory,
        query: str = "",
        budget: int | None = None,
        scope: str = GLOBAL,
        shown: frozenset[str] = frozenset(),
    ) -> Block:
        return perform(memory.read(Ask(query, budget, scope, START, shown)), self.handle)

    def lines(self, memory: Memory, query: str = "", **asked: Any) -> list[str]:
        return [shown.text for shown in self.read(memory, query, **asked).items]

    def forget(self, memory: Memory, how: Any, *sources: str) -> Any:
        return perform(memory.forget(frozenset(sources), how), self.handle)

    def regrant(self, memory: Memory, *sources: str) -> None:
        perform(memory.regrant(frozenset(sources)), self.handle)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def say() -> Callable[..., Surface]:
    def surface(
        name: str, text: str, role: str = "user", day: float = 0, scope: str = GLOBAL
    ) -> Surface:
        time = START + int(day * DAY)
        return Surface.model_validate(
            {"id": name, "role": role, "text": text, "time": time, "scope": scope}
        )

    return surface


@pytest.fixture
def setup() -> MemorySetup:
    return MemorySetup(trial="arc/arm/0", has_model=False)
