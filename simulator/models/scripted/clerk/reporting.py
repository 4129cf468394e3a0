"""The clerk's report: claims, quotations and what is pending, from what it is shown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from simulator.events import Json
from simulator.models.scripted.clerk import cues
from simulator.models.scripted.clerk.correcting import (
    Correction,
    applies,
    corrected,
    read_correction,
)
from simulator.models.scripted.clerk.cues import NOISE
from simulator.models.scripted.clerk.figures import figures
from simulator.models.scripted.clerk.ids import Ids, shared, words
from simulator.models.scripted.clerk.notes import Notes
from simulator.models.scripted.clerk.seen import Remark, Seen, Statement

MOST_CHARACTERS = 12_000
"""Of claims; an action has an end too. What comes later is left out."""

_UNSEEN = "nothing that I am shown says it"


@dataclass
class Draft:
    """A report in the making."""

    claims: list[Json] = field(default_factory=list)
    quotes: list[Json] = field(default_factory=list)
    pending: list[Json] = field(default_factory=list)

    def defer(self, text: str, reason: str) -> None:
        """Say that something is pending, once."""
        entry = {"text": text[:600], "reason": reason[:600]}
        if entry not in self.pending:
            self.pending.append(entry)


def write_report(seen: Seen, notes: Notes, deleted: Sequence[str], ids: Ids) -> Draft:
    """Return the report.

    Args:
        seen: What is shown.
        notes: What binds.
        deleted: Documents that the clerk itself is about to delete.
        ids: The forms of ids.
    """
    draft = Draft()
    read = [read_correction(each, seen.statements, ids) for each in notes.corrections]
    corrections = [each for each in read if each is not None]
    gone = {name for name, each in notes.notices.items() if each.state == "deleted"} | {*deleted}
    closed = {name for name, each in notes.notices.items() if each.state == "withdrawn"}
    _claim(draft, seen.statements, corrections, gone, closed)
    for remark in notes.quotations:
        _quote(draft, remark, seen.statements, gone | closed, notes, ids)
    for remark in notes.obligations:
        _fulfil(draft, remark, seen.statements, closed, notes, ids)
    return draft


def _claim(
    draft: Draft,
    statements: Sequence[Statement],
    corrections: Sequence[Correction],
    gone: set[str],
    closed: set[str],
) -> None:
    """Claim what every document says that is open, and what a correction says of none shown."""
    right = list(statements)
    for correction in corrections:
        right = corrected(right, correction)
    left = MOST_CHARACTERS
    for each in right:
        left -= len(each.text)
        if each.document not in closed and left >= 0:
            flagged = each.document in gone
            draft.claims.append(_entry(each.text, [each.document], flagged))
    for correction in corrections:
        if not applies(statements, correction) and closed.isdisjoint(correction.documents):
            text = f"The corrected figure is {correction.new.text}."
            flagged = not gone.isdisjoint(correction.documents)
            draft.claims.append(_entry(text, list(correction.documents), flagged))


def _entry(text: str, sources: Sequence[str | None], flagged: bool) -> Json:
    named = [source for source in sources if source is not None]
    return {"text": text, "sources": named, "status": "flagged" if flagged else "supported"}


def _quote(
    draft: Draft,
    remark: Remark,
    statements: Sequence[Statement],
    shut: set[str],
    notes: Notes,
    ids: Ids,
) -> None:
    """Quote the sentence that a request is about, as it is shown, or say why not."""
    passages = [each for each in statements if each.verbatim and each.document is not None]
    best = (
        _provision(remark, passages, ids)
        or _best(remark, passages, ids, 1)
        or _worded(remark, passages, ids)
    )
    if best is not None and best.document not in shut:
        entry = {"text": best.text, "source": best.document}
        if entry not in draft.quotes:
            draft.quotes.append(entry)
        return
    draft.defer(remark.text, _reason(remark, best, notes, ids))


def _fulfil(
    draft: Draft,
    remark: Remark,
    statements: Sequence[Statement],
    closed: set[str],
    notes: Notes,
    ids: Ids,
) -> None:
    """An obligation is fulfilled by the claim of what it wants; else it is pending."""
    best = _best(remark, statements, ids, 2)
    if best is None or best.document in closed:
        draft.defer(remark.text, _reason(remark, best, notes, ids))


def _worded(remark: Remark, passages: Sequence[Statement], ids: Ids) -> Statement | None:
    """Return the one sentence without a figure of the document that a remark names or titles.

    Who wants a passage word for word wants wording; where there are several, nobody can tell.
    """
    about = words(remark.text) - NOISE
    near = {e.document: len(shared(e.title_words - NOISE, about)) for e in passages}
    most = max(near.values(), default=0)
    titled = [name for name, count in near.items() if count == most and most > 0]
    meant = [*ids.documents(remark.text), *titled][:1]
    plain = [e for e in passages if e.document in meant and not figures(e.text)]
    return plain[0] if len(plain) == 1 else None


def _reason(remark: Remark, best: Statement | None, notes: Notes, ids: Ids) -> str:
    """Return why something cannot be had: the notice on its document, where there is one."""
    named = [*ids.documents(remark.text), *([best.document] if best and best.document else [])]
    notice = next((notes.notices[name] for name in named if name in notes.notices), None)
    if notice is None:
        return _UNSEEN
    if notice.state == "deleted":
        return f"{notice.document} was deleted."
    return f"Access to {notice.document} was withdrawn."


def _provision(remark: Remark, passages: Sequence[Statement], ids: Ids) -> Statement | None:
    """Return the one sentence that lays something down, where a rule of a document is asked for.

    Such a sentence says what may, must or never happens, and states no figure. Of several it is
    the one that shares most words with the request.
    """
    named = ids.documents(remark.text)
    if not named or not cues.PROVISION.search(remark.text):
        return None
    about = words(remark.text) - NOISE
    ruling = [
        each
        for each in passages
        if each.document in named and cues.LAYS_DOWN.search(each.text) and not _amounts(each.text)
    ]
    return max(ruling, key=lambda each: len(words(each.text) & about), default=None)


def _amounts(text: str) -> bool:
    return any(each.kind in ("money", "percent", "number") for each in figures(text))


def _best(
    remark: Remark, statements: Sequence[Statement], ids: Ids, least: int
) -> Statement | None:
    """Return the statement that a remark is about: of a named document, by most shared words.

    Words of the sentence count double, those of the document's title once. A remark that names
    no document needs to share `least` words, as far as it has so many.
    """
    named = ids.documents(remark.text)
    about = words(remark.text) - NOISE
    ranked: list[tuple[int, Statement]] = []
    for each in statements:
        in_text, in_title = shared(words(each.text), about), shared(each.title_words, about)
        enough = len(in_text | in_title) >= min(least, len(about)) or each.document in named
        if in_text and enough and (not named or each.document in named):
            ranked.append((len(in_text) + len(in_text | in_title), each))
    return max(ranked, key=lambda pair: pair[0], default=(0, None))[1]
