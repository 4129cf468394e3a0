"""Writes small run folders through the real recorder and log, without playing anything."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from scoring.keys import Key, Probe
from scoring.run import Run, load_run
from simulator.engine.recorder import Recorder
from simulator.engine.sinks import ListSink
from simulator.events import Episode, Script, Surface, canonical_json
from simulator.events.recorded import (
    Answered,
    Boundary,
    Clarified,
    CompletionRecorded,
    DecisionOpened,
    EmbeddingRecorded,
    ErrorRecorded,
    ManifestRecorded,
    MemoryChanged,
    MemoryRead,
    Recorded,
    Refused,
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

OUTCOMES = {"answer": Answered, "clarification": Clarified, "refusal": Refused}
SCRIPTED = {"name": "last", "scripted": True, "deterministic": True}


@dataclass
class Play:
    """What happens at one decision.

    `calls` are (tool, arguments, ok, patch); `usage` is (input, cached, output) of one
    completion; an `error` is (culprit, fault) and stands in the place of the outcome.
    """

    block: str = ""
    calls: tuple[tuple[str, dict[str, Any], bool, list[Any]], ...] = ()
    outcome: str = "answer"
    text: str = "Done."
    usage: tuple[int, int, int] | None = None
    error: tuple[str, str] | None = None
    fatal: bool = False


class Tape:
    """One trial's events, in the engine's order."""

    def __init__(self, trial: str) -> None:
        self.sink = ListSink()
        self.recorder = Recorder(trial, {}, self.sink)
        self.shown: list[str] = []

    def emit(self, event: Recorded, name: str | None = None) -> str:
        return self.recorder.emit(event, 0, [], name)

    def say(self, name: str, text: str) -> None:
        self.emit(Said(source="message", role="user", text=text), name)
        self.shown.append(name)

    def session(self, episode: str) -> None:
        self.emit(SessionStarted(episode=episode))
        self.shown = []

    def boundary(self, why: Any = "session_end", absorbed: bool = True) -> None:
        self.emit(Boundary(why=why, asked=0, transcript=tuple(self.shown)))
        if absorbed:
            self.emit(MemoryChanged(why="absorb", written=(), gone=(), held=0))
            self.shown = []

    def completion(
        self, usage: tuple[int, int, int], purpose: Any = "act", role: Any = "agent_model"
    ) -> None:
        empty = self.recorder.blob("")
        sections = "instructions tools examples block context request steps rendered".split()
        self.emit(
            CompletionRecorded(
                purpose=purpose,
                role=role,
                step=0,
                max_tokens=64,
                seed=1,
                **dict.fromkeys(sections, empty),
                text="said",
                finish="stop",
                usage=dict(zip(("input", "cached", "output"), usage, strict=True)),
            )
        )

    def embedding(self, tokens: int, purpose: Any = "write") -> None:
        self.emit(EmbeddingRecorded(purpose=purpose, texts=(), vectors=(), tokens=tokens))

    def decide(self, name: str, request: str, play: Play) -> None:
        self.emit(DecisionOpened(request=request), name)
        self.shown.append(name)
        block = self.recorder.blob(play.block)
        tokens = len(play.block.split())
        items = ({"item": "i1", "text": play.block, "sources": []},) if play.block else ()
        self.emit(MemoryRead(query=request, budget=256, block=block, tokens=tokens, items=items))
        if play.usage:
            self.completion(play.usage)
        for number, call in enumerate(play.calls):
            self._call(f"{name}:{number}", *call)
        self._end(name, play)

    def _call(
        self, call: str, tool: str, arguments: dict[str, Any], ok: bool, patch: list[Any]
    ) -> None:
        self.shown.append(self.emit(ToolCalled(call=call, tool=tool, arguments=arguments)))
        self.shown.append(self.emit(ToolReturned(call=call, tool=tool, ok=ok, text=f"ran {tool}")))
        if patch:
            self.emit(WorldChanged(call=call, patch=tuple(patch)))

    def _end(self, name: str, play: Play) -> None:
        if play.error:
            self.fail(*play.error, decision=name, fatal=play.fatal)
        else:
            self.shown.append(self.emit(OUTCOMES[play.outcome](decision=name, text=play.text)))

    def fail(self, culprit: Any, fault: Any, decision: str | None, fatal: bool) -> None:
        self.emit(
            ErrorRecorded(
                culprit=culprit, fault=fault, message="it broke", decision=decision, fatal=fatal
            )
        )


def script(arc: str, world: Any, requests: dict[str, str]) -> Script:
    """Return an arc of a planting episode and one episode a decision (`episode/event`)."""
    plant = Episode(id="plant", events=(Message(id="m", at=0, text="My refund is $45.00."),))
    asks = [
        Episode(
            id=name.split("/")[0],
            events=(Decision(id=name.split("/")[1], at=number, request=request),),
        )
        for number, (name, request) in enumerate(requests.items(), 1)
    ]
    return Script(arc=arc, environment="support", world=world, episodes=(plant, *asks))


@dataclass
class RunMaker:
    """Collects arcs, arms and trials and writes them as a run folder."""

    folder: Path
    suite: dict[str, Any] = field(default_factory=lambda: {"name": "made", "seeds": [0]})
    arcs: dict[str, Any] = field(default_factory=dict)
    arms: dict[str, Any] = field(default_factory=dict)
    scripts: dict[str, Script] = field(default_factory=dict)
    keys: dict[str, Key] = field(default_factory=dict)
    tapes: list[tuple[str, Tape, bool]] = field(default_factory=list)

    def arc(
        self,
        name: str,
        probes: Iterable[Probe],
        *,
        world: Any = None,
        requests: dict[str, str] | None = None,
        tier: Any = "easy",
        cluster: str | None = None,
        domain: str = "support",
    ) -> None:
        probes = tuple(probes)
        named = requests or {probe.decision: "Please pay it." for probe in probes}
        self.scripts[name] = script(name, world or {}, named)
        self.keys[name] = Key(
            arc=name, domain=domain, tier=tier, cluster=cluster or name, probes=probes
        )
        self.arcs[name] = {
            "script": self.scripts[name].hash,
            "key": self.keys[name].hash,
            "domain": domain,
            "tier": tier,
            "cluster": cluster or name,
            "corruption": "none",
        }

    def arm(self, name: str, memory: str = "none", model: str = "last", **options: Any) -> str:
        self.arms[name] = {
            "memory": memory,
            "implementation": "standard",
            "memory_options": {},
            "model": model,
            "model_options": {},
            "memory_model": None,
            "memory_model_options": {},
            "agent": "scaffold",
            "agent_options": {},
            "token_budget": 256,
            "compaction": "forced",
            "forgetting": "off",
            "counter": "pieces-1",
            "latency": "typical",
            **options,
        }
        return name

    def tape(
        self,
        arc: str,
        arm: str,
        seed: int = 0,
        *,
        sealed: bool = True,
        oracle: bool = False,
        identities: dict[str, Any] | None = None,
    ) -> Tape:
        """Open a trial whose events the test writes itself."""
        trial = f"{arc}/{arm}/{seed}"
        tape = Tape(trial)
        self.tapes.append((trial, tape, sealed))
        tape.emit(
            TrialOpened(
                arc=arc,
                arm=arm,
                seed=seed,
                script=self.scripts[arc].hash,
                options=self.arms[arm],
                identities={"agent_model": SCRIPTED} if identities is None else identities,
                oracle=oracle,
            )
        )
        return tape

    def play(self, arc: str, arm: str, seed: int = 0, *plays: Play, **how: Any) -> None:
        """Play an arc to its end: one `Play` a decision, in order; fewer end in a fatal error."""
        tape = self.tape(arc, arm, seed, **how)
        tape.session("plant")
        tape.say("plant/m", "My refund is $45.00.")
        tape.boundary()
        asks = self.scripts[arc].episodes[1:]
        for episode, play in zip(asks, plays, strict=False):
            tape.session(episode.id)
            decision = next(episode.decisions())
            tape.decide(f"{episode.id}/{decision.id}", decision.request, play)
            tape.boundary()
        if len(plays) < len(asks):
            tape.fail("environment", "crash", None, True)
        tape.emit(TrialClosed(complete=len(plays) == len(asks)))

    def write(self) -> Run:
        for place, found in (("scripts", self.scripts), ("keys", self.keys)):
            (self.folder / place).mkdir(parents=True, exist_ok=True)
            for each in found.values():
                text = canonical_json(each.model_dump(mode="json"))
                path = self.folder / place / f"{each.hash}.json"
                path.write_text(text, "utf-8")
        with EventLog.create(self.folder / "events.db") as log:
            sink = ListSink()
            Recorder(RUN_STREAM, {}, sink).emit(
                ManifestRecorded(suite=self.suite, arcs=self.arcs, arms=self.arms, packages={}), 0
            )
            log.write_trial(RUN_STREAM, {}, sink.rows, {})
            for trial, tape, sealed in self.tapes:
                if sealed:
                    log.write_trial(trial, {}, tape.sink.rows, tape.sink.blobs)
                else:
                    log.begin(trial, {})
                    log.append(trial, tape.sink.rows, tape.sink.blobs)
        return load_run(self.folder)


@pytest.fixture
def maker(tmp_path: Path) -> Callable[..., RunMaker]:
    """Return a function that begins a run folder of a name."""
    return lambda name="run", **suite: RunMaker(
        tmp_path / name, {"name": "made", "seeds": [0], **suite}
    )


@pytest.fixture
def play() -> type[Play]:
    """Return the class that says what happens at a decision."""
    return Play


@pytest.fixture
def surface() -> Callable[..., Surface]:
    """Return a function that makes a surface of a text."""
    return lambda text: Surface(id="e/1", role="user", text=text, time=0)
