"""The shipped contract: it passes what is right and names what is wrong."""

from typing import ClassVar

import pytest
from pydantic import BaseModel

from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Service, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.models.contract import check_model
from simulator.models.port import CompletionRequest


class Good:
    """The smallest model that keeps the contract: it says `Hi` and counts characters."""

    Options: ClassVar[type[BaseModel]] = Options
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = False
    renderer: ClassVar[str] = "plain"

    def identity(self) -> dict[str, Json]:
        return {"model": "good"}

    def complete(self, request: CompletionRequest) -> Completion:
        size = len(request.rendered)
        if size > 100_000:
            raise Fault("model", "overflow", "too long")
        cached = size if request.previous == request.rendered else 0
        return Completion(
            text="Hi", finish="stop", usage=Usage(input=size, cached=cached, output=1)
        )

    def close(self) -> None:
        pass


def bad_usage(**wrong: int) -> type[Good]:
    class Bad(Good):
        def complete(self, request: CompletionRequest) -> Completion:
            right = super().complete(request)
            usage = right.usage.model_copy(update=wrong)
            return right.model_copy(update={"usage": usage})

    return Bad


class UnknownRenderer(Good):
    renderer = "fancy"


class PathInIdentity(Good):
    def identity(self) -> dict[str, Json]:
        return {"model": "/home/me/weights.gguf"}


class Unsteady(Good):
    def __init__(self) -> None:
        self.calls = 0

    def identity(self) -> dict[str, Json]:
        self.calls += 1
        return {"calls": self.calls}


class CrashesOnLong(Good):
    def complete(self, request: CompletionRequest) -> Completion:
        if len(request.rendered) > 100_000:
            raise Fault("model", "crash", "died")
        return super().complete(request)


class Drifting(Good):
    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        self.number = self.made

    def complete(self, request: CompletionRequest) -> Completion:
        return super().complete(request).model_copy(update={"text": f"Hi {self.number}"})


class Unstorable(Good):
    def complete(self, request: CompletionRequest) -> Completion:
        return super().complete(request).model_copy(update={"text": "\ud800"})


def test_a_small_model_passes() -> None:
    check_model(Good)


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (UnknownRenderer, "unknown renderer 'fancy'"),
        (PathInIdentity, "holds a path"),
        (Unsteady, "changes between calls"),
        (bad_usage(input=0), "is all cached|no tokens"),
        (bad_usage(cached=1), "no previous prompt"),
        (bad_usage(cached=0), "all cached"),
        (bad_usage(reasoning=2), "reasoning tokens"),
        (bad_usage(output=0), "took no tokens"),
        (bad_usage(output=49), "more tokens than asked for"),
        (CrashesOnLong, "long prompt"),
        (Drifting, "other answers"),
    ],
)
def test_each_broken_promise_is_named(model: type[Good], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        check_model(model)


def test_a_text_that_cannot_be_stored_is_found() -> None:
    with pytest.raises(ValueError, match="lone surrogate"):
        check_model(Unstorable)


def test_an_endpoint_tells_itself_what_it_took_from_its_cache() -> None:
    inner = bad_usage(cached=1)()

    class Served(Good):
        def complete(self, request: CompletionRequest) -> Completion:
            return inner.complete(request).model_copy(update={"service": Service()})

    check_model(Served)
