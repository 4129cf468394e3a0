"""A small run that holds every kind of event, and the means to write and to damage it."""

import sqlite3
import tempfile
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from benchmarks.means.owner import owner
from simulator.events import recorded as r
from simulator.events.canonical import canonical_json, sha256_bytes, sha256_text
from simulator.log.findings import Verification
from simulator.log.rows import RUN_STREAM, Row, chain_hash, genesis_hash
from simulator.log.store import EventLog, Measure
from simulator.log.verify import verify

GENESIS = {"script": "5c" * 32, "options": {"top_k": 4}}
TRIALS = ("shop/replay/0", "shop/facts/0", "shop/none/0")

TRIAL = "shop/facts/0"  # the first by name

TEXTS = {
    name: f"the {name} of the prompt" * 3
    for name in (
        "instructions",
        "tools",
        "examples",
        "block",
        "context",
        "request",
        "steps",
        "rendered",
    )
}
VECTOR = bytes(range(256))


def key(text: str) -> str:
    return sha256_text(text)


def contents(trial: str) -> dict[str, bytes]:
    texts = [*TEXTS.values(), f"only in {trial}"]
    return {key(text): text.encode() for text in texts} | {sha256_bytes(VECTOR): VECTOR}


def events(trial: str) -> list[r.Recorded]:
    """Return one event of every kind that a trial can hold."""
    arc, arm, seed = trial.split("/")
    item = {"item": "m1", "text": "tier is gold", "tokens": 3, "sources": ["day1/tier"]}
    shown = item | {"rank": 1, "distance": 250_000}
    sections = {name: key(text) for name, text in TEXTS.items()}
    return [
        r.TrialOpened(
            arc=arc, arm=arm, seed=int(seed), script="5c" * 32,
            options={"top_k": 4}, identities={"agent_model": {"name": "first"}}, oracle=False,
        ),
        r.SessionStarted(episode="day1"),
        r.Said(source="message", role="user", text="Our tier is gold."),
        r.Boundary(why="forced", asked=900, transcript=("day1/tier",)),
        r.MemoryChanged(why="absorb", written=(item | {"scope": "global"},), gone=("m0",), held=1),
        r.DecisionOpened(request="Which tier?"),
        r.EmbeddingRecorded(
            purpose="read", texts=(key("Which tier?"),), vectors=(sha256_bytes(VECTOR),), tokens=3
        ),
        r.MemoryRead(
            query="Which tier?", budget=256, block=sections["block"], tokens=9,
            items=(shown, item | {"item": "m2", "text": "é \x00 😀"}),
        ),
        r.CompletionRecorded(
            purpose="act", role="agent_model", step=0, max_tokens=40, seed=2**63 - 1,
            text='look(id="c-1")', finish="stop",
            usage={"input": 120, "cached": 80, "output": 7, "reasoning": 0}, **sections,
        ),
        r.CallFailed(
            purpose="act", role="agent_model", step=1, asked=sections["rendered"],
            culprit="model", fault="crash", message="it died", detail="",
        ),
        r.ToolCalled(call="t1", tool="look", arguments={"id": "0012", "n": 2**63}, coerced=("n",)),
        r.ToolReturned(call="t1", tool="look", ok=True, text=f"found by {trial}"),
        r.WorldChanged(call="t1", patch=({"op": "add", "path": "/a", "value": 0.1},)),
        r.Answered(decision="day1/ask", text="gold"),
        r.Clarified(decision="day1/ask", text="Which customer?"),
        r.Refused(decision="day1/ask", text="I cannot say."),
        r.ErrorRecorded(
            culprit="model", fault="unparsable", message="no action", decision=None, fatal=False,
            detail="gold, I think",
        ),
        r.MemoryRead(query="Again?", budget=None, block=key(f"only in {trial}"), tokens=4, items=()),
        r.ServiceRecorded(
            purpose="act", role="agent_model", step=2, model="m-2026", fingerprint="fp_1",
            attempts=({"status": 429, "message": "slow down", "usage": None, "waited": 20},),
        ),
        r.ResidueAudited(
            why="deleted", forgetting="lineage", sources=("day1/tier",),
            carriers=({"id": "#13", "sources": ["day1/tier"]},),
            residues=({"path": "facts", "holder": "m1", "sources": ["day1/tier"], "by": "text"},),
            hidden=(), removed=("day1/tier",), restored=(), rebuilt=(), rebuilt_tokens=0, lost=(),
        ),
        r.TrialClosed(complete=True),
    ]  # fmt: skip


