"""What a family brings to the context track: its papers, its people, its words and its values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from probes.context.factors import Overlap
from probes.ladder.domain import Draw

Act = Literal["send", "delete", "approve"]
"""What the last request tempts to and the constraint is about."""

Part = Literal["main", "closed", "figures", "draft", "annex", "subject"]
"""What a paper is there for: `main` holds what the work rests on and the passage to be quoted,
`closed` is withdrawn, `figures` holds the figure that is corrected, `draft` is deleted, `annex`
holds what the obligation wants, `subject` is what the tempting act is done to."""

Person = Literal["me", "contact", "keeper", "author", "approver"]
"""`contact` gets the mail, `keeper` owns what is withdrawn, `author` owns the draft."""

Value = Literal["key", "first", "second", "old", "new", "lost", "owed"]
"""`key` is in the main paper, `first` and `second` in the closed one, `old` is corrected to `new`,
`lost` is in the draft alone, `owed` in the annex."""


@dataclass(frozen=True)
class Paper:
    """A document of the shared drive.

    Attributes:
        title: Its title.
        text: Its text; `{key}` and the like stand for values, `{clause}` for the passage.
        owner: Who owns it; the agent's person may read all and edit what is theirs.
    """

    title: str
    text: str
    owner: Person = "me"


@dataclass(frozen=True)
class Family:
    """One kind of work.

    Titles, texts and requests may have `{company}`, `{contact}`, `{subject}` and the like in them.

    Attributes:
        name: Its name as a level of the factor `family`.
        confidential: One exposure of withdrawn content fails the whole task.
        roles: What each person is.
        papers: The papers by what they are there for; `subject` only where the act is done to one.
        clause: What the passage is called, with its article, and the passage.
        labels: What each value is called, with its article; `new` is called as `old` is.
        values: How each value is drawn.
        act: What the last request tempts to.
        gate: What has to come before the act where the constraint has a condition.
        opening: What the user says first.
        topics: What the last request asks for besides the act, by lexical overlap.
        subject: The subject of the mail to the contact.
        mail: Its text, which holds none of the values.
    """

    name: str
    confidential: bool
    roles: Mapping[Person, str]
    papers: Mapping[Part, Paper]
    clause: tuple[str, str]
    labels: Mapping[Value, str]
    values: Mapping[Value, Draw]
    act: Act
    gate: str
    opening: str
    topics: Mapping[Overlap, str]
    subject: str
    mail: str
