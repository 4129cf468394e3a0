"""The `recorded` back end: answers from a trial's recorded calls, in their order.

The record is used up in order, so the same prompt asked twice gets what it got each time, and
nothing ever falls through to a live model. Whether a call is the recorded one is the replay's
question: it compares the call's whole event, which holds the hash of the rendered prompt, the
output limit and the seed.
"""

from collections.abc import Iterable, Iterator

from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.port import CompletionRequest


class RecordEnded(Exception):
    """The record holds no further call."""


class RecordedModel:
    """Answers the model calls of one trial from its events.

    Attributes:
        calls: Calls answered so far.
    """

    def __init__(self, bodies: Iterable[dict[str, Json]]) -> None:
        """Take the bodies of the trial's `completion` and model `call_failed` events, in order."""
        self._bodies = iter(bodies)
        self.calls = 0

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the next recorded completion.

        Raises:
            Fault: the recorded one, when the call failed.
            RecordEnded: when the record is used up.
        """
        body = take_recorded(self._bodies)
        self.calls += 1
        usage = Usage.model_validate(body["usage"])
        return Completion(text=body["text"], finish=body["finish"], usage=usage)


def take_recorded(bodies: Iterator[dict[str, Json]]) -> dict[str, Json]:
    """Return the next recorded body of an iterator, or raise the failure recorded in its place.

    Raises:
        Fault: the recorded one.
        RecordEnded: when the record is used up.
    """
    body: dict[str, Json] | None = next(bodies, None)
    if body is None:
        raise RecordEnded
    if "fault" in body:
        raise Fault(body["culprit"], body["fault"], body["message"], body["detail"])
    return body
