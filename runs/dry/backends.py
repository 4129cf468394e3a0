"""Where the completions and vectors of a dry run come from: rules alone, never a model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from runs.dry.assumptions import Lengths
from runs.dry.standins import Actor, Grader, Scribe, StandIn
from simulator.effects.embedder import Embedder
from simulator.effects.prompts import Completion
from simulator.effects.registry import lookup
from simulator.effects.steps import Vector
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.parts import make
from simulator.engine.sources import LiveSources, ModelRole
from simulator.events import Json
from simulator.models.port import CompletionRequest, Model


class DrySources:
    """Answers by scripted readers and rules, and by stand-ins for everything else.

    Attributes:
        identities: What the parts are, of those that are stood in for as far as can be told.
        paid: False, for nothing is paid.
    """

    def __init__(
        self,
        live: LiveSources,
        stand_ins: Mapping[ModelRole, StandIn],
        identities: Mapping[str, Json],
    ) -> None:
        self._live = live
        self._stand_ins = stand_ins
        self.identities: dict[str, Json] = {**live.identities, **identities}
        self.paid = False

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Return the answer of the reader or stand-in in this role.

        Raises:
            Fault: culprit `model`, when a reader fails.
        """
        stand_in = self._stand_ins.get(role)
        if stand_in is not None:
            return stand_in.complete(request)
        return self._live.complete(role, request)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector, made by a rule, for each text.

        Raises:
            Fault: culprit `embedder`.
        """
        return self._live.embed(texts)


class DryBackends:
    """Opens what stands in for the models and embedders of a suite.

    Args:
        lengths: Assumed lengths of completions.
        recorded: Arm id to the identities of its parts, where a run has recorded them.
    """

    def __init__(self, lengths: Lengths, recorded: Mapping[str, Json] | None = None) -> None:
        self._lengths = lengths
        self._recorded = recorded or {}
        self._readers: dict[str, Model] = {}

    def sources(self, arm: Arm) -> DrySources:
        """Return sources for a trial of this arm."""
        known: Mapping[str, Json] = self._recorded.get(arm.id, {})
        readers: dict[ModelRole, Model] = {}
        stand_ins: dict[ModelRole, StandIn] = {}
        identities: dict[str, Json] = {}
        for role, (spec, make_one, length) in self._parts(arm).items():
            if is_scripted(spec):
                readers[role] = self._reader(spec)
            else:
                stand_ins[role] = make_one(spec, length)
                identities[role] = known.get(role) or _model_taken(spec)
        embedder, ruled = _embedder(arm.embedder)
        if arm.embedder is not None and not ruled:
            identities["embedder"] = known.get("embedder") or _taken(arm.embedder)
        return DrySources(LiveSources(readers, embedder), stand_ins, identities)

    def judge(self, spec: PartSpec) -> Callable[[CompletionRequest], Completion]:
        """Return what answers in the place of the judge."""
        if is_scripted(spec):
            live = LiveSources({"agent_model": self._reader(spec)}, None)
            return lambda request: live.complete("agent_model", request)
        return Grader(spec, self._lengths.judge).complete

    def _parts(self, arm: Arm) -> dict[ModelRole, "_Part"]:
        parts: dict[ModelRole, _Part] = {"agent_model": (arm.model, Actor, self._lengths.agent)}
        if arm.memory_model is not None:
            parts["memory_model"] = (arm.memory_model, Scribe, self._lengths.memory)
        return parts

    def _reader(self, spec: PartSpec) -> Model:
        key = spec.model_dump_json()
        if key not in self._readers:
            self._readers[key] = make("model", spec)
        return self._readers[key]

    def close(self) -> None:
        """Close the readers."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()


class _Makes(Protocol):
    def __call__(self, spec: PartSpec, length: int | None) -> StandIn: ...


_Part = tuple[PartSpec, _Makes, int | None]


def is_scripted(spec: PartSpec) -> bool:
    """Return whether a model is a scripted reader, which a dry run asks as it is."""
    return bool(lookup("model", spec.name).scripted)


def is_ruled(spec: PartSpec) -> bool:
    """Return whether an embedder is a rule, which a dry run uses as it is."""
    return bool(lookup("embedder", spec.name).deterministic)


def stood_in_for(arm: Arm) -> list[PartSpec]:
    """Return the models and the embedder of an arm that a dry run has stand-ins for."""
    models = (arm.model, arm.memory_model)
    found = [spec for spec in models if spec is not None and not is_scripted(spec)]
    if arm.embedder is not None and not is_ruled(arm.embedder):
        found.append(arm.embedder)
    return found


def hears_no_seed(arm: Arm) -> bool:
    """Return whether a dry trial is the same under every seed: no model of the arm gets one."""
    models = (arm.model, arm.memory_model)
    return not any(is_scripted(spec) for spec in models if spec is not None)


def _embedder(spec: PartSpec | None) -> tuple[Embedder | None, bool]:
    if spec is None:
        return None, True
    if is_ruled(spec):
        made: Embedder = make("embedder", spec)
        return made, True
    return LexicalEmbedder(LexicalOptions()), False


def _model_taken(spec: PartSpec) -> dict[str, Json]:
    cls = lookup("model", spec.name)
    declared = {"renderer": cls.renderer, "scripted": False, "deterministic": cls.deterministic}
    return {**_taken(spec), **declared}


def _taken(spec: PartSpec) -> dict[str, Json]:
    """Return what a part is taken to be by its options: by this name it is looked up for a price.

    Its own account of itself would need the part, and that a key, weights or a connection.
    """
    named = {"model": spec.options.get("model"), "endpoint": spec.options.get("base_url")}
    return {"name": spec.name, **{key: value for key, value in named.items() if value}}


def judge_taken(spec: PartSpec) -> dict[str, Json]:
    """Return what the judge is taken to be."""
    return {**_taken(spec), "scripted": is_scripted(spec)}
