"""Values of an arc: drawn from pools so large that nobody guesses, and none twice."""

from collections.abc import Mapping
from random import Random

from probes.ladder.domain import Draw
from simulator.events.seeds import stream

_OF_NAMES = ("_id", "person")
"""Parameters that name somebody or something; they have a stream of their own."""


class Pool:
    """Draws what one arc needs; names and values come from independent streams."""

    def __init__(self, arc: str, seed: int, draws: Mapping[str, Draw]) -> None:
        self._draws = draws
        self._names = stream(arc, seed, "names")
        self._values = stream(arc, seed, "values")
        self._used: set[str] = set()

    def value(self, parameter: str) -> str:
        """Return an unused value for a parameter (`amount`, `order_id`, …)."""
        draw, source = self._draws[parameter], self._source(parameter)
        value = draw(source)
        while value in self._used:
            value = draw(source)
        self._used.add(value)
        return value

    def _source(self, parameter: str) -> Random:
        return self._names if parameter.endswith(_OF_NAMES) else self._values
