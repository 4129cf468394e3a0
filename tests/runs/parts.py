"""Parts of the tests' suites, named `tests.runs.parts:Class` like anybody's own."""

from typing import ClassVar

from pydantic import BaseModel

from memories.replay import Replay, ReplayOptions
from simulator.effects.memory import Ask, Block, MemorySetup
from simulator.effects.options import Options
from simulator.effects.prompts import Completion
from simulator.effects.steps import Steps
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader


class Speechless(LastReader):
    """A model that says nothing, which is an error of its own."""

    def complete(self, request: CompletionRequest) -> Completion:
        return super().complete(request).model_copy(update={"text": ""})


class ForgetfulOptions(Options):
    slow: bool = False


class Forgetful(Replay):
    """A memory that can be made to lose something with every read."""

    Options: ClassVar[type[BaseModel]] = ForgetfulOptions

    def __init__(self, options: ForgetfulOptions, setup: MemorySetup) -> None:
        super().__init__(ReplayOptions(), setup)
        self._slow = options.slow

    def read(self, ask: Ask) -> Steps[Block]:
        block = yield from super().read(ask)
        if self._slow and block.items:
            self.shelf.drop([block.items[0].item])
        return block
