"""`check` runs the contract of each port: ours keep it, and what breaks it is caught."""

from pathlib import Path

import pytest

from runs.contracts import PORTS, broken_promises
from simulator.effects.registry import names
from simulator.events.errors import InputError
from tests.runs.conftest import Memtrial

EXTRA = {"llama-cpp", "minilm", "openai"}
SHIPPED = [(port, name) for port in PORTS for name in names(port) if name not in EXTRA]
ORACLES = ["OracleAgent", "PerfectReader", "Snooper", "DoNothing", "AlwaysRefuse"]


@pytest.mark.parametrize(("port", "name"), SHIPPED)
def test_everything_registered_keeps_its_contract(port: str, name: str) -> None:
    assert broken_promises(port, name) == []


@pytest.mark.parametrize("name", ORACLES)
def test_the_agents_that_test_scenarios_keep_it_too(name: str) -> None:
    assert broken_promises("agent", f"probes.oracles:{name}") == []


@pytest.mark.local
def test_the_parts_of_the_local_extra_keep_it() -> None:
    pytest.importorskip("sentence_transformers", reason="the `local` extra is not installed")
    assert broken_promises("embedder", "minilm") == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("replay", {"implementation": "oldest"}),
        ("replay", {"implementation": "unbudgeted", "dates": "false"}),
        ("summary", {"implementation": "model"}),
        ("facts", {"implementation": "model"}),
        ("hybrid", {"extractor": "model", "top_k": "3"}),
    ],
)
def test_options_choose_what_is_checked(name: str, options: dict[str, str]) -> None:
    assert broken_promises("memory", name, options) == []


@pytest.mark.parametrize(
    ("port", "name", "says"),
    [
        ("memory", "tests.runs.strangers:Leaky", "an instance sees what another one absorbed"),
        ("memory", "json:JSONDecoder", "it has no `Options`"),
        ("agent", "tests.runs.strangers:Tireless", "no end after 1000 effects"),
        ("agent", "tests.runs.strangers:Moody", "an earlier decision changes what it does"),
        ("agent", "tests.runs.strangers:Dice", "two agents act differently"),
        ("agent", "tests.runs.strangers:Mute", "returns NoneType, which is no outcome"),
        ("agent", "tests.runs.strangers:Librarian", "Embed is no effect that an agent may ask"),
        ("agent", "tests.runs.strangers:Brittle", "it raised KeyError: 'ticket'"),
        ("agent", "tests.runs.strangers:Accuser", "it blames the memory"),
        ("agent", "tests.runs.strangers:Undeclared", "`oracle` is not True or False"),
        ("model", "tests.runs.strangers:Nameless", "the identity changes between calls"),
        ("embedder", "tests.runs.strangers:Long", "is not 1"),
        ("embedder", "tests.runs.strangers:Double", "float64 is not float32"),
        ("embedder", "tests.runs.strangers:Flat", "is not (8,)"),
        ("embedder", "tests.runs.strangers:Short", "1 vectors for 7 texts"),
        ("embedder", "tests.runs.strangers:Blind", "two different texts have the same vector"),
        ("embedder", "tests.runs.strangers:Placed", "embedded alone has another vector"),
        ("embedder", "tests.runs.strangers:Unstorable", "it raised NotStorable"),
        ("environment", "tests.runs.strangers:Loud", "the agent is told nothing"),
        ("environment", "tests.runs.strangers:Bare", "it has no `check_world`"),
    ],
)
def test_what_breaks_a_promise_is_caught(port: str, name: str, says: str) -> None:
    broken = broken_promises(port, name)
    assert any(says in promise for promise in broken), broken


def test_a_part_that_cannot_be_made_here_is_no_broken_promise(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        broken_promises("model", "llama-cpp", {"model": str(tmp_path / "no.gguf")})


def test_check_ends_with_1_and_says_what_is_broken(memtrial: Memtrial) -> None:
    done = memtrial("check", "agent", "tests.runs.strangers:Mute")
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith("broken: with a model that says an answer it returns NoneType")
    assert done.out.endswith("agent tests.runs.strangers:Mute: breaks its contract\n")
    told = memtrial("check", "agent", "tests.runs.strangers:Mute", "--json").json
    assert (told["ok"], len(told["broken"])) == (False, 1)
    good = memtrial("check", "environment", "support")
    assert (good.status, good.out) == (0, "environment support: keeps its contract\n")
