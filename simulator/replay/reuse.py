"""Sources that ask nothing twice: a parent's answers while requests are byte-equal, else live ones."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

import numpy as np

from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import Vector
from simulator.engine.sources import ModelRole, Sources
from simulator.engine.turning import Turn
from simulator.events import Json, canonical_json
from simulator.events.canonical import sha256_text
from simulator.events.tokens import count_tokens
from simulator.log.bodies import body_of
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest

_Call = tuple[str, str, str, int, int]
"""Role, identity, hash of the rendered prompt, output limit, seed."""


class ReusingSources:
    """Answers from a trial's record what was asked there in the same bytes of the same part.

    A completion needs the same model identity, rendered prompt, output limit and seed; the same
    call twice gets both answers in order. A vector needs the same embedder identity and text.
    What failed there is asked again. A reused completion keeps the usage it was recorded with.

    Attributes:
        identities: Identities of the live parts.
        paid: As the live sources say.
        reused: One entry an answered call, in order: its tokens that were not asked for again,
            or None when all of it was new.
        asked: Calls that reached a live part.
    """

    def __init__(self, live: Sources, log: EventLog, rows: Iterable[Row], turns: Sequence[Turn]):
        self._live = live
        self._log = log
        self.identities = live.identities
        self.paid = live.paid
        self.reused: list[int | None] = []
        self.asked = 0
        self._said: dict[_Call, deque[Completion]] = defaultdict(deque)
        self._vectors: dict[tuple[str, str], str] = {}
        ahead = deque(turns)
        identities: dict[str, Json] = {}
        for row in rows:
            if row.kind == "trial_opened":
                identities = body_of(row)["identities"]
            if ahead and row.position == ahead[0].position:
                identities = ahead.popleft().identities
            if row.kind == "completion":
                self._take_completion(body_of(row), identities)
            elif row.kind == "embedding":
                self._take_vectors(body_of(row), identities)

    def _take_completion(self, body: Json, identities: dict[str, Json]) -> None:
        role = body["role"]
        call = (role, _name(identities, role), body["rendered"], body["max_tokens"], body["seed"])
        usage = Usage.model_validate(body["usage"])
        self._said[call].append(Completion(text=body["text"], finish=body["finish"], usage=usage))

    def _take_vectors(self, body: Json, identities: dict[str, Json]) -> None:
        embedder = _name(identities, "embedder")
        for text, vector in zip(body["texts"], body["vectors"], strict=True):
            self._vectors.setdefault((embedder, text), vector)

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the recorded completion of an equal request, or ask for one.

        Raises:
            Fault: of the live model.
        """
        prompt = sha256_text(request.rendered)
        call = (role, _name(self.identities, role), prompt, request.max_tokens, request.seed)
        recorded = self._said.get(call)
        if recorded:
            completion = recorded.popleft()
            self.reused.append(completion.usage.input + completion.usage.output)
            return completion
        self.asked += 1
        completion = self._live.complete(role, request)
        self.reused.append(None)
        return completion

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return recorded vectors of equal texts; the other texts are embedded in one call.

        Raises:
            Fault: of the live embedder.
        """
        embedder = _name(self.identities, "embedder")
        blobs = [self._vectors.get((embedder, sha256_text(text))) for text in texts]
        new = [text for text, blob in zip(texts, blobs, strict=True) if blob is None]
        self.asked += bool(new)
        fresh = iter(self._live.embed(new) if new else ())
        known = [text for text, blob in zip(texts, blobs, strict=True) if blob is not None]
        self.reused.append(sum(map(count_tokens, known)) if known else None)
        return [next(fresh) if blob is None else self._read(blob) for blob in blobs]

    def _read(self, blob: str) -> Vector:
        return np.frombuffer(self._log.blob(blob), dtype="<f4")


def _name(identities: dict[str, Json], role: str) -> str:
    return canonical_json(identities.get(role))
