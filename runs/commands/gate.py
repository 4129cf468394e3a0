"""The gate that everything a command prints goes through, so that no command can forget it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO, cast

from runs.spelling import spelled


class Gate:
    """Standard output that spells out control characters; everything else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; a character that the stream cannot encode is spelled out too."""
        encoding = self._stream.encoding or "utf-8"
        self._stream.write(spelled(text).encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def styled(self, text: str) -> None:
        """Write a text whose escape sequences are our own: the colours of a table."""
        self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Put the gate before standard output."""
    with redirect_stdout(cast(TextIO, Gate(sys.stdout))):
        yield


def print_styled(text: str) -> None:
    """Print a text that holds escape sequences of our own and nobody else's."""
    gate = sys.stdout
    if isinstance(gate, Gate):
        gate.styled(f"{text}\n")
    else:
        print(text)
