"""Declared profiles of simulated latencies: functions of tokens, never of the wall clock."""

from dataclasses import dataclass

from simulator.effects.prompts import Usage
from simulator.events.errors import InputError, nearest


@dataclass(frozen=True)
class Latency:
    """How long things take, in simulated ms (model rates in microseconds a token)."""

    model_ms: int
    input_us: int
    output_us: int
    embed_ms: int
    tool_ms: int

    def completion(self, usage: Usage) -> int:
        """Return the ms that a completion of this usage takes; cached input costs nothing."""
        work = (usage.input - usage.cached) * self.input_us + usage.output * self.output_us
        return self.model_ms + work // 1000


PROFILES = {
    # Round figures of the order of a hosted small model; chosen, not measured.
    "typical": Latency(model_ms=300, input_us=200, output_us=10_000, embed_ms=50, tool_ms=200),
    "none": Latency(model_ms=0, input_us=0, output_us=0, embed_ms=0, tool_ms=0),
}


def profile(name: str) -> Latency:
    """Return a profile by name.

    Raises:
        InputError: for an unknown name, with the nearest known one.
    """
    if name not in PROFILES:
        raise InputError(f"unknown latency profile {name!r}{nearest(name, PROFILES)}")
    return PROFILES[name]
