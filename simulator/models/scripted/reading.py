"""What scripted readers make of a prompt: its sections, lines and tools, from the text alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from simulator.effects.memory import BLOCK_HEADER
from simulator.events.faults import Fault
from simulator.models.rendering import MEMORY, REQUEST, SESSION, TOOLS
from simulator.models.scripted.shapes import INTEGER, NUMBER, Names, Shape, shape_of_example
from simulator.models.scripted.words import content_words

_LINE = re.compile(
    r"(?:\[(?P<date>\d{4}-\d{2}-\d{2})[^\]]*\] )?"
    r"(?P<said>(?:(?P<role>user|system|(?:assistant|tool)(?: [^\s:]+)?): )?(?P<text>.*))",
    re.DOTALL,
)
_DOCUMENT = re.compile(
    r"(?P<head>Document [^:]*), (?P<date>\d{4}-\d{2}-\d{2})(?P<rest>: .*)", re.DOTALL
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_TOOL = re.compile(r"(?P<name>[^(]+)\((?P<rest>.*)")
_END = r"(?=, [\w.-]+\??: |\)(?: |$))"
_PARAMETER = re.compile(rf'(?:, )?([\w.-]+)(\??): (?:"(.*?)"{_END}|(.*?){_END})')
_ENDED = re.compile(_END)
_NESTED = re.compile(r"(?:, )?([\w.-]+)(\??): (?=[\[{])")
_BRACKET = re.compile(r'"[^"]*"|[\[\]{}]')


@dataclass(frozen=True)
class Line:
    """One shown line.

    Attributes:
        date: The date that a document bears at the end of its title, else the `YYYY-MM-DD` at
            the line's start, or None.
        role: `user`, `system`, `assistant` or `tool`, or None where none is shown.
        tool: Name of the tool of a call or a result, else None.
        text: What was said, without dates and role.
        sentences: The sentences without the dates; one ends at `.`, `!` or `?` and white space.
    """

    date: str | None
    role: str | None
    tool: str | None
    text: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a tool as its signature shows it.

    Attributes:
        kind: `enum`, `shape`, `text` (a string of any form), `list`, `object` or `other` (what no
            rule fills).
        converts: `boolean`, `integer` or `number` for a value that is not written as a text.
        inner: The one form of a list's items, or the members of an object.
    """

    name: str
    required: bool
    kind: str
    names: Names | None = None
    shape: Shape | None = None
    converts: str | None = None
    inner: tuple["Parameter", ...] = ()


@dataclass(frozen=True)
class ToolLine:
    """One tool as its signature line shows it."""

    name: str
    words: frozenset[str]
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Toolbox:
    """All tools of a prompt.

    Attributes:
        shapes: The distinct shapes of all examples: what an entity can look like.
    """

    tools: tuple[ToolLine, ...]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Reading:
    """A prompt taken apart.

    Attributes:
        head: Everything before the memory section: instructions, tools, examples.
        toolbox: The tools, or None where the prompt has none.
        memory: Lines of the memory section, the block's header left out.
        session: Lines of this session.
        request: The request.
        steps: Lines of what was done for it so far: `Action: …` and `Result: …`.
    """

    head: str
    toolbox: Toolbox | None
    memory: tuple[str, ...]
    session: tuple[str, ...]
    request: str
    steps: tuple[str, ...] = ()


def read_prompt(rendered: str) -> Reading:
    """Take a prompt in the `plain` form apart.

    A heading counts after an empty line only, and the last one of its name; nobody's text can
    bring one along, since every line of the session and the request is one line.

    Raises:
        Fault: culprit `model`, `invalid`, when the text is no prompt in the plain form.
    """
    rest, heading, tail = rendered.rpartition(f"\n\n{REQUEST}\n")
    request, *steps = tail.split("\n")
    if not heading or not steps:
        raise Fault("model", "invalid", "the prompt is not in the plain form")
    rest, session = _split(rest, SESSION)
    head, memory = _split(rest, MEMORY)
    if memory[:1] == (BLOCK_HEADER,):
        memory = memory[1:]
    return Reading(head, read_tools(head), memory, session, request, tuple(steps[:-1]))  # the cue


