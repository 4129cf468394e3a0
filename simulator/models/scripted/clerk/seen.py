"""What a prompt shows, sorted: what documents say, and what people, the platform or a memory say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from simulator.models.rendering import RESULT_CUE
from simulator.models.scripted.clerk.ids import Ids, words
from simulator.models.scripted.reading import Line, Reading, read_line

_BREAK = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9$€£])")
_INSIDE = re.compile(r"(?=\[\d{4}-\d\d-\d\d [^\]\s]+\] (?:user|system|tool|assistant): )")
_QUOTED = re.compile(r"\"([^\"]+)\"")
_VERSION = re.compile(r"\bversion v(\d{1,4})\b")
_ENDED = re.compile(r"[.!?][\"')\]]*$")
_CHECKED = re.compile(r"(?:error|deleted):", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """A sentence that a document, or a memory of one, states.

    Attributes:
        document: Id of the document, or None where nothing shows it.
        text: The sentence, as shown.
        title: What stands before the document's text: its title and more.
        version: The version of the document that it is from, 0 where none is shown.
        verbatim: Whether it is a document's own sentence, so that it may be quoted.
    """

    document: str | None
    text: str
    title: str = ""
    version: int = 0
    verbatim: bool = True

    @property
    def title_words(self) -> frozenset[str]:
        """Content words of the title: of what stands in quotes, or else of all of it."""
        quoted = _QUOTED.search(self.title)
        return words(self.title if quoted is None else quoted[1])


@dataclass(frozen=True)
class Remark:
    """A sentence that may bind.

    Attributes:
        text: The sentence.
        line: The whole line that it is from.
        date: `YYYY-MM-DD`, or "" where none is shown.
        place: Number of the line, in the order shown.
        name: The name by which a memory's tools take the line, or "".
    """

    text: str
    line: str
    date: str = ""
    place: int = 0
    name: str = ""


@dataclass
class Seen:
    """Everything that a prompt shows, in order."""

    statements: list[Statement] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def sort_lines(reading: Reading, ids: Ids) -> Seen:
    """Sort memory, session and results of this request's steps; the assistant's lines are left out."""
    seen = Seen()
    last: tuple[Line, Statement] | None = None
    for place, (raw, remembered) in enumerate(_lines(reading)):
        line = read_line(raw)
        if line.role == "assistant":
            continue
        found = _document(line, ids)
        if found is None and remembered and last is not None and _goes_on(line, last[0]):
            found = replace(last[1], text=line.text)
        last = None if found is None else (line, found)
        if found is not None:
            texts = sentences(found.text)
            seen.statements.extend(replace(found, text=text) for text in texts)
        else:
            _sort(line, raw, place, remembered, seen)
    seen.statements = _newest(seen.statements)
    return seen


def _lines(reading: Reading) -> Iterator[tuple[str, bool]]:
    """Yield each shown line, and whether a memory gave it back."""
    yield from ((line, True) for line in reading.memory)
    results = (each for each in reading.steps if each.startswith(f"{RESULT_CUE} "))
    shown = [*reading.session, *(f"tool: {each[len(RESULT_CUE) + 1 :]}" for each in results)]
    for line in shown:
        head, *inside = _INSIDE.split(line)
        if inside and not head.strip():  # the line itself begins like one
            head, inside = "".join((head, inside[0])), inside[1:]
        yield head, False
        yield from ((each.strip(), True) for each in inside)


def _document(line: Line, ids: Ids) -> Statement | None:
    """Return what a line says that shows a document's text: `document DOC-1 "Title", …: TEXT`."""
    if line.role == "user":
        return None
    found = ids.heading.match(line.text)
    if found is None or (line.role == "system" and not found["word"]):
        return None
    title = line.text[: found.start("text")]
    version = _VERSION.search(title)
    number = 0 if version is None else int(version[1])
    verbatim = line.role is not None
    text = found["text"] if verbatim else found["text"].removesuffix(" (tool)")
    return Statement(found["id"], text, title, number, verbatim)


def _goes_on(line: Line, before: Line) -> bool:
    """Return whether a memory's line is the next sentence of the document that the last one showed."""
    told = line.role == before.role == "tool" and line.tool is None
    return told and line.date == before.date and _ENDED.search(line.text) is not None


def _sort(line: Line, raw: str, place: int, remembered: bool, seen: Seen) -> None:
    """Sort a line that shows no document: a tool's binds only where it reports on a document."""
    if line.role == "tool" and not _CHECKED.match(line.text):
        if remembered and _ENDED.search(line.text):
            seen.statements.extend(Statement(None, each) for each in sentences(line.text))
        return
    name = re.match(r"\[\d{4}-\d\d-\d\d (\w+)\] ", raw) if remembered else None
    for text in sentences(line.text):
        at = Remark(text, line.text, line.date or "", place, name[1] if name else "")
        seen.remarks.append(at)


def _newest(statements: list[Statement]) -> list[Statement]:
    """Return the statements, each once, without those of versions that a newer one has replaced."""
    newest: dict[str | None, int] = {}
    for each in statements:
        newest[each.document] = max(each.version, newest.get(each.document, 0))
    kept = (each for each in statements if each.version in (0, newest[each.document]))
    return list({(each.document, each.text): each for each in kept}.values())


def sentences(text: str) -> list[str]:
    """Split a text into its sentences, as they are shown."""
    starts = [0, *(found.end() for found in _BREAK.finditer(text))]
    ends = [*starts[1:], len(text)]
    return [
        part for start, end in zip(starts, ends, strict=True) if (part := text[start:end].strip())
    ]
