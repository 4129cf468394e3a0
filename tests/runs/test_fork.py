"""`memtrial fork`: a trial continued with one thing changed, as a run of its own."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runs.folder import EVENTS
from scoring.run import load_run
from simulator.log.rows import RUN_STREAM, Row, chain_hash, hashed_fields
from simulator.log.store import EventLog
from simulator.replay import Fork
from tests.acceptance import stage
from tests.runs.conftest import Memtrial

TRIAL = "hard facts"


def stored(run: Path) -> list[Row]:
    """The rows of a run's one trial, or of its hard trial with `facts`."""
    with EventLog.open(run / EVENTS) as log:
        [name] = [each for each in log.heads() if "hard" in each and "facts" in each]
        return list(log.rows(name))


def place(run: Path, event: str) -> int:
    return next(row.position for row in stored(run) if row.id == event)


def unchained(rows: list[Row]) -> list[Any]:
    return [[getattr(row, each) for each in Row.__slots__ if each != "hash"] for row in rows]


def test_a_fork_that_changes_nothing_repeats_its_parent_for_nothing(
    small_run: Path, memtrial: Memtrial
) -> None:
    done = memtrial(
        "fork", small_run, TRIAL, "--at", "e4/d1", "--token-budget", "96", "--out", "f", "--json"
    )
    assert done.status == 0, done.err
    parent = stored(small_run)
    assert unchained(stored(Path("f"))) == unchained(parent)
    told = done.json
    behind = [row for row in parent[told["position"] :] if row.kind == "completion"]
    assert (told["new_calls"], told["reused_calls"]) == (0, len(behind))
    assert (told["position"], told["event"]) == (place(small_run, "e4/d1"), "e4/d1")
    assert (told["events"], told["errors"], told["run"]) == (len(parent), 0, "f")
    assert "decisions: " in done.err


@pytest.mark.parametrize(
    "change",
    [
        ("--memory", "retrieval"),
        ("--memory", "summary,implementation=truncating,max_tokens=40"),
        ("--model", "first"),
        ("--token-budget", "16"),
        ("--without", "e4/m01"),
    ],
)
def test_a_fork_is_a_run_like_any_other(
    small_run: Path, memtrial: Memtrial, change: tuple[str, str]
) -> None:
    done = memtrial("fork", small_run, TRIAL, "--at", "e4/m01", *change, "--out", "f", "--json")
    assert done.status == 0, done.err
    verified = memtrial("verify", "f", "--json").json
    assert verified["ok"] and verified["unfinished"] == []
    assert verified["root"] == done.json["root"]
    assert list(verified["heads"]) == [done.json["trial"]]
    replayed = memtrial("replay", "f", "--json").json
    assert (replayed["ok"], replayed["trials"], replayed["model_calls"]) == (True, 1, 0)
    assert replayed["events"] == done.json["events"]
    [row] = memtrial("compare", "f", "--json").json["rows"]
    wanted = {"memory": "facts", "model": "last", "token_budget": 96}
    name = change[0].removeprefix("--").replace("-", "_")
    if name in wanted:
        wanted[name] = int(change[1]) if change[1].isdecimal() else change[1].partition(",")[0]
    assert {key: row[key] for key in wanted} == wanted
    traced = memtrial("trace", "f", "hard", "--json").json
    assert traced["trial"] == done.json["trial"]
    assert [each["id"] for each in traced["decisions"]][-1] == "e4/d1"
    assert memtrial("report", "f").status == 0
    assert done.json["parent"] in Path("f/report.html").read_text(encoding="utf-8")


def test_the_manifest_names_the_parent_and_what_was_reused(
    small_run: Path, memtrial: Memtrial
) -> None:
    done = memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--model", "first", "--out", "f")
    assert done.status == 0
    position = place(small_run, "e4/d1")
    with load_run(small_run) as parent, load_run(Path("f")) as child:
        [(trial, noted)] = child.manifest.suite["forks"].items()
        rows = list(parent.log.rows(noted["trial"]))
        assert noted == {
            "run": "run",
            "root": parent.log.root(),
            "trial": next(name for name in parent.sealed if "hard" in name and "facts" in name),
            "position": position,
            "before": rows[position - 1].hash,
            "change": "model first",
            "reused": {},
        }
        assert child.sealed == (trial,)
        forked = child.trial(trial).forked
        assert forked is not None and forked.parent == noted["trial"]
        assert child.trial(trial).opened["options"]["model"] == "first"
        # The first event is the parent's, byte by byte.
        assert child.trial(trial).events[0].body["options"]["model"] == "last"


