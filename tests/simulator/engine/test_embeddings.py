"""Embeddings: recorded as the vectors that were given, and refused where they are none."""

from typing import Any

import numpy as np
import pytest

from simulator.effects.steps import Embed
from simulator.events.canonical import sha256_text

STORY = [{"id": "m", "at": 1}]


def embedding(lab: Any, embed: Any, then: Any = None) -> Any:
    def absorb(memory: Any, transcript: Any) -> Any:
        vectors = yield Embed(("two words", "one"))
        if then:
            then(vectors)

    memory = lab.Memory(embedder="listed", absorb=absorb)
    return lab.play(lab.script(STORY), memory=memory, embed=embed)


def test_texts_vectors_and_tokens_are_recorded(lab: Any) -> None:
    vectors = np.array([[0.6, 0.8], [1.0, 0.0]], dtype=np.float32)
    played = embedding(lab, lambda texts: list(vectors))
    event = played.one("embedding")
    assert event.body["texts"] == [sha256_text("two words"), sha256_text("one")]
    assert [played.blobs[key] for key in event.body["vectors"]] == [
        bytes.fromhex("9a99193fcdcc4c3f"),  # 0.6 and 0.8, little-endian float32
        bytes.fromhex("0000803f00000000"),
    ]
    assert (event.body["tokens"], event.body["purpose"]) == (3, "write")
    assert event.causes == [played.one("boundary").id]
    assert played.one("memory_change").time == 51
    assert played.events[0].body["identities"]["embedder"] == {"name": "listed"}


def test_a_memory_gets_what_is_recorded_whatever_the_embedder_gave(lab: Any) -> None:
    given: list[Any] = []
    fixed = np.array([0.1, 0.2])  # float64, and not to be written to
    fixed.flags.writeable = False

    def then(vectors: Any) -> None:
        given.extend(vectors)
        vectors[0][0] = 9.0  # a memory may do with its vectors what it likes

    played = embedding(lab, lambda texts: [fixed, [1, 0]], then)
    assert [vector.dtype.str for vector in given] == ["<f4", "<f4"]
    assert played.errors == []
    stored = [played.blobs[key] for key in played.one("embedding").body["vectors"]]
    assert stored[0] == np.array([0.1, 0.2], dtype="<f4").tobytes()
    assert stored[1] == given[1].tobytes()
    assert fixed[0] == 0.1


@pytest.mark.parametrize(
    ("vectors", "fault", "message"),
    [
        ([[1.0]], "invalid", "1 vectors for 2 texts"),
        ([[1.0], [1.0], [1.0]], "invalid", "3 vectors for 2 texts"),
        ([[[1.0]], [[1.0]]], "invalid", "a vector must have one dimension"),
        ([["a"], ["b"]], "crash", None),
        (None, "crash", None),
    ],
)
def test_what_is_no_vector_for_each_text_is_the_embedders_fault(
    lab: Any, vectors: Any, fault: str, message: str | None
) -> None:
    played = embedding(lab, lambda texts: vectors)
    assert played.errors == [("embedder", fault, True)]
    assert message in (None, played.one("call_failed").body["message"])
    assert played.text(played.one("call_failed").body["asked"]) == '["two words","one"]'
    assert not played.all("embedding")


def test_a_text_that_cannot_be_stored_is_never_asked(lab: Any) -> None:
    def absorb(memory: Any, transcript: Any) -> Any:
        yield Embed(("\ud800",))

    memory = lab.Memory(embedder="listed", absorb=absorb)
    played = lab.play(lab.script(STORY), memory=memory, embed=lambda texts: [[1.0]])
    assert played.errors == [("memory", "crash", True)]
    assert not played.all("call_failed")
