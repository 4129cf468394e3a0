"""Logs whose hashes hold and whose events make no sense: what a stranger may send."""

import copy
import json
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from benchmarks.fuzzing.inputs import JSON, TEXT, grafted
from runs.plan import plan
from runs.replaying import replay_run
from runs.report.content import content
from runs.report.page import render
from runs.runner import run_plan
from runs.tracing import trace_trial
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


@cache
def recorded() -> Path:
    """Return the folder of a small run."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-log-"))
    (folder / "suite.toml").write_text(SUITE, encoding="utf-8")
    run_plan(plan(str(folder / "suite.toml")), folder / "run", report=lambda done, of: None)
    return folder / "run"


@cache
def _streams() -> dict[str, tuple[Any, list[Row]]]:
    with EventLog.open(recorded() / "events.db") as log:
        return {
            each.trial: (log.genesis(each.trial), list(log.rows(each.trial)))
            for each in log.streams()
        }


@st.composite
def forged_logs(draw: st.DrawFn) -> dict[str, list[dict[str, Any]]]:
    """Draw the rows of a run with up to three events of one stream changed, lost or doubled."""
    streams = {name: [_open(row) for row in rows] for name, (_, rows) in _streams().items()}
    rows = streams[draw(st.sampled_from(sorted(streams)))]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(rows) - 1))
        match draw(st.sampled_from(["body", "body", "column", "lose", "double"])):
            case "body":
                rows[at]["body"] = draw(grafted((rows[at]["body"],)))
            case "column":
                name = draw(st.sampled_from(["id", "kind", "scope", "causes"]))
                other = rows[draw(st.integers(0, len(rows) - 1))][name]
                rows[at][name] = draw(
                    st.sampled_from([other]) | (JSON if name == "causes" else TEXT)
                )
            case "lose" if len(rows) > 1:
                del rows[at]
            case _:
                rows.insert(at, copy.deepcopy(rows[at]))
    return streams


def _open(row: Row) -> dict[str, Any]:
    fields = {name: getattr(row, name) for name in HASHED}
    return {**fields, "body": json.loads(row.body), "causes": json.loads(row.causes)}


def check_log(streams: dict[str, list[dict[str, Any]]]) -> str:
    """Write a log whose hashes hold, and do with it whatever reads one."""
    folder = recorded().with_name("forged")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(recorded(), folder, ignore=shutil.ignore_patterns("events.db*"))
    try:
        _write(folder, streams)
    except (NotStorable, LogRefused, UnicodeEncodeError):
        return "not storable"
    return "read" if _read(folder) else "refused"


def _write(folder: Path, streams: dict[str, list[dict[str, Any]]]) -> None:
    with (
        EventLog.open(recorded() / "events.db") as old,
        EventLog.create(folder / "events.db") as log,
    ):
        for name, rows in streams.items():
            genesis = _streams()[name][0]
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
    with suppress(InputError, LogDamaged), load_run(folder) as run:
        for name in run.sealed:
            with suppress(InputError, LogDamaged):
                trace_trial(folder, name)
    with suppress(InputError, LogDamaged):
        replay_run(folder, lambda done, of: None)
    return whole
