"""Notes: the shown sentences that say something of what is wanted, and which of them hold."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from simulator.models.scripted.reading import Line, Reading, read_line
from simulator.models.scripted.stewards import cues

Values = Callable[[str], list[str]]
"""Returns the values of the wanted form in a sentence."""


@dataclass(frozen=True)
class Traits:
    """What a steward heeds; the defaults are those of the one without a weakness.

    Attributes:
        revisions: How many later mentions of a value it follows; None follows all.
        rules: Of the rules that decide between records it knows none; that a copy of something
            corrected counts for nothing; that and stamps; or all.
        scopes: It keeps things apart: all of them, only what is marked as kept apart, or nothing.
        gone: It heeds that something may not be used: always, only when the platform says so, or
            never.
        span: Of so many lines before the request it still knows the rules; None of all.
        trusts: It takes the word of documents and tools: never, when they tell it what to use, or
            always.
        refuses: At a sign of a rule it refuses: never, at once, after a look-up, or with a question.
    """

    revisions: int | None = None
    rules: Literal["none", "corrections", "stamps", "all"] = "all"
    scopes: Literal["all", "marked", "none"] = "all"
    gone: Literal["all", "announced", "none"] = "all"
    span: int | None = None
    trusts: Literal["none", "orders", "all"] = "none"
    refuses: Literal["never", "at once", "after reading", "with a question"] = "never"


@dataclass(frozen=True)
class Note:
    """One shown sentence.

    Attributes:
        place: Number of its line, from 0.
        date: The line's date, or "".
        line: The line.
        text: The sentence.
    """

    place: int
    date: str
    line: Line
    text: str

    @property
    def when(self) -> tuple[str, int]:
        """What notes are ordered by: the date, then the place."""
        return self.date, self.place

    @property
    def poor(self) -> bool:
        """Whether it comes from a tool or a document, and not from the user or the platform."""
        return self.line.role == "tool" or self.line.text.startswith("Document ")

    def names(self, ids: Iterable[str]) -> bool:
        """Return whether it names one of the ids."""
        return not set(ids).isdisjoint(cues.ID.findall(self.text))


def read_notes(reading: Reading) -> list[Note]:
    """Return the shown sentences by date; the assistant's own are left out."""
    notes = [
        Note(place, line.date or "", line, sentence)
        for place, line in enumerate(map(read_line, (*reading.memory, *reading.session)))
        if line.role != "assistant"
        for sentence in line.sentences
    ]
    return sorted(notes, key=lambda note: note.when)


def ids_of(text: str) -> list[str]:
    """Return the ids that a text names, in their order."""
    return list(dict.fromkeys(cues.ID.findall(text)))


def value_of(reading: Reading, values: Values, traits: Traits) -> str | None:
    """Return the value that holds for the request, or None where nothing that holds is shown."""
    notes = read_notes(reading)
    ids = ids_of(reading.request)
    about = [note for note in notes if note.names(ids[:1])]
    told = [note for note in _in_scope(notes, ids, traits) if values(note.text)]
    told = [note for note in told if _trusted(note, traits)]
    if traits.trusts == "orders":
        told = [note for note in told if note.poor] or told
    first = [note for note in told if not cues.SUBSTITUTE.search(note.text)]
    kept = [note for note in first if not _gone(note, about, traits)]
    if first and not kept:
        kept = [note for note in told if note not in first]
    chosen = _chosen(kept, about, reading.request, values, traits)
    if chosen is None:
        return None
    return (cues.standing(chosen.text, values(chosen.text)) or values(chosen.text))[-1]


def _trusted(note: Note, traits: Traits) -> bool:
    if not note.poor or traits.trusts == "all":
        return True
    return traits.trusts == "orders" and cues.ORDER.search(note.text) is not None


def _in_scope(notes: Sequence[Note], ids: Sequence[str], traits: Traits) -> list[Note]:
    if traits.scopes == "all":
        return [note for note in notes if note.names(ids[:1])]
    named = [note for note in notes if note.names(ids)]
    if traits.scopes == "none":
        return named
    return [note for note in named if note.names(ids[:1]) or not cues.MARKED.search(note.text)]


def _gone(note: Note, about: Sequence[Note], traits: Traits) -> bool:
    """Return whether a later notice says that the note may not be used."""
    if traits.gone == "none":
        return False
    notices = [
        each
        for each in about
        if cues.GONE.search(each.text) and (traits.gone == "all" or each.line.role == "system")
    ]
    return any(note.date <= each.date for each in notices)


def _chosen(
    notes: Sequence[Note], about: Sequence[Note], request: str, values: Values, traits: Traits
) -> Note | None:
    """Return the note that holds: by the rule for it, else the latest one that is not past."""
    if traits.revisions is not None:
        return notes[min(traits.revisions, len(notes) - 1)] if notes else None
    held = [note for note in notes if not cues.PAST.search(note.text)]
    if traits.rules != "none":
        held = [note for note in held if not cues.COPY.search(note.text)]
    if traits.rules in ("stamps", "all"):
        held = _by_rule(held, about, sources=traits.rules == "all")
    if traits.rules == "all" and traits.scopes != "none":
        held = _of_case(held, request)
    return held[-1] if held else None


def _of_case(notes: list[Note], request: str) -> list[Note]:
    """Return the notes whose case the request names; those without a case hold in every one."""
    asked = request.lower()
    cases = [(note, cues.CASE.search(note.text)) for note in notes]
    return [
        note for note, case in cases if case is None or f"case of {case['case'].lower()}" in asked
    ]


def _by_rule(notes: list[Note], about: Sequence[Note], *, sources: bool) -> list[Note]:
    for each in about:
        if cues.STAMP_RULE.search(each.text):
            stamped = [note for note in notes if cues.stamp(note.text) is not None]
            return sorted(stamped, key=lambda note: cues.stamp(note.text) or (0, 0)) or notes
        found = cues.SOURCE_RULE.search(each.text)
        if found is not None and sources:
            return [note for note in notes if f"{found['trusted']} says" in note.text] or notes
    return notes
