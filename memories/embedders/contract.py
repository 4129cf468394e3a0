"""What every embedder must do: run `check_embedder` in a test of your own.

def test_my_embedder() -> None:
    check_embedder(lambda: MyEmbedder(MyEmbedder.Options()))
"""

from collections.abc import Callable, Sequence

import numpy as np

from simulator.effects.embedder import Embedder
from simulator.effects.steps import Vector
from simulator.events import canonical_json

Make = Callable[[], Embedder]

LENGTH_TOLERANCE = 1e-4
"""How far from 1 the length of a vector may be."""

BATCH_TOLERANCE = 1e-3
"""How far apart two vectors of one text may be, for an embedder that is not deterministic."""

TEXTS = (
    "The refund amount for order O-1042 is $137.25.",
    "Ship order O-1042 to 12 Elm Street.",
    "",
    " ",
    "…",
    "café Zürich \u4f60\u597d \U0001f600",
    "order " * 2_000,
)


def check_embedder(make: Make) -> None:
    """Check an embedder against its port; `make` returns a new one each time.

    Raises:
        AssertionError: naming the promise that is broken.
    """
    embedder = make()
    check_identity(embedder, make)
    check_vectors(embedder)
    check_repetition(embedder, make)


def check_identity(embedder: Embedder, make: Make) -> None:
    """Check that an embedder says what it is: storable, stable, without a path."""
    identity = canonical_json(embedder.identity())
    assert identity == canonical_json(embedder.identity()), "the identity changes between calls"
    other = canonical_json(make().identity())
    assert identity == other, "two embedders of the same options have different identities"
    assert "name" in embedder.identity(), "the identity has no name, which prices are found by"
    assert "/home/" not in identity and ":\\\\" not in identity, "the identity holds a path"
    assert isinstance(embedder.deterministic, bool), "`deterministic` is not True or False"


def check_vectors(embedder: Embedder) -> None:
    """Check number, type, shape and length of the vectors, for texts of every kind."""
    assert list(embedder.embed([])) == [], "no texts give vectors"
    for text, vector in zip(TEXTS, _embed(embedder, TEXTS), strict=True):
        what = repr(text if len(text) < 40 else f"{text[:40]}…")
        assert isinstance(vector, np.ndarray), f"{what}: {type(vector).__name__} is no array"
        assert vector.dtype == np.float32, f"{what}: {vector.dtype} is not float32"
        shape = (embedder.dimension,)
        assert vector.shape == shape, f"{what}: shape {vector.shape} is not {shape}"
        assert bool(np.isfinite(vector).all()), f"{what}: a component is not finite"
        length = float(np.linalg.norm(vector.astype(np.float64)))
        assert abs(length - 1) <= LENGTH_TOLERANCE, f"{what}: length {length:.6f} is not 1"
    first, second = _embed(embedder, TEXTS[:2])
    assert not np.array_equal(first, second), "two different texts have the same vector"


def check_repetition(embedder: Embedder, make: Make) -> None:
    """Check that a text keeps its vector: alone, in a batch, again, and in a new embedder."""
    whole = _embed(embedder, TEXTS)
    alone = [_embed(embedder, [text])[0] for text in TEXTS]
    backwards = _embed(embedder, TEXTS[::-1])[::-1]
    anew = _embed(make(), TEXTS)
    for how, others in (("alone", alone), ("in another order", backwards), ("anew", anew)):
        for text, one, other in zip(TEXTS, whole, others, strict=True):
            what = f"{text[:40]!r} embedded {how} has another vector"
            if embedder.deterministic:
                assert np.array_equal(one, other), what
            else:
                assert float(np.abs(one - other).max()) <= BATCH_TOLERANCE, what


def _embed(embedder: Embedder, texts: Sequence[str]) -> list[Vector]:
    vectors = list(embedder.embed(texts))
    assert len(vectors) == len(texts), f"{len(vectors)} vectors for {len(texts)} texts"
    return vectors
