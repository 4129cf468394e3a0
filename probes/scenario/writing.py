"""From models to YAML that reads back as the very same models."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from io import StringIO
from typing import Any

from pydantic import BaseModel
from ruamel.yaml import YAML
from ruamel.yaml import events as parsed
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.tag import Tag

from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.times import EPOCH

ALWAYS = frozenset({"kind", "check", "at", "causes"})
"""Fields that are written even where they have their default: reading fills them in otherwise."""

_LAST_SHOWN = 253_402_300_799_999
"""The last millisecond of the year 9999; later times are written as a number."""

_UNQUOTED = re.compile(r"[\w$/(][^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]*")
"""What may go without quotes; the emitter still adds them where a mark inside needs them."""
_WIDE = 2**30
_TEXT_TAG = Tag(suffix="tag:yaml.org,2002:str")

Events = Iterator[Any]


def to_yaml(document: dict[str, BaseModel]) -> str:
    """Return models by section name as one YAML document.

    Raises:
        InputError: when a JSON value holds a float, which scenarios do not have, or a text holds
            a lone surrogate.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.width = _WIDE
    yaml.allow_unicode = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.emit(_whole(document, yaml.resolver), out)
    return out.getvalue()


def _whole(document: dict[str, BaseModel], resolver: Any) -> Events:
    write = _Writer(resolver)
    yield parsed.StreamStartEvent()
    yield parsed.DocumentStartEvent(explicit=False)
    yield from write.mapping((name, write.model(each, name)) for name, each in document.items())
    yield parsed.DocumentEndEvent(explicit=False)
    yield parsed.StreamEndEvent()


class _Writer:
    """Writes values as parser events; `place` is the dotted place for messages."""

    def __init__(self, resolver: Any) -> None:
        self._resolver = resolver

    def mapping(self, entries: Iterator[tuple[str, Events]]) -> Events:
        pairs = list(entries)
        # An empty block mapping cannot be written.
        yield parsed.MappingStartEvent(None, None, implicit=True, flow_style=not pairs)
        for name, value in pairs:
            yield from self.text(name, name)
            yield from value
        yield parsed.MappingEndEvent()

    def model(self, value: BaseModel, place: str) -> Events:
        yield from self.mapping(
            (name, self.field(name, getattr(value, name), info.annotation, f"{place}.{name}"))
            for name, info in type(value).model_fields.items()
            if name in ALWAYS or info.is_required() or getattr(value, name) != info.get_default()
        )

    def field(self, name: str, value: Any, annotation: Any, place: str) -> Events:
        if name == "at" and isinstance(value, int):
            return self.time(value)
        if annotation is Any or isinstance(value, dict):
            return self.json(value, place)
        return self.value(value, place)

    def value(self, value: Any, place: str) -> Events:
        if isinstance(value, BaseModel):
            return self.model(value, place)
        if isinstance(value, tuple):
            return self.sequence(value, [self.value(each, place) for each in value])
        return self.json(value, place)

    def json(self, value: Json, place: str) -> Events:
        if isinstance(value, str):
            return self.text(value, place)
        if isinstance(value, dict):
            items = ((name, self.json(each, f"{place}.{name}")) for name, each in value.items())
            return self.mapping(items)
        if isinstance(value, list | tuple):
            parts = [self.json(each, f"{place}.{i}") for i, each in enumerate(value)]
            return self.sequence(value, parts)
        if value is None or isinstance(value, bool | int):
            return _plain(canonical_json(value))
        message = f"{value!r} cannot stand in a scenario; write it as a text"
        raise InputError(message, field=place)

    def sequence(self, items: Sequence[Any], parts: Sequence[Events]) -> Events:
        flat = all(isinstance(item, str | int | None) for item in items)
        yield parsed.SequenceStartEvent(None, None, implicit=True, flow_style=flat)
        for part in parts:
            yield from part
        yield parsed.SequenceEndEvent()

    def time(self, ms: int) -> Events:
        if not 0 <= ms <= _LAST_SHOWN:
            return _plain(str(ms))
        moment = (EPOCH + timedelta(milliseconds=ms)).replace(tzinfo=None)
        exact = "minutes" if ms % 60_000 == 0 else "milliseconds"
        return _plain(moment.isoformat(timespec=exact))

    def text(self, text: str, place: str) -> Events:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError("the text holds a lone surrogate", field=place) from None
        yield _scalar(text, self._style(text))

    def _style(self, text: str) -> str | None:
        """Return the quotes that a text needs so that every YAML reader takes it for a text."""
        if not _UNQUOTED.fullmatch(text):
            return '"'
        resolved = self._resolver.resolve(ScalarNode, text, (True, False))
        return None if str(resolved).endswith(":str") else '"'


def _plain(word: str) -> Events:
    yield _scalar(word, None)


def _scalar(text: str, style: str | None) -> Any:
    # The emitter asks for a tag even where, as always here, none is written.
    return parsed.ScalarEvent(None, _TEXT_TAG, (True, True, True), text, style=style)
