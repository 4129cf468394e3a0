"""Items: one question with the phrases that a right answer needs and must not assert."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from probes.importers.statebench import Timeline
from probes.importers.statebench.templates import abstracted, template
from simulator.events import Json
from simulator.events.errors import InputError, nearest

FIELDS = ("prompt", "required", "forbidden")
"""What a map has to name."""

OPTIONAL = ("group",)
EVERYTHING = "all"
"""Group of the items of a set that names none."""


@dataclass(frozen=True)
class Item:
    """One question.

    Attributes:
        id: Unique in the set.
        group: What results are broken down by: the track.
        cluster: Its template; intervals resample these.
        prompt: The question.
        required: Phrases that a right answer asserts.
        forbidden: Phrases that a right answer must not assert, as written, repetitions kept.
    """

    id: str
    group: str
    cluster: str
    prompt: str
    required: tuple[str, ...]
    forbidden: tuple[str, ...]


def from_timelines(timelines: Iterable[Timeline]) -> list[Item]:
    """Return every question of the timelines, in order."""
    return [
        Item(
            id=f"{timeline.id}.{number}",
            group=timeline.track,
            cluster=template(timeline),
            prompt=query.prompt,
            required=query.ground_truth.must_mention,
            forbidden=query.ground_truth.must_not_mention,
        )
        for timeline in timelines
        for number, query in enumerate(timeline.queries())
    ]


def read_map(text: str) -> dict[str, str]:
    """Return `prompt=…,required=…,forbidden=…[,group=…]` as item field to dotted path.

    Raises:
        InputError: for a part that is no assignment, an unknown or repeated field, or one missing.
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, path = (piece.strip() for piece in part.partition("="))
        if not (equals and path):
            raise InputError(f"{part.strip()!r} is no `field=path`", field="map")
        if name not in FIELDS + OPTIONAL:
            raise InputError(
                f"unknown field {name!r}{nearest(name, FIELDS + OPTIONAL)}", field="map"
            )
        if name in found:
            raise InputError(f"{name!r} is named twice", field="map")
        found[name] = path
    for name in FIELDS:
        if name not in found:
            raise InputError(f"says not where {name!r} is: add {name}=…", field="map")
    return found


def from_jsonl(path: Path, where: Mapping[str, str]) -> list[Item]:
    """Read items from a file with one JSON object a line.

    Args:
        path: The file.
        where: What `read_map` returns: where in an object each field stands. `required` and
            `forbidden` are a text or a list of texts, `prompt` and `group` a text.

    Raises:
        InputError: for a file or line that cannot be read; names file, line and field.
    """
    items = [_item(entry, path, line, where) for line, entry in _entries(path)]
    if not items:
        raise InputError("holds no items", file=str(path), line=1)
    return items


def _entries(path: Path) -> Iterator[tuple[int, Json]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("is no UTF-8 text", file=str(path)) from None
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                raise InputError("is no JSON object", file=str(path), line=number) from None


def _item(entry: Json, path: Path, line: int, where: Mapping[str, str]) -> Item:
    found = {name: _at(entry, at, path, line) for name, at in where.items()}
    prompt = _texts(found["prompt"], where["prompt"], path, line)
    group = _texts(found.get("group", EVERYTHING), where.get("group", "group"), path, line)
    for name, texts in (("prompt", prompt), ("group", group)):
        if len(texts) != 1:
            raise InputError("is not one text", file=str(path), line=line, field=where[name])
    return Item(
        id=f"{path.name}:{line}",
        group=group[0],
        cluster=abstracted(prompt[0]),
        prompt=prompt[0],
        required=_texts(found["required"], where["required"], path, line),
        forbidden=_texts(found["forbidden"], where["forbidden"], path, line),
    )


def _at(entry: Json, dotted: str, path: Path, line: int) -> Json:
    value = entry
    for name in dotted.split("."):
        if not isinstance(value, dict) or name not in value:
            known = nearest(name, value) if isinstance(value, dict) else ""
            message = f"there is no {name!r} here{known}"
            raise InputError(message, file=str(path), line=line, field=dotted)
        value = value[name]
    return value


def _texts(value: Json, dotted: str, path: Path, line: int) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError("is no text and no list of texts", file=str(path), line=line, field=dotted)
    return tuple(texts)
