"""Mistakes of the user: one message with file, line, field and the nearest valid value."""

import difflib
from collections.abc import Iterable

_LONGEST_MESSAGE = 4_000
_LONGEST_FIELD = 200
_LONGEST_VALUE = 120


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
        # Names and values come from files of any size, and a message is for people.
        message = clipped(message, _LONGEST_MESSAGE)
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.field = None if field is None else clipped(field, _LONGEST_FIELD)

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        field = f"{self.field}: " if self.field else ""
        return f"{where}: {field}{self.message}" if where else f"{field}{self.message}"


def clipped(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters, and a mark where something was cut off."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def shown(value: object) -> str:
    """Return a wrong value as a message shows it: as Python writes it, cut to 120 characters."""
    return clipped(repr(value), _LONGEST_VALUE)


def nearest(wrong: str, valid: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest valid name, or the list of valid names."""
    names = sorted(valid)
    return alike(wrong, names) or (f"; known: {', '.join(names)}" if names else "")


def alike(wrong: str, valid: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest valid name, or nothing when none is close."""
    wrong = wrong[:_LONGEST_FIELD]  # to look for what is alike takes the square of its length
    close = difflib.get_close_matches(wrong, sorted(set(valid)), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
