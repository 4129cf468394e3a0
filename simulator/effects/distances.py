"""Distances between vectors, and the order of events at equal distance.

Shared by memories that rank and by scoring, which ranks again what a memory did not show.
"""

import re
from collections.abc import Sequence

import numpy as np

from simulator.effects.steps import Vector

MILLIONTHS = 1_000_000


def cosine_distances(query: Vector, vectors: Sequence[Vector]) -> list[int]:
    """Return 1 − the dot product of the query with each unit vector, in millionths, rounded.

    Products of float32 are exact in float64 and cumsum adds from left to right, so the sums have
    the same bits on every machine, which a BLAS product has not.
    """
    if not vectors:
        return []
    matrix = np.stack(vectors).astype(np.float64)
    cosines = np.cumsum(matrix * query.astype(np.float64), axis=1)[:, -1]
    found: list[int] = np.rint((1.0 - cosines) * MILLIONTHS).astype(np.int64).tolist()
    return found


def event_order(time: int, name: str) -> tuple[int, list[tuple[int, str]]]:
    """Return the sort key of events whatever the order of their coming: time (ms), then id.

    Numbers inside an id count as numbers, so `#9` stands before `#10`.
    """
    parts = re.findall(r"\d+|\D+", name)
    return time, [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
