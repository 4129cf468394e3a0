"""`memtrial run --resume`: what goes on, what is refused, and what is said about it."""

import json
import multiprocessing
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memories.replay import Replay
from runs.locks import held, outlast_workers
from simulator.effects.memory import Ask, Block
from simulator.effects.prompts import Completion
from simulator.effects.steps import Steps
from simulator.events.errors import InputError
from simulator.models.port import CompletionRequest
from tests.runs.conftest import Done, Memtrial
from tests.runs.killing import ROOT, STORY, SUITE
from tests.runs.parts import LEDGER, Paid

Refused = Callable[..., str]
Interrupt = Callable[[int], None]

ARM = "none+tests.runs.parts_Paid+96"


@pytest.fixture(autouse=True)
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A suite of eight paid trials with 12 completions, and the ledger of its model."""
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "story.yaml").write_text(STORY, encoding="utf-8")
    monkeypatch.setenv(LEDGER, str(tmp_path / "ledger"))


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Make the model's nth call from now on an interruption; every other one works."""

    def at(number: int) -> None:
        asked = 0

        def complete(self: Paid, request: CompletionRequest) -> Completion:
            nonlocal asked
            asked += 1
            if asked == number:
                raise KeyboardInterrupt
            return original(self, request)

        monkeypatch.setattr(Paid, "complete", complete)

    original = Paid.complete
    return at


def run(memtrial: Memtrial, *options: str) -> Done:
    return memtrial("run", "suite.toml", "--out", "run", *options)


def paid(folder: Path) -> int:
    return len((folder / "ledger").read_text().split())


def state(folder: Path) -> list[tuple[str, bytes]]:
    """Return what a folder holds, without what SQLite leaves beside a log that was read."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        (path.name, path.read_bytes()) for path in paths if not path.name.endswith(("-shm", "-wal"))
    ]


def test_a_resumed_run_says_what_was_finished_and_ends_like_an_unbroken_one(
    memtrial: Memtrial, interrupt: Interrupt, tmp_path: Path
) -> None:
    whole = memtrial("run", "suite.toml", "--out", "whole/run", "--json").json
    (tmp_path / "ledger").unlink()
    interrupt(10)  # the second call of the third trial with facts
    assert run(memtrial).status == 130
    assert (paid(tmp_path), len(memtrial("verify", "run", "--json").json["heads"])) == (9, 6)
    resumed = run(memtrial, "--resume", "--json")
    assert (resumed.status, resumed.json) == (0, whole | {"run": "run"})
    assert resumed.err.splitlines()[0] == "memtrial: 6 of 8 trials were finished before"
    assert paid(tmp_path) == 12
    for command in ("compare", "costs", "verify"):
        left, right = (memtrial(command, each, "--json").json for each in ("run", "whole/run"))
        assert left == right


def test_a_finished_run_is_finished(memtrial: Memtrial, tmp_path: Path) -> None:
    first = run(memtrial)
    before = state(tmp_path / "run")
    again = run(memtrial, "--resume")
    assert (again.status, again.out) == (0, first.out)
    assert again.err == "memtrial: this run was finished before; nothing is played\n"
    assert state(tmp_path / "run") == before
    assert paid(tmp_path) == 12


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_shard_goes_on_as_a_shard(
    memtrial: Memtrial, interrupt: Interrupt, tmp_path: Path, workers: str
) -> None:
    whole = memtrial("run", "suite.toml", "--out", "whole", "--shard", "2/2", "--json").json
    interrupt(4)
    assert run(memtrial, "--shard", "2/2").status == 130
    resumed = run(memtrial, "--shard", "2/2", "--workers", workers, "--resume", "--json").json
    assert resumed == whole | {"run": "run"}
    assert whole["trials"] == 4


def test_a_free_trial_that_was_cut_off_is_played_again(
    memtrial: Memtrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SUITE.replace("tests.runs.parts:Paid", "last")
    Path("suite.toml").write_text(free, encoding="utf-8")
    whole = memtrial("run", "suite.toml", "--out", "whole", "--json").json
    played = []

    def play(*values: Any, **options: Any) -> None:
        played.append(values[0].id)
        if len(played) == 3:
            raise KeyboardInterrupt
        original(*values, **options)

    from runs.runner import play as original

    monkeypatch.setattr("runs.runner.play", play)
    assert run(memtrial).status == 130
    assert run(memtrial, "--resume", "--json").json == whole | {"run": "run"}
    assert len(played) == 9 and len(set(played)) == 8


SUITE_CHANGES = [
    ("[96]", "[96, 64]", "suite.token_budgets.1: is new, 64"),
    ("seeds = [0, 1, 2, 3]", "seeds = [0, 1, 2]", "suite.seeds.3: was 3, is gone"),
    ('"facts"]', '{name = "facts", dates = false}]', "memories.1.options.dates: is new, false"),
    ("[[scen", 'prices = {as = "gpt-4.1"}\n[[scen', 'prices.as: was "gpt-4.1-mini", is "gpt-4.1"'),
    ("[[scen", 'latency = "none"\n[[scen', f"arms.{ARM}: was "),
    ("[[scen", 'description = "other"\n[[scen', 'suite.description: was "", is "other"'),
]


@pytest.mark.parametrize(("was", "now", "says"), SUITE_CHANGES)
def test_a_changed_suite_is_refused_by_its_field(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt, tmp_path: Path,
    was: str, now: str, says: str,
) -> None:  # fmt: skip
    interrupt(3)
    run(memtrial)
    before = state(tmp_path / "run")
    changed = SUITE.replace(was, now, 1)
    assert changed != SUITE
    Path("suite.toml").write_text(changed, encoding="utf-8")
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    assert message.startswith("run: this is no longer the run that was begun, so it cannot go on; ")
    assert says in message
    assert state(tmp_path / "run") == before


@pytest.mark.parametrize(
    ("was", "now", "says", "keeps"),
    [
        ("is $389.10.", "is $389.20.", "arcs.story.script: was ", "arcs.story.key"),
        ("kind: update", "kind: recall", "arcs.story.key: was ", "arcs.story.script"),
        ("arc: story", "arc: other", "arcs.story: was ", "arcs.story.script"),
    ],
)
def test_a_changed_scenario_is_refused_by_its_part(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt,
    was: str, now: str, says: str, keeps: str,
) -> None:  # fmt: skip
    interrupt(3)
    run(memtrial)
    Path("story.yaml").write_text(STORY.replace(was, now, 1), encoding="utf-8")
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    assert says in message
    assert keeps not in message


def test_another_shard_is_refused(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt
) -> None:
    interrupt(3)
    run(memtrial, "--shard", "1/2")
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    assert 'suite.shard: was "1/2", is null' in message


def test_another_model_behind_the_same_name_is_refused(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(3)
    run(memtrial)
    original = Paid.identity
    monkeypatch.setattr(Paid, "identity", lambda self: {**original(self), "gguf_sha256": "0" * 64})
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    assert f'identities.{ARM}.agent_model.gguf_sha256: is new, "{"0" * 64}"' in message


@pytest.fixture
def changed_code(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Put a memory into the suite; the function given changes how it reads."""
    suite = SUITE.replace('"facts"', '"tests.runs.parts:Forgetful"')
    Path("suite.toml").write_text(suite, encoding="utf-8")
    original = Replay.read

    def read(self: Replay, ask: Ask) -> Steps[Block]:
        block = yield from original(self, ask)
        return block.model_copy(update={"items": block.items[:-1]})

    with monkeypatch.context() as patched:
        yield lambda: patched.setattr(Replay, "read", read)


