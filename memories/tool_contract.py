"""What the contract test asks of the tools of a memory that has some."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from simulator.effects.memory import Ask, Item, Shown, Tooled, Used
from simulator.effects.schemas import SchemaValidator, samples
from simulator.events import GLOBAL, Json
from simulator.events.tokens import count_tokens
from simulator.models.written import NAME, SPOKEN


def broken_tools(memory: Tooled) -> Iterator[str]:
    """Yield what is wrong with the tools as such: names, schemas, what they say of themselves."""
    names = [tool.name for tool in memory.tools]
    if len(set(names)) != len(names):
        yield "two tools of the memory share a name"
    for tool in memory.tools:
        if not re.fullmatch(NAME, tool.name) or tool.name in SPOKEN:
            yield f"{tool.name!r} is no name that a tool can have"
        if tool.parameters.get("type") != "object":
            yield f"the parameters of {tool.name!r} are no schema of type object"
        if not tool.read_only:
            yield f"{tool.name!r} is not `read_only`, but no tool of a memory changes the world"
        if len(tool.signature.splitlines()) > 1:
            yield f"{tool.name!r} is shown on more than one line"


def tries(memory: Tooled, words: str) -> list[tuple[str, dict[str, Json]]]:
    """Return calls of every tool: with words, with the name of each item held, and with neither."""
    texts = [words, *(item.id for item in memory.holdings()), "nothing"]
    calls = []
    for tool in memory.tools:
        validator = SchemaValidator(tool.parameters)
        for text in texts:
            arguments = _filled(tool.parameters, text)
            if validator.is_valid(arguments):
                calls.append((tool.name, arguments))
    return calls


def _filled(schema: dict[str, Any], text: str) -> dict[str, Json]:
    """Return arguments in which every text is `text`; another value is the schema's first sample."""
    members = schema.get("properties", {}).items()
    values = {name: _value(form, text) for name, form in members}
    return {name: value for name, value in values.items() if value is not None}


def _value(form: dict[str, Any], text: str) -> Json:
    if form.get("type") == "string" and "enum" not in form:
        return text
    if form.get("type") == "array" and form.get("items", {}).get("type") == "string":
        return [text]
    return next(iter(samples(form)), None)


def broken_use(tool: str, used: Used, ask: Ask, held: Iterable[Item]) -> Iterator[str]:
    """Yield what is wrong with what a tool has just given back for `ask`."""
    items = {item.id: item for item in held}
    tokens = count_tokens(used.render())
    if used.items and ask.budget is not None and tokens > ask.budget:
        yield f"{tool!r} gives back {tokens} tokens where {ask.budget} are left"
    if len(used.text.splitlines()) > 1:
        yield f"{tool!r} says more than one line before its items"
    for shown in used.items:
        broken = _broken(shown, items.get(shown.item), ask)
        if broken is not None:
            yield f"{tool!r} gives back {shown.item!r}, which {broken}"


def _broken(shown: Shown, item: Item | None, ask: Ask) -> str | None:
    if item is None:
        return "is not held"
    if item.hidden:
        return "is hidden"
    if item.scope not in (GLOBAL, ask.scope):
        return f"belongs to scope {item.scope!r}"
    if not shown.sources or not item.sources.issuperset(shown.sources):
        return "has other sources than it is held with"
    return "was shown already" if ask.shown.issuperset(shown.sources) else None
