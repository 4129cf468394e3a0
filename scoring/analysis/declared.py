"""What an analysis may declare: the schema of a suite's `[analysis]`."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from simulator.effects.options import Options
from simulator.events import Json


def _one(value: object) -> object:
    """Refuse what is neither text nor a whole number, in words of its own: a union has none."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return value
    raise ValueError("a text or a whole number is wanted")


def _some(value: object) -> object:
    """Refuse a list that is empty or holds anything but text and whole numbers."""
    listed = value if isinstance(value, list | tuple) else [value]
    if not listed:
        raise ValueError("an empty list takes no decision; leave the factor out to take all")
    for each in listed:
        _one(each)
    return value


Value = str | int
"""What a factor is held against; `unbudgeted` is the token budget of an arm without one."""

Values = Value | tuple[Value, ...]

Family = Literal["none", "replay"]
Split = Literal["domain", "tier", "corruption", "probe_kind"]
Side = dict[str, Annotated[Value, BeforeValidator(_one)]]
"""Factor to its value: which arms stand on one side of a hypothesis."""

Line = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
"""A name that a table can show."""

METRICS = (
    "tsr_dependent",
    "tsr_independent",
    "stale_used",
    "use_rate_all",
    "ignore_rate",
    "compliance",
)
"""What a hypothesis can be about; `scoring.analysis.metrics` says how each is read."""

OF_USE = ("use_rate_all", "ignore_rate")
"""Those of them that are about what both memories gave back."""

HYPOTHESES = "hypotheses"
UNBUDGETED = "unbudgeted"
CLEAN = "none"
"""The corruption of an arc that has none."""

ARM_KEYS = (
    "arm",
    "memory",
    "implementation",
    "model",
    "memory_model",
    "embedder",
    "agent",
    "token_budget",
    "compaction",
    "forgetting",
    "latency",
)
"""What `first` and `second` can name."""

WHERE_KEYS = ("domain", "tier", "corruption", "probe_kind", "cluster", "arc")
"""What `where` can name."""


class Hypothesis(Options):
    """One statement about two arms, made before the first trial.

    Attributes:
        name: What the table calls it.
        metric: What is compared, one of `METRICS`.
        direction: Which way the first is said to differ from the second; with one the test is
            one-sided.
        first: Which arms stand first.
        second: Which arms they are held against.
        where: Which decisions count; a list of values takes any of them. Clean arcs only, unless
            it names a corruption.
        family: Hypotheses of one family share Holm's correction.
    """

    name: Line
    metric: str = "tsr_dependent"
    direction: Literal["higher", "lower", "two-sided"] = "two-sided"
    first: Side = Field(min_length=1)
    second: Side = Field(min_length=1)
    where: dict[str, Annotated[Values, BeforeValidator(_some)]] = Field(default_factory=dict)
    family: Line = HYPOTHESES

    @property
    def readable(self) -> bool:
        """True when all that it names are factors and metrics that there are."""
        sides = {*self.first, *self.second} <= set(ARM_KEYS)
        return sides and set(self.where) <= set(WHERE_KEYS) and self.metric in METRICS


class Analysis(Options):
    """An analysis as it is declared.

    Attributes:
        hypotheses: The suite's own statements.
        families: Default families: each memory against `none`, and against the unbudgeted
            `replay` control.
        by: Everything is asked once for each combination of these factors' values.
        confirm_seed: Generation seed whose arcs are set apart: what the others show is confirmed
            only when these show it too.
        control_threshold: Dependent success that a model needs under its replay control, or
            nothing is said about memories with it.
    """

    hypotheses: tuple[Hypothesis, ...] = ()
    families: tuple[Family, ...] = ("none", "replay")
    by: tuple[Split, ...] = ()
    confirm_seed: int | None = Field(default=None, strict=True)
    control_threshold: float = Field(default=0.5, ge=0, le=1, strict=True)

    @field_validator("families", "by")
    @classmethod
    def _once(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"{twice!r} is named twice")
        return names

    @field_validator("hypotheses")
    @classmethod
    def _named_once(cls, hypotheses: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        names = [each.name for each in hypotheses]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two hypotheses are called {twice!r}")
        return hypotheses

    def dumped(self) -> Json:
        """Return the analysis as JSON, defaults spelled out."""
        return self.model_dump(mode="json")


def recorded(declared: Json) -> Analysis | None:
    """Return the analysis that a log declares; None where it is none, or not in this form."""
    if not isinstance(declared, Mapping) or not declared:
        return None
    try:
        found = Analysis.model_validate(declared)
    except ValidationError:
        return None  # a log older than the form may hold any table
    return found if all(each.readable for each in found.hypotheses) else None
