"""Who answers and who judges in the tests of the judge, named `tests.runs.court:Class`."""

import json
from typing import ClassVar

from pydantic import BaseModel

from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader


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
