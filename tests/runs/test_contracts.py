"""`check` runs the contract of each port: ours keep it, and what breaks it is caught."""

from pathlib import Path

import pytest

from probes.ladder import ladder
from probes.ladder.domains import DOMAINS
from runs.contracts import PORTS, broken_promises, untried_tools
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
    assert (good.status, good.out.splitlines()[0]) == (0, "environment support: keeps its contract")


def test_an_environment_is_tried_in_a_world_of_ones_own(memtrial: Memtrial, tmp_path: Path) -> None:
    """`Sly` changes the world where a tool that only reads succeeds, which it never does in none."""
    sly, world = "tests.runs.strangers:Sly", tmp_path / "world.json"
    blind = memtrial("check", "environment", sly)
    assert blind.status == 0
    assert blind.out.splitlines()[1] == (
        "in an empty world no call succeeded of look; --world FILE gives another"
    )
    world.write_text('{"lamp": 1}', encoding="utf-8")
    done = memtrial("check", "environment", sly, "--world", world)
    assert done.status == 1
    assert "look({'name': 'lamp'}): a read or an error changes the world" in done.out


def test_every_tool_of_a_shipped_environment_is_seen_to_succeed() -> None:
    """In one of three worlds, those of the ladder's first arcs, a call of it succeeds."""
    for name in DOMAINS:
        untried = []
        for arc in ladder(environment=name, seed=7, arcs=1):
            world = arc.script.world
            assert broken_promises("environment", name, world=world) == []
            untried.append(set(untried_tools(name, world)))
        assert set.intersection(*untried) == set()


@pytest.mark.parametrize(
    ("port", "text", "says"),
    [
        ("environment", "{", "world.json:1: this is no JSON"),
        ("environment", "[1]", "world.json: a world is a JSON object"),
        ("environment", '{"orders": []}', "world.orders: "),
        ("memory", "{}", "world: only an environment is tried in a world, no memory"),
    ],
)
def test_a_wrong_world_is_said(
    memtrial: Memtrial, tmp_path: Path, port: str, text: str, says: str
) -> None:
    (tmp_path / "world.json").write_text(text, encoding="utf-8")
    name = "support" if port == "environment" else "facts"
    done = memtrial("check", port, name, "--world", "world.json")
    assert (done.status, done.out) == (2, "")
    assert says in done.err
