"""What is fuzzed: each target takes one hostile input and raises only for a fault of ours."""

import tempfile
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from benchmarks.fuzzing.inputs import arguments, as_toml, as_yaml, edited, grafted, replies
from benchmarks.fuzzing.logs import check_log, forged_logs
from benchmarks.fuzzing.stage import MEMORIES, errors, play
from probes.drawing import outline, to_svg
from probes.linting.lint import lint
from probes.scenario import Scenario, read_scenario, read_scenarios, write_scenario
from probes.scenario.nodes import Listing, Mapping, Node, Scalar, compose
from runs.plan import plan
from runs.scenarios import check_world
from runs.suite import SHIPPED, Ladder, read_suite
from simulator.agents.actions import Answer, Call, Clarification, Refusal, parse_action
from simulator.effects.registry import names
from simulator.engine.parts import make_environment
from simulator.engine.world import World
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.events.nested import names_and_texts
from simulator.models.openai.reply import Asked, read_reply

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "probes" / "examples" / "support-refund.yaml"
TALK = ROOT / "tests" / "acceptance" / "talk.yaml"
VERBS = ROOT / "runs" / "templates" / "task.yaml"

MODELS_ALONE = {"model", "agent"}


class Unexpected(AssertionError):
    """An input led to something that no documented rule says."""


def demand(holds: bool, what: object) -> None:
    """Raise when something does not hold."""
    if not holds:
        raise Unexpected(str(what)[:500])


@dataclass(frozen=True)
class Target:
    """One thing to fuzz.

    Attributes:
        name: What it is.
        share: Its share of all inputs, in percent.
        inputs: Where inputs come from.
        check: Raises for a fault; returns a word for what became of the input.
    """

    name: str
    share: int
    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], str]


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def _file(text: str, name: str) -> Path:
    path = _folder() / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def _plain(node: Node) -> Json:
    """Return a YAML node as plain JSON, every scalar a text."""
    match node:
        case Scalar():
            return node.text
        case Listing():
            return [_plain(item) for item in node.items]
        case Mapping():
            return {name: _plain(entry) for name, entry in node.entries.items()}


@cache
def _scenario_texts() -> tuple[str, ...]:
    return _bare(EXAMPLE), _bare(TALK), _bare(VERBS)


