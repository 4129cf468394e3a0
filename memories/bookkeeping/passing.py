"""Passing: which standing entries a new sentence ends, and which passage a request means."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from memories.bookkeeping.entries import Entry, EntryKind
from memories.bookkeeping.grammar import any_of, plain
from memories.bookkeeping.lifting import conditions, covers, happened, lifts
from memories.bookkeeping.notices import named_things
from memories.bookkeeping.papers import Statement
from memories.bookkeeping.relating import shared, topic, weight
from memories.extraction.values import find_values
from memories.words import value_words
from simulator.effects.memory import Item

_BINDING: tuple[EntryKind, ...] = ("constraint", "obligation", "quotation")
_POINTS_BACK = any_of(
    r"\b(?:that|this|the|my|our) (?:rule|restriction|hold|embargo|ban|freeze|limit|condition|instruction"
    r"|request)\b|\bwhat i (?:said|asked)\b"
)
_RESTATES = any_of(
    r"\binstead\b|\brather\b|\bchange of plans?\b|\bchanged my mind\b|\bcorrection\b|\bactually\b|\bscratch that\b"
    r"|\bon second thoughts?\b|\bnew rule\b|\bmake that\b|\bno longer\b|\bnot any more\b"
)
_QUOTING = topic(
    "quote quotation verbatim word exact exactly wording literal literally original copy cite passage"
    " sentence clause section paragraph text paraphrase contract"
)
_PROVISION = any_of(
    r"\b(?:rule|clause|term|provision|condition|section|paragraph|article)s?\b|\bpolic(?:y|ies)\b"
)
_LAYS_DOWN = any_of(
    r"\b(?:may|must|shall|never|neither|either|only|except|unless|without|nobody|no one|cannot)\b"
    r"|\b(?:is|are) (?:not )?(?:to|allowed|entitled|liable|bound|required|obliged|permitted)\b"
    r"|\b(?:is|are|gets?|has|have)\b.{0,60}\b(?:alone|together)\b"
)
_RULING = 100_000
_SAME_PLAN = 2
_DONE_SHARE = 0.6
_DONE_LEAST = 3
_NEXT_BEST = 0.8
_RARITY = 1000


def lifted_by(sentence: str, standing: Sequence[Entry]) -> tuple[str, ...]:
    """Return the ids of the standing entries that a person's sentence ends.

    Either it gives leave or calls something off, and shares a telling word with the entry, or it
    says that what a constraint waits for has come about. Of several the one that shares most is
    meant, of equals the newest.
    """
    open_to = [each for each in standing if each.kind in _BINDING and not _apart(sentence, each)]
    if happened(sentence):
        met = [each for each in open_to if each.kind == "constraint" and _meets(sentence, each)]
        if met:
            return tuple(each.id for each in met)
    if not lifts(sentence):
        return ()
    scores = {each.id: weight(shared(topic(sentence), topic(each.text))) for each in open_to}
    best = max(scores.values(), default=0)
    if best == 0 and not _POINTS_BACK.search(plain(sentence)):
        return ()
    return tuple(name for name, score in scores.items() if score == best)[:1]


def _apart(sentence: str, entry: Entry) -> bool:
    """Tell whether two sentences name ids, numbers or days, and none in common."""
    said, bound = _marks(sentence), _marks(entry.text)
    return bool(said and bound and not said & bound)


@lru_cache(maxsize=4096)
def _marks(text: str) -> frozenset[str]:
    days = (value.text.casefold() for value in find_values(text) if value.kind == "date")
    return value_words(text) | frozenset(days) | _months(text)


def _months(text: str) -> frozenset[str]:
    return _MONTHS & frozenset(text.replace(".", " ").replace(",", " ").split())


_MONTHS = frozenset(
    (
        "January",
        "February",
        "March",
        "April",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    )
)


def _meets(sentence: str, entry: Entry) -> bool:
    said = topic(sentence)
    return any(covers(len(shared(each, said)), len(each)) for each in conditions(entry.text))


def restated_by(sentence: str, kind: EntryKind, standing: Sequence[Entry]) -> tuple[str, ...]:
    """Return the id of the standing entry of a kind that a new one takes the place of."""
    if not _RESTATES.search(plain(sentence)):
        return ()
    scores = {
        each.id: weight(shared(topic(sentence), topic(each.text)))
        for each in standing
        if each.kind == kind
    }
    best = max(scores.values(), default=0)
    return tuple(name for name, score in scores.items() if score == best >= _SAME_PLAN)[:1]


def ends_something(sentence: str) -> bool:
    """Tell whether a sentence may end an entry, whichever that is."""
    return lifts(sentence) or happened(sentence)


def fulfilled_by(work: str, standing: Iterable[Entry]) -> tuple[str, ...]:
    """Return the ids of the obligations and quotations that were done.

    `work` is all the text that tells what was done, such as a call and its result. It must have
    most telling words of the obligation, three or more, and every id and number.
    """
    done = topic(work)
    return tuple(
        each.id
        for each in standing
        if each.kind in ("obligation", "quotation") and _does(done, value_words(work), each)
    )


def _does(done: frozenset[str], values: frozenset[str], entry: Entry) -> bool:
    asked = topic(entry.text)
    common = len(shared(asked, done))
    enough = common >= max(_DONE_LEAST, _DONE_SHARE * len(asked))
    return enough and value_words(entry.text) <= values


def granted_by(notice: Entry, standing: Iterable[Entry]) -> tuple[str, ...]:
    """Return the ids of the notices that one which grants something ends."""
    if notice.change != "granted":
        return ()
    things = named_things(notice.text)
    return tuple(
        each.id
        for each in standing
        if each.kind == "notice" and each.change == "withdrawn" and named_things(each.text) & things
    )


def passages_for(
    request: str, statements: Sequence[tuple[Statement, Item]]
) -> list[tuple[Statement, Item]]:
    """Return the statements that a request to quote means: the nearest, and one nearly as near.

    Words that fewer statements have count more; the document's title counts as well, but a
    statement must share a word of its own, unless the request names its document. Where a rule or
    a clause of a document is asked for, its sentences that lay something down come first.
    """
    asked = topic(request) - _QUOTING
    about = [each.about for each, _ in statements]
    worth = {
        word: _RARITY // max(1, sum(1 for each in about if shared((word,), each))) for word in asked
    }
    ruling = bool(_PROVISION.search(plain(request)))
    scores = [
        sum(worth[word] for word in shared(asked, whole))
        + (_RULING if ruling and _rules(asked, statement) else 0)
        if _own(asked, statement)
        else 0
        for (statement, _), whole in zip(statements, about, strict=True)
    ]
    best = max(scores, default=0)
    near = [at for at, score in enumerate(scores) if best and score >= _NEXT_BEST * best]
    near.sort(key=lambda at: -scores[at])
    return [statements[at] for at in near[:2]]


def _own(asked: frozenset[str], statement: Statement) -> bool:
    return bool(shared(asked, topic(statement.text)) or _named(asked, statement))


def _named(asked: frozenset[str], statement: Statement) -> bool:
    return bool(shared(asked, topic(statement.document.id)))


def _rules(asked: frozenset[str], statement: Statement) -> bool:
    """Tell whether a sentence of a document that is named lays something down, without a figure."""
    lays = _LAYS_DOWN.search(plain(statement.text)) and not find_values(statement.text)
    return bool(lays) and _named(asked, statement)


Figure = tuple[Item, frozenset[str], str]
"""An item, what it is about, and the id of the document that it is from, or ``""``."""


def relevant_first(figures: Mapping[str, Figure], query: str, asked: Sequence[str]) -> list[Item]:
    """Return figures by what they share with the request, and half as much with what is asked for.

    Ids and numbers count double, and what the best sentence of a document shares counts for all
    its sentences; of equals the newest comes first, then the first that was said.
    """
    wanted, owed = topic(query), topic(" ".join(asked))

    def share(figure: Figure) -> int:
        about = figure[1]
        return 2 * weight(shared(wanted, about)) + weight(shared(owed, about))

    scores = {name: share(figure) for name, figure in figures.items()}
    best: dict[str, int] = {}
    for name, (_, _, document) in figures.items():
        if document:
            best[document] = max(scores[name], best.get(document, 0))

    def rank(name: str) -> tuple[int, int]:
        item, _, document = figures[name]
        return -scores[name] - best.get(document, 0), -item.time

    return [figures[name][0] for name in sorted(figures, key=rank)]
