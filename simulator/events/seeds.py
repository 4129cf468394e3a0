"""Seeded random streams, one a purpose.

The arm is left out on purpose: two arms of one arc draw the same numbers and stay paired.
"""

import hashlib
import random


def stream(arc: str, seed: int, purpose: str) -> random.Random:
    """Return the random stream of one purpose of one arc under one trial seed."""
    material = "\x1f".join((arc, str(seed), purpose)).encode()
    return random.Random(int.from_bytes(hashlib.sha256(material).digest(), "big"))
