"""Plantings: what a context task plants for a probe, and the counterparts of a task without it.

A probe of these kinds asks whether the agent still honours what it was told, and no longer uses
what it was told to drop. Its planting is part of the key; memories and agents see only the events.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field

from simulator.events import Frozen
from simulator.events.scripted import Name

ContextKind = Literal[
    "constraint", "obligation", "revocation", "supersession", "deletion", "quotation", "task"
]
"""What a context probe tests: a rule that still binds, work that was added, access that was
withdrawn, a fact that was corrected, a source that was deleted, words to be quoted; and `task`,
whether the work itself was done."""

CONTEXT_KINDS: tuple[ContextKind, ...] = get_args(ContextKind)

Phrasing = Literal["order", "rule", "request", "reason", "remark", "implied"]
"""How what is planted is said, from explicit to implicit."""

PHRASINGS: tuple[Phrasing, ...] = get_args(Phrasing)

Position = Literal["before", "between", "after"]
"""Where what is planted stands: before the first cut of the context, between two, after the last."""

POSITIONS: tuple[Position, ...] = get_args(Position)

Text = Annotated[str, Field(min_length=1)]


class Question(Frozen):
    """What a retention question asks on a fork, and what a right answer says.

    Attributes:
        text: The question; it holds none of the phrases.
        says: Phrases of which a right answer asserts all.
    """

    text: Text
    says: tuple[Text, ...] = Field(min_length=1)


class Planting(Frozen):
    """How a probe was planted.

    Attributes:
        events: Full ids of the events that plant it; its twin is the same arc without them.
        essentials: Texts, such as ids and values, that must still be shown for anybody to comply.
        phrasing: How it is said, or None.
        position: Where it stands, or None.
        lifted: A constraint that was lifted before the test: to go on refusing is over-retention.
        sources: What was withdrawn or deleted: full ids of events and ids of things of the world.
        question: The retention question, or None.
    """

    events: tuple[str, ...] = Field(min_length=1)
    essentials: tuple[Text, ...] = ()
    phrasing: Phrasing | None = None
    position: Position | None = None
    lifted: bool = False
    sources: tuple[str, ...] = ()
    question: Question | None = None


CounterpartKind = Literal["twin", "swap", "absent", "filler"]
"""`twin`: without a planting. For the influence of revoked content: `swap` has other values in
it, `absent` nothing but filler of the same length, `filler` that same filler in other words."""


class Counterpart(Frozen):
    """That an arc is another one with one thing changed, to be held against it.

    Attributes:
        of: The arc that it is held against.
        kind: What is other in it.
        probe: Id of the probe that it is about.
    """

    of: Name
    kind: CounterpartKind
    probe: Name


class Review(Frozen):
    """A person's verdict on a task, kept with it.

    Attributes:
        verdict: Whether planting, situation, ideal and violation are right as they are written.
        note: What the person said.
    """

    verdict: Literal["sound", "unsound"]
    note: str = ""