def test_costs_count_what_was_reused(small_run: Path, memtrial: Memtrial, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        'date = 2026-03-01\n[models."last"]\ninput = "1"\noutput = "1"\n', encoding="utf-8"
    )
    memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--token-budget", "95", "--out", "same")
    memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--token-budget", "8", "--out", "other")
    same = memtrial("costs", "same", "--prices", prices, "--json").json
    assert (same["total_usd"], same["unpriced_tokens"]) == ("0", 0)
    other = memtrial("costs", "other", "--prices", prices, "--json").json
    [row] = [each for each in other["rows"] if each["purpose"] == "act"]
    position = place(small_run, "e4/d1")
    new = [json.loads(each.body) for each in stored(Path("other"))[position:]]
    usage = [body["usage"] for body in new if "usage" in body]
    tokens = sum(each["input"] + each["output"] for each in usage)
    assert row["calls"] - row["reused_calls"] == len(usage) > 0
    assert float(row["usd"]) == pytest.approx(tokens / 1e6)
    assert "reused_calls" in memtrial("costs", "other").out
    assert "reused_calls" not in memtrial("costs", small_run).out


def test_inside_of_a_decision_the_fork_is_taken_at_its_opening_and_says_so(
    small_run: Path, memtrial: Memtrial
) -> None:
    position = place(small_run, "e4/d1")
    inside = str(position + 2)
    done = memtrial("fork", small_run, TRIAL, "--at", inside, "--model", "first", "--out", "f")
    first, *_ = done.out.splitlines()
    assert first == (
        f"{inside} is not where something begins while nothing is under way; {position} (e4/d1) is"
    )


def test_an_unbudgeted_control_takes_over_without_a_budget(
    small_run: Path, memtrial: Memtrial, refused: Callable[..., str]
) -> None:
    control = "replay,implementation=unbudgeted"
    done = memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--memory", control, "--out", "f")
    assert done.status == 0
    reads = [json.loads(row.body) for row in stored(Path("f")) if row.kind == "memory_read"]
    assert reads[0]["budget"] == 96 and reads[-1]["budget"] is None
    message = refused("fork", "f", "hard", "--at", "e4/d1", "--token-budget", "9", "--out", "g")
    assert message.startswith("token_budget: memory 'replay' is unbudgeted here")


def test_a_fork_of_a_fork_is_one_too(small_run: Path, memtrial: Memtrial) -> None:
    memtrial("fork", small_run, TRIAL, "--at", "e3/m01", "--memory", "retrieval", "--out", "f")
    done = memtrial("fork", "f", "hard", "--at", "e4/d1", "--model", "first", "--out", "g")
    assert done.status == 0, done.err
    assert memtrial("replay", "g").status == 0
    with load_run(Path("g")) as run:
        [trial] = run.trials()
    assert trial.opened["options"]["memory"] == "retrieval"
    assert trial.opened["options"]["model"] == "first"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([TRIAL, "--at", "1"], "a fork changes exactly one thing: one of --memory, --model, "),
        ([TRIAL, "--at", "1", "--model", "last", "--token-budget", "9"], "; got --model, --token"),
        ([TRIAL, "--at", "1", "--memory", "fact"], "unknown memory 'fact'; did you mean 'facts'?"),
        ([TRIAL, "--at", "1", "--memory", "facts,size=3"], "memory 'facts': "),
        ([TRIAL, "--at", "1", "--memory", "facts,size"], "a part is NAME or NAME,option=value"),
        ([TRIAL, "--at", "1", "--memory", "summary,implementation=model"], "the suite names none"),
        ([TRIAL, "--at", "1", "--model", "lst"], "unknown model 'lst'; did you mean 'last'?"),
        ([TRIAL, "--at", "1", "--token-budget", "0"], "--token-budget"),
        ([TRIAL, "--at", "9999", "--model", "last"], "no position 9999; the nearest is "),
        ([TRIAL, "--at", "e4/d", "--model", "last"], "no event 'e4/d'; did you mean 'e4/d1'?"),
        ([TRIAL, "--at", "e4/d1", "--without", "e4/d2"], "did you mean 'e4/d1'?"),
        ([TRIAL, "--at", "e4/d1", "--without", "e4/d1"], "'e4/d1' is a decision"),
        ([TRIAL, "--at", "e4/d1", "--without", "e1/m01"], "fork at 2 or earlier"),
        (["hard fact5", "--at", "1", "--model", "last"], "no trial fits 'hard fact5'"),
        (["hard", "--at", "1", "--model", "last"], "2 trials fit 'hard'"),
        ([TRIAL, "--model", "last"], "--at"),
    ],
)
def test_a_wrong_fork_ends_with_2_and_leaves_nothing(
    small_run: Path, memtrial: Memtrial, tmp_path: Path, arguments: list[str], says: str
) -> None:
    done = memtrial("fork", small_run, *arguments, "--out", "f")
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_refused_before_anything_is_played(
    small_run: Path, refused: Callable[..., str], tmp_path: Path
) -> None:
    message = refused("fork", small_run, TRIAL, "--at", "1", "--model", "last", "--out", small_run)
    assert "the folder holds a run of suite 'small'; choose another" in message
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "note").touch()
    message = refused("fork", small_run, TRIAL, "--at", "1", "--model", "last", "--out", "f")
    assert "the folder is not empty" in message


