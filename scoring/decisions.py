"""Decision records: what happened at each decision point, rebuilt from the log alone.

Scoring, traces and reports all read these, so that they speak of the same thing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from scoring.run import Event, Trial
from simulator.events import Json, Surface, canonical_json, event_id
from simulator.events.faults import Culprit
from simulator.events.residues import TOMBSTONE
from simulator.events.worlds import changed
from simulator.log.errors import LogDamaged

OutcomeKind = Literal["answer", "clarification", "refusal", "error", "missing"]


@dataclass(frozen=True)
class CallRecord:
    """One tool call of the agent.

    Attributes:
        tool: Name of the tool.
        arguments: Arguments as they were checked.
        coerced: Names of arguments of a wrong type that parsed exactly.
        ok: True when the tool ran and reported no error; None when it never returned.
        text: What the tool returned.
        position: Position of the call's event.
        of_memory: True for a tool of the memory, which is not of the world.
    """

    tool: str
    arguments: dict[str, Json]
    coerced: tuple[str, ...]
    ok: bool | None
    text: str
    position: int
    of_memory: bool = False


@dataclass(frozen=True)
class ErrorRecord:
    """The fault that ended a decision or the trial before it."""

    culprit: Culprit
    fault: str
    message: str
    detail: str
    position: int


@dataclass(frozen=True)
class Tokens:
    """Tokens of model and embedder calls; cached is a part of input."""

    input: int = 0
    cached: int = 0
    output: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.input + other.input, self.cached + other.cached, self.output + other.output
        )

    @property
    def total(self) -> int:
        """All tokens, in and out."""
        return self.input + self.output


@dataclass(frozen=True)
class DecisionRecord:
    """What one decision point saw, did and changed.

    Attributes:
        trial: Name of the trial.
        id: `episode/event` of the decision.
        request: What had to be acted on.
        block: The memory block as the prompt showed it.
        block_tokens: Tokens of the block by the suite's counter.
        read: True when the memory gave back a block, be it an empty one.
        items: The block's items: `item`, `text`, `sources`, `rank`, `distance`.
        context: The working context before the request.
        calls: Tool calls in order.
        before: The world when the decision opened; never to be changed.
        after: The world when it ended.
        outcome: How it ended; `missing` when the trial ended before it was reached.
        text: The final answer, question or refusal; ``""`` after an error.
        error: What ended it, after `error` and `missing`.
        tokens: Purpose to the tokens of the calls made meanwhile.
        first: Position of its first event; -1 when it was not reached.
        last: Position of its last event; -1 when it was not reached.
        environment: Name of the environment, whose schemas say what equal arguments are.
    """

    trial: str
    id: str
    request: str
    block: str = ""
    block_tokens: int = 0
    read: bool = False
    items: tuple[dict[str, Json], ...] = ()
    context: tuple[Surface, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    before: Json = field(default=None, repr=False)
    after: Json = field(default=None, repr=False)
    outcome: OutcomeKind = "missing"
    text: str = ""
    error: ErrorRecord | None = None
    tokens: dict[str, Tokens] = field(default_factory=dict)
    first: int = -1
    last: int = -1
    environment: str = ""

    @property
    def errored(self) -> bool:
        """True when no outcome of the agent's ended it."""
        return self.outcome in ("error", "missing")

    @property
    def executed(self) -> tuple[CallRecord, ...]:
        """The calls of the world's tools that ran and reported no error."""
        return tuple(call for call in self.calls if call.ok and not call.of_memory)


def decisions(trial: Trial) -> list[DecisionRecord]:
    """Return a record for every decision of the script, in script order.

    A decision that was never reached is `missing` and carries the trial's last error.
    """
    reader = _Reader(trial)
    for event in trial.events:
        reader.take(event)
    reader.finish()
    return [
        reader.done.get(name) or _missing(trial, name, request, reader.last_error)
        for name, request in _scripted(trial)
    ]


