"""Plays small trials with parts whose every answer a test decides."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import pytest
from pydantic import BaseModel

from simulator.agents.actions import Outcome
from simulator.agents.port import Desk
from simulator.agents.scaffold import Scaffold, ScaffoldOptions
from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import Ask, Block, Forgetting, Gone, Habit, Item, Reach, Shown
from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import Steps, Vector
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.sinks import ListSink
from simulator.engine.sources import LiveSources, ModelRole
from simulator.engine.trial import Trial
from simulator.events import Json, Script, Surface
from simulator.log.rows import Row
from simulator.models.port import CompletionRequest, Model

Reply = str | Completion | Exception
Step = Callable[..., Any]


def said(text: str, finish: Literal["stop", "length"] = "stop") -> Completion:
    """A completion of 10 tokens in and 1 out, which `typical` latency makes 312 ms long."""
    return Completion(text=text, finish=finish, usage=Usage(input=10, output=1))


class ListedModel:
    """Gives the listed replies in order; an exception in the list is raised."""

    Options: ClassVar[type[BaseModel]] = Options
    deterministic: ClassVar[bool] = True
    scripted: ClassVar[bool] = True
    renderer: ClassVar[str] = "plain"

    def __init__(self, replies: Iterable[Reply] | Callable[[CompletionRequest], Reply]) -> None:
        self._replies = replies if callable(replies) else iter(replies)
        self.requests: list[CompletionRequest] = []

    def identity(self) -> dict[str, Json]:
        return {"name": "listed"}

    def complete(self, request: CompletionRequest) -> Completion:
        self.requests.append(request)
        reply = self._replies(request) if callable(self._replies) else next(self._replies)
        if isinstance(reply, Exception):
            raise reply
        return said(reply) if isinstance(reply, str) else reply

    def close(self) -> None:
        """Nothing is open."""


class Notes:
    """Keeps each surface as a line; any method can be replaced by a function of (self, …)."""

    Options: ClassVar[type[BaseModel]] = Options
    habit: Habit = "accumulates"

    def __init__(self, embedder: str | None = None, **steps: Step) -> None:
        self.embedder = embedder
        self.calls: list[tuple[Any, ...]] = []
        self.asks: list[Ask] = []
        self.items: dict[str, Item] = {}
        self._steps = steps

    @property
    def absorbed(self) -> list[tuple[str, ...]]:
        return [call[1] for call in self.calls if call[0] == "absorb"]

    def absorb(self, transcript: Sequence[Surface]) -> Any:
        self.calls.append(("absorb", tuple(surface.id for surface in transcript)))
        return self._do("absorb", self._keep, transcript)

    def read(self, ask: Ask) -> Any:
        self.calls.append(("read", ask.query))
        self.asks.append(ask)
        return self._do("read", self._recall, ask)

    def forget(self, sources: frozenset[str], how: Gone, reach: Reach = "lineage") -> Any:
        self.calls.append(("forget", sources, how, reach))
        return self._do("forget", self._forget, sources, how)

    def regrant(self, sources: frozenset[str]) -> Any:
        self.calls.append(("regrant", sources))
        return self._do("regrant", self._regrant, sources)

    def holdings(self) -> Iterable[Item]:
        return self.items.values()

    def close(self) -> None:
        """Nothing is open."""

    def put(self, name: str, **fields: Any) -> None:
        self.items[name] = Item(
            id=name, **{"text": name, "sources": frozenset([name]), "time": 0} | fields
        )

    def _do(self, name: str, standard: Step, *given: Any) -> Any:
        return self._steps[name](self, *given) if name in self._steps else standard(*given)

    def _keep(self, transcript: Sequence[Surface]) -> Steps[None]:
        yield from ()
        for surface in transcript:
            self.put(surface.id, text=surface.text, time=surface.time, scope=surface.scope)

    def _recall(self, ask: Ask) -> Steps[Block]:
        yield from ()
        scopes = (ask.scope, "global")
        fitting = (i for i in self.items.values() if i.scope in scopes and not i.hidden)
        return Block(items=tuple(shown(item) for item in fitting))

    def _forget(self, sources: frozenset[str], how: str) -> Steps[Forgetting]:
        yield from ()
        for name in [name for name, item in self.items.items() if item.sources & sources]:
            if how == "deleted":
                del self.items[name]
            else:
                self.items[name] = self.items[name].model_copy(update={"hidden": True})
        return Forgetting()

    def _regrant(self, sources: frozenset[str]) -> Steps[None]:
        yield from ()
        for name, item in self.items.items():
            if item.sources & sources:
                self.items[name] = item.model_copy(update={"hidden": False})


def shown(item: Item, **changes: Any) -> Shown:
    fields = {"item": item.id, "text": item.text, "sources": tuple(sorted(item.sources))}
    return Shown.model_validate(fields | changes)


def _tool(name: str, read_only: bool = False, **properties: Json) -> Tool:
    required = [key for key, value in properties.items() if not value.pop("optional", False)]
    schema = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    return Tool(name=name, description=f"To {name}.", parameters=schema, read_only=read_only)


class Till:
    """A till with a sum: `add` changes it, `look` tells it, `smash` breaks the machine."""

    tools: ClassVar[tuple[Tool, ...]] = (
        _tool("add", amount={"type": "integer"}, note={"type": "string", "optional": True}),
        _tool("rate", value={"type": "number"}, sure={"type": "boolean", "optional": True}),
        _tool("pick", number={"type": ["integer", "null"]}),
        _tool("look", read_only=True),
        _tool("smash"),
        _tool("warp"),
        _tool("mutter"),
    )
    instructions: ClassVar[str] = "You mind the till."
    examples: ClassVar[tuple[str, ...]] = ("Request: Add 7.\nAction: add(amount=7)",)

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any], int]] = []

    def check_world(self, world: Json) -> None:
        """Any world will do."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        self.calls.append((tool, arguments, now))
        match tool:
            case "smash":
                raise RuntimeError(f"broken at {object()!r}")
            case "warp":
                change: Json = {"op": "remove", "path": "/nowhere"}
                return ToolOutcome(ok=True, text="warped", changes=(change,))
            case "mutter":
                return ToolOutcome(ok=True, text="\ud800")
            case "add":
                total = world["sum"] + arguments["amount"]
                change = {"op": "replace", "path": "/sum", "value": total}
                return ToolOutcome(ok=True, text=f"the sum is {total}", changes=(change,))
        return ToolOutcome(ok=True, text=f"the sum is {world['sum']}")


