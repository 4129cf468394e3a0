"""Names, flags, JSON keys and statuses of the command line are a contract."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from runs.cli import app
from tests.runs.conftest import Memtrial

ROOT = Path(__file__).parents[2]

COMMANDS: dict[str, set[str]] = {
    "run": {
        "--out",
        "--workers",
        "--resume",
        "--max-usd",
        "--prices",
        "--shard",
        "--gate",
        "--strict",
        "--json",
    },
    "compare": {
        "--analysis",
        "--power",
        "--by",
        "--table",
        "--columns",
        "--mapping",
        "--baseline",
        "--control",
        "--html",
        "--json",
    },
    "costs": {"--prices", "--as", "--by", "--json"},
    "estimate": {"--prices", "--as", "--output-tokens", "--against", "--json"},
    "score": {"--keys", "--against", "--json"},
    "trace": {"--at", "--replay", "--json"},
    "diff": {"--json"},
    "report": {"--html"},
    "verify": {"--root", "--report", "--json"},
    "backup": set(),
    "replay": {"--json"},
    "fork": {
        "--at",
        "--memory",
        "--model",
        "--token-budget",
        "--without",
        "--out",
        "--json",
    },
    "ask": {"--out", "--workers", "--resume", "--max-usd", "--prices", "--json"},
    "lint": {"--json"},
    "graph": {"--out"},
    "generate ladder": {
        "--seed",
        "--out",
        "--environment",
        "--arcs",
        "--tiers",
        "--dependent",
        "--distractors",
        "--corruption",
        "--rate",
        "--corruption-mode",
        "--paraphrase-model",
        "--json",
    },
    "generate context": {
        "--seed",
        "--out",
        "--tasks",
        "--full",
        "--influence",
        "--families",
        "--no-twins",
        "--refill",
        "--json",
    },
    "generate risks": {"--seed", "--out", "--arcs", "--risks", "--json"},
    "select": {
        "--fraction",
        "--selector",
        "--weights",
        "--seed",
        "--draws",
        "--bootstrap",
        "--new",
        "--table",
        "--columns",
        "--out",
        "--json",
    },
    "import statebench": {"--out", "--per-arc", "--sample", "--seed", "--json"},
    "audit statebench": {"--json"},
    "audit jsonl": {"--map", "--json"},
    "audit sample": {"--n", "--out", "--seed", "--json"},
    "audit agree": {"--key", "--json"},
    "explain": {"--text", "--phrase", "--prompt", "--decision", "--json"},
    "list": {"--json"},
    "check": {"--option", "--world", "--json"},
    "new": {"--out", "--like", "--verbs", "--json"},
    "review": {"--out", "--take", "--json"},
    "doctor": {"--json"},
}


def commands(group: Any, before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        inner = hasattr(command, "commands")
        found |= commands(command, f"{name} ") if inner else {before + name: command}
    return found


def test_the_commands_and_their_options_are_these() -> None:
    found = {
        name: {
            option
            for parameter in command.params
            for option in parameter.opts
            if option.startswith("-")
        }
        - {"--help"}
        for name, command in commands(typer.main.get_command(app)).items()
    }
    assert found == COMMANDS


@pytest.mark.parametrize("name", ["", "import", "audit", *COMMANDS])
def test_help_names_every_option_and_says_what_it_is(memtrial: Memtrial, name: str) -> None:
    done = memtrial(*name.split(), "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"Usage: memtrial {name}".rstrip())
    for option in COMMANDS.get(name, set()):
        (line,) = [each for each in done.out.splitlines() if each.split()[:1] == [option]]
        assert len(line.split(maxsplit=2)) == 3
    if not name:
        listed = {line.split()[0] for line in done.out.splitlines() if line.startswith("  ")}
        assert {each.partition(" ")[0] for each in COMMANDS} <= listed


HEAVY = (
    "altair",
    "chromadb",
    "concurrent.futures",
    "genai_prices",
    "jinja2",
    "jsonpatch",
    "jsonschema",
    "multiprocessing",
    "networkx",
    "numpy",
    "pydantic",
    "rich",
    "ruamel",
    "scipy",
    "simpy",
    "sqlite3",
    "sqlite_utils",
    "vl_convert",
)


def test_help_imports_nothing_heavy() -> None:
    # No clock here: what takes time to import is not imported.
    code = (
        "import sys; sys.argv = ['memtrial', '--help']\n"
        "from runs.cli import main\n"
        "try: main()\n"
        f"finally: print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == "[]\n"
    assert done.stdout.startswith("Usage: memtrial")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["conpare"], "memtrial: unknown command 'conpare'; did you mean 'compare'?"),
        (["frobnicate"], "memtrial: unknown command 'frobnicate'; known: ask, audit, backup, "),
        (["import", "stateench"], "unknown command 'stateench'; did you mean 'statebench'?"),
        (["run", "quickstart", "--worker", "2"], "--workers"),
        (["run", "quickstart", "--workers", "0"], "--workers"),
        (["run", "quickstart", "--workers", "two"], "--workers"),
        (["list", "memoriez"], "'memories'"),
        (["generate", "ladder"], "--out"),
        (["generate", "laddr", "--out", "x"], "unknown command 'laddr'; did you mean 'ladder'?"),
        (["generate", "ladder", "--out", "x", "--tiers", "esay"], "did you mean 'easy'?"),
        (["generate", "ladder", "--out", "x", "--environment", "suport"], "mean 'support'?"),
        (["generate", "ladder", "--out", "x", "--environment", "conversation"], "no ladder for"),
        (["generate", "ladder", "--out", "x", "--tasks", "8"], "--tasks"),
        (["generate", "context", "--out", "x", "--arcs", "4"], "--arcs"),
        (
            ["generate", "context", "--out", "x", "--families", "acces-audit"],
            "mean 'access-audit'?",
        ),
        (["generate", "context", "--out", "x", "--tasks", "241"], "tasks: from 1 to 240 tasks"),
        (["generate", "context", "--out", "x", "--tasks", "1", "--full"], "leave one of the two"),
        (["check", "memory", "relpay"], "unknown memory 'relpay'; did you mean 'replay'?"),
        (["check", "agent", "scafold"], "unknown agent 'scafold'; did you mean 'scaffold'?"),
        (["check", "model", "lst"], "unknown model 'lst'; did you mean 'last'?"),
        (["check", "embedder", "lexicl"], "unknown embedder 'lexicl'; did you mean 'lexical'?"),
        (["check", "environment", "suport"], "unknown environment 'suport'; did you mean 'sup"),
        (["check", "memory", "replay", "--option", "date=no"], "did you mean 'dates'?"),
        (["check", "memory", "replay", "--option", "dates"], "an option is KEY=VALUE"),
        (["check", "environment", "support", "--option", "a=b"], "an environment has no options"),
        (["import", "statebench", "nowhere.jsonl", "--out", "x"], "nowhere.jsonl"),
        (["new", "scenario", "../x"], "a name is a letter"),
    ],
)
def test_a_wrong_call_ends_with_2_and_what_would_be_right(
    memtrial: Memtrial, tmp_path: Path, arguments: list[str], says: str
) -> None:
    done = memtrial(*arguments)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert list(tmp_path.iterdir()) == []


ROW = (
    "memory implementation model domain tier token_budget compaction forgetting corruption "
    "probe_kind risk n errors tsr_dependent tsr_dependent_ci tsr_independent use_rate_values "
    "use_rate_all ignore_rate smh camu compliance lift residues presentations exposures "
    "exposure_upper95 collateral_loss retention pass_rate pass_rate_safety tokens usd usd_as_if"
).split()


def test_json_keys_of_commands_on_a_run(memtrial: Memtrial, small: Path) -> None:
    run = memtrial("run", small, "--out", "run", "--json").json
    assert {"run", "trials", "errors", "events"} <= set(run)
    assert (run["run"], run["trials"], run["errors"]) == ("run", 4, 0)

    verified = memtrial("verify", "run", "--json").json
    assert {"ok", "events", "root", "heads", "faults"} <= set(verified)
    assert (verified["ok"], verified["root"], len(verified["heads"])) == (True, run["root"], 4)
    assert verified["events"] == run["events"] + 3  # the run's own: manifest, analysis, root

    replayed = memtrial("replay", "run", "--json").json
    assert {"ok", "trials", "model_calls", "divergence"} <= set(replayed)
    assert (replayed["ok"], replayed["trials"], replayed["model_calls"]) == (True, 4, 0)
    assert (replayed["divergence"], replayed["events"]) == (None, run["events"])

    compared = memtrial("compare", "run", "--json").json
    assert [set(ROW) - set(row) for row in compared["rows"]] == [set()] * 4
    assert {(row["memory"], row["tier"]) for row in compared["rows"]} == {
        (memory, tier) for memory in ("none", "facts") for tier in ("easy", "hard")
    }

    costs = memtrial("costs", "run", "--json").json
    assert {"rows", "total_usd", "total_usd_as_if", "unpriced_tokens"} <= set(costs)
    wanted = "arm purpose calls input_tokens cached_tokens output_tokens usd usd_as_if".split()
    assert all(set(wanted) <= set(row) for row in costs["rows"])

    traced = memtrial("trace", "run", "facts hard", "--json").json
    assert {"trial", "decisions"} <= set(traced)


def test_json_keys_of_the_other_commands(memtrial: Memtrial) -> None:
    made = memtrial("new", "scenario", "story", "--json").json
    assert made == {"file": "story.yaml", "next": "memtrial lint story.yaml"}
    assert memtrial("lint", "story.yaml", "--json").json == {"ok": True, "problems": []}
    for what in ("memories", "models", "environments", "embedders", "agents", "suites"):
        listed = memtrial("list", what, "--json").json
        assert all("name" in row for row in listed[what])
    checked = memtrial("check", "memory", "none", "--json").json
    assert checked == {"ok": True, "broken": []}
    assert {"name", "found", "ok"} <= set(memtrial("doctor", "--json").json["checks"][0])


def test_a_run_ends_with_what_came_of_it_and_what_to_do_next(
    memtrial: Memtrial, small: Path
) -> None:
    done = memtrial("run", small)
    counted, root, following = done.out.splitlines()
    assert counted.startswith("4 trials, ")
    assert counted.endswith(" 0 errors in memtrial-out/small")
    assert root.startswith("root ")
    assert following == "next: memtrial compare memtrial-out/small"
    assert done.err.splitlines()[-1] == "trials: 4 of 4"
    assert memtrial(*following.removeprefix("next: memtrial ").split()).status == 0


def test_lists_have_a_line_for_each_name(memtrial: Memtrial) -> None:
    lines = memtrial("list", "suites").out.splitlines()
    assert lines[0] == "Suites"
    assert [line.split()[0] for line in lines[2:]] == [
        "budget-sweep",
        "context",
        "context-residues",
        "context-small",
        "ladder-small",
        "local-context",
        "local-ladder",
        "local-merit",
        "local-risks",
        "local-statebench",
        "merit",
        "quickstart",
        "risks",
        "risks-small",
    ]
    assert "implementation=newest|oldest|unbudgeted, dates=True" in memtrial("list", "memories").out
    assert "\nconversation " in memtrial("list", "environments").out
