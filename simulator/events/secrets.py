"""Secrets of the environment: what must not stand in a log, whoever quotes it in a message."""

import os
import re
from collections.abc import Iterator, Mapping

_NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
_SHORTEST = 8
"""A shorter value could be any word."""


def redacted(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Return a text in which the value of each secret is replaced by its name: `$OPENAI_API_KEY`.

    A secret is an environment variable that is named like one, of at least 8 characters.
    """
    for name, value in _secrets(os.environ if environment is None else environment):
        text = text.replace(value, f"${name}")
    return text


def _secrets(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names and values, the longest value first, since one may hold another."""
    named = ((name, value) for name, value in environment.items() if _NAMES.search(name))
    yield from sorted(
        ((name, value) for name, value in named if len(value) >= _SHORTEST),
        key=lambda each: (-len(each[1]), each),
    )
