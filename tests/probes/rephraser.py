"""A scripted model that puts sentences into other words: `tests.probes.rephraser:Rephraser`."""

import re
from typing import ClassVar, Literal

from pydantic import BaseModel

from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.port import CompletionRequest

Way = Literal["well", "other value", "negated", "chatty", "silent", "in turn", "broken"]


class RephraserOptions(Options):
    """How it says things."""

    way: Way = "well"


class Rephraser:
    """Rephrases well, or badly in one of several ways."""

    Options: ClassVar[type[BaseModel]] = RephraserOptions
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = True
    renderer: ClassVar[str] = "plain"

    def __init__(self, options: RephraserOptions) -> None:
        self._way = options.way
        self._turn = 0
        self.closed = False

    def identity(self) -> dict[str, Json]:
        return {"model": "rephraser"}

    def complete(self, request: CompletionRequest) -> Completion:
        sentence = request.prompt.request
        assert f"## Request\n{sentence}\n" in request.rendered
        self._turn += 1
        way = ("well", "negated")[self._turn % 2] if self._way == "in turn" else self._way
        if way == "broken":
            raise Fault("model", "crash", "it fell over")
        said = rephrased(sentence, way)
        return Completion(text=said, finish="stop", usage=Usage(input=1, output=1))

    def close(self) -> None:
        self.closed = True


def rephrased(sentence: str, way: str) -> str:
    well = f"By the way, {sentence[0].lower()}{sentence[1:]}"
    match way:
        case "well":
            return f'\n "{well}"\nAnything else?'
        case "other value":
            return re.sub(r"\d(?=\D*$)", lambda found: str((int(found[0]) + 1) % 10), well)
        case "negated":
            return well.replace(" is ", " is not ").replace(" was ", " was never ")
        case "chatty":
            return f"{well} Is that fine?"
        case _:
            return ""
