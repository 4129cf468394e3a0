"""Mistakes of the user: one message with file, line, field and the nearest valid value."""

import difflib
from collections.abc import Iterable


class InputError(Exception):
    """The user's input is wrong; the command line prints this and ends with status 2.

    Attributes:
        message: What is wrong and what would be right, one sentence.
        file: The file it stands in, if any.
        line: Its line, counted from 1, if known.
        field: Dotted path of the field, if any.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.field = field

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        field = f"{self.field}: " if self.field else ""
        return f"{where}: {field}{self.message}" if where else f"{field}{self.message}"


def nearest(wrong: str, valid: Iterable[str]) -> str:
    """Return " (did you mean 'x'?)" for the closest valid name, or the list of valid names."""
    names = sorted(valid)
    close = difflib.get_close_matches(wrong, names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known: {', '.join(names)}" if names else ""