def test_a_parent_that_does_not_replay_is_refused(
    small_run: Path, memtrial: Memtrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simulator.models import rendering

    monkeypatch.setitem(rendering.RENDERERS, "plain", lambda prompt: "another template")
    done = memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--model", "first", "--out", "f")
    assert done.status == 2
    first = next(row.position for row in stored(small_run) if row.kind == "completion")
    assert f"does not play here as it was recorded: event {first} differs" in done.err


def test_a_fork_that_cannot_be_written_leaves_nothing(
    small_run: Path, memtrial: Memtrial, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(self: Fork, log: EventLog) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Fork, "write", full)
    done = memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--model", "first", "--out", "f")
    assert (done.status, done.err.splitlines()[-1]) == (2, "memtrial: No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "killed_in", ["Fork.write", "forking.create_folder", "forking.seal_run", "os.rename"]
)
def test_a_killed_fork_leaves_no_run_and_the_next_one_is_whole(
    small_run: Path, tmp_path: Path, memtrial: Memtrial, killed_in: str
) -> None:
    code = (
        "import os\n"
        "from runs import forking\n"
        "from simulator.replay import Fork\n"
        f"{killed_in} = lambda *arguments: os._exit(9)\n"
    )
    call: list[str | Path] = [
        "fork",
        small_run,
        TRIAL,
        "--at",
        "e4/d1",
        "--model",
        "first",
        "--out",
        tmp_path / "f",
    ]
    done = stage.memtrial(*call, code=code, env=os.environ, cwd=Path(__file__).parents[2])
    assert done.returncode == 9
    assert not (tmp_path / "f").exists()
    assert memtrial(*call).status == 0
    assert memtrial("verify", "f").status == 0


def test_two_equal_forks_have_equal_roots(small_run: Path, memtrial: Memtrial) -> None:
    roots = set()
    for out in ("f", "g"):
        call = ["--at", "e4/d1", "--memory", "retrieval", "--out", out, "--json"]
        roots.add(memtrial("fork", small_run, TRIAL, *call).json["root"])
    assert len(roots) == 1


def test_a_changed_mark_of_reuse_is_found(small_run: Path, memtrial: Memtrial) -> None:
    """What a fork had not to pay for stands under a hash, like all that costs are made of."""
    memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--token-budget", "96", "--out", "f")
    with EventLog.open(Path("f") / EVENTS, write=True) as log:
        log._db.execute("DROP TRIGGER events_no_update")
        log._db.execute(
            'UPDATE events SET body = replace(body, \'"reused":{\', \'"reused":{"1":5,\')'
        )
        assert '"1":5' in next(iter(log.rows(RUN_STREAM))).body
    assert memtrial("verify", "f").status == 1


def test_log_the_openings_tell_what_a_fork_began_with_and_what_it_turned_to(
    small_run: Path, memtrial: Memtrial
) -> None:
    one, two = Path("one"), Path("two")
    memtrial("fork", small_run, TRIAL, "--at", "e3/m01", "--memory", "retrieval", "--out", one)
    memtrial("fork", one, "hard", "--at", "e4/d1", "--model", "first", "--out", two)
    root, first, last = map(opening, (small_run, one, two))
    assert [each["arm"] for each in (root, first, last)] == [root["arm_at_end"]] * 3
    assert (root["forked_from"], root["forked_at"]) == (None, None)
    assert (first["forked_from"], first["forked_at"]) == (root["trial"], place(small_run, "e3/m01"))
    assert (last["forked_from"], last["forked_at"]) == (first["trial"], place(one, "e4/d1"))
    parts = [
        [json.loads(each[column])[part] for column in ("options", "options_at_end")]
        for each in (root, first, last)
        for part in ("memory", "model")
    ]
    assert parts == [
        *(["facts", "facts"], ["last", "last"]),
        *(["facts", "retrieval"], ["last", "last"]),
        *(["facts", "retrieval"], ["last", "first"]),
    ]


def opening(run: Path) -> dict[str, Any]:
    """The row of a run's hard trial with `facts`, which must agree with what scoring reads."""
    with load_run(run) as opened:
        [name] = [each for each in opened.sealed if "hard" in each and "facts" in each]
        trial = opened.trial(name)
    with sqlite3.connect(run / EVENTS) as db:
        db.row_factory = sqlite3.Row
        row = dict(db.execute("SELECT * FROM openings WHERE trial = ?", (name,)).fetchone())
    db.close()
    assert row["arm_at_end"] == trial.arm
    for column in ("options", "identities"):
        assert json.loads(row[f"{column}_at_end"]) == trial.opened[column]
        assert json.loads(row[column]) == trial.events[0].body[column]
    return row


def forge(run: Path, out: Path, change: Callable[[Any], Any]) -> None:
    """Copy a run with another genesis of its trial; all hashes hold."""
    shutil.copytree(run, out, ignore=shutil.ignore_patterns("events.db*"))
    with EventLog.open(run / EVENTS) as log, EventLog.create(out / EVENTS) as other:
        for stream in log.streams():
            name, begins = stream.trial, log.genesis(stream.trial)
            if name != RUN_STREAM:
                begins = change(begins)
            link = other.begin(name, begins)
            for row in log.rows(name):
                link = chain_hash(link, hashed_fields(row))
                blobs = {each: log.blob(each) for each in json.loads(row.blobs)}
                other.append(name, [replace(row, hash=link)], blobs)
            other.seal(name)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda told: {k: v for k, v in told.items() if k != "forked"}, "its genesis not"),
        (lambda told: [told], "its genesis is none that a trial begins with"),
        (lambda told: told | {"forked": {"-1": 0}}, "its genesis is none that a trial begins with"),
        (lambda told: told | {"forked": [7]}, "its genesis: forked: "),
        (lambda told: turned(told, position=0), "its genesis: forked.position: "),
        (lambda told: turned(told, anew="perhaps"), "its genesis: forked.anew: "),
        (lambda told: turned(told, options={}), "its genesis: forked.options.model: "),
        (lambda told: turned(told, identities={"a": 1}), "its genesis: forked.identities.a: "),
        (lambda told: turned(told, arm="nobody"), "the manifest knows no arm 'nobody'"),
        (lambda told: turned(told, options={"model": "last"}), "to settings unknown here: "),
    ],
)
def test_log_a_forged_beginning_of_a_fork_is_told_and_no_traceback(
    small_run: Path, memtrial: Memtrial, change: Callable[[Any], Any], what: str
) -> None:
    memtrial("fork", small_run, TRIAL, "--at", "e4/d1", "--memory", "retrieval", "--out", "f")
    forge(Path("f"), Path("forged"), change)
    told = []
    for command in (
        ("compare", "forged"),
        ("replay", "forged"),
        ("trace", "forged", "hard", "--at", "e4/d1", "--replay"),
        ("fork", "forged", "hard", "--at", "e4/d1", "--token-budget", "50", "--out", "g"),
    ):
        done = memtrial(*command)
        assert done.status in (0, 1, 2)
        if done.status and not done.out:  # what a replay differs in is printed
            assert done.err.startswith("memtrial: ")
        told.append(done.err)
    assert any(what in each for each in told), told


def turned(told: Any, **changes: Any) -> Any:
    """A genesis whose last turn is another one."""
    return told | {"forked": [told["forked"][-1] | changes]}
