"""Recorded events: what happened while a script was played.

A trial's stream holds scripted events as they happened and these. Fields of type `Blob` hold
the SHA-256 of a text or of bytes kept beside the events, content-addressed. Kinds never change;
an older log is lifted by numbered upcasts.
"""

from typing import ClassVar, Literal

from pydantic import Field

from simulator.events.canonical import Json
from simulator.events.faults import Culprit, FaultKind
from simulator.events.recording import Blob as Blob
from simulator.events.recording import Recorded as Recorded
from simulator.events.residues import ResidueAudited as ResidueAudited
from simulator.events.surfaces import Role

Purpose = Literal["act", "write", "read", "rebuild"]
"""Who a call was made for: the agent, a memory absorbing, a memory reading, or rebuilding."""


class TrialOpened(Recorded):
    """First event of every trial.

    Attributes:
        arc: The arc that is played.
        arm: The arm's id.
        seed: The trial seed.
        script: Hash of the script.
        options: Effective options of the arm, defaults spelled out.
        identities: Role (`agent_model`, `memory_model`, `embedder`) to the identity of the part.
        oracle: True when a part of this trial sees the key; such trials are never results.
    """

    kind: ClassVar[str] = "trial_opened"
    arc: str
    arm: str
    seed: int
    script: str
    options: Json
    identities: dict[str, Json]
    oracle: bool


class SessionStarted(Recorded):
    """A session of the agent begins with an empty working context."""

    kind: ClassVar[str] = "session_started"
    episode: str


class Said(Recorded):
    """A scripted message, document, tool report or platform notice, as it happened.

    Attributes:
        source: The scripted kind, such as `message` or `access_withdrawn`.
        role: Role of the surface.
        text: What was seen.
        tool: Tool name of a report, else None.
        sources: What a platform notice is about: events, and things of the world by their ids.
    """

    kind: ClassVar[str] = "said"
    source: str
    role: Role
    text: str
    tool: str | None = None
    sources: tuple[str, ...] = ()


class Boundary(Recorded):
    """The working context was handed to the memory and emptied.

    Attributes:
        why: `forced` (a scripted compaction), `native` (the memory's trigger), `session_end`, or
            `injected` (a record that the memory is given by itself, after a session).
        asked: When it was asked for, ms; the event's own time says when it ran.
        transcript: Ids of the surfaces that the memory absorbed, in order.
        tokens: Of a native one, the tokens that were in the working context; else None.
        compact_at: Of a native one, the memory's trigger, which they were above; else None.
    """

    kind: ClassVar[str] = "boundary"
    later: ClassVar[frozenset[str]] = frozenset(("tokens", "compact_at"))
    why: Literal["forced", "native", "session_end", "injected"]
    asked: int
    transcript: tuple[str, ...]
    tokens: int | None = None
    compact_at: int | None = None


class DecisionOpened(Recorded):
    """A decision point was reached; the event's id is the authored `episode/event`."""

    kind: ClassVar[str] = "decision"
    request: str


class MemoryRead(Recorded):
    """What the memory gave back for one decision, or for a call of one of its own tools.

    The cause is the decision, or the call.

    Attributes:
        query: The request's text.
        budget: Token budget of the block; None is unbudgeted. For a call, what is left of it.
        block: The block as the prompt shows it; for a call, its result.
        tokens: Tokens of the block, header and separators included.
        items: Per item: `item`, `text`, `tokens`, `sources`, and where ranked `rank` and
            `distance` (integer, 10⁻⁶).
    """

    kind: ClassVar[str] = "memory_read"
    query: str
    budget: int | None
    block: Blob
    tokens: int
    items: tuple[Json, ...]


class CompletionRecorded(Recorded):
    """One model call. Neutral sections and the rendered prompt are blobs.

    Attributes:
        purpose: What the call was for.
        role: `agent_model` or `memory_model`.
        step: Index of the call in its trial, from 0.
        max_tokens: Output limit, tokens.
        seed: Seed given to the model.
        text: What the model said.
        finish: `stop` or `length`.
        usage: `input`, `cached` (part of input), `output`, `reasoning` (part of output): tokens
            as the back end counts them. Cached is the common prefix with the trial's previous
            prompt, whatever was really reused; only an endpoint's `service` bills its own.
    """

    kind: ClassVar[str] = "completion"
    purpose: Purpose
    role: Literal["agent_model", "memory_model"]
    step: int
    max_tokens: int
    seed: int
    instructions: Blob
    tools: Blob
    examples: Blob
    block: Blob
    context: Blob
    request: Blob
    steps: Blob
    rendered: Blob
    text: str
    finish: Literal["stop", "length"]
    usage: dict[str, int]


class ServiceRecorded(Recorded):
    """How an endpoint served the model call that the next event records.

    Attributes:
        purpose: What the call was for.
        role: `agent_model` or `memory_model`.
        step: Index of the call in its trial.
        model: The model that answered, as the endpoint names it, or ``""``.
        fingerprint: The endpoint's name for its set-up, or ``""``.
        attempts: Requests that brought no completion, in order: `status` (None without an
            answer), `message`, `usage` (None where the endpoint reported none), `waited` (ms
            before the next one).
    """

    kind: ClassVar[str] = "service"
    purpose: Purpose
    role: Literal["agent_model", "memory_model"]
    step: int
    model: str
    fingerprint: str
    attempts: tuple[Json, ...]