@pytest.mark.parametrize(
    ("call", "seed"),
    [
        pytest.param(8, 1, id="a trial in flight: the second with this memory"),
        pytest.param(7, 0, id="none in flight, so the first that was finished"),
    ],
)
def test_code_that_makes_other_events_is_refused_with_the_first(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt, tmp_path: Path,
    changed_code: Callable[[], None], call: int, seed: int,
) -> None:  # fmt: skip
    interrupt(call)
    assert run(memtrial).status == 130
    before, spent = state(tmp_path / "run"), paid(tmp_path)
    changed_code()
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    trial = rf"story/\S*Forgetful\+tests.runs.parts_Paid\+96/{seed}"
    says = f"other events than the record has; the first is event [0-9]+ of trial {trial}:\n"
    assert re.search(says, message)
    assert "event.body.block: was " in message
    assert (state(tmp_path / "run"), paid(tmp_path)) == (before, spent)


def test_code_that_changes_only_trials_to_come_is_allowed(
    memtrial: Memtrial, interrupt: Interrupt, changed_code: Callable[[], None]
) -> None:
    interrupt(5)  # the first call of the first trial with this memory
    assert run(memtrial).status == 130
    changed_code()
    assert run(memtrial, "--resume").status == 0


def test_a_changed_package_is_told_and_not_refused(
    memtrial: Memtrial, interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(3)
    monkeypatch.setattr("runs.folder.version", lambda package: "1.0")
    run(memtrial)
    versions = {"numpy": "2.0"}
    monkeypatch.setattr("runs.folder.version", lambda package: versions.get(package, "1.0"))
    done = run(memtrial, "--resume")
    assert done.status == 0
    assert 'memtrial: since the run began, packages.numpy: was "1.0", is "2.0"\n' in done.err


def test_resume_begins_a_run_that_is_not_there(memtrial: Memtrial, tmp_path: Path) -> None:
    assert run(memtrial, "--resume").status == 0
    (tmp_path / "empty").mkdir()
    assert memtrial("run", "suite.toml", "--out", "empty", "--resume").status == 0


def test_a_folder_that_was_left_half_made_is_made(
    memtrial: Memtrial, refused: Refused, tmp_path: Path
) -> None:
    whole = run(memtrial, "--json").json
    frozen = [*(tmp_path / "run").glob("*/*.json")]
    (tmp_path / "half").mkdir()
    for path in frozen:
        target = tmp_path / "half" / path.parent.name / path.name
        target.parent.mkdir()
        target.write_bytes(path.read_bytes()[:100])
    for name in ("events.db-making", "events.db-making-wal", "events.db-making-shm"):
        (tmp_path / "half" / name).write_bytes(b"")
    message = refused("run", "suite.toml", "--out", "half")
    assert "half: the folder holds a run that was cut off before it began; start it with" in message
    resumed = memtrial("run", "suite.toml", "--out", "half", "--resume", "--json").json
    assert resumed == whole | {"run": "half"}
    names = sorted(path.name for path in (tmp_path / "half").rglob("*") if path.is_file())
    assert names == sorted(["events.db", *(path.name for path in frozen)])


@pytest.mark.parametrize("strange", ["notes.txt", "scripts/notes.txt", "keys", "events.db-wal"])
def test_what_no_run_has_left_is_never_removed(
    refused: Refused, tmp_path: Path, strange: str
) -> None:
    path = tmp_path / "full" / strange
    path.parent.mkdir(parents=True)
    path.write_text("mine", encoding="utf-8")
    for options in ([], ["--resume"]):
        message = refused("run", "suite.toml", "--out", "full", *options)
        assert "full: the folder is not empty; choose another with --out" in message
    assert path.read_text(encoding="utf-8") == "mine"


def test_the_run_of_another_suite_is_not_gone_on_with(
    memtrial: Memtrial, refused: Refused, small: Path
) -> None:
    run(memtrial)
    message = refused("run", small, "--out", "run", "--resume")
    assert 'suite.name: was "paid", is "small"' in message
    assert "arcs.story: was " in message


def test_two_processes_never_play_one_run(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt, tmp_path: Path
) -> None:
    interrupt(3)
    run(memtrial)
    with held(tmp_path / "run"):
        message = refused("run", "suite.toml", "--out", "run", "--resume")
        assert message == "run: another process is playing this run"
    assert run(memtrial, "--resume").status == 0


def test_a_worker_that_outlives_its_run_is_outlasted(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    worker = context.Process(target=linger, args=(str(tmp_path), theirs))
    worker.start()
    assert mine.recv() == "joined"
    order = []

    def resume() -> None:
        outlast_workers(tmp_path)
        order.append("gone on")

    waiting = threading.Thread(target=resume)
    waiting.start()
    order.append("ended")
    worker.kill()
    waiting.join()
    worker.join()
    assert order == ["ended", "gone on"]


def test_resuming_waits_for_them_first(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(3)
    run(memtrial)

    def wait(folder: Path) -> None:
        raise InputError("somebody is still there", file=str(folder))

    monkeypatch.setattr("runs.opening.outlast_workers", wait)
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    assert message == "run/scripts: somebody is still there"


def linger(folder: str, pipe: Any) -> None:
    from runs.locks import join

    join(Path(folder))
    pipe.send("joined")
    pipe.recv()  # for ever: nobody sends


def test_a_frozen_copy_that_is_gone_is_named(
    memtrial: Memtrial, refused: Refused, interrupt: Interrupt, tmp_path: Path
) -> None:
    interrupt(3)
    run(memtrial)
    for path in (tmp_path / "run" / "scripts").iterdir():
        path.unlink()
    message = refused("run", "suite.toml", "--out", "run", "--resume")
    assert "the run's frozen copy is missing" in message


def test_a_run_of_spawned_processes_is_killed_and_goes_on_at_once(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    """The whole thing without any help: spawned workers, and no wait after the kill."""
    whole = memtrial("run", "suite.toml", "--out", "whole", "--json").json
    (tmp_path / "ledger").unlink()
    command = [sys.executable, "-P", "-c", "from runs.cli import main; main()"]
    order = [*command, "run", "suite.toml", "--out", "run", "--workers", "2", "--resume", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        order, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "trials: 1 of 8\n"
        process.kill()
        done = subprocess.run(
            order, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        process.stderr.read()
    assert json.loads(done.stdout) == whole | {"run": "run"}
    assert 12 <= paid(tmp_path) <= 14  # two workers, each with one call in flight
