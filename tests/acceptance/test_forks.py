"""Forks of every registered memory: nothing changed is nothing new; the child needs no model."""

import importlib.util
import json
import os
from pathlib import Path

import pytest

from runs.forking import Wanted, fork_run
from scoring.run import load_run
from simulator.effects.registry import names
from simulator.log.rows import Row
from simulator.log.store import EventLog
from tests.acceptance import stage
from tests.acceptance.test_replay_isolation import ISOLATED, LAMP, LOCAL, SMALL


def isolated(command: str, folder: Path) -> object:
    """Return what a command says of a folder where no model and no embedder can be had."""
    done = stage.memtrial(
        command, folder, "--json", code=ISOLATED, env=os.environ, cwd=folder.parent
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows_of(run: Path, trial: str) -> list[Row]:
    with EventLog.open(run / "events.db") as log:
        return list(log.rows(trial))


def unchained(rows: list[Row]) -> list[object]:
    return [[getattr(row, each) for each in Row.__slots__ if each != "hash"] for row in rows]


def talks(run: Path, reader: str = "noisy") -> list[str]:
    """The trials of the arc with every kind of event, one a memory."""
    with load_run(run) as opened:
        return [n for n in opened.sealed if n.startswith("talk/") and f"+{reader}+" in n]


def test_nothing_changed_is_nothing_new_for_every_memory(varied_run: Path, tmp_path: Path) -> None:
    trials = talks(varied_run)
    assert len(trials) == len(stage.memories())
    for number, trial in enumerate(trials):
        budget = json.loads(rows_of(varied_run, trial)[0].body)["options"]["token_budget"]
        if budget is None:
            continue  # a control without a budget has none that could be set again
        out = tmp_path / str(number)
        wanted = Wanted(token_budget=budget)
        made = fork_run(varied_run, trial, "friday/w1", wanted, out, lambda done, of: None)
        assert (made.new_calls, made.errors) == (0, 0), trial
        assert unchained(rows_of(out, made.trial)) == unchained(rows_of(varied_run, trial))


@pytest.mark.parametrize("memory", names("memory"))
def test_a_fork_to_every_memory_replays_where_no_model_is(
    varied_run: Path, tmp_path: Path, memory: str
) -> None:
    trial = next(name for name in talks(varied_run) if "/replay-" in name and "+96+" in name)
    at, out = "friday/d2", tmp_path / "fork"
    made = fork_run(varied_run, trial, at, Wanted(memory=memory), out, lambda done, of: None)
    parent, child = rows_of(varied_run, trial), rows_of(out, made.trial)
    assert unchained(child[: made.position]) == unchained(parent[: made.position])
    assert parent[made.position].id == at
    verified = isolated("verify", out)
    replayed = isolated("replay", out)
    assert isinstance(verified, dict) and isinstance(replayed, dict)
    assert verified["ok"] and verified["root"] == made.root
    assert (replayed["ok"], replayed["model_calls"]) == (True, 0)
    assert replayed["events"] == len(child)


def test_a_memory_that_takes_over_reads_what_it_would_have_read(
    varied_run: Path, tmp_path: Path
) -> None:
    """`retrieval` in a fork of `replay` gives back what it gave where it was there all along.

    Under both memories the reader had said the same so far, so both had one past to take in.
    """
    names = [name for name in talks(varied_run, "last") if "+96+" in name]
    old = next(name for name in names if "/replay-oldest" in name)
    new = next(name for name in names if "/retrieval-" in name)
    said = [
        [json.loads(row.body)["text"] for row in rows_of(varied_run, name) if row.kind == "answer"]
        for name in (old, new)
    ]
    assert said[0][:2] == said[1][:2]
    out = tmp_path / "fork"
    wanted = Wanted(memory="retrieval")
    made = fork_run(varied_run, old, "friday/w1", wanted, out, lambda done, of: None)
    forked, native = (
        [item for item in friday(rows) if item["text"]]
        for rows in (rows_of(out, made.trial), rows_of(varied_run, new))
    )
    assert len(native) > 2 and forked == native
    assert forked != friday(rows_of(varied_run, old))


def friday(rows: list[Row]) -> list[dict[str, object]]:
    """The items of the block at friday's first decision, without the sources' positions."""
    read = next(r for r in rows if r.kind == "memory_read" and r.causes == '["friday/d1"]')
    return [
        {key: item[key] for key in ("text", "rank", "distance")}
        for item in json.loads(read.body)["items"]
    ]


@pytest.mark.local
@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in LOCAL),
    reason="the `local` extra is not installed",
)
def test_a_real_models_trial_forks_for_nothing_where_nothing_changes(tmp_path: Path) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP, encoding="utf-8")
    (tmp_path / "suite.toml").write_text(SMALL, encoding="utf-8")
    run, out = tmp_path / "run", tmp_path / "fork"
    stage.play(tmp_path / "suite.toml", run)
    with EventLog.open(run / "events.db") as log:
        [trial] = log.heads()
    wide = Wanted(token_budget=300)  # 256 were enough for the one line there is
    made = fork_run(run, trial, "e2/d1", wide, out, lambda done, of: None)
    assert made.new_calls == 0 and made.reused_calls > 0
    answers = [
        [r.body for r in rows_of(*each) if r.kind == "answer"]
        for each in [(run, trial), (out, made.trial)]
    ]
    assert answers[0] == answers[1]
    replayed = isolated("replay", out)
    assert isinstance(replayed, dict) and replayed["ok"]
