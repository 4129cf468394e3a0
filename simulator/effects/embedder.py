"""The embedder port."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from pydantic import BaseModel

from simulator.effects.steps import Vector
from simulator.events import Json


class Embedder(Protocol):
    """Turns texts into unit vectors; made as `Class(options)`.

    Attributes:
        Options: Its options.
        deterministic: True when equal texts give bit-equal vectors on every machine.
        dimension: Length of a vector.
    """

    Options: ClassVar[type[BaseModel]]
    deterministic: ClassVar[bool]
    dimension: int

    def identity(self) -> dict[str, Json]:
        """Return what must be equal for vectors to be comparable: name, weights' hash, version."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit-length float32 vector of shape (dimension,) for each text."""
        ...