def _bare(path: Path) -> str:
    """Return a file without its comments, in which a change would change nothing."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.lstrip().startswith("#"))


def scenario_files() -> st.SearchStrategy[tuple[str, int]]:
    """Return scenario files, each with a memory to play it with."""
    trees = tuple(_plain(compose(text)) for text in _scenario_texts())
    texts = st.one_of(edited(_scenario_texts()), grafted(trees).map(as_yaml))
    return st.tuples(texts, st.integers(0, len(MEMORIES) - 1))


def check_scenario(given: tuple[str, int]) -> str:
    """Read, lint, draw, write and play a scenario file."""
    text, memory = given
    path = _file(text, "scenario.yaml")
    invalid = [problem for problem in lint([path]) if problem.invalid]
    if invalid:
        demand({problem.file for problem in invalid} == {str(path)}, f"no file: {invalid}")
        return "refused"
    for scenario in read_scenarios(path):
        check_world(scenario)
        outline(scenario)
        to_svg(scenario)
        again = _file("", "again.yaml")
        write_scenario(scenario, again)
        demand(read_scenario(again) == scenario, "what was written reads back as something else")
        found = errors(play(scenario, memory))
        demand({culprit for culprit, _, _ in found} <= MODELS_ALONE, found)
    return "played"


@cache
def _suite_texts() -> tuple[str, ...]:
    template = ROOT / "runs" / "templates" / "suite.toml"
    return tuple(map(_bare, (*sorted(SHIPPED.glob("*.toml")), template)))


def suites() -> st.SearchStrategy[str]:
    """Return suites."""
    trees = tuple(tomllib.loads(text) for text in _suite_texts())
    return st.one_of(edited(_suite_texts()), grafted(trees).map(as_toml))


def check_suite(text: str) -> str:
    """Read a suite and plan it, unless it asks for more arcs than a fuzzer has time for."""
    path = str(_file(text, "suite.toml"))
    try:
        suite = read_suite(path)
        if any(isinstance(each, Ladder) and each.arcs > 2 for each in suite.scenarios):
            suite = suite.model_copy(update={"scenarios": ()})
            from runs.arms import arms

            arms(suite)
            return "its arms made"
        plan(path)
    except InputError:
        return "refused"
    return "planned"


def check_output(given: tuple[list[str], int]) -> str:
    """Let a model say something, at every decision of an arc, and to the memory too."""
    texts, memory = given
    for text in texts:
        with suppress(Fault):
            action = parse_action(text)
            known = isinstance(action, Call | Answer | Clarification | Refusal)
            demand(known, "parse_action returns no action")
    found = errors(play(_example(), memory, texts))
    allowed = {"model", "agent"}
    demand({culprit for culprit, _, _ in found} <= allowed, found)
    told = {fault for _, fault, _ in found}
    demand("crash" not in told or any("\ud800" <= c <= "\udfff" for t in texts for c in t), found)
    return "an error of the model's" if found else "played"


@cache
def _example() -> Scenario:
    return read_scenario(EXAMPLE)


def outputs() -> st.SearchStrategy[tuple[list[str], int]]:
    """Return what a model says in turn, with a memory."""
    said = st.lists(replies(), min_size=1, max_size=4)
    return st.tuples(said, st.integers(0, len(MEMORIES) - 1))


REPLIES: tuple[Json, ...] = (
    {
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {
                                "name": "get_order",
                                "arguments": '{"order_id": "O-2210"}',
                            },
                        }
                    ],
                },
            }
        ]
    },
    {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Done."}}]},
    {"choices": [{"finish_reason": "length", "message": {"content": "Do", "refusal": "No."}}]},
)
"""What an endpoint returns: a call, a text, half a text beside a refusal."""


def check_reply(given: tuple[Json, bool, bool, bool]) -> str:
    """Read what an endpoint returned, and then what an agent would read of it."""
    body, *asked = given
    try:
        text, _ = read_reply(body if isinstance(body, dict) else {}, Asked(*asked))
    except Fault as fault:
        demand(fault.culprit == "model", fault)
        return f"refused as {fault.fault}"
    text.encode("utf-8")
    with suppress(Fault):
        parse_action(text)
    return "read"


def tool_calls() -> st.SearchStrategy[tuple[str, str, Any]]:
    """Return an environment, one of its tools, and arguments."""
    found: list[st.SearchStrategy[tuple[str, str, Any]]] = []
    texts = tuple(names_and_texts(_example().script.world))
    for name in names("environment"):
        for tool in make_environment(name).tools:
            found.append(st.tuples(st.just(name), st.just(tool.name), arguments(tool, texts)))
        found.append(st.tuples(st.just(name), st.text(max_size=9), st.just({"x": 1})))
    return st.one_of(*found)


def check_call(given: tuple[str, str, Any]) -> str:
    """Check arguments by the schema, run the tool, and hold the world to its own rules."""
    name, tool, wanted = given
    environment = make_environment(name)
    start = _example().script.world if name == "support" else {}
    world = World(environment, start)
    checked = world.check(tool, wanted)
    if checked.error is not None:
        canonical_json(checked.error)
        demand(len(checked.error) < 1_000, "an error fills the prompt")
        return "refused by the schema"
    outcome = world.call(tool, checked.arguments, 1)
    demand(bool(outcome.text), "the agent is told nothing")
    environment.check_world(world.state)
    return "done" if outcome.ok else "refused by the tool"


TARGETS: tuple[Callable[[], Target], ...] = (
    lambda: Target("scenario files", 14, scenario_files(), check_scenario),
    lambda: Target("suites", 10, suites(), check_suite),
    lambda: Target("model output", 15, outputs(), check_output),
    lambda: Target(
        "endpoint replies",
        10,
        st.tuples(grafted(REPLIES), st.booleans(), st.booleans(), st.booleans()),
        check_reply,
    ),
    lambda: Target("tool arguments", 50, tool_calls(), check_call),
    lambda: Target("forged logs", 1, forged_logs(), check_log),
)
"""Every target, made when it is wanted."""
