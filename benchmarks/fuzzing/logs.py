"""Logs whose hashes hold and whose events make no sense: what a stranger may send."""

import copy
import json
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from benchmarks.fuzzing.inputs import JSON, TEXT, grafted
from runs.diff.addresses import open_sides
from runs.diff.comparing import compare as diff
from runs.forking import Wanted, fork_run
from runs.moments import moment
from runs.plan import plan, unfinished
from runs.replaying import replay_run
from runs.report.content import content
from runs.report.page import render
from runs.runner import run_plan
from runs.tracing import trace_trial
from runs.verifying import verify_run
from scoring.bills import costs
from scoring.compare import compare
from scoring.rescoring import score
from scoring.run import load_run
from simulator.events.canonical import NotStorable, canonical_json
from simulator.events.errors import InputError
from simulator.log.errors import LogDamaged, LogRefused
from simulator.log.rows import HASHED, Row, chain_hash, genesis_hash
from simulator.log.store import EventLog

SUITE = """
name = "fuzzed"
token_budgets = [96]
memories = ["none", "facts"]
models = ["last"]
[memory_model]
name = "last"
[[scenarios]]
generate = "ladder"
arcs = 1
tiers = ["easy"]
"""


@dataclass(frozen=True)
class Forged:
    """A run whose log somebody wrote anew.

    Attributes:
        base: The run whose frozen scripts, keys and contents it has.
        streams: Name, beginning and rows of each stream, in order.
    """

    base: Path
    streams: list[tuple[str, Any, list[dict[str, Any]]]]


@cache
def recorded() -> tuple[Path, ...]:
    """Return the folders of a small run, and of a fork of one of its trials."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-log-"))
    (folder / "suite.toml").write_text(SUITE, encoding="utf-8")
    run_plan(plan(str(folder / "suite.toml")), folder / "run", report=_silent)
    wanted = Wanted(memory="replay")
    fork_run(folder / "run", "facts", "e2/m01", wanted, folder / "fork", _silent)
    return folder / "run", folder / "fork"


def _silent(done: int, of: int) -> None:
    """Report nothing."""


@cache
def _streams(base: Path) -> dict[str, tuple[Any, list[Row]]]:
    with EventLog.open(base / "events.db") as log:
        return {
            each.trial: (log.genesis(each.trial), list(log.rows(each.trial)))
            for each in log.streams()
        }


@st.composite
def forged_logs(draw: st.DrawFn) -> Forged:
    """Draw a run with up to three changes of one stream: of its events, its beginning, its name."""
    base = draw(st.sampled_from(recorded()))
    streams = {
        name: (genesis, [_open(row) for row in rows])
        for name, (genesis, rows) in _streams(base).items()
    }
    old = draw(st.sampled_from(sorted(streams)))
    name, (genesis, rows) = old, streams[old]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(rows) - 1))
        match draw(st.sampled_from([*["body"] * 3, "column", "lose", "double", "begin", "name"])):
            case "body":
                rows[at]["body"] = draw(grafted((rows[at]["body"],)))
            case "column":
                column = draw(st.sampled_from(["id", "kind", "scope", "causes"]))
                other = rows[draw(st.integers(0, len(rows) - 1))][column]
                rows[at][column] = draw(
                    st.sampled_from([other]) | (JSON if column == "causes" else TEXT)
                )
            case "lose" if len(rows) > 1:
                del rows[at]
            case "begin":
                genesis = draw(grafted((genesis,)))
            case "name":
                name = draw(st.sampled_from([name.rpartition("/")[0], f"{name}/0"]) | TEXT)
            case _:
                rows.insert(at, copy.deepcopy(rows[at]))
    del streams[old]
    return Forged(base, [(name, genesis, rows), *((n, *each) for n, each in streams.items())])


def _open(row: Row) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in HASHED}
    return {**fields, "body": json.loads(row.body), "causes": json.loads(row.causes)}


def check_log(forged: Forged) -> str:
    """Write a log whose hashes hold, and do with it whatever reads one."""
    folder = forged.base.with_name("forged")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(forged.base, folder, ignore=shutil.ignore_patterns("events.db*"))
    try:
        _write(folder, forged)
    except (NotStorable, LogRefused, UnicodeEncodeError):
        return "not storable"
    return "read" if _read(folder) else "refused"


def _write(folder: Path, forged: Forged) -> None:
    with (
        EventLog.open(forged.base / "events.db") as old,
        EventLog.create(folder / "events.db") as log,
    ):
        for name, genesis, rows in forged.streams:
            blobs = {key: old.blob(key) for row in rows for key in json.loads(row["blobs"])}
            log.write_trial(name, genesis, _chained(name, genesis, rows), blobs)


def _chained(name: str, genesis: Any, rows: list[dict[str, Any]]) -> list[Row]:
    link, made = genesis_hash(name, genesis), []
    for position, row in enumerate(rows):
        json_columns = {each: canonical_json(row[each]) for each in ("body", "causes")}
        fields = {**row, **json_columns, "position": position}
        link = chain_hash(link, [fields[each] for each in HASHED])
        made.append(Row(**fields, hash=link))
    return made


def _read(folder: Path) -> bool:
    whole = True
    try:
        with load_run(folder) as run:
            compare([run])
            costs(run)
            score(run)
            render(content(run))
    except (InputError, LogDamaged):
        whole = False
    with suppress(InputError, LogDamaged):
        verify_run(folder)
    with suppress(InputError, LogDamaged), load_run(folder) as run:
        unfinished(run)
        for name in run.sealed:
            for look in (_trace, _moments, _diff, _fork):
                with suppress(InputError, LogDamaged):
                    look(folder, name)
    with suppress(InputError, LogDamaged):
        replay_run(folder, _silent)
    return whole


def _trace(folder: Path, name: str) -> None:
    trace_trial(folder, name)


def _moments(folder: Path, name: str) -> None:
    for at in ("0", "20", "40"):
        moment(folder, name, at, replay=True)


def _diff(folder: Path, name: str) -> None:
    with open_sides(folder, [name, name]) as sides:
        diff(sides)


def _fork(folder: Path, name: str) -> None:
    out = folder.with_name("forged-fork")
    shutil.rmtree(out, ignore_errors=True)
    fork_run(folder, name, "30", Wanted(token_budget=50), out, _silent)
