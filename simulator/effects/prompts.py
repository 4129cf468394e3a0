"""The neutral prompt: one structure that every back end renders in its own way."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulator.effects.environment import Tool
from simulator.events import Frozen, Surface


class Prompt(Frozen):
    """A prompt before rendering; sections in the order in which they are shown.

    Attributes:
        instructions: What the model is here for.
        tools: Tools that may be called; without tools the completion is plain text.
        examples: Worked examples.
        block: The rendered memory block, or ``""``.
        context: Surfaces of the working context, without the request.
        request: What must be acted on now.
        steps: Calls already made for this request and their results, in order.
    """

    instructions: str
    tools: tuple[Tool, ...] = ()
    examples: tuple[str, ...] = ()
    block: str = ""
    context: tuple[Surface, ...] = ()
    request: str
    steps: tuple[Surface, ...] = ()


MOST_TOKENS = 10**9
"""More is no count of a call's tokens, and would move the simulated clock past all dates."""

Count = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class Usage(Frozen):
    """Tokens of one call as the back end counts them.

    Attributes:
        input: All prompt tokens, cached ones included.
        cached: Prompt tokens shared with the trial's previous prompt; for a model that an
            endpoint serves, those that it says it took from a cache.
        output: All produced tokens, reasoning included.
        reasoning: Produced tokens that are not part of the text.
    """

    input: Count
    cached: Count = 0
    output: Count
    reasoning: Count = 0

    @model_validator(mode="after")
    def _parts_within_wholes(self) -> Self:
        if self.cached > self.input or self.reasoning > self.output:
            raise ValueError("cached is a part of input, and reasoning a part of output")
        return self


class Attempt(Frozen):
    """A request of one call that brought no completion.

    Attributes:
        status: HTTP status, or None where no whole answer came.
        message: What went wrong, in one sentence.
        usage: What it used by the endpoint's own account; None where it gave none.
        waited: What was waited before the next request, ms; 0 after the last.
    """

    status: int | None
    message: str
    usage: Usage | None = None
    waited: int = Field(default=0, ge=0)


class Service(Frozen):
    """How an endpoint served one call; its usage is then the endpoint's own account.

    Attributes:
        model: The model that answered, as the endpoint names it, or ``""``.
        fingerprint: The endpoint's name for its set-up (`system_fingerprint`), or ``""``.
        attempts: Requests that brought no completion, in order.
    """

    model: str = ""
    fingerprint: str = ""
    attempts: tuple[Attempt, ...] = ()


class Completion(Frozen):
    """What a model said; `finish` is `length` when it was cut off.

    `service` is None for a model that no endpoint serves.
    """

    text: str
    finish: Literal["stop", "length"]
    usage: Usage
    service: Service | None = None
