"""The model port."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from pydantic import BaseModel

from simulator.effects.prompts import Completion, Prompt, Service
from simulator.events import Json
from simulator.events.faults import Culprit, Fault, FaultKind


@dataclass(frozen=True)
class CompletionRequest:
    """One call to a model.

    Attributes:
        prompt: The neutral prompt (its tools shape a grammar).
        rendered: The prompt as text, rendered by the model's renderer.
        previous: The trial's previous rendered prompt to this model, or ``""``; the common
            prefix is what counts as cached.
        max_tokens: Most tokens to produce.
        seed: 63-bit seed of this call, from the arc, the trial seed, the decision (or other event)
            it is made for and its index there; free of the arm, so that arms are paired.
    """

    prompt: Prompt
    rendered: str
    previous: str
    max_tokens: int
    seed: int


class CallFault(Fault):
    """A call that an endpoint could not serve; what its requests used is paid all the same.

    Attributes:
        service: The requests that were made, or None where no endpoint is involved.
    """

    def __init__(
        self,
        culprit: Culprit,
        fault: FaultKind,
        message: str,
        detail: str = "",
        service: Service | None = None,
    ) -> None:
        super().__init__(culprit, fault, message, detail)
        self.service = service


class Model(Protocol):
    """A model back end; made as `Class(options)`.

    Attributes:
        Options: Its options.
        deterministic: True when equal requests give equal completions on every machine.
        scripted: True for readers that validate semantics and are no evidence about models.
        renderer: Name of the renderer in `simulator.models.rendering`.
    """

    Options: ClassVar[type[BaseModel]]
    deterministic: ClassVar[bool]
    scripted: ClassVar[bool]
    renderer: ClassVar[str]

    def identity(self) -> dict[str, Json]:
        """Return what must be equal for completions to be comparable; no path and no secret."""
        ...

    def complete(self, request: CompletionRequest) -> Completion:
        """Complete a prompt.

        Raises:
            Fault: culprit `model`; `overflow` when the prompt does not fit, `crash` when the
                back end died (the next call works again). A `CallFault` where requests to an
                endpoint used something.
        """
        ...

    def close(self) -> None:
        """End child processes and free memory."""
        ...
