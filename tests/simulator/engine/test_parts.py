"""Parts made from an arm, and back ends that are opened once."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.arm import PartSpec
from simulator.engine.parts import Backends, make, make_agent, make_environment, make_memory
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


def test_h25_an_unknown_option_is_refused_with_the_nearest_name(parts: Any) -> None:
    with pytest.raises(InputError) as caught:
        make("memory", spec(sise=4))
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
    arms = [
        lab.arm(model=spec(size=3)),
        lab.arm(id="b", model=spec(size=3), memory_model=spec(size=4)),
    ]
    sources = [backends.sources(arm) for arm in arms]
    assert [part.options.size for part in parts.made] == [3, 4]
    common = {"renderer": "plain", "scripted": True, "deterministic": True}
    assert sources[1].identities == {
        "agent_model": {"size": 3, **common},
        "memory_model": {"size": 4, **common},
    }
    backends.close()
    assert all(part.closed for part in parts.made)
    backends.sources(arms[0])
    assert len(parts.made) == 3


def test_the_embedder_of_an_arm_is_made_with_its_options(lab: Any, parts: Any) -> None:
    made = Backends().sources(lab.arm(model=spec(size=3), embedder=spec(size=9)))
    assert made.identities["embedder"] == {"size": 9}
    assert "embedder" not in Backends().sources(lab.arm(model=spec(size=3))).identities


def test_an_arm_is_paid_for_when_one_of_its_models_is_no_script(
    lab: Any, parts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not Backends().sources(lab.arm(model=spec())).paid
    monkeypatch.setattr(parts.Part, "scripted", False)
    assert Backends().sources(lab.arm(model=spec())).paid
