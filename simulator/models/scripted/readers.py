"""Scripted readers: models that see only the rendered prompt and act by fixed rules.

They test scenarios, memories and scorers; they are no evidence about language models. The
rules are written down in `docs/readers.md`. A reader says its one action whole, whatever
`max_tokens` is, and costs nothing.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

from pydantic import BaseModel, Field

from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.events.tokens import COUNTER_NAME, count_tokens
from simulator.models.port import CompletionRequest
from simulator.models.rendering import RESULT_CUE
from simulator.models.scripted.filling import Mention, choose_tool, fill, find_answers
from simulator.models.scripted.reading import Reading, read_prompt
from simulator.models.written import write_call, write_spoken

RULES = 2
"""Version of the rules; part of every reader's identity."""

UNKNOWN = "I do not know."
DONE = "Done."
FAILED = "That did not work."
ERROR_MARK = "error:"
"""How the engine starts the line of a tool's error."""


class Reader(ABC):
    """What all scripted readers share."""

    Options: ClassVar[type[BaseModel]] = Options
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = True
    renderer: ClassVar[str] = "plain"
    name: ClassVar[str]

    def __init__(self, options: BaseModel) -> None:
        self._options = options

    def identity(self) -> dict[str, Json]:
        return {
            "model": f"scripted:{self.name}",
            "rules": RULES,
            "options": self._options.model_dump(),
            "renderer": self.renderer,
            "counter": COUNTER_NAME,
        }

    def complete(self, request: CompletionRequest) -> Completion:
        """Answer a prompt, from its text alone."""
        reading = read_prompt(request.rendered)
        text = self.reply(reading, request.seed)
        return Completion(text=text, finish="stop", usage=_usage(request, reading.head, text))

    @abstractmethod
    def reply(self, reading: Reading, seed: int) -> str:
        """Return the action, or without tools the answer's text."""

    def close(self) -> None:  # noqa: B027  (a reader holds nothing that must be freed)
        """Do nothing."""


class _PickingReader(Reader):
    """A reader that looks for what is wanted and picks one of its mentions."""

    @abstractmethod
    def pick(self, mentions: Sequence[Mention]) -> str | None:
        """Choose among the mentions, given in the order in which they are shown."""

    def reply(self, reading: Reading, seed: int) -> str:
        toolbox = reading.toolbox
        if toolbox is None:
            return self.pick(find_answers(reading)) or UNKNOWN
        result = finished(reading)
        if result is not None:
            return write_spoken("answer", FAILED if result.startswith(ERROR_MARK) else DONE)
        tool = choose_tool(toolbox, reading.request)
        arguments = None if tool is None else fill(toolbox, tool, reading, self.pick)
        if tool is None or arguments is None:
            return write_spoken("answer", UNKNOWN)
        return write_call(tool.name, arguments)


class FirstReader(_PickingReader):
    """Takes the earliest shown mention."""

    name = "first"

    def pick(self, mentions: Sequence[Mention]) -> str | None:
        return mentions[0].values[0] if mentions else None


class LastReader(_PickingReader):
    """Takes the latest shown mention."""

    name = "last"

    def pick(self, mentions: Sequence[Mention]) -> str | None:
        return mentions[-1].values[-1] if mentions else None


class DatedReader(_PickingReader):
    """Takes the mention with the latest date; abstains where none carries one."""

    name = "dated"

    def pick(self, mentions: Sequence[Mention]) -> str | None:
        latest = max((mention.date for mention in mentions if mention.date), default=None)
        dated = [mention for mention in mentions if mention.date == latest]
        return None if latest is None else dated[-1].values[-1]


class NoiseOptions(Options):
    """Options of `noisy`.

    Attributes:
        rate: Share of calls that ignore the memory section, from 0 to 1.
    """

    rate: float = Field(default=0.2, ge=0, le=1)


class NoisyReader(LastReader):
    """Acts as `last`, but ignores the memory section in a seeded share of calls."""

    Options: ClassVar[type[BaseModel]] = NoiseOptions
    name = "noisy"

    def __init__(self, options: NoiseOptions) -> None:
        super().__init__(options)
        self._rate = options.rate

    def reply(self, reading: Reading, seed: int) -> str:
        if random.Random(seed).random() < self._rate:
            reading = replace(reading, memory=())
        return super().reply(reading, seed)


class Parrot(Reader):
    """Repeats every line of the memory and the session that it was shown."""

    name = "parrot"

    def reply(self, reading: Reading, seed: int) -> str:
        text = " ".join((*reading.memory, *reading.session)) or UNKNOWN
        return text if reading.toolbox is None else write_spoken("answer", text)


def finished(reading: Reading) -> str | None:
    """Return the result of the call just made, or None where the call is still to make."""
    last = reading.steps[-1] if reading.steps else ""
    return last.removeprefix(f"{RESULT_CUE} ") if last.startswith(f"{RESULT_CUE} ") else None


def _usage(request: CompletionRequest, head: str, text: str) -> Usage:
    rendered, previous = request.rendered, request.previous
    # The head is the same in most prompts of a trial, and counting is additive over lines.
    tokens = _count_head(head) + count_tokens(rendered[len(head) :])
    cached = _count_shared(rendered, previous, head) if previous else 0
    return Usage(input=tokens, cached=cached, output=count_tokens(text))


@lru_cache(maxsize=256)
def _count_head(head: str) -> int:
    return count_tokens(head)


def _count_shared(rendered: str, previous: str, head: str) -> int:
    shared = shared_prefix(rendered, previous)
    if shared <= len(head):
        return count_tokens(rendered[:shared])
    return _count_head(head) + count_tokens(rendered[len(head) : shared])


def shared_prefix(left: str, right: str) -> int:
    """Return the length of the common prefix, characters."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