def _split(text: str, heading: str) -> tuple[str, tuple[str, ...]]:
    before, found, after = text.rpartition(f"\n\n{heading}\n")
    return (before, tuple(after.split("\n"))) if found else (text, ())


@lru_cache(maxsize=16_384)
def read_line(line: str) -> Line:
    """Take a shown line apart."""
    found = _LINE.fullmatch(line)
    assert found is not None  # the last group takes any text
    role, _, tool = (found["role"] or "").partition(" ")
    date, text = _own_date(found["text"]) or (found["date"], found["text"])
    who = found["said"].removesuffix(found["text"])
    sentences = tuple(_SENTENCE.split(f"{who}{text}"))
    return Line(date, role or None, tool or None, text, sentences)


def _own_date(text: str) -> tuple[str, str] | None:
    """Return the date that a document bears and the text without it."""
    found = _DOCUMENT.fullmatch(text)
    return None if found is None else (found["date"], f"{found['head']}{found['rest']}")


@lru_cache(maxsize=256)
def read_tools(head: str) -> Toolbox | None:
    """Return the tools of a prompt's head, or None where it has no tools section."""
    _, heading, after = head.partition(f"\n\n{TOOLS}\n")
    if not heading:
        return None
    lines = after.partition("\n\n")[0].split("\n")
    tools = tuple(tool for line in lines if (tool := _read_tool(line)) is not None)
    shapes = {
        parameter.shape.pattern: parameter.shape
        for tool in tools
        for parameter in _flat(tool.parameters)
        if parameter.shape is not None and parameter.converts is None
    }
    return Toolbox(tools, tuple(shapes.values()))


def _flat(parameters: tuple[Parameter, ...]) -> Iterator[Parameter]:
    for parameter in parameters:
        yield parameter
        yield from _flat(parameter.inner)


def _read_tool(line: str) -> ToolLine | None:
    found = _TOOL.fullmatch(line)
    if found is None:
        return None
    parameters, end = _read_parameters(found["rest"])
    words = content_words(f"{found['name']} {found['rest'][end + 1 :]}")
    return ToolLine(found["name"], words, parameters)


def _read_parameters(text: str) -> tuple[tuple[Parameter, ...], int]:
    """Return the parameters that a text begins with, and where they end."""
    parameters, at = [], 0
    while True:
        nested, shown = _NESTED.match(text, at), _PARAMETER.match(text, at)
        end = None if nested is None else _closed(text, nested.end())
        if nested is not None and end is not None:
            form = text[nested.end() : end]
            parameters.append(_nested(nested[1], nested[2] == "", form))
            at = end
        elif shown is not None:
            parameters.append(_parameter(shown[1], shown[2] == "", shown[3], shown[4]))
            at = shown.end()
        else:
            return tuple(parameters), at


def _closed(text: str, start: int) -> int | None:
    """Return where the bracket at `start` is closed, None where that is no form by itself."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end() if _ENDED.match(text, found.end()) else None
    return None


def _nested(name: str, required: bool, form: str) -> Parameter:
    """Return a parameter whose form is `[form]` or `{name: form, …}`."""
    inside = f"item: {form[1:-1]})" if form[0] == "[" else f"{form[1:-1]})"
    inner, _ = _read_parameters(inside)
    return Parameter(name, required, "list" if form[0] == "[" else "object", inner=inner)


def _parameter(name: str, required: bool, example: str | None, form: str | None) -> Parameter:
    if example:
        return Parameter(name, required, "shape", shape=shape_of_example(example))
    if form == "integer" or form == "number":
        shape = Shape(INTEGER if form == "integer" else NUMBER)
        return Parameter(name, required, "shape", shape=shape, converts=form)
    if form == "boolean":
        return Parameter(name, required, "enum", names=Names(("true", "false")), converts=form)
    if form == "string" or example is not None:
        return Parameter(name, required, "text")
    if form is None or form in ("array", "object", "null"):
        return Parameter(name, required, "other")
    return Parameter(name, required, "enum", names=Names(tuple(form.split("|"))))
