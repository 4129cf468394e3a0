"""How scripted readers fill a tool's arguments and find the line that answers a question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.events import Json
from simulator.models.scripted.reading import Line, Parameter, Reading, Toolbox, ToolLine, read_line
from simulator.models.scripted.shapes import Shape
from simulator.models.scripted.words import content_words


@dataclass(frozen=True)
class Mention:
    """A place where what is wanted is said: the line's date and the values, left to right."""

    date: str | None
    values: tuple[str, ...]


Pick = Callable[[Sequence[Mention]], str | None]
"""Chooses among the mentions, given in the order in which they are shown."""


def shown_lines(reading: Reading) -> list[Line]:
    """Return the lines that count: memory, then session, without the assistant's."""
    lines = map(read_line, (*reading.memory, *reading.session))
    return [line for line in lines if line.role != "assistant"]


def choose_tool(toolbox: Toolbox, request: str) -> ToolLine | None:
    """Return the tool that shares most content words with the request, the first of several."""
    words = content_words(request)
    best = max(toolbox.tools, key=lambda tool: len(tool.words & words), default=None)
    return best if best is not None and best.words & words else None


def fill(toolbox: Toolbox, tool: ToolLine, reading: Reading, pick: Pick) -> dict[str, Json] | None:
    """Return a call's arguments in signature order, or None where a required one is not found."""
    found: dict[str, Json] = {}
    taken: set[str] = set()
    # Required ones first: no optional one may take the match that a required one needs.
    for parameter in sorted(tool.parameters, key=lambda each: not each.required):
        if parameter.inner:
            line = pick(find_answers(reading)) if parameter.required else None
            value = _entry(parameter, line)
        else:
            text = _text(parameter, toolbox, reading, pick, taken)
            taken |= set() if text is None else {text}
            value = None if text is None else _convert(text, parameter.converts)
        if value is not None:
            found[parameter.name] = value
        elif parameter.required:
            return None
    return {each.name: found[each.name] for each in tool.parameters if each.name in found}


def _text(
    parameter: Parameter, toolbox: Toolbox, reading: Reading, pick: Pick, taken: set[str]
) -> str | None:
    value = _from_request(parameter, reading.request, taken)
    if value is None and parameter.required:
        return _from_lines(parameter, toolbox, reading, pick)
    return value


def _entry(parameter: Parameter, line: str | None) -> Json:
    """Return a value made of one line's text, or None where the line does not have it."""
    if line is None:
        return None
    match parameter.kind:
        case "list":
            return _items(parameter.inner[0], line)
        case "object":
            members = {each.name: _entry(each, line) for each in parameter.inner if each.required}
            return None if None in members.values() else members
        case "text":
            return line
    value: str | None = None
    if parameter.names is not None:
        value = parameter.names.first(line) or parameter.names.options[0]
    elif parameter.shape is not None:
        value = next(iter(parameter.shape.matches(line)), None)
    return None if value is None else _convert(value, parameter.converts)


def _items(item: Parameter, line: str) -> Json:
    """Return the items that a line gives a list: all that have the item's shape, or else one."""
    if item.shape is not None:
        values = dict.fromkeys(item.shape.matches(line))
        return [_convert(value, item.converts) for value in values]
    entry = _entry(item, line)
    return None if entry is None else [entry]


def _from_request(parameter: Parameter, request: str, taken: set[str]) -> str | None:
    if parameter.names is not None:
        return parameter.names.first(request)
    if parameter.shape is not None:
        free = (value for value in parameter.shape.matches(request) if value not in taken)
        return next(free, None)
    return request if parameter.kind == "text" and parameter.required else None


def _from_lines(parameter: Parameter, toolbox: Toolbox, reading: Reading, pick: Pick) -> str | None:
    if parameter.names is not None:
        named = map(parameter.names.first, (line.text for line in shown_lines(reading)))
        return next((value for value in named if value is not None), None)
    if parameter.shape is None:
        return None
    return pick(find_mentions(parameter.shape, toolbox.shapes, reading))


def find_mentions(wanted: Shape, shapes: Sequence[Shape], reading: Reading) -> list[Mention]:
    """Return the shown sentences that name an entity of the request and a wanted value.

    An entity is any part of the request that has one of `shapes`; a wanted value has the shape
    `wanted` and is no entity of the request.
    """
    entities = _entities(shapes, reading.request)
    mentions = []
    for line in shown_lines(reading):
        for sentence in line.sentences:
            # The plain test of substrings saves most of the patterns' work.
            if not any(entity in sentence for entity in entities):
                continue
            if entities.isdisjoint(_entities(shapes, sentence)):
                continue
            values = tuple(v for v in wanted.matches(sentence) if v not in entities)
            if values:
                mentions.append(Mention(line.date, values))
    return mentions


def _entities(shapes: Sequence[Shape], text: str) -> set[str]:
    return {value for shape in shapes for value in shape.all_matches(text)}


def _convert(value: str, kind: str | None) -> Json:
    match kind:
        case "boolean":
            return value == "true"
        case "integer":
            return int(value)
        case "number":
            return float(value)
        case _:
            return value


def find_answers(reading: Reading) -> list[Mention]:
    """Return the shown lines that share most content words with the request, at least one."""
    words = content_words(reading.request)
    lines = shown_lines(reading)
    shared = [len(content_words(line.text) & words) for line in lines]
    most = max(shared, default=0)
    if most == 0:
        return []
    return [
        Mention(line.date, (line.text,))
        for line, count in zip(lines, shared, strict=True)
        if count == most
    ]
