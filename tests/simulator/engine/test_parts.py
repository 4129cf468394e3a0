"""Parts made from an arm, and back ends that are opened once."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.engine.arm import PartSpec
from simulator.engine.parts import Backends, effective, make_agent, make_environment, make_memory
from simulator.events.errors import InputError

MODULE = """
from simulator.effects.options import Options

made = []

class Limits(Options):
    size: int = 3

class Part:
    Options = Limits
    scripted, deterministic, renderer = True, True, "plain"

    def __init__(self, options=None, setup=None):
        self.options, self.setup, self.closed = options, setup, False
        made.append(self)

    def identity(self):
        return {"size": self.options.size}

    def close(self):
        self.closed = True

class Vain(Part):
    Options = Options

    def identity(self):
        return {"name": "vain"}
"""


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "own_parts.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield __import__("own_parts")
    sys.modules.pop("own_parts")


def spec(**options: Any) -> PartSpec:
    return PartSpec(name="own_parts:Part", options=options)


def test_effective_options_spell_out_the_defaults(parts: Any) -> None:
    assert effective("model", "own_parts:Part", {}) == spec(size=3)
    assert effective("model", "own_parts:Part", {"size": 4}) == spec(size=4)
    assert effective("agent", "scaffold", {}).options == {"max_steps": 4, "max_tokens": 96}


def test_h25_an_unknown_option_is_refused_with_the_nearest_name(parts: Any) -> None:
    with pytest.raises(InputError) as caught:
        effective("memory", "own_parts:Part", {"sise": 4})
    assert str(caught.value) == (
        "memory 'own_parts:Part': unknown option 'sise'; did you mean 'size'?"
    )


def test_a_memory_is_told_its_trial_and_whether_it_has_a_model(lab: Any, parts: Any) -> None:
    memory: Any = make_memory(lab.arm(memory=spec()), "arc/arm/0")
    assert (memory.options.size, memory.setup.trial, memory.setup.has_model) == (
        3,
        "arc/arm/0",
        False,
    )
    helped: Any = make_memory(lab.arm(memory=spec(size=9), memory_model=spec()), "t")
    assert (helped.options.size, helped.setup.has_model) == (9, True)


def test_agents_and_environments_are_made_by_name(lab: Any, parts: Any) -> None:
    agent: Any = make_agent(lab.arm(agent=spec(size=5)))
    assert agent.options.size == 5
    assert make_environment("conversation").tools == ()


def test_a_back_end_is_opened_once_for_equal_options_and_closed_at_the_end(
    lab: Any, parts: Any
) -> None:
    backends = Backends()
    memory: Any = SimpleNamespace(embedder=None)
    arms = [
        lab.arm(model=spec(size=3)),
        lab.arm(id="b", model=spec(size=3), memory_model=spec(size=4)),
    ]
    sources = [backends.sources(arm, memory) for arm in arms]
    assert [part.options.size for part in parts.made] == [3, 4]
    common = {"renderer": "plain", "scripted": True, "deterministic": True}
    assert sources[1].identities == {
        "agent_model": {"size": 3, **common},
        "memory_model": {"size": 4, **common},
    }
    backends.close()
    assert all(part.closed for part in parts.made)
    backends.sources(arms[0], memory)
    assert len(parts.made) == 3


def test_the_embedder_that_a_memory_names_is_made(lab: Any, parts: Any) -> None:
    memory: Any = SimpleNamespace(embedder="own_parts:Vain")
    sources = Backends().sources(lab.arm(model=spec(size=3)), memory)
    assert sources.identities["embedder"] == {"name": "vain"}


def test_an_arm_is_paid_for_when_one_of_its_models_is_no_script(
    lab: Any, parts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory: Any = SimpleNamespace(embedder=None)
    assert not Backends().sources(lab.arm(model=spec()), memory).paid
    monkeypatch.setattr(parts.Part, "scripted", False)
    assert Backends().sources(lab.arm(model=spec()), memory).paid
