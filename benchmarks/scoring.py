"""How fast a run is scored, and whether the time grows with the number of decisions.

Run with `python -m benchmarks.scoring`. Writes run folders of made-up trials into a temporary
folder and compares them; prints decisions a second for each size.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from scoring.bills import costs
from scoring.compare import compare
from scoring.keys import Gold, Key, Probe, WorldCheck
from scoring.run import load_run
from simulator.engine.recorder import Recorder
from simulator.engine.sinks import ListSink
from simulator.events import Episode, Json, Script, canonical_json
from simulator.events.recorded import (
    Answered,
    Boundary,
    CompletionRecorded,
    DecisionOpened,
    ManifestRecorded,
    MemoryChanged,
    MemoryRead,
    Said,
    SessionStarted,
    ToolCalled,
    ToolReturned,
    TrialClosed,
    TrialOpened,
    WorldChanged,
)
from simulator.events.scripted import Decision, Message
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

ARMS = ("none", "replay", "retrieval", "summary", "facts", "hybrid")
EPISODES = 5
SECTIONS = (
    "instructions",
    "tools",
    "examples",
    "block",
    "context",
    "request",
    "steps",
    "rendered",
)
WORLD = {"orders": {f"o{n}": {"refund": None, "city": "Bergen"} for n in range(30)}}
IDENTITIES = {"agent_model": {"name": "last", "scripted": True}}


def scenario(arc: str) -> tuple[Script, Key]:
    """Return an arc in which every episode plants a value and asks for it."""
    episodes = tuple(
        Episode(
            id=f"e{n}",
            events=(
                Message(id="m", at=n, text=f"The refund of o{n} is {n}45.00."),
                Decision(id="d", at=n, causes=("m",), request=f"Please refund order o{n}."),
            ),
        )
        for n in range(EPISODES)
    )
    probes = tuple(
        Probe(
            id=f"p{n}",
            kind="recall",
            decision=f"e{n}/d",
            dependent=True,
            gold=(Gold(name="amount", value=f"{n}45.00"),),
            checks=(WorldCheck(path=f"/orders/o{n}/refund", equals=f"{n}45.00"),),
        )
        for n in range(EPISODES)
    )
    script = Script(arc=arc, environment="support", world=WORLD, episodes=episodes)
    return script, Key(arc=arc, domain="support", tier="easy", cluster=arc, probes=probes)


def write_trial(log: EventLog, script: Script, arm: str, options: Json) -> None:
    """Write one trial that does everything right."""
    trial = f"{script.arc}/{arm}/0"
    sink = ListSink()
    tape = Recorder(trial, {}, sink)
    block = "\n".join(f"The refund of o{n} is {n}45.00." for n in range(EPISODES))
    opened = TrialOpened(
        arc=script.arc,
        arm=arm,
        seed=0,
        script=script.hash,
        options=options,
        identities=IDENTITIES,
        oracle=False,
    )
    tape.emit(opened, 0)
    for n in range(EPISODES):
        write_session(tape, n, block)
    tape.emit(TrialClosed(complete=True), 0)
    log.write_trial(trial, {}, sink.rows, sink.blobs)


def write_session(tape: Recorder, n: int, block: str) -> None:
    """Write one session: what is said, one decision with a call, a boundary."""
    name, empty = f"e{n}/d", tape.blob("")
    usage = {"input": 300, "cached": 200, "output": 12, "reasoning": 0}
    tape.emit(SessionStarted(episode=f"e{n}"), 0)
    tape.emit(Said(source="message", role="user", text=f"It is {n}45.00."), 0, name=f"e{n}/m")
    tape.emit(DecisionOpened(request=f"Please refund order o{n}."), 0, name=name)
    tape.emit(MemoryRead(query="q", budget=256, block=tape.blob(block), tokens=40, items=()), 0)
    tape.emit(
        CompletionRecorded(
            purpose="act",
            role="agent_model",
            step=n,
            max_tokens=64,
            seed=1,
            **dict.fromkeys(SECTIONS, empty),
            text="refund()",
            finish="stop",
            usage=usage,
        ),
        0,
    )
    call, amount = f"{name}:0", f"{n}45.00"
    arguments = {"order": f"o{n}", "amount": amount}
    tape.emit(ToolCalled(call=call, tool="refund", arguments=arguments), 0)
    tape.emit(ToolReturned(call=call, tool="refund", ok=True, text="ok"), 0)
    patch = {"op": "replace", "path": f"/orders/o{n}/refund", "value": amount}
    tape.emit(WorldChanged(call=call, patch=(patch,)), 0)
    tape.emit(Answered(decision=name, text=f"I refunded {amount}."), 0)
    tape.emit(Boundary(why="session_end", asked=0, transcript=(f"e{n}/m", name)), 0)
    tape.emit(MemoryChanged(why="absorb", written=(), gone=(), held=n), 0)


def write_run(folder: Path, arcs: int) -> None:
    """Write a run of every arm over so many arcs."""
    options: dict[str, Json] = {
        arm: {
            "memory": arm,
            "implementation": "standard",
            "memory_options": {},
            "model": "last",
            "model_options": {},
            "memory_model": None,
            "agent": "scaffold",
            "agent_options": {},
            "token_budget": 256,
        }
        for arm in ARMS
    }
    for place in ("scripts", "keys"):
        (folder / place).mkdir(parents=True)
    entries: dict[str, Json] = {}
    with EventLog.create(folder / "events.db") as log:
        for number in range(arcs):
            script, key = scenario(f"arc{number}")
            entries[script.arc] = freeze(folder, script, key)
            for arm in ARMS:
                write_trial(log, script, arm, options[arm])
        sink = ListSink()
        manifest = ManifestRecorded(suite={}, arcs=entries, arms=options, packages={})
        Recorder(RUN_STREAM, {}, sink).emit(manifest, 0)
        log.write_trial(RUN_STREAM, {}, sink.rows, {})


def freeze(folder: Path, script: Script, key: Key) -> Json:
    """Write the frozen script and key; return the arc's entry in the manifest."""
    for place, each in (("scripts", script), ("keys", key)):
        text = canonical_json(each.model_dump(mode="json"))
        (folder / place / f"{each.hash}.json").write_text(text, "utf-8")
    return {
        "script": script.hash,
        "key": key.hash,
        "domain": key.domain,
        "tier": key.tier,
        "cluster": key.cluster,
    }


def measured(sizes: tuple[int, ...]) -> Iterator[tuple[int, float, float]]:
    """Yield (decisions, seconds of compare, seconds of costs) for each number of arcs."""
    for arcs in sizes:
        with tempfile.TemporaryDirectory() as place:
            write_run(Path(place) / "run", arcs)
            with load_run(Path(place) / "run") as run:
                begun = perf_counter()
                compare([run])
                compared = perf_counter()
                costs(run)
                yield arcs * len(ARMS) * EPISODES, compared - begun, perf_counter() - compared


def main() -> None:
    """Measure and print."""
    for decisions, comparing, costing in measured((25, 100, 400)):
        print(
            f"{decisions:>6} decisions: compare {comparing:5.2f} s "
            f"({decisions / comparing:,.0f}/s), costs {costing:5.2f} s"
        )


if __name__ == "__main__":
    main()
