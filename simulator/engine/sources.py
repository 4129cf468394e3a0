"""Where completions and vectors come from: live back ends, or a trial's record."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np

from simulator.effects.embedder import Embedder
from simulator.effects.prompts import Attempt, Completion, Service
from simulator.effects.steps import Vector
from simulator.engine.blame import blamed
from simulator.events import Json, canonical_json
from simulator.events.canonical import MAX_TEXT
from simulator.events.faults import Fault
from simulator.models.port import CallFault, CompletionRequest, Model

ModelRole = Literal["agent_model", "memory_model"]


class Sources(Protocol):
    """Answers the two effects that cost something.

    Attributes:
        identities: Role (`agent_model`, `memory_model`, `embedder`) to identity.
        paid: True when a completion costs money or minutes and must be kept at once.
    """

    identities: dict[str, Json]
    paid: bool

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the completion of a request."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a unit vector for each text."""
        ...


class LiveSources:
    """Asks the real back ends."""

    def __init__(self, models: dict[ModelRole, Model], embedder: Embedder | None) -> None:
        self._models = models
        self._embedder = embedder
        self.identities: dict[str, Json] = {
            role: identity_of(model) for role, model in models.items()
        }
        if embedder is not None:
            self.identities["embedder"] = dict(embedder.identity())
        self.paid = not all(model.scripted for model in models.values())

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Ask the model of this role.

        Raises:
            Fault: culprit `model`.
        """
        with blamed("model"):
            completion = self._models[role].complete(request)
            completion.text.encode("utf-8")  # what cannot be stored was not said
        if len(completion.text) > MAX_TEXT:
            said = f"it said {len(completion.text):,} characters at once; {MAX_TEXT:,} are taken"
            raise CallFault("model", "invalid", said, service=_as_failed(completion, said))
        return completion

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Ask the embedder.

        Raises:
            Fault: culprit `embedder`.
        """
        with blamed("embedder"):
            if self._embedder is None:
                raise RuntimeError("this memory names no embedder")
            # Copies in the recorded type, so that a memory gets the same live and replayed.
            with np.errstate(over="ignore"):
                vectors = [np.array(each, dtype="<f4") for each in self._embedder.embed(texts)]
        if len(vectors) != len(texts):
            raise Fault("embedder", "invalid", f"{len(vectors)} vectors for {len(texts)} texts")
        if any(vector.ndim != 1 for vector in vectors):
            raise Fault("embedder", "invalid", "a vector must have one dimension")
        if not all(np.isfinite(vector).all() for vector in vectors):
            raise Fault("embedder", "invalid", "a vector holds NaN or an infinity")
        return vectors


def _as_failed(completion: Completion, why: str) -> Service:
    """Return how a call was served whose completion is refused: it costs what it used."""
    service = completion.service or Service()
    refused = Attempt(status=None, message=why, usage=completion.usage)
    return service.model_copy(update={"attempts": (*service.attempts, refused)})


def identity_of(model: Model) -> dict[str, Json]:
    """Return what the log says of a model: what it says of itself, and what its class declares."""
    identity = {
        **model.identity(),
        "renderer": model.renderer,
        "scripted": model.scripted,
        "deterministic": model.deterministic,
    }
    canonical_json(identity)  # what cannot be stored is refused before anything is played
    return identity
