"""The command line as its users meet it: called whole, judged by status, output and files."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runs.cli import main

SMALL = """
name = "small"
token_budgets = [96]
memories = ["none", "facts"]
models = ["last"]

[[scenarios]]
generate = "ladder"
seed = 3
arcs = 1
tiers = ["easy", "hard"]
"""


@dataclass(frozen=True)
class Done:
    """What a call of the command line came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Memtrial = Callable[..., Done]


@pytest.fixture
def memtrial(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Memtrial:
    """Call the command line in this process, in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "path", [*sys.path])

    def call(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["memtrial", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Done(int(ended.value.code or 0), out, err)

    return call


@pytest.fixture
def refused(memtrial: Memtrial) -> Callable[..., str]:
    """Call the command line with wrong input and return the one message that it ends with."""

    def call(*arguments: str | Path) -> str:
        done = memtrial(*arguments)
        assert (done.status, done.out) == (2, ""), done
        assert done.err.startswith("memtrial: ")
        return done.err.removeprefix("memtrial: ").rstrip("\n")

    return call


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A suite of four short trials."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of that suite's run; tests only read it."""
    from runs.plan import plan
    from runs.runner import run_plan

    folder = tmp_path_factory.mktemp("small")
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    run_plan(plan(str(folder / "small.toml")), folder / "run", report=lambda done, of: None)
    yield folder / "run"


@pytest.fixture
def statebench() -> Path:
    """A file of StateBench timelines; the test is skipped without the public data."""
    data = os.environ.get("MEMTRIAL_DATA")
    if not data:
        pytest.skip("MEMTRIAL_DATA is not set")
    return Path(data) / "statebench" / "dev.jsonl"
