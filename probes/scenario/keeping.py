"""Keeping a review in its scenario file: one entry is written, and every other byte stays."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml import events as parsed

from probes.scenario.files import parse
from probes.scenario.model import Scenario
from probes.scenario.nodes import read_text
from scoring.keys import Key
from scoring.planting import Review
from simulator.events.errors import InputError

_BOM = b"\xef\xbb\xbf"
_UNPRINTABLE = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]")


def keep_review(path: Path, review: Review) -> None:
    """Write a review into a scenario file, in the place of an earlier one if there is one.

    Raises:
        InputError: when it is no scenario, cannot be written, or has a form in which no entry can
            be placed; it is left as it is then.
    """
    text = read_text(path)
    before = [loaded.scenario for loaded in parse(text, str(path))]
    changed = with_review(text, review)
    wanted = [reviewed(scenario, review) for scenario in before]
    if changed is None or not _says(changed, str(path), wanted):
        spelled = _spelled(review)
        raise InputError(
            f"no place for a review was found; write it by hand: {spelled}", file=str(path)
        )
    _replace(path.resolve(), changed)


def reviewed(scenario: Scenario, review: Review | None) -> Scenario:
    """Return a scenario with another review in its key."""
    key: Key = scenario.key.model_copy(update={"review": review})
    return Scenario(script=scenario.script, key=key)


def with_review(text: str, review: Review) -> str | None:
    """Return the text of a scenario file with a review, None where no place is found for it."""
    root = _entries(text)
    place = root.get("task") or root.get("key")
    if place is None:
        return None
    inside = root if "task" in root else _entries(text, "key")
    entry = _spelled(review)
    if "review" in inside:
        old = inside["review"]
        return text[: old.start] + entry.removeprefix("review: ") + text[old.end :]
    if place.opened is not None:  # a flow mapping: `{probes: []}`
        return f"{text[: place.opened]}{entry}, {text[place.opened :]}"
    end = text.find("\n", place.line)
    end = len(text) if end < 0 else end
    line_end = "\r\n" if text[:end].endswith("\r") else "\n"
    end -= len(line_end) - 1
    return f"{text[:end]}{line_end}{' ' * place.column}{entry}{text[end:]}"


class _Value(NamedTuple):
    """Where a value stands in a text.

    Attributes:
        start: Index of its first character.
        end: Index after its last one that means something.
        line: An index in the line after which another entry beside it, or inside it, may stand.
        column: Blanks before such an entry.
        opened: Index just inside of the flow mapping that takes another entry; None in block form.
    """

    start: int
    end: int
    line: int
    column: int
    opened: int | None


def _entries(text: str, inside: str | None = None) -> dict[str, _Value]:
    """Return where the values of the root mapping stand, or those of one mapping in it."""
    events = YAML(typ="safe", pure=True).parse(text)
    root = next(each for each in events if isinstance(each, parsed.MappingStartEvent))
    return dict(_walk(text, root, events, inside))


def _walk(
    text: str, root: Any, events: Iterator[Any], inside: str | None
) -> Iterator[tuple[str, _Value]]:
    """Yield the entries of a mapping whose start has been read."""
    for key in events:
        if isinstance(key, parsed.MappingEndEvent):
            return
        first = next(events)
        if key.value == inside and isinstance(first, parsed.MappingStartEvent):
            yield from _walk(text, first, events, None)
            return
        end = _end(first, events)
        if inside is None:
            yield key.value, _placed(text, root, key, first, end)


def _end(first: Any, events: Iterator[Any]) -> int:
    """Return where a value ends: blocks end with their last leaf, not with the blanks after it."""
    depth, each, last = 0, first, first
    while True:
        depth += isinstance(each, parsed.MappingStartEvent | parsed.SequenceStartEvent)
        closing = isinstance(each, parsed.MappingEndEvent | parsed.SequenceEndEvent)
        depth -= closing
        if not closing or each.start_mark.index != each.end_mark.index:
            last = each
        if not depth:
            return int(last.end_mark.index)
        each = next(events)


def _placed(text: str, root: Any, key: Any, first: Any, end: int) -> _Value:
    start = int(first.start_mark.index)
    end = start + len(text[start:end].rstrip())
    mapping = isinstance(first, parsed.MappingStartEvent) and key.value == "key"
    owner = first if mapping else root
    return _Value(
        start=start,
        end=end,
        line=int(key.end_mark.index),
        column=int(first.start_mark.column if mapping else key.start_mark.column),
        opened=int(owner.end_mark.index) if owner.flow_style else None,
    )


def _spelled(review: Review) -> str:
    """Return a review as one entry of a block or flow mapping."""
    note = f", note: {_quoted(review.note)}" if review.note else ""
    return f"review: {{verdict: {review.verdict}{note}}}"


def _quoted(text: str) -> str:
    """Return a text in double quotes, which YAML and JSON read alike."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(
        lambda found: json.dumps(found[0])[1:-1].replace("\x7f", "\\u007f"), quoted
    )


def _says(text: str, file: str, wanted: list[Scenario]) -> bool:
    """Return whether a changed text says what it said, and the review."""
    try:
        return [loaded.scenario for loaded in parse(text, file)] == wanted
    except InputError:
        return False


def _replace(path: Path, text: str) -> None:
    """Put a text in the place of a file's, all of it or nothing."""
    there = path.with_name(f".{path.name}.new")
    try:
        mark = _BOM if path.read_bytes().startswith(_BOM) else b""
        there.write_bytes(mark + text.encode("utf-8"))
        shutil.copymode(path, there)
        os.replace(there, path)
    except OSError as error:
        there.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from None
