"""What a `first`, `last` or `dated` reader must do with a prompt, worked out from the rules.

Written from `docs/readers.md` alone, and from none of the readers' code: two accounts of one set
of rules that agree on every decision. Only the list of stop words, which the document refers to,
is taken over. Shapes are found by trying every place of a text, not by one regular expression.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memories.paging import Paging
from simulator.models.scripted.words import STOP

UNKNOWN = ("answer", "I do not know.")
Action = tuple[str, object]
"""`("answer", text)`, or the tool's name and its arguments."""


@dataclass(frozen=True)
class Line:
    day: str | None
    who: str
    text: str


@dataclass(frozen=True)
class Tool:
    name: str
    words: set[str]
    examples: dict[str, str]


@dataclass(frozen=True)
class Sight:
    """What a prompt shows."""

    tools: list[Tool]
    memory: list[str]
    session: list[str]
    request: str
    steps: list[str]


def predict(reader: str, rendered: str) -> Action:
    """Return the one action of a reader that is shown this prompt."""
    sight = look(rendered)
    shown = [line for line in map(as_line, sight.memory + sight.session) if line.who != "assistant"]
    if not sight.tools:
        return "answer", pick(reader, closest(shown, sight.request)) or UNKNOWN[1]
    if sight.steps and sight.steps[-1].startswith("Result: "):
        result = sight.steps[-1].removeprefix("Result: ")
        return "answer", "That did not work." if result.startswith("error:") else "Done."
    asked = stems(sight.request)
    most = max(len(tool.words & asked) for tool in sight.tools)
    if most == 0:
        return UNKNOWN
    tool = next(tool for tool in sight.tools if len(tool.words & asked) == most)
    forms = {form for each in sight.tools for form in each.examples.values()}
    arguments: dict[str, str] = {}
    for name, example in tool.examples.items():
        here = [value for value in find(example, sight.request) if value not in arguments.values()]
        remembered = mentions(example, forms, shown, sight.request)
        value = here[0] if here else pick(reader, remembered)
        if value is None:
            return UNKNOWN
        arguments[name] = value
    return tool.name, arguments


LENT = re.compile("|".join(rf"{tool.name}\(" for tool in Paging.tools))
"""The lines of the tools that a memory lends."""


def look(rendered: str) -> Sight:
    rest, _, tail = rendered.rpartition("\n\n## Request\n")
    rest, session = cut(rest, "\n\n## This session\n")
    rest, memory = cut(rest, "\n\n## Memory\n")
    tools = rest.partition("\n\n## Tools\n")[2].partition("\n\n")[0]
    if memory[:1] == ["From earlier sessions:"]:
        del memory[0]
    # No request of a ladder asks for a memory's tool rather than for one of the world's.
    signatures = [signature(line) for line in tools.splitlines() if not LENT.match(line)]
    request, *steps, _cue = tail.split("\n")
    return Sight(signatures, memory, session, request, steps)


def cut(text: str, heading: str) -> tuple[str, list[str]]:
    before, found, after = text.rpartition(heading)
    return (before, after.split("\n")) if found else (text, [])


def signature(line: str) -> Tool:
    """Read `name(arg: "example", …) description`; the shipped tools have no other form."""
    found = re.fullmatch(r'(\w+)\((\w+: "[^"]+"(?:, \w+: "[^"]+")*)\) (.+)', line)
    assert found is not None, f"no rule here predicts this form: {line}"
    examples = dict(re.findall(r'(\w+): "([^"]+)"', found[2]))
    return Tool(found[1], stems(f"{found[1]} {found[3]}"), examples)


def as_line(text: str) -> Line:
    day = None
    if re.match(r"\[\d{4}-\d\d-\d\d[^\]]*\] ", text):
        day, _, text = text[1:11], *text.split("] ", 1)
    for who in ("user", "system", "assistant", "tool"):
        if text.startswith(f"{who}: "):
            return dated_by_itself(Line(day, who, text.split(": ", 1)[1]))
        if who in ("assistant", "tool") and re.match(rf"{who} [^\s:]+: ", text):
            return dated_by_itself(Line(day, who, text.split(": ", 1)[1]))
    return dated_by_itself(Line(day, "", text))