class Talk(Till):
    """No tools: the agent just answers."""

    tools: ClassVar[tuple[Tool, ...]] = ()
    examples: ClassVar[tuple[str, ...]] = ()


class Puppet:
    """An agent whose steps a test writes."""

    Options: ClassVar[type[BaseModel]] = Options
    oracle: ClassVar[bool] = False

    def __init__(self, act: Callable[[Desk], Steps[Outcome]]) -> None:
        self._act = act

    def act(self, desk: Desk) -> Steps[Outcome]:
        return self._act(desk)


class ListedEmbedder:
    """Embeds by a function."""

    Options: ClassVar[type[BaseModel]] = Options
    deterministic: ClassVar[bool] = True
    dimension = 2

    def __init__(self, embed: Callable[[Sequence[str]], Any]) -> None:
        self._embed = embed

    def identity(self) -> dict[str, Json]:
        return {"name": "listed"}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = self._embed(texts)
        return vectors


@dataclass
class Event:
    """A row with its JSON read."""

    row: Row
    body: dict[str, Any]
    causes: list[str]

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def time(self) -> int:
        return self.row.time


@dataclass
class Played:
    """A trial that was played, and what was left of it."""

    complete: bool
    rows: list[Row]
    blobs: dict[str, bytes]
    model: ListedModel
    memory: Notes
    environment: Till
    events: list[Event] = field(init=False)

    def __post_init__(self) -> None:
        self.events = [
            Event(row, json.loads(row.body), json.loads(row.causes)) for row in self.rows
        ]

    def all(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]

    def one(self, kind: str) -> Event:
        (event,) = self.all(kind)
        return event

    def where(self, name: str) -> int:
        (place,) = [event.row.position for event in self.events if event.id == name]
        return place

    def text(self, content: str) -> str:
        return self.blobs[content].decode()

    @property
    def errors(self) -> list[tuple[str, str, bool]]:
        return [
            (each.body["culprit"], each.body["fault"], each.body["fatal"])
            for each in self.all("error")
        ]


class Lab:
    """Makes scripts and plays them."""

    Memory = Notes
    Model = ListedModel
    Till = Till
    Talk = Talk
    said = staticmethod(said)

    def script(self, *episodes: list[Json], arc: str = "arc", **more: Json) -> Script:
        """A script of episodes e1, e2, …; an event's `kind` can be left out for a message."""
        listed = [
            {"id": f"e{number}", "events": [_event(event) for event in events]}
            for number, events in enumerate(episodes, start=1)
        ]
        fields = {"arc": arc, "environment": "till", "world": {"sum": 0}, "episodes": listed}
        return Script.model_validate(fields | more)

    def arm(self, **changes: Any) -> Arm:
        part = PartSpec(name="part", options={})
        fields = {"id": "arm", "memory": part, "model": part, "agent": part, "token_budget": 256}
        return Arm.model_validate(fields | changes)

    def play(
        self,
        script: Script,
        replies: Iterable[Reply] | Callable[[CompletionRequest], Reply] = (),
        *,
        memory: Notes | None = None,
        memory_replies: Iterable[Reply] | None = None,
        agent: Callable[[Desk], Steps[Outcome]] | None = None,
        environment: Any = None,
        embed: Callable[[Sequence[str]], Any] | None = None,
        max_steps: int = 4,
        seed: int = 0,
        memory_options: dict[str, Json] | None = None,
        **arm: Any,
    ) -> Played:
        model = ListedModel(replies)
        models: dict[ModelRole, Model] = {"agent_model": model}
        if memory_replies is not None:
            models["memory_model"] = ListedModel(memory_replies)
        memory = memory or Notes()
        environment = environment or self.Till()
        sink = ListSink()
        complete = Trial(
            script,
            self.arm(memory=PartSpec(name="part", options=memory_options or {}), **arm),
            seed,
            environment=environment,
            memory=memory,
            agent=Puppet(agent) if agent else Scaffold(ScaffoldOptions(max_steps=max_steps)),
            sources=LiveSources(models, ListedEmbedder(embed) if embed else None),
            sink=sink,
        ).play()
        return Played(complete, sink.rows, sink.blobs, model, memory, environment)


def _event(fields: Json) -> Json:
    event = {"kind": "message", **fields}
    if event["kind"] == "message":
        event.setdefault("text", f"This is {event['id']}.")
    elif event["kind"] == "decision":
        event.setdefault("request", f"Do {event['id']}.")
    return event


@pytest.fixture
def lab() -> Iterator[Lab]:
    yield Lab()
