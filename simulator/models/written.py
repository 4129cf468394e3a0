"""How actions are written: `tool(arg="value", …)`, `answer("…")`, `ask("…")`, `refuse("…")`.

Models produce this form and agents read it, so it stands below both.
"""

import re

from simulator.events import Json, canonical_json

SPOKEN = ("answer", "ask", "refuse")
"""Actions that end a decision; no tool may have one of these names."""

NAME = r"[^\W\d][\w.-]*"
"""Pattern of a tool's or an argument's name: a letter or `_`, then letters, digits, `_.-`."""

_NAME = re.compile(NAME)


def write_call(tool: str, arguments: dict[str, Json]) -> str:
    """Write a tool call; arguments keep their order.

    Raises:
        ValueError: when a name cannot be written, or a value is no storable JSON.
    """
    if tool in SPOKEN:
        raise ValueError(f"{tool!r} ends a decision and cannot be the name of a tool")
    for name in (tool, *arguments):
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} cannot be written as a name")
    shown = (f"{name}={canonical_json(value)}" for name, value in arguments.items())
    return f"{tool}({', '.join(shown)})"


def write_spoken(word: str, text: str) -> str:
    """Write an action that ends a decision; `word` is one of `SPOKEN`.

    Raises:
        ValueError: when the word is another one, or the text holds a lone surrogate.
    """
    if word not in SPOKEN:
        raise ValueError(f"{word!r} is none of {', '.join(SPOKEN)}")
    return f"{word}({canonical_json(text)})"
