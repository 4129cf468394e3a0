"""Parts of the tests' suites, named `tests.runs.parts:Class` like anybody's own."""

import json
import os
from typing import ClassVar

from pydantic import BaseModel

from memories.replay import Replay, ReplayOptions
from simulator.effects.memory import Ask, Block, MemorySetup
from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import Steps
from simulator.events import Json
from simulator.events.canonical import sha256_text
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader


class Speechless(LastReader):
    """A model that says nothing, which is an error of its own."""

    def complete(self, request: CompletionRequest) -> Completion:
        return super().complete(request).model_copy(update={"text": ""})


class Teller(LastReader):
    """Answers the questions of court.yaml, always in the same words."""

    ANSWERS: ClassVar[dict[str, str]] = {
        "On which day do we meet?": "On Thursday, not on Friday.",
        "In which room do we meet?": "In Room 302.",
        "Is the deal signed?": "No.",
        "What is the code?": "It is KX-2.",
    }

    def complete(self, request: CompletionRequest) -> Completion:
        said = super().complete(request)
        return said.model_copy(update={"text": self.ANSWERS[request.prompt.request]})


class GraderOptions(Options):
    mutter: bool = False
    crash: str = ""


class Grader:
    """A judge without sense: what contains something forbidden fails, whatever is said of it.

    It can be made to mutter instead, or to crash where a text is about something. `asked` are all
    rendered prompts that any of them was given.
    """

    Options: ClassVar[type[BaseModel]] = GraderOptions
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = False
    renderer: ClassVar[str] = "plain"
    asked: ClassVar[list[CompletionRequest]] = []

    def __init__(self, options: GraderOptions) -> None:
        self._options = options

    def identity(self) -> dict[str, Json]:
        return {"model": "grader-9", "weights": "none"}

    def complete(self, request: CompletionRequest) -> Completion:
        self.asked.append(request)
        about = json.loads(request.prompt.request)
        if self._options.crash and self._options.crash in about["text"]:
            raise RuntimeError("the judge fell asleep")
        bad = any(phrase in about["text"] for phrase in about["forbidden"])
        good = all(phrase in about["text"] for phrase in about["required"])
        text = " Pass.\n" if good and not bad else "fail"
        if self._options.mutter:
            text = f"{text}, I think"
        usage = Usage(input=1000, cached=400 if request.previous else 0, output=2)
        return Completion(text=text, finish="stop", usage=usage)

    def close(self) -> None:
        pass


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


class Paid(LastReader):
    """A reader that counts as a hosted model: each call is paid, priced and kept at once.

    It writes one line a call into the file that `LEDGER` names, when it is asked and before it
    answers: so what a killed run paid for can be told from what it recorded.
    """

    scripted: ClassVar[bool] = False

    def identity(self) -> dict[str, Json]:
        return {**super().identity(), "model": "gpt-4.1-mini"}

    def complete(self, request: CompletionRequest) -> Completion:
        if os.environ.get(LEDGER):
            asked = sha256_text(f"{request.seed} {request.rendered}")
            handle = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, f"{asked}\n".encode())
            os.close(handle)
        return super().complete(request)


LEDGER = "MEMTRIAL_TEST_LEDGER"
