"""Texts of scenarios in Markdown: shown as they are, and never read as markup."""

import re

from runs.spelling import spelled

_TICKS = re.compile("`+")


def fenced(text: str) -> str:
    """Return a block that shows a text as it is, control characters spelled out.

    Its fence is longer than any in the text, so that nothing in it can end the block.
    """
    shown = spelled(text)
    fence = "`" * max(3, 1 + _longest(shown))
    return f"{fence}text\n{shown}\n{fence}"


def code(text: str) -> str:
    """Return a short text as code in a line."""
    shown = spelled(text).replace("\n", "\\n")
    ticks = "`" * (1 + _longest(shown))
    room = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{ticks}{room}{shown}{room}{ticks}"


def _longest(text: str) -> int:
    return max((len(found) for found in _TICKS.findall(text)), default=0)
