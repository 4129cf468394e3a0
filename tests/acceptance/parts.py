"""Parts of the acceptance suites, named `tests.acceptance.parts:Class` like anybody's own."""

import re
from typing import ClassVar

from pydantic import BaseModel

from memories.extraction.dictation import written_facts
from memories.paging import Paging
from probes.oracles import PerfectReader
from simulator.agents.actions import Outcome
from simulator.agents.port import Desk
from simulator.agents.scaffold import prompt_of
from simulator.effects.options import Options as NoOptions
from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import Complete, Steps
from simulator.events import Json
from simulator.events.tokens import count_tokens
from simulator.models.port import CompletionRequest

_ID = re.compile(r"\b[OCA]-\d{4}\b")
_VALUE = re.compile(r"\$\d+\.\d\d|\b\d{3}-555-\d{4}\b|\b(?:RMA|KX)-\d+\b|\b\d{3} [A-Z]\w+ [A-Z]\w+")


class Scribe:
    """A memory model: writes down every value that stands in a line with an id."""

    Options: ClassVar[type[BaseModel]] = NoOptions
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = True
    renderer: ClassVar[str] = "plain"

    def __init__(self, options: NoOptions) -> None:
        pass

    def identity(self) -> dict[str, Json]:
        return {"model": "scribe"}

    def complete(self, request: CompletionRequest) -> Completion:
        prompt = request.rendered
        _, _, session = prompt.partition("## This session\n")
        _, _, notes = prompt.partition("Old notes:\n")
        seen = session.partition("\n\n")[0].splitlines()
        facts = [fact for line in seen for fact in self._facts(line)]
        if "Write the facts" in prompt:
            text = written_facts([(name, "value", value) for name, value in facts])
        else:
            lines = [f"{name}: the value is {value}." for name, value in facts]
            lines += notes.partition("\n\n")[0].splitlines()
            text = "\n".join(lines) or "Nothing was said."
        usage = Usage(input=count_tokens(prompt), output=count_tokens(text))
        return Completion(text=text, finish="stop", usage=usage)

    def close(self) -> None:
        """Nothing is open."""

    def _facts(self, line: str) -> list[tuple[str, str]]:
        ids = _ID.findall(line)
        return [(ids[0], value) for value in _VALUE.findall(line)] if ids else []


class WitnessedReader(PerfectReader):
    """The perfect reader, with the prompt that it would show a model put into the log first."""

    def act(self, desk: Desk) -> Steps[Outcome]:
        yield Complete(prompt_of(desk), 1)
        return (yield from super().act(desk))


class Squatter(Paging):
    """A memory with a tool that has the name of one of a world's."""

    tools = (Paging.tools[0].model_copy(update={"name": "read_document"}),)