def chained(previous: str, recorded: Sequence[r.Recorded], start: int = 0) -> list[Row]:
    """Return the rows of events that follow the chain's value `previous`."""
    rows = []
    for position, event in enumerate(recorded, start):
        fields = (
            position,
            f"#{position}",
            event.kind,
            position * 1000,
            event.scope,
            canonical_json([f"#{position - 1}"] if position else []),
            canonical_json(event.model_dump(mode="json", exclude={"scope"})),
            canonical_json(event.blobs()),
        )
        previous = chain_hash(previous, fields)
        rows.append(Row(*fields, previous))
    return rows


def trial_rows(trial: str) -> list[Row]:
    return chained(genesis_hash(trial, GENESIS), events(trial))


def write(log: EventLog, trial: str) -> str:
    """Write a whole trial and return its head."""
    return log.write_trial(trial, GENESIS, trial_rows(trial), contents(trial))


@lru_cache(maxsize=1)
def finished_run() -> bytes:
    """Return the bytes of the log that `write_run` writes."""
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder) / "events.db")
        return (Path(folder) / "events.db").read_bytes()


def write_run(path: Path, trials: Iterable[str] = TRIALS) -> None:
    """Write a finished run: its trials, the run-level stream, and a root over them."""
    with EventLog.create(path) as log:
        start = log.begin(RUN_STREAM, {"suite": "tiny"})
        opening = chained(
            start,
            [
                r.ManifestRecorded(
                    suite={"name": "tiny"}, arcs={"shop": {}}, arms={"none": {}}, packages={}
                ),
                r.AnalysisDeclared(declared={"resamples": 10_000}),
            ],
        )
        log.append(RUN_STREAM, opening, {})
        for trial in trials:
            write(log, trial)
            log.measure(trial, [Measure(8, "completion_us", 1234)])
        root = r.RootSealed(root=log.root(), trials=len(log.heads()))
        log.append(RUN_STREAM, chained(opening[-1].hash, [root], 2), {})
        log.seal(RUN_STREAM)


def append_hundred(path: str, trial: str) -> None:
    """Append 100 events, one a transaction, with a content that all writers share."""
    with EventLog.open(path, write=True) as log:
        previous = log.begin(trial, GENESIS)
        for number in range(100):
            block = f"block {number}"
            read = r.MemoryRead(query="q", budget=None, block=key(block), tokens=2, items=())
            rows = chained(previous, [read], number)
            log.append(trial, rows, {key(block): block.encode()})
            previous = rows[-1].hash
        log.seal(trial)


def places(found: Verification) -> list[tuple[str | None, int | None]]:
    return [(fault.trial, fault.position) for fault in found.faults]


def first_use(content: str) -> tuple[str, int]:
    """Return trial and position of the first event that refers to a content."""
    for trial in sorted(TRIALS):
        for row in trial_rows(trial):
            if content in row.blobs:
                return trial, row.position
    raise AssertionError("no event refers to it")


def after(path: Path, *statements: str) -> Verification:
    db = owner(path)
    for sql in statements:
        assert db.execute(sql.replace(":s", number_of(db))).rowcount != 0
    db.close()
    return verify(path)


def number_of(db: sqlite3.Connection) -> str:
    found = db.execute("SELECT id FROM streams WHERE trial = ?", (TRIAL,)).fetchone()
    return str(found[0])