@dataclass(frozen=True)
class Stage:
    """What surrounded the agent at one position of a trial.

    Attributes:
        context: The working context: surfaces since the last boundary.
        world: The world's state; never to be changed.
    """

    context: tuple[Surface, ...]
    world: Json


def stage_at(trial: Trial, position: int) -> Stage:
    """Return the working context and the world as the event at `position` left them."""
    reader = _Reader(trial)
    for event in trial.events[: position + 1]:
        reader.take(event)
    return reader.stage()


def followed(trial: Trial) -> Iterator[tuple[Event, dict[str, Surface]]]:
    """Yield each event with the working context that it left, which the next one changes."""
    reader = _Reader(trial)
    for event in trial.events:
        reader.take(event)
        yield event, reader.context


def _scripted(trial: Trial) -> Iterator[tuple[str, str]]:
    for episode in trial.script.episodes:
        for decision in episode.decisions():
            yield event_id(episode.id, decision.id), decision.request


def _missing(trial: Trial, name: str, request: str, error: ErrorRecord | None) -> DecisionRecord:
    return DecisionRecord(
        trial=trial.name,
        id=name,
        request=request,
        error=error,
        environment=trial.script.environment,
    )


class _Reader:
    """Follows a trial's events: the world, the working context, the open decision."""

    def __init__(self, trial: Trial) -> None:
        self.done: dict[str, DecisionRecord] = {}
        self.last_error: ErrorRecord | None = None
        self._trial = trial
        self._world: Json = trial.script.world
        self._context: dict[str, Surface] = {}
        self._removed: dict[str, Surface] = {}
        self._leaving: tuple[str, ...] = ()
        self._recalled: set[str] = set()
        self._open: DecisionRecord | None = None
        self._calls: dict[str, tuple[Event, Event | None]] = {}
        self._tokens: dict[str, Tokens] = {}
        self._takers: dict[str, Callable[[Event], None]] = {
            "session_started": lambda event: self._context.clear(),
            "boundary": self._boundary,
            "memory_change": self._memory_change,
            "residue_audit": self._residue_audit,
            "said": self._said,
            "decision": self._decision,
            "memory_read": self._memory_read,
            "completion": self._completion,
            "service": self._service,
            "embedding": self._embedding,
            "tool_call": self._tool_call,
            "tool_return": self._tool_return,
            "world_change": self._world_change,
            "answer": self._end,
            "clarification": self._end,
            "refusal": self._end,
            "error": self._error,
        }

    def take(self, event: Event) -> None:
        """Take the next event."""
        taker = self._takers.get(event.kind)
        if taker is not None:
            taker(event)

    def finish(self) -> None:
        """End a decision that a cut-short trial left open."""
        if self._open is not None:
            self._close("error", "", self._trial.events[-1].position, self.last_error)

    @property
    def context(self) -> dict[str, Surface]:
        """The working context as it is, by the ids of its surfaces."""
        return self._context

    def stage(self) -> Stage:
        """Return the working context and the world as the events so far left them."""
        return Stage(tuple(self._context.values()), self._world)

    def _boundary(self, event: Event) -> None:
        # All of it leaves, also tombstones of what no memory may have.
        self._leaving = tuple(self._context)

    def _memory_change(self, event: Event) -> None:
        # The context empties only once the memory has taken it in; a failed boundary keeps it.
        if event.body["why"] == "absorb":
            for gone in self._leaving:
                self._context.pop(gone, None)
            self._leaving = ()

    def _residue_audit(self, event: Event) -> None:
        for name in event.body["removed"]:
            if name in self._context:
                whole = self._removed[name] = self._context[name]
                self._context[name] = whole.model_copy(update={"text": TOMBSTONE})
        for name in event.body["restored"]:
            if name in self._context:
                self._context[name] = self._removed.get(name, self._context[name])

    def _said(self, event: Event) -> None:
        self._show(event, event.body["role"], event.body["text"], event.body["tool"])

    def _show(self, event: Event, role: Any, text: str, tool: str | None = None) -> None:
        self._context[event.id] = Surface(
            id=event.id, role=role, text=text, time=event.time, scope=event.scope, tool=tool
        )

    def _decision(self, event: Event) -> None:
        request = event.body["request"]
        self._open = DecisionRecord(
            trial=self._trial.name,
            id=event.id,
            request=request,
            context=tuple(self._context.values()),
            before=self._world,
            first=event.position,
            environment=self._trial.script.environment,
        )
        self._calls, self._tokens = {}, {}
        self._show(event, "user", request)

    def _memory_read(self, event: Event) -> None:
        calls = {called.id for called, _ in self._calls.values()}
        if calls & set(event.causes):  # the agent itself asked, by one of the memory's tools
            self._recalled.update(event.causes)
        elif self._open is not None:
            self._open = replace(
                self._open,
                block=self._trial.text(event.body["block"]),
                block_tokens=event.body["tokens"],
                read=True,
                items=tuple(event.body["items"]),
            )

    def _completion(self, event: Event) -> None:
        self._spend(event.body["purpose"], _used(event.body["usage"]))

    def _service(self, event: Event) -> None:
        for attempt in event.body["attempts"]:
            if attempt["usage"] is not None:
                self._spend(event.body["purpose"], _used(attempt["usage"]))

    def _embedding(self, event: Event) -> None:
        self._spend(event.body["purpose"], Tokens(event.body["tokens"]))

    def _spend(self, purpose: str, used: Tokens) -> None:
        self._tokens[purpose] = self._tokens.get(purpose, Tokens()) + used

    def _tool_call(self, event: Event) -> None:
        self._calls[event.body["call"]] = (event, None)

    def _tool_return(self, event: Event) -> None:
        call = event.body["call"]
        if call not in self._calls:
            raise LogDamaged(f"event {event.position} returns a call that nobody made")
        called, _ = self._calls[call]
        self._calls[call] = (called, event)
        if called.id in self._recalled:
            self._recalled.add(event.id)
        tool = event.body["tool"]
        written = f"{tool}({canonical_json(called.body['arguments'])})"
        # Both halves enter the working context together, when the result is there.
        self._show(called, "assistant", written, tool)
        self._show(event, "tool", event.body["text"], tool)

    def _world_change(self, event: Event) -> None:
        self._world = changed(self._world, event.body["patch"])

    def _end(self, event: Event) -> None:
        outcome = cast(OutcomeKind, event.kind)
        self._close(outcome, event.body["text"], event.position, None)
        self._show(event, "assistant", event.body["text"])

    def _error(self, event: Event) -> None:
        body = event.body
        self.last_error = ErrorRecord(
            body["culprit"], body["fault"], body["message"], body["detail"], event.position
        )
        if self._open is not None and body["decision"] == self._open.id:
            self._close("error", "", event.position, self.last_error)

    def _close(self, outcome: OutcomeKind, text: str, last: int, error: ErrorRecord | None) -> None:
        if self._open is None:
            return
        self.done[self._open.id] = replace(
            self._open,
            calls=tuple(
                _call(called, back, called.id in self._recalled)
                for called, back in self._calls.values()
            ),
            after=self._world,
            outcome=outcome,
            text=text,
            error=error,
            tokens=self._tokens,
            last=last,
        )
        self._open = None


def _used(usage: Mapping[str, int]) -> Tokens:
    return Tokens(usage["input"], usage.get("cached", 0), usage["output"])


def _call(called: Event, returned: Event | None, of_memory: bool) -> CallRecord:
    return CallRecord(
        tool=called.body["tool"],
        arguments=called.body["arguments"],
        coerced=tuple(called.body["coerced"]),
        ok=None if returned is None else returned.body["ok"],
        text="" if returned is None else returned.body["text"],
        position=called.position,
        of_memory=of_memory,
    )
