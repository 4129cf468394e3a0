"""Whole runs against an endpoint: recorded, priced, replayed, and without the key anywhere."""

import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scoring.decisions import decisions as decisions_of
from scoring.run import load_run
from simulator.effects.prompts import Service
from simulator.log.store import EventLog
from tests.acceptance import stage
from tests.runs.conftest import Memtrial
from tests.simulator.models.openai.served import Reply, Server, called, completion, failed

KEY = "sk-planted-0f3a99e1"
USED = {
    "prompt_tokens": 1000,
    "prompt_tokens_details": {"cached_tokens": 400},
    "completion_tokens": 50,
    "completion_tokens_details": {"reasoning_tokens": 30},
    "total_tokens": 1050,
}
WASTED = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 7}

PRICES = """
date = 2026-03-01
[models."tiny"]
input = "2"
cached = "0.2"
output = "8"
"""


def done() -> Reply:
    return called(("answer", '{"text": "Done."}'), usage=USED)


def suite(path: Path, server: Server, **options: str) -> Path:
    """Write a suite of two short arcs for the model `tiny` at a server."""
    given = {"model": "tiny", "base_url": server.url, "api_key_env": "PLANTED_KEY", **options}
    lines = ['name = "served"', 'memories = ["none"]']
    lines += ["[[scenarios]]", 'generate = "ladder"', "seed = 3", "arcs = 2", 'tiers = ["easy"]']
    lines += ["[[models]]", 'name = "openai"']
    lines += [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)


def kinds(folder: Path) -> list[str]:
    with closing(EventLog.open(folder / "events.db")) as log:
        return [row.kind for trial in log.streams() for row in log.rows(trial.trial)]


