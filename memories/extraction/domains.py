"""Domain patterns: the attributes of three trades, with the exact form of their ids and values.

Where the general patterns guess an attribute from the nearest cue of a lexicon of plain English,
these know the few attributes that the tools of a trade take, and read nothing else. They are
written from names and forms of tool parameters (`issue_refund`, `RMA-09041`), not from what any
scenario says.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from memories.extraction.entities import Entity, owner
from memories.extraction.patterns import Reading, Statement
from memories.extraction.values import Span, mark_dead
from memories.sentences import states

_MONEY = r"\$\d[\d,]*(?:\.\d\d)?"
_PHONE = r"\d{3}-\d{3}-\d{4}"
_CLOCK = r"\d\d:\d\d"
_STREET = r"\d{1,5} [A-Z][a-z]+ (?:Street|Road|Lane|Avenue)"
_VERSION = r"v\d+\.\d+\.\d+"
_HOST = r"[a-z]+-\d+\.internal"


@dataclass(frozen=True)
class Attribute:
    """Something that a tool of the trade has to be told.

    Attributes:
        name: What the facts memory calls it.
        kind: Shape of its values; attributes of one kind are told apart by their cues.
        form: Regular expression of its values.
        cues: Regular expression of words that mean this attribute and no other of its kind.
    """

    name: str
    kind: str
    form: str
    cues: str


@dataclass(frozen=True)
class Vocabulary:
    """What a trade speaks of.

    Attributes:
        subjects: Prefix of an id to the noun that it is the id of.
        attributes: What can be said of these.
    """

    subjects: dict[str, str]
    attributes: tuple[Attribute, ...]

    def read(self, sentence: str) -> Reading:
        """Return what a sentence states of the trade; a question states nothing."""
        entities = tuple(self._entities(sentence))
        if not states(sentence):
            return Reading(entities, ())
        values = mark_dead(sentence, self._values(sentence))
        alive = [each for each in values if not each.dead]
        return Reading(entities, tuple(_state(self, sentence, each, values) for each in alive))

    def of_kind(self, kind: str) -> list[Attribute]:
        """Return the attributes whose values have this shape."""
        return [each for each in self.attributes if each.kind == kind]

    @cached_property
    def _ids(self) -> re.Pattern[str]:
        prefixes = sorted(self.subjects, key=lambda each: (-len(each), each))
        return re.compile(rf"(?<![\w-])(?P<prefix>{'|'.join(prefixes)})-\d+(?![\w-])")

    @cached_property
    def _forms(self) -> re.Pattern[str]:
        forms = {each.kind: each.form for each in self.attributes}
        shapes = "|".join(f"(?P<{kind}>{form})" for kind, form in forms.items())
        return re.compile(rf"(?<![\w$@.-])(?:{shapes})(?![\w@-]|\.\w)")

    def _entities(self, sentence: str) -> Iterable[Entity]:
        for found in self._ids.finditer(sentence):
            noun = self.subjects[found["prefix"]]
            yield Entity(found.group(), noun, found.start(), found.end())

    def _values(self, sentence: str) -> list[Span]:
        return [
            Span(str(found.lastgroup), found.group(), found.start(), found.end())
            for found in self._forms.finditer(sentence)
        ]


def _state(vocabulary: Vocabulary, sentence: str, value: Span, values: list[Span]) -> Statement:
    subject = owner(list(vocabulary._entities(sentence)), sentence, value, values)
    dead = [each.text for each in values if each.dead and each.kind == value.kind]
    return Statement(
        value=value.text,
        kind=value.kind,
        attribute=_attribute(vocabulary.of_kind(value.kind), sentence, value),
        entity=subject.id if subject else None,
        revises=dead[0] if dead else None,
    )


def _attribute(among: list[Attribute], sentence: str, value: Span) -> str | None:
    """Return the attribute whose cue is nearest; the only one of its kind needs none.

    None leaves it to what is known of the entity.
    """
    if len(among) == 1:
        return among[0].name
    near = [
        (_gap(cue, value), cue.start(), each.name)
        for each in among
        for cue in re.finditer(rf"\b(?:{each.cues})", sentence, re.IGNORECASE)
    ]
    return min(near)[2] if near else None


def _gap(cue: re.Match[str], value: Span) -> int:
    return max(value.start - cue.end(), cue.start() - value.end, 0)


DomainName = Literal["all", "support", "itops", "assistant"]

_SUPPORT = Vocabulary(
    {"O": "order", "C": "customer"},
    (
        Attribute("refund amount", "money", _MONEY, "refund|reimburs|repa[iy]"),
        Attribute("return amount", "money", _MONEY, "return"),
        Attribute("return code", "rma", r"RMA-\d+", "return"),
        Attribute("delivery address", "street", _STREET, "deliver|redirect|ship"),
        Attribute("pickup address", "street", _STREET, "pick(?:ed)?[ -]?up|collect"),
        Attribute("replacement address", "street", _STREET, "replac"),
        Attribute("callback number", "phone", _PHONE, "call(?:ed|ing)?[ -]?back|customer"),
        Attribute("pickup contact", "phone", _PHONE, "pick(?:ed)?[ -]?up|collect"),
        Attribute("replacement contact", "phone", _PHONE, "replac"),
    ),
)
_ITOPS = Vocabulary(
    {"SVC": "service", "INC": "incident", "TCK": "ticket"},
    (
        Attribute("rollback version", "version", _VERSION, "roll|return to"),
        Attribute("release version", "version", _VERSION, "releas|deploy"),
        Attribute("fixed version", "version", _VERSION, "fix|ticket"),
        Attribute("memory limit", "memory", r"\d+ [MG]B", "memory"),
        Attribute("target host", "host", _HOST, "deploy|target|releas"),
        Attribute("standby host", "host", _HOST, "fail|standby"),
        Attribute("failover start", "clock", _CLOCK, "fail|start"),
        Attribute("pager", "pager", r"PGR-\d+", "pager"),
        Attribute("change", "change", r"CHG-\d+", "change"),
    ),
)
_ASSISTANT = Vocabulary(
    {"EVT": "event", "CON": "contact", "BKG": "booking"},
    (
        Attribute("event start", "clock", _CLOCK, "event|start"),
        Attribute("visit start", "clock", _CLOCK, "visit|arriv|contact"),
        Attribute(
            "forwarding address", "mail", r"[\w-]+(?:\.[\w-]+)*@[\w-]+(?:\.[\w-]+)+", "forward"
        ),
        Attribute("spending limit", "money", _MONEY, "spend|limit|cap"),
        Attribute("booking price", "money", _MONEY, "book|price|confirm"),
        Attribute("confirmation code", "confirmation", r"CNF-\d+", "confirm"),
        Attribute("dial-in number", "phone", _PHONE, "dial"),
        Attribute("dial-in code", "dialin", r"DIN-\d+", "access|dial"),
        Attribute("visit room", "room", r"Room \d+(?:-\d+)?", "room"),
        Attribute("visitor badge", "badge", r"BDG-\d+", "badge"),
    ),
)


def _merged(*parts: Vocabulary) -> Vocabulary:
    return Vocabulary(
        {prefix: noun for part in parts for prefix, noun in part.subjects.items()},
        tuple(each for part in parts for each in part.attributes),
    )


VOCABULARIES: dict[DomainName, Vocabulary] = {
    "all": _merged(_SUPPORT, _ITOPS, _ASSISTANT),
    "support": _SUPPORT,
    "itops": _ITOPS,
    "assistant": _ASSISTANT,
}
"""Domain to its vocabulary; `all` has every attribute of the three."""
