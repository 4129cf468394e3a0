"""Values of an arc: drawn from pools so large that nobody guesses, and none twice.

Names, values that are shown from the start, and gold values come from streams of their own, the
gold ones last: whatever gold is drawn, everything else of the arc stays as it is.
"""

from collections.abc import Mapping
from random import Random

from probes.ladder.domain import Draw
from simulator.events.seeds import stream


class Pool:
    """Draws what one arc needs; `variation` changes the gold values and nothing else."""

    def __init__(self, arc: str, seed: int, draws: Mapping[str, Draw], variation: int = 0) -> None:
        self._draws = draws
        self._names = stream(arc, seed, "names")
        self._others = stream(arc, seed, "others")
        self._gold = stream(arc, seed, f"values-{variation}" if variation else "values")
        self._used: set[str] = set()
        self._golden = False

    def name(self, parameter: str) -> str:
        """Return an unused id or name (`order_id`, `person`, …)."""
        return self._unused(parameter, self._names)

    def other(self, parameter: str) -> str:
        """Return an unused value that is shown from the start: of the world, or of a request.

        Raises:
            RuntimeError: after the first gold value, which it would then depend on.
        """
        if self._golden:
            raise RuntimeError("gold values are drawn last")
        return self._unused(parameter, self._others)

    def gold(self, parameter: str) -> str:
        """Return an unused value that a probe will need, or that stood in its place before."""
        self._golden = True
        return self._unused(parameter, self._gold)

    def _unused(self, parameter: str, source: Random) -> str:
        value = self._draws[parameter](source)
        while value in self._used:
            value = self._draws[parameter](source)
        self._used.add(value)
        return value
