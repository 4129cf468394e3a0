"""The `recorded` back end: answers from a trial's recorded calls, in their order.

The record is used up in order, so the same prompt asked twice gets what it got each time, and
nothing ever falls through to a live model. Whether a call is the recorded one is the replay's
question: it compares the call's whole event, which holds the hash of the rendered prompt, the
output limit and the seed.
"""

from collections.abc import Iterable, Iterator

from simulator.effects.prompts import Completion, Service, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.port import CallFault, CompletionRequest


class RecordEnded(Exception):
    """The record holds no further call."""


class RecordedModel:
    """Answers the model calls of one trial from its events.

    Attributes:
        calls: Calls answered so far.
    """

    def __init__(self, bodies: Iterable[dict[str, Json]]) -> None:
        """Take the bodies of a trial's model calls, in order.

        They are those of its `service`, `completion` and model `call_failed` events.
        """
        self._bodies = iter(bodies)
        self.calls = 0

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the next recorded completion.

        Raises:
            Fault: the recorded one, when the call failed.
            RecordEnded: when the record is used up.
        """
        service: Service | None = None
        try:
            body = take_recorded(self._bodies)
            if "attempts" in body:
                service = _service(body)
                body = take_recorded(self._bodies)
        except Fault as fault:
            raise CallFault(
                fault.culprit, fault.fault, fault.message, fault.detail, service
            ) from None
        self.calls += 1
        usage = Usage.model_validate(body["usage"])
        return Completion(text=body["text"], finish=body["finish"], usage=usage, service=service)


def _service(body: dict[str, Json]) -> Service:
    return Service.model_validate({name: body[name] for name in Service.model_fields})


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
