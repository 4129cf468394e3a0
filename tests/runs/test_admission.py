"""`run --gate`: a model that fails its replay control plays nothing else, and the run can go on.

One story with one dependent decision: with the whole history in front of it `Paid`, which takes
the last mention, is right (1 of 1) and `Idle`, which never acts, is not (0 of 1).
"""

from pathlib import Path

import pytest

from tests.runs.conftest import Done, Memtrial
from tests.runs.killing import STORY
from tests.runs.parts import LEDGER

SUITE = """
name = "gated"
token_budgets = [96]
models = [{models}]

[[memories]]
name = "none"

[[memories]]
name = "facts"

[[memories]]
name = "replay"
implementation = "{replay}"

[[scenarios]]
files = ["story.yaml"]
"""
IDLE, PAID = "tests.runs.parts:Idle", "tests.runs.parts:Paid"
FAILED = (
    f"memtrial: {IDLE} is right in 0 of 1 dependent decisions under its replay control, below "
    "0.50; not played for it: 2 of the run's trials, from which nothing about memories would "
    "follow; to play them all the same go on with --resume and without --gate"
)


@pytest.fixture(autouse=True)
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "story.yaml").write_text(STORY, encoding="utf-8")
    monkeypatch.setenv(LEDGER, str(tmp_path / "ledger"))


def suite(*models: str, replay: str = "unbudgeted", more: str = "") -> None:
    named = ", ".join(f'"{each}"' for each in models)
    text = SUITE.format(models=named, replay=replay) + more
    Path("suite.toml").write_text(text, encoding="utf-8")


def gated(memtrial: Memtrial, *options: str) -> Done:
    return memtrial("run", "suite.toml", "--out", "run", "--gate", *options)


def sealed(memtrial: Memtrial) -> list[str]:
    return sorted(memtrial("verify", "run", "--json").json["heads"])


@pytest.mark.parametrize("workers", ["1", "2"])
def test_only_who_passes_its_control_plays_on(memtrial: Memtrial, workers: str) -> None:
    suite(IDLE, PAID)
    done = gated(memtrial, "--workers", workers)
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines()[-1] == FAILED
    assert sealed(memtrial) == [
        "story/facts-pattern+tests.runs.parts_Paid+96/0",
        "story/none+tests.runs.parts_Paid+96/0",
        "story/replay-unbudgeted+tests.runs.parts_Idle+unbudgeted/0",
        "story/replay-unbudgeted+tests.runs.parts_Paid+unbudgeted/0",
    ]


def test_a_stopped_run_goes_on_to_the_root_of_one_without_a_gate(memtrial: Memtrial) -> None:
    suite(IDLE, PAID)
    whole = memtrial("run", "suite.toml", "--out", "whole", "--json").json
    gated(memtrial)
    calls = len(Path("ledger").read_text().split())
    again = gated(memtrial, "--resume")
    assert (again.status, again.err.splitlines()[-1]) == (1, FAILED)
    assert len(Path("ledger").read_text().split()) == calls  # nothing was asked a second time
    done = memtrial("run", "suite.toml", "--out", "run", "--resume", "--json").json
    assert done["root"] == whole["root"]


def test_a_model_that_passes_plays_everything(memtrial: Memtrial) -> None:
    suite(PAID)
    done = gated(memtrial, "--json")
    assert (done.status, done.json["trials"]) == (0, 3)


def test_the_declared_threshold_decides(memtrial: Memtrial) -> None:
    suite(IDLE, more="\n[analysis]\ncontrol_threshold = 0.0\n")
    assert gated(memtrial).status == 0


def test_money_and_gate_go_together(memtrial: Memtrial) -> None:
    suite(IDLE, PAID)
    stopped = gated(memtrial, "--max-usd", "0")
    assert stopped.status == 1 and "stopped before overspending" in stopped.err
    assert gated(memtrial, "--max-usd", "1", "--resume").err.splitlines()[-1] == FAILED


def test_a_real_model_without_a_control_cannot_be_gated(memtrial: Memtrial) -> None:
    suite("last", PAID, replay="newest")
    done = gated(memtrial)
    assert done.status == 2
    assert done.err == (
        f"memtrial: suite.toml:6: memories: --gate needs a replay control of {PAID}; add a memory "
        "'replay' with implementation = 'unbudgeted'\n"
    )
    assert not Path("run").exists()


def test_scripted_readers_wait_for_no_control(memtrial: Memtrial) -> None:
    suite("parrot", replay="newest")
    assert gated(memtrial).status == 0


def test_a_share_without_a_control_says_that_it_is_not_gated(memtrial: Memtrial) -> None:
    suite(IDLE)  # by arm: facts, none, replay
    done = gated(memtrial, "--shard", "1/3")
    control = "replay-unbudgeted+tests.runs.parts_Idle+unbudgeted"
    assert done.status == 0
    told = f"memtrial: {control} has no dependent decision here, so its model is not gated"
    assert told in done.err.splitlines()
