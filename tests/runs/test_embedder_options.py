"""Options of an embedder: a suite's own table of them reaches the arm, its name and the vectors."""

from pathlib import Path
from typing import Any

import pytest

from runs.arms import arms
from runs.suite import read_suite
from simulator.engine.arm import PartSpec
from simulator.events.errors import InputError
from tests.runs.conftest import SMALL, Memtrial

WIDER = "[embedders.lexical]\ndimension = 512\n"
RETRIEVAL = SMALL.replace('"none", "facts"', '"facts", "retrieval"')


def made(folder: Path, more: str, text: str = RETRIEVAL) -> dict[str, Any]:
    (folder / "set.toml").write_text(text + more, encoding="utf-8")
    return {arm.memory.name: arm for arm in arms(read_suite(str(folder / "set.toml")))}


def test_the_table_reaches_the_arms_that_embed(tmp_path: Path) -> None:
    found = made(tmp_path, WIDER)
    assert found["facts"].embedder is None
    assert found["retrieval"].embedder == PartSpec(name="lexical", options={"dimension": 512})
    assert found["retrieval"].id.endswith("+embedder=lexical,dimension=512")


def test_defaults_are_spelled_out_and_not_named(tmp_path: Path) -> None:
    found = made(tmp_path, "")
    assert found["retrieval"].embedder == PartSpec(name="lexical", options={"dimension": 256})
    assert "embedder" not in found["retrieval"].id


def test_vectors_have_the_length_that_the_table_says(memtrial: Memtrial, tmp_path: Path) -> None:
    made(tmp_path, WIDER)
    assert memtrial("run", "set.toml", "--out", "run").status == 0
    arm = memtrial("trace", "run", "easy retrieval", "--json").json["arm"]
    assert (arm["embedder"], arm["embedder_options"]) == ("lexical", {"dimension": 512})
    assert memtrial("replay", "run").status == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[embedders.lexical]\ndimensoin = 9\n", "did you mean 'dimension'"),
        ("[embedders.minilm]\nbatch = 8\n", "no memory embeds with 'minilm'"),
    ],
)
def test_a_table_that_changes_nothing_is_refused(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(tmp_path, more)
