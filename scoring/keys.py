"""Keys: what a scenario means. The simulator never holds one."""

import re
from functools import cached_property
from typing import Annotated, Literal, get_args

from pydantic import Field

from scoring.planting import CONTEXT_KINDS, ContextKind, Counterpart, Planting, Review
from scoring.risks.kinds import Risk, Subtype
from simulator.events import Frozen, Json, content_hash
from simulator.events.scripted import Name

_SEED = re.compile(r"^[a-z]+ seed=(-?\d{1,19})\b")

ProbeKind = Literal["recall", "compose", "update", "independent", "question", ContextKind]
"""Named words, never numbers: one fact, several facts, a revised fact, none, a text question; and
the kinds of the context track."""

History = Literal["revised", "revised_twice", "returned", "late_report", "past_mention"]
"""How the value of an `update` probe came to be: A→B, A→B→C, A→B→A, a report that comes late (it
holds from an earlier day than what was said before), A→B and then a mention of A as past."""

CorruptionKind = Literal["stale", "contradictory", "distractor"]
CorruptionMode = Literal["event", "injected"]
"""How a wrong record comes in: as a document that the agent sees, or straight into the memory."""

FailureClass = Literal["resurrection", "leakage", "fabrication"]
Tier = Literal["easy", "medium", "hard"]
TIERS: tuple[Tier, ...] = get_args(Tier)
"""The tiers, the easiest first."""


class Gold(Frozen):
    """A value that a right decision needs.

    Attributes:
        name: Attribute, such as `amount`.
        value: The value as the evidence writes it.
        evidence: Full ids of the events that state it.
    """

    name: str
    value: str = Field(min_length=1)
    evidence: tuple[str, ...] = ()


class Forbidden(Frozen):
    """A value or phrase that a right decision must not use.

    Attributes:
        value: The text.
        failure: What using it would be.
        evidence: Full ids of the events that stated it, if any did.
    """

    value: str = Field(min_length=1)
    failure: FailureClass
    evidence: tuple[str, ...] = ()


class Revision(Frozen):
    """An event replaced a value: from then on only the new one is right.

    Attributes:
        event: Full id of the event that says so.
        was: The value that no longer holds, as its evidence writes it.
        now: The value that holds instead.
    """

    event: str
    was: str = Field(min_length=1)
    now: str = Field(min_length=1)


class Corrupted(Frozen):
    """A record that is wrong or beside the point, and was put in on purpose.

    Attributes:
        event: Full id of the event that brings it.
        kind: What is wrong with it.
        name: Attribute that it speaks of.
        value: The value that it gives.
    """

    event: str
    kind: CorruptionKind
    name: str
    value: str = Field(min_length=1)


class WorldCheck(Frozen):
    """The world has this value at this place after the decision and did not before (delta).

    Attributes:
        path: JSON Pointer (RFC 6901) into the world.
        equals: The value.
    """

    check: Literal["world"] = "world"
    path: str
    equals: Json


class CalledCheck(Frozen):
    """A successful call of this tool was made with at least these arguments."""

    check: Literal["called"] = "called"
    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)


class NotCalledCheck(Frozen):
    """No successful call of this tool was made with all of these arguments."""

    check: Literal["not_called"] = "not_called"
    tool: str
    arguments: dict[str, Json] = Field(default_factory=dict)


class SaysCheck(Frozen):
    """The final answer asserts this phrase."""

    check: Literal["says"] = "says"
    phrase: str = Field(min_length=1)


class NeverSaysCheck(Frozen):
    """Neither the final answer nor the last report that was submitted asserts this phrase."""

    check: Literal["never_says"] = "never_says"
    phrase: str = Field(min_length=1)
    failure: FailureClass


class DecidesCheck(Frozen):
    """The final answer decides yes or no; undecided fails."""

    check: Literal["decides"] = "decides"
    decision: Literal["yes", "no"]


class CitesCheck(Frozen):
    """A supported claim of the report cites this source, and asserts this phrase if there is one.

    The report of these checks is the last one that was submitted at the decision.
    """

    check: Literal["cites"] = "cites"
    source: str = Field(min_length=1)
    phrase: str | None = Field(default=None, min_length=1)


class NeverCitesCheck(Frozen):
    """No supported claim and no quotation of the report has this source."""

    check: Literal["never_cites"] = "never_cites"
    source: str = Field(min_length=1)


class FlagsCheck(Frozen):
    """Every claim of the report that depends on this source is flagged.

    Attributes:
        source: A claim that cites it depends on it, and so does
        phrases: a claim that asserts one of these.
    """

    check: Literal["flags"] = "flags"
    source: str = Field(min_length=1)
    phrases: tuple[Annotated[str, Field(min_length=1)], ...] = ()


class QuotesCheck(Frozen):
    """The report quotes this passage word for word, from this source."""

    check: Literal["quotes"] = "quotes"
    text: str = Field(min_length=1)
    source: str = Field(min_length=1)


class DefersCheck(Frozen):
    """The report says of this item that it is pending, and names this reason if there is one."""

    check: Literal["defers"] = "defers"
    item: str = Field(min_length=1)
    reason: str | None = Field(default=None, min_length=1)


