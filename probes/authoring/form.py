"""The form of a task in verbs: what may stand in the file, before anything is made of it.

`docs/authoring.md` says what each verb means. A text that names a document is its id in the world.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from scoring.keys import Check, ReferenceCall, Tier
from scoring.planting import Phrasing, Question, Review, Text
from simulator.events import Frozen, Json
from simulator.events.scripted import Name
from simulator.events.times import LATEST

Time = Annotated[int, Field(ge=0, le=LATEST)]


class Verb(Frozen):
    """What all verbs share.

    Attributes:
        at: Simulated ms before which it does not happen; None is a minute after what came before.
    """

    short: ClassVar[str | None] = None
    """The field that a bare text fills, or None where a verb has none."""
    at: Time | None = None


class Say(Verb):
    """Somebody says something that plants nothing."""

    short: ClassVar[str | None] = "text"
    text: Text
    role: Literal["user", "system", "assistant"] = "user"


class Document(Verb):
    """A document stands in the world from the start, and here the agent may read it.

    Attributes:
        id: Its id in the world.
        title: What lists show.
        owner: Who may do anything with it.
        rights: What others may do with it.
        within: The document that it is a part of, or None.
        approvers: Who has the right to approve it.
        text: Its text, where it has one version only.
        versions: Its texts, the oldest first.
        read: The agent has read it here: a tool result says so.
    """

    id: Text
    title: Text
    owner: Text
    rights: dict[str, Json] = {}
    within: Text | None = None
    approvers: tuple[Text, ...] = ()
    text: Text | None = None
    versions: tuple[Text, ...] = ()
    read: bool = False


class Compact(Verb):
    """The working context is cut here."""


class Grant(Verb):
    """What was withdrawn may be used again, or a document may be read that could not be.

    Attributes:
        document: The document.
        say: The announcement as the agent hears it.
    """

    document: Text
    say: Text


class Lift(Verb):
    """A constraint ends here; to go on refusing is over-retention.

    Attributes:
        say: What is said.
        constraint: Id of the constraint; None is the only one there is.
    """

    short: ClassVar[str | None] = "say"
    say: Text
    constraint: Name | None = None


class Planted(Verb):
    """What the verbs that plant a probe share.

    Attributes:
        say: What is said, or announced.
        id: Id of the probe; None is its kind.
        phrasing: How it is said, from explicit to implicit; None leaves it open.
        essentials: What must still be shown for anybody to comply; None is worked out.
        question: What is asked on a fork, or None.
        twin: Also make the arc without this planting.
    """

    say: Text
    id: Name | None = None
    phrasing: Phrasing | None = None
    essentials: tuple[Text, ...] | None = None
    question: Question | None = None
    twin: bool = False


class Act(Frozen):
    """Successful calls of a tool with at least these arguments."""

    tool: Text
    arguments: dict[str, Json] = {}


class Constrain(Planted):
    """A rule for the rest of the work.

    Attributes:
        forbids: What must not be done while it holds, and has to be done once it is lifted; or
        requires: what must be done.
    """

    forbids: Act | None = None
    requires: Act | None = None


class Wants(Frozen):
    """What fulfils an obligation: a claim of the report, or a call.

    Attributes:
        cites: The document that the claim rests on.
        phrase: What the claim asserts.
        claim: The claim as the ideal report has it; None where the decision's `ideal` has it.
        tool: The tool that is called.
        arguments: With at least these arguments.
    """

    cites: Text | None = None
    phrase: Text | None = None
    claim: Text | None = None
    tool: Text | None = None
    arguments: dict[str, Json] = {}


class Item(Frozen):
    """What the report may, or must, call pending.

    Attributes:
        item: The words by which the report names it.
        reason: What its reason names, or None for any.
        text: The item as the ideal report has it; None is `item`.
        because: The reason as the ideal report has it; None is `reason`.
    """

    item: Text
    reason: Text | None = None
    text: Text | None = None
    because: Text | None = None


class Oblige(Planted):
    """Work that is added: fulfilled, or honestly reported pending.

    Attributes:
        wants: What fulfils it; None where it cannot be fulfilled.
        pending: How it is reported pending; None where it has to be fulfilled.
    """

    wants: Wants | None = None
    pending: Item | None = None


class Revoke(Planted):
    """Access to a document is withdrawn.

    Attributes:
        document: The document.
        values: What only it says, and what must not be said any more.
        influence: Also make the arcs with other content in it.
    """

    document: Text
    values: tuple[Text, ...] = ()
    influence: bool = False


class Correct(Planted):
    """A fact is corrected.

    Attributes:
        was: What does not hold any more, as it was stated.
        now: What holds instead, as it is said here.
        document: The document that the fact is cited from; None where the answer says it.
        claim: The claim as the ideal report has it; None where the decision's `ideal` has it.
    """

    was: Text
    now: Text
    document: Text | None = None
    claim: Text | None = None


class Delete(Planted):
    """A document is deleted for good.

    Attributes:
        document: The document.
        only_says: What no other document says; a claim that asserts it has to be flagged.
    """

    document: Text
    only_says: tuple[Text, ...] = ()


class Quote(Planted):
    """A passage is to be quoted word for word.

    Attributes:
        document: Where it stands.
        text: The passage.
    """

    document: Text
    text: Text


class Claim(Frozen):
    """A claim of the ideal report."""

    text: Text
    sources: tuple[Text, ...] = ()
    status: Literal["supported", "flagged"] = "supported"


class Passage(Frozen):
    """A quotation of the ideal report."""

    text: Text
    source: Text


class Open(Frozen):
    """What the ideal report calls pending."""

    text: Text
    reason: Text


class Ideal(Frozen):
    """One right way to act: the calls in order, then the report, then the answer.

    Attributes:
        calls: Calls before the report.
        claims: What the report claims besides what the verbs say.
        quotes: What it quotes besides.
        pending: What it calls pending besides.
        answer: The final answer.
    """

    calls: tuple[ReferenceCall, ...] = ()
    claims: tuple[Claim, ...] = ()
    quotes: tuple[Passage, ...] = ()
    pending: tuple[Open, ...] = ()
    answer: str = "Done."


class Ask(Verb):
    """The agent must act. All that is planted is tested at the last of them.

    Attributes:
        request: What it is asked; it names nothing that was planted.
        ideal: One right way to act.
        task: Checks of the work itself, which neither refusal nor silence passes.
    """

    request: Text
    task: tuple[Check, ...] = Field(min_length=1)
    ideal: Ideal = Ideal()


VERBS: dict[str, type[Verb]] = {
    "say": Say,
    "document": Document,
    "compact": Compact,
    "constrain": Constrain,
    "lift": Lift,
    "oblige": Oblige,
    "revoke": Revoke,
    "grant": Grant,
    "correct": Correct,
    "delete": Delete,
    "quote": Quote,
    "ask": Ask,
}
"""The verbs in the order in which the documentation tells them."""


class Head(Frozen):
    """What stands above the sessions.

    Attributes:
        task: Name of the arc.
        environment: Registered name of the environment.
        window: Tokens that an agent's whole context may have, or None.
        tier: Difficulty, or None.
        cluster: Tasks of one template share a cluster; None is the task.
        critical: One use of withdrawn content fails the whole task.
        factors: Levels of the author's own factors; `compactions` and `sessions` are counted.
        twin: Make the arc without each planting, for every verb that plants.
        influence: Make the arcs with other withdrawn content, for every `revoke` with values.
        review: A person's verdict, written by `memtrial review`.
        me: Whose rights the agent has.
        people: Of the world, by id.
        world: What else stands in the world.
    """

    task: Name
    environment: Text = "workspace"
    window: Annotated[int, Field(ge=1)] | None = None
    tier: Tier | None = None
    cluster: Text | None = None
    critical: bool = False
    factors: dict[Name, str | int] = {}
    twin: bool = False
    influence: bool = False
    review: Review | None = None
    me: Text | None = None
    people: dict[str, Json] = {}
    world: dict[str, Json] = {}


class SessionHead(Frozen):
    """What stands above the steps of a session.

    Attributes:
        at: Time of its first event.
        id: Its id; None is `s1`, `s2` and so on.
    """

    at: Time
    id: Name | None = None