class EmbeddingRecorded(Recorded):
    """Texts were embedded; vectors are blobs of little-endian float32.

    Attributes:
        purpose: What the call was for.
        texts: SHA-256 of each text.
        vectors: Blob of each vector.
        tokens: Tokens of all texts by the suite's counter.
    """

    kind: ClassVar[str] = "embedding"
    purpose: Purpose
    texts: tuple[str, ...]
    vectors: tuple[Blob, ...]
    tokens: int


class CallFailed(Recorded):
    """A call to a model or an embedder failed; what it fails for is an `error` of its own.

    Attributes:
        purpose: What the call was for.
        role: `agent_model`, `memory_model` or `embedder`.
        step: Index of the model call in its trial; -1 for an embedder.
        asked: Blob of the rendered prompt, or of the texts as a JSON list.
    """

    kind: ClassVar[str] = "call_failed"
    purpose: Purpose
    role: Literal["agent_model", "memory_model", "embedder"]
    step: int
    asked: Blob
    culprit: Culprit
    fault: FaultKind
    message: str
    detail: str


class ToolCalled(Recorded):
    """The agent called a tool.

    Attributes:
        call: Id that the call and its return share.
        arguments: Arguments after coercion.
        coerced: Names of arguments whose type was wrong but parsed exactly.
    """

    kind: ClassVar[str] = "tool_call"
    call: str
    tool: str
    arguments: Json
    coerced: tuple[str, ...] = ()


class ToolReturned(Recorded):
    """A tool's answer; `ok` is False for an error that the tool reports to the agent."""

    kind: ClassVar[str] = "tool_return"
    call: str
    tool: str
    ok: bool
    text: str


class WorldChanged(Recorded):
    """A change of the world, as a JSON Patch (RFC 6902).

    Attributes:
        call: Id of the tool call that made it; ``""`` after an announcement, which is its cause.
    """

    kind: ClassVar[str] = "world_change"
    call: str
    patch: tuple[Json, ...]


class MemoryChanged(Recorded):
    """What a boundary, a platform notice or a call of its tools changed in the memory's holdings.

    Attributes:
        why: `absorb`, `withdrawn`, `deleted` or `granted`; `rebuild` for what was absorbed again
            because it was lost with something forgotten; `tool` for what the agent changed by one
            of the memory's tools; `fault` for what was left changed by what then failed.
        written: Items that are new or changed: `id`, `text`, `sources`, `saw`, `scope`, `role`,
            `hidden`, `replaced_by` where another item stands for one kept as history, and `store`
            where it contains something that is forgotten by then.
        gone: Ids of items that are no longer held.
        held: Number of items held now, hidden ones included.
    """

    kind: ClassVar[str] = "memory_change"
    why: Literal["absorb", "withdrawn", "deleted", "granted", "rebuild", "tool", "fault"]
    written: tuple[Json, ...]
    gone: tuple[str, ...]
    held: int


class Answered(Recorded):
    """The agent's final answer to a decision."""

    kind: ClassVar[str] = "answer"
    decision: str
    text: str


class Clarified(Recorded):
    """The agent asked a question instead of answering."""

    kind: ClassVar[str] = "clarification"
    decision: str
    text: str


class Refused(Recorded):
    """The agent declined."""

    kind: ClassVar[str] = "refusal"
    decision: str
    text: str


class ErrorRecorded(Recorded):
    """Something failed; blamed on the part that failed.

    Attributes:
        decision: The decision that it ended, or None.
        fatal: True when the trial cannot go on.
        detail: Raw material that could not be read, such as an unparsable action.
    """

    kind: ClassVar[str] = "error"
    culprit: Culprit
    fault: FaultKind
    message: str
    decision: str | None
    fatal: bool
    detail: str = ""


class TrialClosed(Recorded):
    """Last event of every trial.

    Attributes:
        complete: False when a fatal error, or the end of a fork, cut it short.
    """

    kind: ClassVar[str] = "trial_closed"
    complete: bool


class ManifestRecorded(Recorded):
    """First event of the run-level stream: everything a reader needs to interpret the run.

    Attributes:
        suite: The effective suite, defaults spelled out.
        arcs: Arc to its `script` and `key` hashes and its `domain`, `tier` and `cluster`.
        arms: Arm id to its effective options.
        identities: Arm id to its models and embedder: role to identity. Arms of which this
            run plays no trial are left out.
        packages: Name to version of the packages that shape results.
    """

    kind: ClassVar[str] = "manifest"
    suite: Json
    arcs: dict[str, Json]
    arms: dict[str, Json]
    identities: dict[str, Json] = Field(default_factory=dict)
    packages: dict[str, str]


class AnalysisDeclared(Recorded):
    """The analysis as the suite declared it before the first trial."""

    kind: ClassVar[str] = "analysis"
    declared: Json


class RootSealed(Recorded):
    """The root over all sealed heads, written when every trial of the suite is sealed."""

    kind: ClassVar[str] = "root"
    root: str
    trials: int


RECORDED: dict[str, type[Recorded]] = {cls.kind: cls for cls in Recorded.__subclasses__()}
