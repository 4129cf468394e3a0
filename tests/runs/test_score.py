"""`memtrial score` and what `trace` says beside a violation, through the command line."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from probes.scenario import read_scenario, write_scenario
from runs.cli import app
from runs.commands import score as command
from runs.commands.score import read_keys
from scoring.keys import Forbidden, NeverSaysCheck
from scoring.rescoring import rescore
from simulator.events.errors import InputError

STORY = """
script:
  arc: day
  environment: conversation
  episodes:
    - id: told
      at: 2026-03-02T09:00:00Z
      events:
        - {kind: message, id: first, text: "The meeting is planned."}
        - {kind: message, id: moved, text: "It is not on Friday, it is on Thursday."}
    - id: asked
      at: 2026-03-03T09:00:00Z
      events:
        - {kind: decision, id: d, request: "When is the meeting?"}
key:
  probes:
    - id: when
      kind: update
      decision: asked/d
      dependent: true
      gold: [{name: day, value: Thursday, evidence: [told/moved]}]
      forbidden:
        - {value: Friday, failure: resurrection}
        - {value: approved, failure: resurrection}
      checks:
        - {check: says, phrase: Thursday}
        - {check: never_says, phrase: Friday, failure: resurrection}
"""
SUITE = """
name = "days"
[[scenarios]]
files = ["day.yaml"]
[[memories]]
name = "none"
[[memories]]
name = "replay"
implementation = "unbudgeted"
[[models]]
name = "parrot"
"""


def call(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result


def refusal(*arguments: object) -> str:
    """Return the one line with which wrong input is refused."""
    result = call(*arguments, status=2)
    (line,) = result.stderr.splitlines()
    assert (result.stdout, line.startswith("memtrial: ")) == ("", True)
    return str(line)


def as_json(*arguments: object) -> Any:
    return json.loads(call(*arguments, "--json").stdout)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("days")
    (folder / "day.yaml").write_text(STORY, encoding="utf-8")
    (folder / "suite.toml").write_text(SUITE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(story: Path) -> Path:
    """A parrot without a memory, and one that repeats all of it."""
    call("run", story / "suite.toml", "--out", story / "run")
    return story / "run"


def sha(run: Path) -> str:
    return hashlib.sha256((run / "events.db").read_bytes()).hexdigest()


def test_a_run_is_scored_again_with_its_versions(run: Path) -> None:
    before = sha(run)
    found = as_json("score", run)
    assert (found["run"], found["scorer"], "against" in found) == ("run", "clause-2", False)
    assert list(found["key_hashes"]) == ["day"]
    assert [row["tsr_dependent"] for row in found["arms"]] == [0.0, 1.0]
    assert [row["failures"]["any"]["by_phrase"] for row in found["arms"]] == [[0, 1], [0, 1]]
    assert [row["rejected"] for row in found["arms"]] == [[0, 1], [1, 1]]
    assert found["inadmissible"] == [{"phrase": "approved", "reason": "a topic word", "probes": 1}]
    assert sha(run) == before


def test_the_plain_scorer_is_held_against_ours(run: Path) -> None:
    against = as_json("score", run, "--against", "plain")["against"]
    (change,) = against["changed"]
    assert (change["before"]["verdict"], change["after"]["verdict"]) == ("failed", "passed")
    assert against["identical"]
    shown = call("score", run, "--against", "plain").stdout
    for part in (
        "scorer clause-2, keys",
        "Violations, by query and by phrase",
        "0 of 1",
        "'approved': a topic word, in 1 probes",
        "1 of 2 decisions changed",
        "1: failed with a violation → passed",
        "negated: 'not' before it in its clause rules it out",
        "0.00 → 1.00",
        "identical: 2 compared: errors,",
    ):
        assert part in shown, part


def test_other_keys_are_held_against_the_runs_own(run: Path, story: Path, tmp_path: Path) -> None:
    same = as_json("score", run, "--keys", run / "keys")
    assert (same["against"]["changed"], same["against"]["identical"]) == ([], True)
    assert same["keys"] == same["against"]["keys"]
    scenario = read_scenario(story / "day.yaml")
    (probe,) = scenario.key.probes
    dead = probe.model_copy(
        update={
            "forbidden": (*probe.forbidden, Forbidden(value="planned", failure="fabrication")),
            "checks": (*probe.checks, NeverSaysCheck(phrase="planned", failure="fabrication")),
        }
    )
    key = scenario.key.model_copy(update={"probes": (dead,)})
    write_scenario(scenario.model_copy(update={"key": key}), tmp_path / "day.yaml")
    found = as_json("score", run, "--keys", tmp_path)
    (change,) = found["against"]["changed"]
    assert change["after"]["violations"] == [["fabrication", "planned"]]
    assert change["why"] == [
        "fabrication 'planned': not forbidden → asserted: nothing in its clause rules it out"
    ]
    assert found["keys"] != same["keys"]
    assert f"(from {tmp_path})" in call("score", run, "--keys", tmp_path).stdout


def test_two_changes_at_once_are_refused(run: Path) -> None:
    said = refusal("score", run, "--keys", run / "keys", "--against", "plain")
    assert "two changes at once" in said
    assert "'plain'" in CliRunner().invoke(app, ["score", str(run), "--against", "plane"]).output


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "no scenario"),
        ({"a.txt": "x"}, "no scenario"),
        ({"a.json": "{"}, "Invalid JSON"),
        ({"a.json": '{"arc": "a", "domain": "d", "cluster": "c"}'}, "probes"),
        ({"a.json": '{"arc": "a", "domain": "d", "cluster": "c", "probes": []}'}, "no key for arc"),
        ({"a.yaml": STORY, "b.yml": STORY}, "second key for arc 'day'"),
        ({"a.yaml": "script: {"}, "a.yaml"),
    ],
)
def test_a_folder_that_holds_no_keys_for_the_run_is_refused(
    run: Path, tmp_path: Path, files: dict[str, str], says: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert says in refusal("score", run, "--keys", tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read_keys(tmp_path / "gone")


def test_a_change_that_touched_what_it_cannot_touch_exits_1(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> Any:
        found = rescore(*arguments)
        found["against"]["controls"][0]["different"] = 1
        found["against"]["identical"] = False
        return found

    monkeypatch.setattr(command, "rescore", broken)
    shown = call("score", run, "--against", "plain", status=1).stdout
    assert "DIFFERENT 1 of 2 compared: tokens" in shown


def test_no_model_and_no_index_is_needed(run: Path) -> None:
    blocked = "for name in ('llama_cpp', 'sentence_transformers', 'openai', 'chromadb'):\n"
    code = f"import sys\n{blocked}    sys.modules[name] = None\nfrom runs.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code, "score", str(run), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scorer"] == "clause-2"


def test_a_trace_explains_every_place_of_a_violation(story: Path, tmp_path: Path) -> None:
    said = STORY.replace("The meeting is planned.", "The meeting is on Friday.")
    (tmp_path / "day.yaml").write_text(said, encoding="utf-8")
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    call("run", tmp_path / "suite.toml", "--out", tmp_path / "run")
    (decision,) = as_json("trace", tmp_path / "run", "replay")["decisions"]
    (misuse,) = decision["misuses"]
    assert (misuse["value"], misuse["where"]) == ("Friday", "text")
    assert [each["verdict"] for each in misuse["occurrences"]] == ["asserted", "negated"]
    for each in misuse["occurrences"]:
        assert decision["text"][each["start"] : each["end"]] == "Friday"
    never = decision["checks"][1]
    assert (never["passed"], never["inadmissible"]) == (False, None)
    assert never["occurrences"] == misuse["occurrences"]
    shown = call("trace", tmp_path / "run", "replay").stdout
    assert "resurrection: Friday in the text: nothing in its clause rules it out" in shown
    assert "('not' before it in its clause rules it out)" in shown
