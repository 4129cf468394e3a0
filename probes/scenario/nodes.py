"""YAML as it stands in the file: nodes with their lines, scalars as written, nothing resolved.

Anchors, aliases and tags are refused, so no file can grow when it is read and no scalar changes
its value: `0012`, `15E2621` and `yes` stay what they are until a schema types them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml import events as parsed
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from simulator.events.errors import InputError, shown

MAX_BYTES = 5_000_000
MAX_DEPTH = 40

_NO_CHARACTER = re.compile(r"\\U(?!000|0010)[0-9A-Fa-f]{8}")


@dataclass(frozen=True)
class Scalar:
    """A text; `plain` is False when it was quoted or a block."""

    line: int
    text: str
    plain: bool


@dataclass(frozen=True)
class Listing:
    """A sequence."""

    line: int
    items: tuple["Node", ...]


@dataclass(frozen=True)
class Mapping:
    """A mapping; `lines` holds the line of each key, counted from 1."""

    line: int
    entries: dict[str, "Node"]
    lines: dict[str, int]


Node = Scalar | Listing | Mapping


def read_text(path: Path) -> str:
    """Return the text of a file of at most 5 MB; its size is asked before it is read.

    Raises:
        InputError: when it is missing, no file, too large or not UTF-8.
    """
    try:
        if not path.is_file():
            what = "is a folder, not a file" if path.is_dir() else "does not exist"
            raise InputError(f"the scenario {what}", file=str(path))
        size = path.stat().st_size
        if size > MAX_BYTES:
            message = f"the file has {size:,} bytes; a scenario may have {MAX_BYTES:,}"
            raise InputError(message, file=str(path), line=1)
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=str(path)) from error


def compose(text: str) -> Node:
    """Return the one document of `text` as nodes.

    Raises:
        InputError: with the line, for what is no YAML or is refused here.
    """
    events = YAML(typ="safe", pure=True).parse(text)
    try:
        root = _document(events)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"no valid YAML: {error.problem}", line=line) from None
    except YAMLError as error:
        raise InputError(f"no valid YAML: {' '.join(str(error).split())}") from None
    except (ValueError, OverflowError):  # the parser asks Python for characters beyond U+10FFFF
        raise InputError("an escape stands for no character", line=_bad_escape(text)) from None
    return root


def _bad_escape(text: str) -> int | None:
    found = _NO_CHARACTER.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _document(events: Iterator[Any]) -> Node:
    roots: list[Node] = []
    for event in events:
        if isinstance(event, parsed.DocumentStartEvent):
            if roots:
                raise InputError("a second document starts here", line=_line(event))
            roots.append(_node(next(events), events, 0))
    if not roots:
        raise InputError("the file is empty")
    return roots[0]


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _node(event: Any, events: Iterator[Any], depth: int) -> Node:
    line = _line(event)
    _refuse_extras(event, line)
    if isinstance(event, parsed.ScalarEvent):
        return Scalar(line, _whole_text(event.value, line), plain=event.style is None)
    if depth >= MAX_DEPTH:
        raise InputError(f"nested more than {MAX_DEPTH} deep", line=line)
    if isinstance(event, parsed.SequenceStartEvent):
        return Listing(line, tuple(_items(events, depth + 1)))
    return _mapping(line, events, depth + 1)


def _whole_text(text: str, line: int) -> str:
    """Return a text with pairs of surrogates, as JSON escapes them, joined to one character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise InputError("the text holds a lone surrogate", line=line) from None
    return text


def _refuse_extras(event: Any, line: int) -> None:
    if isinstance(event, parsed.AliasEvent):
        raise InputError(f"the alias *{event.anchor} is refused; write the value out", line=line)
    if event.anchor is not None:
        raise InputError(f"the anchor &{event.anchor} is refused; write the value out", line=line)
    if event.tag is not None:
        raise InputError(
            f"the tag {shown(str(event.tag))} is refused; values are typed by field", line=line
        )


def _items(events: Iterator[Any], depth: int) -> Iterator[Node]:
    for event in events:
        if isinstance(event, parsed.SequenceEndEvent):
            return
        yield _node(event, events, depth)


def _mapping(line: int, events: Iterator[Any], depth: int) -> Mapping:
    entries: dict[str, Node] = {}
    lines: dict[str, int] = {}
    for event in events:
        if isinstance(event, parsed.MappingEndEvent):
            break
        key = _node(event, events, depth)
        if not isinstance(key, Scalar):
            raise InputError("a key must be a text", line=key.line)
        if key.text in entries:
            before = lines[key.text]
            raise InputError(f"{shown(key.text)} stands here and in line {before}", line=key.line)
        lines[key.text] = key.line
        value = _node(next(events), events, depth)
        if value == Scalar(value.line, "", plain=True):
            value = Scalar(key.line, "", plain=True)  # an empty value starts a line too late
        entries[key.text] = value
    return Mapping(line, entries, lines)


def lines_of(node: Node, place: str = "") -> Iterator[tuple[str, int]]:
    """Yield every dotted place (`script.episodes.0.id`) below `node` with its line."""
    if isinstance(node, Mapping):
        for name, child in node.entries.items():
            inner = f"{place}.{name}" if place else name
            yield inner, node.lines[name]
            yield from lines_of(child, inner)
    elif isinstance(node, Listing):
        for index, child in enumerate(node.items):
            yield f"{place}.{index}", child.line
            yield from lines_of(child, f"{place}.{index}")
