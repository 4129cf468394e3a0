"""Secrets of the environment never reach a run's folder, whatever quotes them."""

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memories.none import NoMemory
from runs.plan import plan
from runs.runner import run_plan
from simulator.effects.memory import Ask, Block
from simulator.effects.prompts import Completion
from simulator.effects.steps import Steps
from simulator.events.secrets import redacted
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader

PLANTED = {
    "OPENAI_API_KEY": "sk-planted-4f1d0c2b9a",
    "HF_TOKEN": "hf_planted_77aa88bb",
    "DB_PASSWORD": "correct horse planted",
    "AWS_SECRET_ACCESS_KEY": "planted/AbCdEf+0123456789==",
}
HERE = "tests.runs.test_secrets"


class Indiscreet(LastReader):
    """A model whose failures quote the key, as the errors of many services do."""

    def complete(self, request: CompletionRequest) -> Completion:
        raise RuntimeError(f"401: incorrect API key provided: {os.environ['OPENAI_API_KEY']}")


class Chatty(NoMemory):
    """A memory whose failure quotes all of the environment."""

    def read(self, ask: Ask) -> Steps[Block]:
        raise OSError(f"cannot connect with {dict(os.environ)}"[-400:], *PLANTED.values())


SUITE = f"""
name = "secrets"
token_budgets = [96]
memories = ["facts", "{HERE}:Chatty"]
models = ["last", "{HERE}:Indiscreet"]
[[scenarios]]
generate = "ladder"
arcs = 1
tiers = ["easy"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("secrets")
    (made / "suite.toml").write_text(SUITE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in PLANTED.items():
            patch.setenv(name, value)
        run_plan(plan(str(made / "suite.toml")), made / "run", report=lambda done, of: None)
        from runs.report import write_report

        write_report(made / "run", made / "run" / "report.html")
    yield made / "run"


def held(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every byte of a folder: its files, and the contents that are compressed in its log."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()
    with sqlite3.connect(f"{(folder / 'events.db').as_uri()}?mode=ro", uri=True) as db:
        for key, stored in db.execute("SELECT hash, stored FROM blobs"):
            yield key, zlib.decompress(stored)


def test_no_byte_of_a_run_holds_a_planted_secret(folder: Path) -> None:
    places = list(held(folder))
    assert {"events.db", "report.html"} <= {name for name, _ in places}
    for name, data in places:
        for secret in PLANTED.values():
            assert secret.encode() not in data, name


def test_the_failures_are_recorded_all_the_same(folder: Path) -> None:
    with sqlite3.connect(f"{(folder / 'events.db').as_uri()}?mode=ro", uri=True) as db:
        told = {message for (message,) in db.execute("SELECT DISTINCT message FROM errors")}
        failed = {message for (message,) in db.execute("SELECT DISTINCT message FROM failed_calls")}
    quoted = "RuntimeError: 401: incorrect API key provided: $OPENAI_API_KEY"
    assert quoted in told and failed == {quoted}
    assert any("$DB_PASSWORD" in message for message in told)


def test_reports_and_tables_do_not_show_them(
    folder: Path, memtrial: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    for command in (("compare",), ("trace", "Indiscreet facts"), ("costs",), ("score",)):
        done = memtrial(command[0], folder, *command[1:], "--json")
        assert done.status == 0
        assert not any(secret in done.out + done.err for secret in PLANTED.values())


def test_what_counts_as_a_secret() -> None:
    environment = {
        "A_KEY": "12345678",
        "B_TOKEN": "123456789",
        "SHORT_KEY": "1234567",
        "HOME": "/home/somebody",
        "EMPTY_SECRET": "",
    }
    text = "12345678 123456789 1234567 /home/somebody"
    assert redacted(text, environment) == "$A_KEY $B_TOKEN 1234567 /home/somebody"
