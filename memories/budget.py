"""One way to fill a budget, shared by every memory."""

from collections.abc import Iterable
from functools import lru_cache

from simulator.effects.memory import BLOCK_HEADER, Shown
from simulator.events.tokens import count_tokens

_HEADER = count_tokens(BLOCK_HEADER)
_BREAK = count_tokens("\n")


@lru_cache(maxsize=8192)
def line_tokens(text: str) -> int:
    """Return the tokens of one line and of the line break before it."""
    return _BREAK + count_tokens(text)


def fit(lines: Iterable[Shown], budget: int | None) -> tuple[Shown, ...]:
    """Return the lines, best first, that fit into `budget` tokens, the header included.

    A line that does not fit is passed over and the next one is tried; without a budget all fit.
    The counter is additive, so the rendered block has exactly the tokens counted here.
    """
    if budget is None:
        return tuple(lines)
    left = budget - _HEADER
    kept = []
    for line in lines:
        cost = line_tokens(line.text)
        if cost <= left:
            kept.append(line)
            left -= cost
    return tuple(kept)
