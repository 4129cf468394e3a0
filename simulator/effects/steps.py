"""Effects: what agents and memories ask for, and how a driver feeds them.

An agent or a memory is a generator: it yields an effect and is sent the result. Nothing inside
it calls a model, an embedder or a tool. Live running, replay, resume and fork differ only in
the driver that performs the effects.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulator.effects.prompts import Completion, Prompt
from simulator.events import Json

Vector = NDArray[np.float32]
"""One embedding, shape (dimension,), float32."""


@dataclass(frozen=True)
class Complete:
    """Ask a model to complete a prompt; the result is a `Completion`."""

    prompt: Prompt
    max_tokens: int


@dataclass(frozen=True)
class Embed:
    """Embed texts; the result is a list of vectors, one a text."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class CallTool:
    """Call a tool of the environment; the result is a `ToolReturn`."""

    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True)
class ToolReturn:
    """What the agent gets back from a tool."""

    ok: bool
    text: str


Effect = Complete | Embed | CallTool
Result = Completion | list[Vector] | ToolReturn

T = TypeVar("T")
Steps = Generator[Effect, Any, T]
"""A generator of effects that is sent their results and returns a T."""


def perform(steps: Steps[T], handle: Callable[[Effect], Result]) -> T:
    """Run `steps` to its end, answering each effect with `handle`; the simplest driver."""
    try:
        effect = next(steps)
        while True:
            effect = steps.send(handle(effect))
    except StopIteration as stop:
        value: T = stop.value
        return value
