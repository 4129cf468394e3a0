"""The memory port: what an architecture must offer, and what it gets.

A memory is a class with an `Options` model, made as `Class(options, setup)`. Its methods are
generators of effects (see `effects`), so that one code path serves live runs and replays.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, Field, SerializerFunctionWrapHandler, model_serializer

from simulator.effects.environment import Tool
from simulator.effects.options import Options
from simulator.effects.steps import Steps
from simulator.events import GLOBAL, Frozen, Surface
from simulator.events.tokens import count_tokens

BLOCK_HEADER = "From earlier sessions:"

Habit = Literal["nothing", "overwrites", "accumulates", "truncates"]
"""What becomes of old content: overwritten by newer, kept beside it, or cut off."""

Reach = Literal["index", "lineage"]
"""How far forgetting goes: to what was kept of an event directly, or to all that contains it."""

Gone = Literal["withdrawn", "deleted"]
"""What happened to an event that is to be forgotten: it may come back, or it never does."""

Store = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
"""Name of the kind of store that an item is in, as audits list it."""


class MemoryOptions(Options):
    """Options that every memory may have; base of a memory's own.

    Attributes:
        compact_at: Its native compaction trigger: most tokens of the working context, which is
            absorbed as soon as it holds more. Arms with `compaction = "native"` need it, forced
            ones ignore it.
    """

    compact_at: int | None = Field(default=None, ge=1)

    @model_serializer(mode="wrap")
    def _as_recorded(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave a trigger that is not declared out of what is recorded and hashed."""
        fields: dict[str, Any] = handler(self)
        if self.compact_at is None:
            fields.pop("compact_at", None)
        return fields


@dataclass(frozen=True)
class Ask:
    """One read of a memory.

    Attributes:
        query: Text of the request.
        budget: Most tokens the rendered block may have; None is unbudgeted.
        scope: Whose request it is; only items of this scope or `global` may be returned.
        now: Simulated time, ms.
        shown: Ids of events that the working context shows; a block never repeats them.
    """

    query: str
    budget: int | None
    scope: str
    now: int
    shown: frozenset[str] = frozenset()


class Item(Frozen):
    """One thing that a memory holds.

    Attributes:
        id: Stable name of the item in this memory.
        text: The text as a block would show it, on one line.
        sources: Ids of the events whose text, or a value from it, the item `contains`.
        saw: Ids of the events that were in the input when it was made.
        time: Simulated time of its newest source, ms.
        scope: Whose information it is.
        role: Role of the surface it came from; the memory's own digests use `system`.
        hidden: True while its source is withdrawn: held, but never given back.
        replaced_by: Id of the held item that stands for it while it is only history, or None.
            A memory that keeps no history has no use for it.
        store: The kind of store that it is in: `replay_window`, `chunks`, `summaries`, `facts`, …;
            what is left of something forgotten is counted by it.
        derived: True for a digest, which forgetting reaches through lineage only; False for a
            direct record of its sources.
    """

    id: str
    text: str
    sources: frozenset[str]
    saw: frozenset[str] = frozenset()
    time: int
    scope: str = GLOBAL
    role: str = "system"
    hidden: bool = False
    replaced_by: str | None = None
    store: Store = "memory"
    derived: bool = False


class Shown(Frozen):
    """One item in a block.

    Attributes:
        item: Id of the item.
        text: What is shown, on one line.
        sources: Source event ids.
        rank: Place in a ranking, from 1, where there was one.
        distance: Distance to the query × 10⁶, where there was one.
    """

    item: str
    text: str
    sources: tuple[str, ...]
    rank: int | None = None
    distance: int | None = None


class Block(Frozen):
    """What a memory returns for one read: items in the order in which they are shown."""

    items: tuple[Shown, ...] = ()

    def render(self) -> str:
        """Return the block as prompts show it: a header line and a line an item, or ``""``."""
        if not self.items:
            return ""
        return "\n".join([BLOCK_HEADER, *(shown.text for shown in self.items)])

    @property
    def tokens(self) -> int:
        """Tokens of the rendered block, header and line breaks included."""
        return count_tokens(self.render())


class Forgetting(Frozen):
    """What a memory did to forget: ids of the items that it hid and of those that it erased."""

    hidden: tuple[str, ...] = ()
    erased: tuple[str, ...] = ()


@dataclass(frozen=True)
class MemorySetup:
    """What a memory is told about its trial: nothing about the exam.

    Attributes:
        trial: The trial's id, for names of stores; never for behaviour.
        has_model: True when a memory model is configured, so `Complete` may be yielded.
    """

    trial: str
    has_model: bool


class Memory(Protocol):
    """A memory architecture.

    Attributes:
        Options: Its options, a pydantic model that refuses unknown names.
        habit: What becomes of old content.
        embedder: Registered name of the embedder that answers its `Embed` effects, or None.
    """

    Options: ClassVar[type[BaseModel]]
    habit: Habit
    embedder: str | None

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Take in the working context at a boundary: the only write path.

        The transcript holds surfaces in order, never a memory block. After something was forgotten
        through lineage, the surfaces of which all visible items went with it come once more, so
        that what they said is kept without it.
        """
        ...

    def read(self, ask: Ask) -> Steps[Block]:
        """Return what helps with a request, within its budget and scope."""
        ...

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Stop giving back what these events said: hide it (withdrawn) or erase it (deleted).

        With the reach `index` that goes for the items that are no digests and name one of these
        events as a source, with `lineage` for every item that does; and from then on for what is
        absorbed later, too. Ids are compared whole. An id that no item came from changes nothing
        and is no error.
        """
        ...

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Give back again what was hidden because of these events alone, just as it was."""
        ...

    def holdings(self) -> Iterable[Item]:
        """Yield everything held, hidden or not, in a deterministic order."""
        ...

    def close(self) -> None:
        """Free what the memory holds outside Python's heap."""
        ...


class Used(Frozen):
    """What the use of a memory's tool came to.

    Attributes:
        ok: False for an error that the tool reports to the agent, such as an unknown item.
        text: What the agent is told before the items, on one line.
        items: Held items that the agent is shown, in order, a line each; never hidden ones, ones
            of another scope, or ones of which it is shown all sources already. With them, the
            whole text keeps within the budget of the `Ask`.
    """

    ok: bool
    text: str
    items: tuple[Shown, ...] = ()

    def render(self) -> str:
        """Return what the agent gets: the text and a line an item."""
        return "\n".join([self.text, *(shown.text for shown in self.items)])


@runtime_checkable
class Tooled(Memory, Protocol):
    """A memory that the agent itself works with, by tools that stand behind the environment's.

    Attributes:
        tools: Its tools. They never change the world, so all are `read_only`; no name is one of
            the environment's.
    """

    tools: tuple[Tool, ...]

    def use(self, tool: str, arguments: dict[str, Any], ask: Ask) -> Steps[Used]:
        """Do what a call asks for; `arguments` have been validated against the tool's schema.

        `ask` has the request, and what is left of the budget at this decision, after the block
        and what earlier calls showed. `shown` names besides the working context what those two
        showed.
        """
        ...
