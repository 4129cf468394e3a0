"""A story with every kind of boundary and notice, and parts that count what they are asked."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel

from simulator.effects.memory import (
    Ask,
    Block,
    Forgetting,
    Gone,
    Habit,
    Item,
    MemorySetup,
    Reach,
    Shown,
)
from simulator.effects.options import Options as NoOptions
from simulator.effects.prompts import Completion, Prompt, Usage
from simulator.effects.steps import Complete, Embed, Steps, Vector
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.parts import Backends, make_agent
from simulator.engine.playing import play_trial
from simulator.engine.sinks import LogSink
from simulator.engine.trial import genesis, trial_id
from simulator.events import Json, Script, Surface
from simulator.events.faults import Fault
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest
from simulator.replay import Change, Fork, fork_trial, replay_trial

HERE = "tests.simulator.replay.forking"


class Asked:
    """What reached a back end since the last `clear`."""

    prompts: ClassVar[list[tuple[str, str]]] = []
    texts: ClassVar[list[str]] = []

    @classmethod
    def clear(cls) -> None:
        cls.prompts.clear()
        cls.texts.clear()


class VoiceOptions(NoOptions):
    """Options of `Voice`."""

    voice: str = "a"
    fails: bool = False


class Voice:
    """A model whose every answer is another one for another prompt or seed."""

    Options: ClassVar[type[BaseModel]] = VoiceOptions
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = True
    renderer: ClassVar[str] = "plain"

    def __init__(self, options: VoiceOptions) -> None:
        self._options = options

    def identity(self) -> dict[str, Json]:
        return {"name": "voice", "voice": self._options.voice}

    def complete(self, request: CompletionRequest) -> Completion:
        Asked.prompts.append((self._options.voice, request.rendered))
        if self._options.fails:
            raise Fault("model", "overflow", "too long")
        made = hashlib.sha256(f"{request.rendered}{request.seed}".encode()).hexdigest()[:8]
        usage = Usage(input=len(request.rendered.split()), output=3)
        return Completion(text=f"{self._options.voice} {made} 🪴", finish="stop", usage=usage)

    def close(self) -> None:
        """Nothing is open."""


class Points:
    """An embedder."""

    Options: ClassVar[type[BaseModel]] = NoOptions
    deterministic: ClassVar[bool] = True
    dimension = 4

    def __init__(self, options: NoOptions) -> None:
        pass

    def identity(self) -> dict[str, Json]:
        return {"name": "points"}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        Asked.texts.extend(texts)
        digests = [hashlib.sha256(text.encode()).digest()[:16] for text in texts]
        return [np.array(np.frombuffer(each, "<u4") / 2**32, dtype="<f4") for each in digests]


class NotesOptions(NoOptions):
    """Options of `Notes`."""

    title: str = "notes"
    writes: bool = False
    embeds: bool = False
    breaks: Literal["", "absorb", "withdrawn"] = ""


class Notes:
    """Keeps every line under its title; writes with a model or embeds where it is told to."""

    Options: ClassVar[type[BaseModel]] = NotesOptions
    habit: Habit = "accumulates"
    given: ClassVar[list[tuple[str, str, tuple[str, ...]]]] = []
    """What every instance was given: its title, what, and which events."""

    def __init__(self, options: NotesOptions, setup: MemorySetup) -> None:
        self._options = options
        self.embedder = f"{HERE}:Points" if options.embeds else None
        self._items: dict[str, Item] = {}

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        yield from self._take("absorb", [surface.id for surface in transcript])
        if self._options.embeds:
            yield Embed(tuple(surface.text for surface in transcript))
        note = ""
        if self._options.writes:
            prompt = Prompt(instructions="Write.", context=tuple(transcript), request="Now.")
            said = yield Complete(prompt, 9)
            note = f" ({said.text})"
        for surface in transcript:
            text = " ".join(f"{self._options.title}: {surface.text}{note}".splitlines())
            self._items[surface.id] = Item(
                id=surface.id,
                text=text,
                sources=frozenset([surface.id]),
                time=surface.time,
                scope=surface.scope,
            )

    def read(self, ask: Ask) -> Steps[Block]:
        yield from ()
        fitting = [
            item
            for item in self._items.values()
            if not item.hidden and item.id not in ask.shown and item.scope in ("global", ask.scope)
        ]
        return Block(
            items=tuple(Shown(item=i.id, text=i.text, sources=tuple(i.sources)) for i in fitting)
        )

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        yield from self._take(how, sources)
        for name in sources & set(self._items):
            if how == "deleted":
                del self._items[name]
            else:
                self._hide(name, True)
        return Forgetting()

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        yield from self._take("granted", sources)
        for name in sources & set(self._items):
            self._hide(name, False)

    def holdings(self) -> Iterable[Item]:
        return self._items.values()

    def close(self) -> None:
        """Nothing is open."""

    def _take(self, what: str, events: Iterable[str]) -> Steps[None]:
        yield from ()
        self.given.append((self._options.title, what, tuple(events)))
        if what == self._options.breaks:
            raise RuntimeError("no room")

    def _hide(self, name: str, hidden: bool) -> None:
        self._items[name] = self._items[name].model_copy(update={"hidden": hidden})


def _say(name: str, at: int, text: str, *causes: str, **more: Json) -> Json:
    return {"kind": "message", "id": name, "at": at, "text": text, "causes": causes, **more}


def _ask(name: str, at: int, request: str, *causes: str) -> Json:
    return {"kind": "decision", "id": name, "at": at, "request": request, "causes": causes}


STORY: Json = {
    "arc": "garden",
    "environment": "conversation",
    "episodes": [
        {
            "id": "e1",
            "events": [
                _say("m1", 1000, "The code is plum-0012 🪴."),
                _say("m2", 2000, "The gate is green.", "m1"),
                {"kind": "compaction", "id": "c1", "at": 3000, "causes": ["m2"]},
                _say("m3", 4000, "The shed is red.", "c1"),
                _ask("d1", 5000, "What is the code?", "m3"),
                # Said while the decision is under way, for a completion takes 300 ms and more.
                _say("m4", 5100, "It rains."),
            ],
        },
        {
            "id": "e2",
            "events": [
                {
                    "kind": "access_withdrawn",
                    "id": "w1",
                    "at": 100_000,
                    "sources": ["e1/m1"],
                    "text": "The code may not be used.",
                },
                _say("m1", 100_500, "The gate is blue now.", "w1"),
                {"kind": "compaction", "id": "c1", "at": 101_000, "causes": ["m1"]},
                _ask("d1", 102_000, "Which colour has the gate?", "c1"),
                {
                    "kind": "access_granted",
                    "id": "g1",
                    "at": 103_000,
                    "causes": ["d1"],
                    "sources": ["e1/m1"],
                    "text": "The code may be used again.",
                },
                _ask("d2", 104_000, "And the code?", "g1"),
            ],
        },
        {
            "id": "e3",
            "events": [
                _say("m1", 200_000, "The shed is white now."),
                _ask("d1", 201_000, "Which colour has the shed?", "m1"),
                {"kind": "session_end", "id": "end", "at": 202_000, "causes": ["d1"]},
            ],
        },
    ],
}
SCRIPT = Script.model_validate(STORY)
TRIAL = trial_id("garden", "base", 0)


def part(name: str, **options: Json) -> PartSpec:
    """A part of this module, with all its options spelled out."""
    made: dict[str, type[BaseModel]] = {"Voice": VoiceOptions, "Notes": NotesOptions}
    whole = made.get(name, NoOptions).model_validate(options)
    return PartSpec(name=f"{HERE}:{name}", options=whole.model_dump(mode="json"))


def base_arm(**changes: Any) -> Arm:
    """Notes that write and embed, unbudgeted, told of every notice."""
    fields: dict[str, Any] = {
        "id": "base",
        "memory": part("Notes", writes=True, embeds=True),
        "model": part("Voice"),
        "memory_model": part("Voice", voice="m"),
        "embedder": part("Points"),
        "agent": PartSpec(name="scaffold", options={"max_steps": 4, "max_tokens": 96}),
        "token_budget": None,
        "forgetting": "index",
    }
    return Arm.model_validate(fields | changes)


def record(log: EventLog, arm: Arm, script: Script = SCRIPT) -> list[Row]:
    """Play a trial live into the log and return its rows."""
    sink = LogSink(log, trial_id(script.arc, arm.id, 0), genesis(script, arm))
    sources = Backends().sources(arm)
    play_trial(script, arm, 0, agent=make_agent(arm), sources=sources, sink=sink)
    sink.finish()
    Asked.clear()
    Notes.given.clear()
    return list(log.rows(trial_id(script.arc, arm.id, 0)))


def fork(log: EventLog, at: int | str, change: Change, trial: str = TRIAL) -> Fork:
    """Fork the story with live parts of this module."""
    return fork_trial(log, trial, SCRIPT, at, change, sources=Backends().sources)


def replayed(made: Fork, arm: Arm | None = None, script: Script = SCRIPT) -> int:
    """Replay a fork from a log of its own, in which nothing of its parent stands."""
    Asked.clear()
    with EventLog.create(":memory:") as log:
        made.write(log)
        compared = replay_trial(log, made.trial, script, arm or base_arm(), 0)
    assert (Asked.prompts, Asked.texts) == ([], [])
    return compared


def unchained(rows: Iterable[Row]) -> list[tuple[Any, ...]]:
    """Rows without what a genesis makes of them."""
    return [tuple(getattr(row, name) for name in Row.__slots__ if name != "hash") for row in rows]


def bodies(rows: Iterable[Row], kind: str) -> list[Any]:
    return [json.loads(row.body) for row in rows if row.kind == kind]


def place(rows: Sequence[Row], name: str) -> int:
    """The position of an event."""
    [found] = [row.position for row in rows if row.id == name]
    return found


def shown(made: Fork, start: int) -> str:
    """Everything that a model was shown from a position on."""
    rows = [row for row in made.rows[start:] if row.kind == "completion"]
    return "\n".join(made.text(json.loads(row.body)["rendered"]) for row in rows)