def dated_by_itself(line: Line) -> Line:
    """Return a line that shows a dated document with the document's date in the place of its own."""
    title, colon, rest = line.text.partition(":")
    ends = re.search(r", (\d{4}-\d\d-\d\d)$", title)
    if not (ends and title.startswith("Document ") and rest.startswith(" ")):
        return line
    return Line(ends[1], line.who, title[: ends.start()] + colon + rest)


def mentions(
    wanted: str, forms: set[str], shown: list[Line], request: str
) -> list[tuple[str | None, list[str]]]:
    """Return day and values of each sentence that names an entity of the request and a value."""
    entities = everywhere(forms, request)
    found = []
    for line in shown:
        for sentence in re.split(r"(?<=[.!?])\s+", line.text):
            values = [value for value in find(wanted, sentence) if value not in entities]
            if values and everywhere(forms, sentence) & entities:
                found.append((line.day, values))
    return found


def closest(shown: list[Line], request: str) -> list[tuple[str | None, list[str]]]:
    asked = stems(request)
    most = max((len(stems(line.text) & asked) for line in shown), default=0)
    if most == 0:
        return []
    return [(each.day, [each.text]) for each in shown if len(stems(each.text) & asked) == most]


def pick(reader: str, found: list[tuple[str | None, list[str]]]) -> str | None:
    if reader == "dated":
        days = [day for day, _ in found if day]
        found = [each for each in found if days and each[0] == max(days)]
    if not found:
        return None
    return found[0][1][0] if reader == "first" else found[-1][1][-1]


def everywhere(forms: set[str], text: str) -> set[str]:
    """Return each part of a text that has one of the forms, overlapping ones included."""
    return {
        text[start:end]
        for form in forms
        for start in range(len(text))
        if (end := ends(form, text, start)) is not None
    }


def find(form: str, text: str) -> list[str]:
    """Return the parts of a text that have a form, from left to right, none overlapping."""
    found, at = [], 0
    while at < len(text):
        end = ends(form, text, at)
        if end is not None:
            found.append(text[at:end])
        at = end if end is not None else at + 1
    return found


def ends(form: str, text: str, start: int) -> int | None:
    """Return where the match of a form ends that starts at a place, if one does."""
    found = pattern(form).match(text, start)
    if found is None or glued(text[:start][::-1], "$") or glued(text[found.end() :], ""):
        return None
    return found.end()


@lru_cache
def pattern(form: str) -> re.Pattern[str]:
    money = re.fullmatch(r"(\$?)[\d,]+\.\d\d", form)
    if money:
        return re.compile((r"\$?" if money[1] else "") + r"\d[\d,]*\.\d\d")
    made = ""
    for part in re.findall(r"\d+|[A-Z][a-z]+|.", form):
        word = "[A-Z][a-z]+" if len(part) > 1 else re.escape(part)
        made += r"\d+" if part[0].isdigit() else word
    return re.compile(made)


def glued(outside: str, more: str) -> bool:
    """Say whether a match runs on into what is outside of it, read away from the match."""
    if not outside:
        return False
    near, far = outside[0], outside[1:2]
    if near.isalnum() or near in f"_{more}":
        return True
    if near == "-":
        return far.isalnum() or far == "_"
    return near in ".,:" and far.isdigit()


def stems(text: str) -> set[str]:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return {stem(word) for word in words if len(word) > 1 and word not in STOP}


def stem(word: str) -> str:
    if len(word) <= 3:
        return word
    if word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    word = word[:-1] if re.search("[^s]s$", word) else word
    tail = re.fullmatch(r"(\w{3,})(?:ing|ed)", word)
    if tail:
        word = re.sub(r"([^aeiou])\1$", r"\1", tail[1])
    return word.removesuffix("e")
