"""A model that answers from a trial's recorded completions, in their order."""

from collections.abc import Iterable
from typing import ClassVar

from pydantic import BaseModel

from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.events.canonical import sha256_text
from simulator.events.recorded import CompletionRecorded
from simulator.models.port import CompletionRequest


class RecordMismatch(Exception):
    """A request is not the one that was recorded next.

    Attributes:
        call: Index of the call among this model's calls, from 0.
        recorded: What was recorded (`rendered` hash, `max_tokens`, `seed`), None when there is
            no further record.
        asked: What was asked, in the same form.
    """

    def __init__(self, call: int, recorded: dict[str, Json] | None, asked: dict[str, Json]) -> None:
        self.call, self.recorded, self.asked = call, recorded, asked
        super().__init__(f"call {call}: {_difference(recorded, asked)}")


def _difference(recorded: dict[str, Json] | None, asked: dict[str, Json]) -> str:
    if recorded is None:
        return "no further completion was recorded"
    parts = (
        f"{name} was {recorded[name]!r}, now {asked[name]!r}"
        for name in asked
        if recorded[name] != asked[name]
    )
    return "; ".join(parts)


class RecordedModel:
    """Answers the calls of one model role from its records and never from a live model.

    The records are used up in order, so the same prompt asked twice gets what it got each time.

    Attributes:
        calls: Calls answered so far.
    """

    Options: ClassVar[type[BaseModel]] = Options
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = False
    renderer: ClassVar[str] = "plain"

    def __init__(
        self, completions: Iterable[CompletionRecorded], identity: dict[str, Json]
    ) -> None:
        self._records = iter(completions)
        self._identity = identity
        self.calls = 0

    def identity(self) -> dict[str, Json]:
        """Return the identity of the model that was recorded."""
        return self._identity

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the next recorded completion.

        Raises:
            RecordMismatch: when the request is another one, or the records are used up.
        """
        record = next(self._records, None)
        asked = {
            "rendered": sha256_text(request.rendered),
            "max_tokens": request.max_tokens,
            "seed": request.seed,
        }
        recorded = None if record is None else record.model_dump(include=set(asked))
        if record is None or recorded != asked:
            raise RecordMismatch(self.calls, recorded, asked)
        self.calls += 1
        return Completion(text=record.text, finish=record.finish, usage=Usage(**record.usage))

    def close(self) -> None:
        """Do nothing: records hold no process."""
