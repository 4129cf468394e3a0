"""Papers: what the documents say that were shown, sentence by sentence with the document's id.

Kept are statements with figures and sentences that rule something. A correction makes a corrected
statement beside the old one, which is the current one while both of its sources may be used.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from memories.bookkeeping.corrections import Amendment, amend
from memories.bookkeeping.entries import Entry
from memories.bookkeeping.grammar import any_of, plain
from memories.bookkeeping.relating import beginning, shared, topic, weight
from memories.extraction.values import find_values
from memories.lines import dated
from memories.shelf import Shelf
from simulator.effects.memory import Ask, Item
from simulator.events import GLOBAL, Surface

_NOUN = r"(?:document|file|page|attachment|record|article|report|contract|memo|note)"
_HEADED = re.compile(
    rf"^{_NOUN} (?P<id>[A-Za-z]{{1,12}}-\d[\w-]*)(?: [\"“](?P<title>[^\"”]*)[\"”])?"
    r"(?P<head>[^:]{0,300}): (?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TITLED = re.compile(r"^Document (?P<id>[^:\n]{1,120}): (?P<body>.+)", re.DOTALL)
_VERSION = re.compile(r"\bversion v?(\d+)")
_RULES = any_of(
    r"\b(?:shall|must|may|will|unless|provided|entitled|liable|never|required|prohibited|terminat\w+"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|ninety|hundred|thousand"
    r"|half|twice|double|costs?|fees?|prices?|percent|renews?|expires?|warrants?|agrees?|indemnif\w+|confidential\w*|governed|subject to|only|not)\b"
)
_SHARED = 2
"""Words that a correction and a statement must share where no old value tells that they belong."""

_SAME_THING = 0.75
"""Share of a sentence's words that a statement must have where nothing says "correction"."""


@dataclass(frozen=True)
class Document:
    """A document as a surface showed it.

    Attributes:
        id: Its id, or its title where it has none.
        title: Its title, or ``""``.
        version: Number of the version, 0 where none is named.
        body: Its text.
    """

    id: str
    title: str
    version: int
    body: str


@dataclass(frozen=True)
class Statement:
    """A sentence of a document.

    Attributes:
        document: What it stands in.
        text: The sentence; a corrected one has the new value.
        of: Id of the item of the statement that this one corrects, or its own.
        order: Place among the sentences of the surface.
    """

    document: Document
    text: str
    of: str
    order: int

    @cached_property
    def about(self) -> frozenset[str]:
        """Topic of the sentence, of the document's title, and its id."""
        return topic(f"{self.text} {self.document.title} {self.document.id}")


def shown_document(surface: Surface) -> Document | None:
    """Return the document that a surface shows, or None where it shows none."""
    if surface.role not in ("tool", "system"):
        return None
    match = _HEADED.match(surface.text)
    if match:
        version = _VERSION.search(match["head"])
        number = int(version[1]) if version else 0
        return Document(match["id"], match["title"] or "", number, match["body"])
    match = _TITLED.match(surface.text)
    return Document(match["id"], match["id"], 0, match["body"]) if match else None


def tells(sentence: str) -> bool:
    """Tell whether a sentence has a figure, in digits or words, or rules something."""
    return bool(find_values(sentence) or _RULES.search(plain(sentence)))


