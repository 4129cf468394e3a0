"""The document on memories says what the code does, and its code runs."""

import re
from pathlib import Path
from typing import Any

import pytest

from memories.facts import FactsOptions
from memories.hybrid import HybridOptions
from memories.ledger import LedgerOptions
from memories.paging import PagingOptions
from memories.replay import ReplayOptions
from memories.retrieval import RetrievalOptions
from memories.summary import SummaryOptions
from simulator.effects.options import Options, read_options
from simulator.effects.registry import lookup
from simulator.events.errors import InputError

DOCUMENT = (Path(__file__).parents[2] / "docs" / "memories.md").read_text(encoding="utf-8")
NAMES = ("none", "replay", "retrieval", "summary", "facts", "hybrid", "ledger", "paging")


def test_the_example_keeps_the_contract() -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    assert len(blocks) == 2
    space: dict[str, Any] = {"__name__": "example"}
    exec("\n".join(blocks), space)
    assert space["broken"] == []


@pytest.mark.parametrize(
    "options",
    [
        FactsOptions,
        HybridOptions,
        LedgerOptions,
        PagingOptions,
        ReplayOptions,
        RetrievalOptions,
        SummaryOptions,
    ],
)
def test_every_option_is_documented(options: type[Options]) -> None:
    for name in options.model_fields:
        assert f"`{name}`" in DOCUMENT


@pytest.mark.parametrize("name", NAMES)
def test_the_built_in_ones_are_registered_and_refuse_unknown_options(name: str) -> None:
    memory = lookup("memory", name)
    with pytest.raises(InputError, match="unknown option 'top_kk'"):
        read_options(memory.Options, {"top_kk": 3}, name)


def test_a_misspelt_option_gets_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean 'top_k'"):
        read_options(RetrievalOptions, {"top_kk": 200}, "retrieval")


@pytest.mark.parametrize("name", ["lexical", "minilm"])
def test_the_embedders_are_registered(name: str) -> None:
    assert lookup("embedder", name).Options is not None