def everything(folder: Path) -> Iterator[bytes]:
    """Yield the bytes of every file of a run, and every content of its log."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.read_bytes()
    with closing(EventLog.open(folder / "events.db")) as log:
        for (stored,) in log._db.execute("SELECT stored FROM blobs"):
            yield zlib.decompress(stored)


def test_a_run_is_priced_by_what_the_endpoint_says_and_replays_without_it(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    def script(_: dict[str, Any], number: int) -> Reply:
        if number == 0:
            return failed(500, f"Bearer {KEY} failed.", WASTED, headers={"Retry-After": "0"})
        if number == 1:
            return failed(429, "Slow down.", headers={"Retry-After": "0"})
        return done()

    with Server(script) as server:
        path = suite(tmp_path / "served.toml", server)
        ran = memtrial("run", path, "--out", tmp_path / "run", "--json")
        decisions = len(server.requests) - 2
    assert ran.status == 0 and ran.json["errors"] == 0
    found = kinds(tmp_path / "run")
    assert found.count("completion") == found.count("service") == decisions > 2

    (tmp_path / "prices.toml").write_text(PRICES)
    priced = memtrial("costs", tmp_path / "run", "--prices", tmp_path / "prices.toml", "--json")
    (row,) = priced.json["rows"]
    assert (row["purpose"], row["role"], row["calls"]) == ("act", "agent_model", decisions + 1)
    assert row["input_tokens"] == 1000 * decisions + 100
    assert row["cached_tokens"] == 400 * decisions + 10
    assert row["output_tokens"] == 50 * decisions + 7
    # 600 × 2 + 400 × 0.2 + 50 × 8 = 1680 and 90 × 2 + 10 × 0.2 + 7 × 8 = 238 millionths
    assert float(row["usd"]) * 1e6 == pytest.approx(1680 * decisions + 238, abs=1e-6)

    with load_run(tmp_path / "run") as run:
        spent = [each.tokens["act"] for trial in run.trials() for each in decisions_of(trial)]
    assert sum(each.input for each in spent) == row["input_tokens"]
    assert sum(each.output for each in spent) == row["output_tokens"]

    replayed = memtrial("replay", tmp_path / "run", "--json")
    assert replayed.json == replayed.json | {"ok": True, "model_calls": 0, "divergence": None}
    memtrial("report", tmp_path / "run", "--html", tmp_path / "run" / "report.html")
    whole = list(everything(tmp_path / "run"))
    assert any(b"Bearer [API key] failed." in each for each in whole)
    assert not any(KEY.encode() in each for each in whole)


def test_an_endpoint_that_nobody_has_a_price_for_is_unpriced_h24(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    with Server(lambda _, __: done()) as server:
        path = suite(tmp_path / "served.toml", server, model="gpt-4.1-mini")
        memtrial("run", path, "--out", tmp_path / "run")
        asked = len(server.requests)
    told = memtrial("costs", tmp_path / "run", "--json").json
    assert (told["total_usd"], told["complete"]) == (None, False)
    assert told["unpriced_tokens"] == 1050 * asked
    assert told["total_usd_as_if"] is not None


def test_failed_calls_are_errors_that_cost_what_they_used(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    empty: dict[str, Any] = {**completion({}, usage=USED), "choices": []}
    with Server(lambda _, __: Reply(empty)) as server:
        path = suite(tmp_path / "served.toml", server)
        ran = memtrial("run", path, "--out", tmp_path / "run", "--json")
        asked = len(server.requests)
    assert ran.json["errors"] == asked
    found = kinds(tmp_path / "run")
    assert found.count("call_failed") == found.count("service") == asked
    assert "completion" not in found and "answer" not in found
    (tmp_path / "prices.toml").write_text(PRICES)
    told = memtrial("costs", tmp_path / "run", "--prices", tmp_path / "prices.toml", "--json").json
    assert told["rows"][0]["input_tokens"] == 1000 * asked
    assert memtrial("replay", tmp_path / "run", "--json").json["ok"]


def test_a_refused_key_ends_the_run_with_one_message(memtrial: Memtrial, tmp_path: Path) -> None:
    refusal = failed(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key")
    with Server(lambda _, __: refusal) as server:
        path = suite(tmp_path / "served.toml", server)
        ran = memtrial("run", path, "--out", tmp_path / "run")
        assert len(server.requests) == 1
    assert ran.status == 2
    assert "Incorrect API key provided: [API key]." in ran.err
    assert KEY not in ran.err + ran.out


def test_as_many_requests_are_under_way_as_there_are_workers(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    both = threading.Barrier(2)
    under_way, most, lock = 0, 0, threading.Lock()

    def script(_: dict[str, Any], number: int) -> Reply:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        if number < 2:
            both.wait(timeout=60)  # the first is answered once the second has come
        with lock:
            under_way -= 1
        return done()

    with Server(script) as server:
        path = suite(tmp_path / "served.toml", server)
        ran = memtrial("run", path, "--out", tmp_path / "two", "--workers", "2", "--json")
        memtrial("run", path, "--out", tmp_path / "one")
    assert ran.json["errors"] == 0
    assert most == 2
    roots = [memtrial("verify", tmp_path / out, "--json").json["root"] for out in ("one", "two")]
    assert roots[0] == roots[1]


def test_a_replay_needs_no_client(memtrial: Memtrial, tmp_path: Path) -> None:
    with Server(lambda _, __: done()) as server:
        path = suite(tmp_path / "served.toml", server)
        memtrial("run", path, "--out", tmp_path / "run")
    absent = "import sys\nfor name in ('openai', 'httpx', 'httpx2'): sys.modules[name] = None"
    again = stage.memtrial("replay", tmp_path / "run", "--json", code=absent, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout) == json.loads(again.stdout) | {"ok": True, "model_calls": 0}


def test_a_replay_compares_how_calls_were_served(
    memtrial: Memtrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(lambda _, __: done()) as server:
        path = suite(tmp_path / "served.toml", server)
        memtrial("run", path, "--out", tmp_path / "run")
    monkeypatch.setattr("simulator.models.recorded._service", lambda body: Service(model="other"))
    replayed = memtrial("replay", tmp_path / "run", "--json").json
    recorded, other = (replayed["divergence"][side] for side in ("recorded", "replayed"))
    assert (recorded["kind"], other["kind"]) == ("service", "service")
    assert recorded["body"] == {
        "purpose": "act",
        "role": "agent_model",
        "step": 0,
        "model": "m-2026-01-01",
        "fingerprint": "fp_7",
        "attempts": [],
    }
    assert other["body"]["model"] == "other"


def test_the_models_are_listed_without_the_client(tmp_path: Path) -> None:
    absent = "import sys\nsys.modules['openai'] = None"
    listed = stage.memtrial("list", "models", "--json", code=absent, cwd=tmp_path)
    assert "openai" in [row["name"] for row in json.loads(listed.stdout)["models"]]