class AsksCheck(Frozen):
    """The decision ends with a question that names this, such as an id, and nothing was changed."""

    check: Literal["asks"] = "asks"
    about: str = Field(min_length=1)


_Plain = (
    WorldCheck
    | CalledCheck
    | NotCalledCheck
    | SaysCheck
    | NeverSaysCheck
    | DecidesCheck
    | CitesCheck
    | NeverCitesCheck
    | FlagsCheck
    | QuotesCheck
    | DefersCheck
    | AsksCheck
)
PlainCheck = Annotated[_Plain, Field(discriminator="check")]


class EitherCheck(Frozen):
    """At least one of these checks passes, such as fulfilled or honestly reported as pending."""

    check: Literal["either"] = "either"
    of: tuple[PlainCheck, ...] = Field(min_length=2)


Check = Annotated[_Plain | EitherCheck, Field(discriminator="check")]

ACTS = frozenset({"world", "called", "cites", "quotes", "defers"})
"""Checks that want an action."""


def wants_act(check: Check) -> bool:
    """Return whether a check wants an action; of several alternatives each one has to."""
    if isinstance(check, EitherCheck):
        return all(wants_act(each) for each in check.of)
    return check.check in ACTS


class ReferenceCall(Frozen):
    """A tool call of the reference path."""

    tool: str
    arguments: dict[str, Json]


class Reference(Frozen):
    """One right way to act, never the only one: calls in order, then the answer.

    Attributes:
        calls: Tool calls.
        answer: The last words.
        ends: Whether they are an answer or a question.
    """

    calls: tuple[ReferenceCall, ...] = ()
    answer: str = "Done."
    ends: Literal["answer", "clarification"] = "answer"


class Probe(Frozen):
    """What one decision tests.

    Attributes:
        id: Name, unique in the arc.
        kind: What it asks for.
        decision: Full id (`episode/event`) of the decision.
        dependent: True when success needs something from an earlier session.
        gold: Values a right decision needs; empty for independent probes.
        forbidden: Values a right decision must not use.
        checks: All must pass.
        reference: One right way to act.
        history: How the value of an `update` probe came to be, else None.
        planting: How a probe of a context kind was planted, else None.
        risk: The risk that it tests, in the risk track; else None.
        subtype: What the risk is divided into (`scoring.risks.kinds.SUBTYPES`), else None.
        domain: Overrides the key's, in an arc that mixes several; else None.
        cluster: Overrides the key's, in an arc that mixes several; else None.
        excluded: Why the probe is not run against anyone, else None.
        not_scorable: Why no verdict can be given, else None.
    """

    id: Name
    kind: ProbeKind
    decision: str
    dependent: bool
    gold: tuple[Gold, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    checks: tuple[Check, ...] = ()
    reference: Reference | None = None
    history: History | None = None
    planting: Planting | None = None
    risk: Risk | None = None
    subtype: Subtype | None = None
    domain: str | None = None
    cluster: str | None = None
    excluded: str | None = None
    not_scorable: str | None = None

    @property
    def in_context(self) -> bool:
        """Whether it is a probe of the context track."""
        return self.kind in CONTEXT_KINDS

    @property
    def withdrawn(self) -> tuple[tuple[int, Forbidden], ...]:
        """What is forbidden because to say it is a leak, each with its place."""
        return tuple(
            (i, each) for i, each in enumerate(self.forbidden) if each.failure == "leakage"
        )


class Key(Frozen):
    """The meaning of one script.

    Attributes:
        arc: The script's arc.
        domain: What reports group by: an environment's name or a track.
        tier: Difficulty, where the scenario has one.
        cluster: Arcs of one template share a cluster; intervals resample clusters.
        probes: In the order of their decisions.
        revisions: Values that were replaced, so that a stale expectation can be found.
        corruption: `none`, or the kind and the rate of what was put in, such as `stale:0.3`; with
            `:injected` where it was put straight into the memory.
        corrupted: What was put in.
        clean: The arc that this one is a corrupted version of, else None.
        factors: Levels of the factors that a generator crosses, such as `family` or
            `compactions`; comparisons can be grouped by them.
        critical: One use of withdrawn content fails the whole task, as in confidential work.
        counterpart: That the arc is another one with one thing changed, such as a twin; else None.
        review: A person's verdict on the task, else None.
        origin: Where the scenario comes from: `authored`, an importer, or a generator with its
            seed, such as `ladder seed=7`.
    """

    arc: Name
    domain: str
    tier: Tier | None = None
    cluster: str
    probes: tuple[Probe, ...]
    revisions: tuple[Revision, ...] = ()
    corruption: str = "none"
    corrupted: tuple[Corrupted, ...] = ()
    clean: str | None = None
    factors: dict[Name, str | int] = Field(default_factory=dict)
    critical: bool = False
    counterpart: Counterpart | None = None
    review: Review | None = None
    origin: str = "authored"

    @cached_property
    def generation_seed(self) -> int | None:
        """The seed that a generator made the arc with; None of what was not generated."""
        found = _SEED.search(self.origin)
        return int(found[1]) if found else None

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the canonical JSON of the key."""
        return content_hash(self.model_dump(mode="json"))
