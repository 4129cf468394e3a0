"""The registry: exact names, the nearest one in the message, and classes beside the suite."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.conversation import Conversation
from simulator.agents.scaffold import Scaffold
from simulator.effects.registry import PORTS, lookup, names
from simulator.events.errors import InputError


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for module in ("beside_me", "broken_beside"):
        sys.modules.pop(module, None)


def test_built_ins_are_found_by_their_exact_names() -> None:
    assert lookup("agent", "scaffold") is Scaffold
    assert lookup("environment", "conversation") is Conversation


@pytest.mark.parametrize("port", PORTS)
def test_names_are_sorted_and_each_port_has_some(port: str) -> None:
    assert names(port) == sorted(names(port)) != []


@pytest.mark.parametrize(
    ("port", "wrong", "right"),
    [
        ("memory", "replays", "replay"),
        ("memory", "Summary", "summary"),
        ("model", "llama_cpp", "llama-cpp"),
        ("environment", "suport", "support"),
        ("agent", "scafold", "scaffold"),
        ("embedder", "mini-lm", "minilm"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(port: str, wrong: str, right: str) -> None:
    with pytest.raises(InputError) as caught:
        lookup(port, wrong)
    assert str(caught.value) == f"unknown {port} {wrong!r}; did you mean {right!r}?"


def test_a_name_like_no_other_gets_the_list() -> None:
    with pytest.raises(InputError, match="unknown agent 'zzz'; known: scaffold"):
        lookup("agent", "zzz")


def test_a_class_in_a_file_of_the_working_folder_needs_no_package(beside: Path) -> None:
    (beside / "beside_me.py").write_text("class Own:\n    pass\n", encoding="utf-8")
    assert lookup("memory", "beside_me:Own").__name__ == "Own"


@pytest.mark.parametrize(
    "name", ["beside_me:Gone", "no_such_module:X", ":X", "json:", ".x:Y", "json:loads:x"]
)
def test_a_class_that_is_not_there_is_the_users_mistake(beside: Path, name: str) -> None:
    (beside / "beside_me.py").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot load memory"):
        lookup("memory", name)
