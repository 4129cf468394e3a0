"""An arm: one memory configuration × model × token budget × the other factors of a comparison."""

import re
from typing import Literal, Self

from pydantic import model_validator

from simulator.events import Frozen, Json, content_hash
from simulator.events.residues import Forgetting
from simulator.events.tokens import COUNTER_NAME

Compaction = Literal["forced", "native"]
"""When the working context is cut: at scripted points, or by the memory's own trigger."""


class PartSpec(Frozen):
    """A pluggable part: its registered name and its effective options, defaults spelled out."""

    name: str
    options: dict[str, Json]


class Arm(Frozen):
    """The settings that a trial is played under.

    Attributes:
        id: Canonical slug of the settings.
        memory: The memory architecture.
        model: The agent's model.
        memory_model: The model that a memory may write with, or None.
        embedder: The embedder that the memory asks for, or None.
        agent: The agent.
        token_budget: Most tokens of a memory block; None is unbudgeted.
        compaction: When the working context is cut: at scripted points (`forced`), or as soon as
            it holds more tokens than the memory's option `compact_at` (`native`).
        forgetting: What a withdrawal or deletion does: `off` (the agent only hears of it), `index`
            (the memory drops what came directly from the source) or `lineage` (everything that
            contains the source goes, in the memory and in the working context).
        counter: The token counter that budgets use.
        latency: Named profile of simulated latencies.
    """

    id: str
    memory: PartSpec
    model: PartSpec
    memory_model: PartSpec | None = None
    embedder: PartSpec | None = None
    agent: PartSpec
    token_budget: int | None
    compaction: Compaction = "forced"
    forgetting: Forgetting = "off"
    counter: str = COUNTER_NAME
    latency: str = "typical"

    @model_validator(mode="after")
    def _has_a_trigger(self) -> Self:
        if self.compaction == "native" and not self.memory.options.get("compact_at"):
            raise ValueError(f"memory {self.memory.name!r} declares no trigger: no `compact_at`")
        return self

    def describe(self) -> dict[str, Json]:
        """Return the flat options that the log and all tables use."""
        return {
            "memory": self.memory.name,
            "implementation": self.memory.options.get("implementation", "standard"),
            "memory_options": self.memory.options,
            "model": self.model.name,
            "model_options": self.model.options,
            "memory_model": self.memory_model.name if self.memory_model else None,
            "memory_model_options": self.memory_model.options if self.memory_model else {},
            "embedder": self.embedder.name if self.embedder else None,
            "embedder_options": self.embedder.options if self.embedder else {},
            "agent": self.agent.name,
            "agent_options": self.agent.options,
            "token_budget": self.token_budget,
            "compaction": self.compaction,
            "forgetting": self.forgetting,
            "counter": self.counter,
            "latency": self.latency,
        }

    @classmethod
    def from_description(cls, name: str, flat: dict[str, Json]) -> "Arm":
        """Rebuild an arm from its id and what `describe` returned.

        Raises:
            pydantic.ValidationError: when the description does not fit this version.
        """
        writer, embedder = flat["memory_model"], flat["embedder"]
        return cls(
            id=name,
            memory=PartSpec(name=flat["memory"], options=flat["memory_options"]),
            model=PartSpec(name=flat["model"], options=flat["model_options"]),
            memory_model=(
                PartSpec(name=writer, options=flat["memory_model_options"]) if writer else None
            ),
            embedder=(
                PartSpec(name=embedder, options=flat["embedder_options"]) if embedder else None
            ),
            agent=PartSpec(name=flat["agent"], options=flat["agent_options"]),
            token_budget=flat["token_budget"],
            compaction=flat["compaction"],
            forgetting=flat["forgetting"],
            counter=flat["counter"],
            latency=flat["latency"],
        )


def slug(parts: list[str], behind: str = "") -> str:
    """Join parts into an id that is safe in paths, URLs and SQL; long ones end in a hash.

    Behind another id, that id stands in front as it is.
    """
    safe = (re.sub(r"[^A-Za-z0-9._=,-]+", "_", part) for part in parts)
    text = "+".join([behind, *safe] if behind else safe)
    whole = [behind, *parts] if behind else parts
    return text if len(text) <= 120 else f"{text[:100]}~{content_hash(whole)[:12]}"
