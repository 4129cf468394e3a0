"""The neutral prompt: one structure that every back end renders in its own way."""

from typing import Literal

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
    """

    instructions: str
    tools: tuple[Tool, ...] = ()
    examples: tuple[str, ...] = ()
    block: str = ""
    context: tuple[Surface, ...] = ()
    request: str


class Usage(Frozen):
    """Tokens of one call as the back end counts them.

    Attributes:
        input: All prompt tokens, cached ones included.
        cached: Prompt tokens shared with the trial's previous prompt.
        output: All produced tokens, reasoning included.
        reasoning: Produced tokens that are not part of the text.
    """

    input: int
    cached: int = 0
    output: int
    reasoning: int = 0


class Completion(Frozen):
    """What a model said; `finish` is `length` when it was cut off."""

    text: str
    finish: Literal["stop", "length"]
    usage: Usage
