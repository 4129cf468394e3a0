"""The lexical embedder: a hashed bag of word stems and letter trigrams, bit-equal everywhere.

Counts are integers; the only floating-point step is one division by a square root, and both are
correctly rounded by IEEE 754, so equal texts give equal bytes on every machine.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from memories.words import STOP_WORDS, stem
from simulator.effects.options import Options
from simulator.effects.steps import Vector
from simulator.events import Json

_WORD = re.compile(r"\w+(?:[-.]\w+)*")
_STEM_WEIGHT = 4
_NUMBER_WEIGHT = 8  # an id or an amount says more than a word
_TRIGRAM_WEIGHT = 1


class LexicalOptions(Options):
    """Options of `lexical`.

    Attributes:
        dimension: Length of the vectors; more means fewer collisions.
    """

    dimension: int = Field(default=256, ge=16, le=4096)


class LexicalEmbedder:
    """Embeds by the words themselves: no weights, no library, some microseconds a text."""

    Options: ClassVar[type[BaseModel]] = LexicalOptions
    deterministic: ClassVar[bool] = True

    def __init__(self, options: LexicalOptions) -> None:
        self.dimension = options.dimension

    def identity(self) -> dict[str, Json]:
        """Return name, version of the recipe, and dimension."""
        return {"name": "lexical", "version": 1, "dimension": self.dimension}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit float32 vector of shape (dimension,) for each text."""
        return [_text_vector(text, self.dimension) for text in texts]


@lru_cache(maxsize=4096)
def _text_vector(text: str, dimension: int) -> Vector:
    words = _WORD.findall(text.casefold())
    said = [word for word in words if word not in STOP_WORDS] or words
    total = np.zeros(dimension, dtype=np.int64)
    for word in said:
        total += _word_counts(word, dimension)
    square = int(np.dot(total, total))
    if square == 0:  # no word, or features that cancel out: a fixed direction of its own
        total[0] = square = 1
    vector: Vector = (total / np.sqrt(np.float64(square))).astype(np.float32)
    vector.flags.writeable = False
    return vector


@lru_cache(maxsize=16_384)
def _word_counts(word: str, dimension: int) -> NDArray[np.int64]:
    counts = np.zeros(dimension, dtype=np.int64)
    for feature, weight in _features(word):
        digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
        sign = 1 if digest[0] & 1 else -1
        counts[int.from_bytes(digest[1:], "big") % dimension] += sign * weight
    return counts


def _features(word: str) -> list[tuple[str, int]]:
    if any(letter.isdigit() for letter in word):
        return [(word, _NUMBER_WEIGHT)]
    edged = f"^{word}$"
    trigrams = [(edged[at : at + 3], _TRIGRAM_WEIGHT) for at in range(len(edged) - 2)]
    return [(f"={stem(word)}", _STEM_WEIGHT), *trigrams]