class Papers:
    """Statements on a shelf, one item each, and the corrected ones beside them.

    With provenance a line says whose words it has; a corrected one has nobody's.
    """

    def __init__(self, dates: bool, provenance: bool) -> None:
        self.shelf = Shelf()
        self._dates = dates
        self._provenance = provenance
        self._statements: dict[str, Statement] = {}
        self._index: dict[str, list[str]] = {}

    def write(self, surface: Surface, document: Document, number: int, text: str) -> str:
        """Keep a sentence of a document; return the id of its item."""
        name = f"{surface.id}:{number}"
        whose = f"{surface.role}: " if self._provenance else ""
        item = Item(
            id=name,
            text=dated(f"{whose}{document.id}: {text}", surface.time, self._dates),
            sources=frozenset((surface.id,)),
            saw=frozenset((surface.id,)),
            time=surface.time,
            scope=surface.scope,
            role=surface.role,
            store="statements",
        )
        self._put(item, Statement(document, text, name, number))
        return name

    def correct(self, correction: Entry) -> None:
        """Write what a correction makes of the statement that it bears on.

        That is the one that shares most words with it, of those that have the value it says is
        wrong, else of those that have one value of the new one's shape.
        """
        near = self._near(topic(correction.text), 1)
        names = [name for name in near if self._bears(correction, name)]
        sure = [name for name in names if self._amended(name, correction).sure]
        for name in self._nearest(correction, sure) if sure else self._only(correction, names):
            self._derive(name, correction)

    def contradicts(self, said: Entry) -> bool:
        """Tell whether a sentence gives another figure for what a statement is about.

        Nearly all that it speaks of must be in the statement: "the competitor's unit price" is
        another thing than the unit price.
        """
        words = frozenset(word for word in topic(said.text) if word.isalpha())
        least = max(_SHARED, _SAME_THING * len(words))
        return any(
            not self.shelf.by_id[name].hidden
            and len(shared(words, self._statements[name].about)) >= least
            and self._bears(said, name)
            for name in self._near(words, least)
        )

    def recheck(self, name: str, corrections: Iterable[Entry]) -> None:
        """Correct a statement that is read after it was said that its value is wrong."""
        for correction in corrections:
            known = name in self._statements  # unless its source is deleted
            if known and self._bears(correction, name) and self._amended(name, correction).sure:
                self._derive(name, correction)

    def current(self, ask: Ask, closed: frozenset[str]) -> list[tuple[Statement, Item]]:
        """Return what the documents say now, in order of their reading; `closed` ones say nothing.

        Of several versions of a document the latest counts, of a repeated sentence the latest
        copy, of a statement and its corrections the newest correction.
        """
        items = [
            item
            for item in self.shelf.visible(ask)
            if self._statements[item.id].document.id not in closed
        ]
        latest = self._latest(items)
        return [(self._statements[item.id], item) for item in items if item.id in latest]

    def applied(self, ask: Ask, closed: frozenset[str]) -> frozenset[str]:
        """Return the ids of the corrections that a corrected statement stands for."""
        return frozenset(
            item.id.partition("~")[2]
            for item in self.shelf.visible(ask)
            if self._statements[item.id].document.id not in closed
        )

    def holdings(self, closed: Callable[[str], frozenset[str]]) -> Iterator[Item]:
        """Yield every statement; what a notice closed is hidden, a corrected one names the new.

        `closed` returns the ids of documents that may not be used in a scope.
        """
        for scope in dict.fromkeys(item.scope for item in self.shelf):
            gone = closed(scope)
            here = [item for item in self.shelf if item.scope in (scope, GLOBAL)]
            successors = self._successors([item for item in here if not item.hidden])
            for item in here:
                if item.scope == scope:
                    yield self._marked(item, gone, successors)

    def forgotten(self) -> None:
        """Let go of the statements whose items were erased from the shelf."""
        kept = {name: each for name, each in self._statements.items() if name in self.shelf}
        self._statements, self._index = {}, {}
        for name, statement in kept.items():
            self._enter(name, statement)

    def _marked(self, item: Item, gone: frozenset[str], successors: Mapping[str, str]) -> Item:
        if self._statements[item.id].document.id in gone:
            return item.model_copy(update={"hidden": True})
        newer = successors.get(item.id, item.id)
        return item if newer == item.id else item.model_copy(update={"replaced_by": newer})

    def _put(self, item: Item, statement: Statement) -> None:
        if self.shelf.put(item) is not None:
            self._enter(item.id, statement)

    def _enter(self, name: str, statement: Statement) -> None:
        known = name in self._statements
        self._statements[name] = statement
        for start in () if known else sorted(set(map(beginning, statement.about))):
            self._index.setdefault(start, []).append(name)

    def _near(self, words: frozenset[str], least: float) -> list[str]:
        """Return the statements that may share so many words with a text, in order of reading."""
        counts = Counter(name for word in words for name in self._index.get(beginning(word), ()))
        if not counts:
            return []
        return [name for name in self._statements if counts[name] >= min(least, len(words))]

    def _latest(self, items: list[Item]) -> frozenset[str]:
        versions: dict[str, int] = {}
        for item in items:
            document = self._statements[item.id].document
            versions[document.id] = max(versions.get(document.id, 0), document.version)
        newest = [
            item
            for item in items
            if self._statements[item.id].document.version
            == versions[self._statements[item.id].document.id]
        ]
        successors = self._successors(newest)
        copies = {
            (self._statements[item.id].document.id, self._statements[item.id].text): item.id
            for item in newest
            if successors[item.id] == item.id
        }
        return frozenset(copies.values())

    def _successors(self, items: list[Item]) -> dict[str, str]:
        """Return, for each of some items, the newest correction of its statement, or itself."""
        newest = {self._statements[item.id].of: item.id for item in items}
        return {item.id: newest[self._statements[item.id].of] for item in items}

    def _amended(self, name: str, correction: Entry) -> Amendment:
        text = self._statements[name].text
        return amend(text, correction.text) or Amendment(text, sure=False)

    def _bears(self, correction: Entry, name: str) -> bool:
        common = self._common(correction, name)
        if common == 0:
            return False  # spares most statements the search for values
        statement, item = self._statements[name], self.shelf.by_id[name]
        amendment = self._amended(name, correction)
        late = item.time > correction.time and not amendment.sure
        apart = GLOBAL not in (item.scope, correction.scope) and item.scope != correction.scope
        if late or apart or amendment.text == statement.text:
            return False
        return common >= (1 if amendment.sure else _SHARED)

    def _common(self, correction: Entry, name: str) -> int:
        about = self._statements[name].about
        return weight(shared(topic(correction.text), about))

    def _nearest(self, correction: Entry, names: list[str]) -> list[str]:
        """Return the statements that share most with a correction, each in its newest form."""
        scores = {name: self._common(correction, name) for name in names}
        best = max(scores.values(), default=0)
        newest = {self._statements[name].of: name for name in names if scores[name] == best}
        return list(newest.values())

    def _only(self, correction: Entry, names: list[str]) -> list[str]:
        """Return the nearest statement where there is one, none where several are as near."""
        nearest = self._nearest(correction, names)
        return nearest if len(nearest) == 1 else []

    def _derive(self, name: str, correction: Entry) -> None:
        statement, item = self._statements[name], self.shelf.by_id[name]
        text = self._amended(name, correction).text
        base = self.shelf.by_id[statement.of]
        derived = Item(
            id=f"{statement.of}~{correction.id}",
            text=dated(f"{statement.document.id}, corrected: {text}", correction.time, self._dates),
            sources=base.sources | {correction.source},
            saw=item.saw | {correction.source},
            time=correction.time,
            scope=item.scope if correction.scope == GLOBAL else correction.scope,
            role=item.role,
            store="statements",
        )
        corrected = Statement(statement.document, text, statement.of, statement.order)
        self._put(derived, corrected)
