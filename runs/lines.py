"""On which line of a TOML file a value stands: the parser tells values, not their lines."""

import re
from collections.abc import Iterator
from functools import reduce

from simulator.events import Json

Place = tuple[str | int, ...]
"""Keys and indices from the top of the file down to a value."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")


def place_of(field: str) -> Place:
    """Return the place that a dotted field names; digits are indices."""
    return tuple(int(part) if part.isdecimal() else part for part in field.split("."))


def line_of(text: str, values: Json, place: Place) -> int | None:
    """Return the line, from 1, of a place in a TOML text, or of the nearest one around it.

    Of values written on several lines of one array, the first line is taken that holds the
    value or its key. `values` is what the text was read as.
    """
    known = dict(_places(text))
    for end in range(len(place), 0, -1):
        line = known.get(place[:end])
        if line is not None:
            return line if end == len(place) else _search(text, line, _hint(values, place))
    return None


def _places(text: str) -> Iterator[tuple[Place, int]]:
    """Yield tables and keys with the line on which each is written."""
    table: Place = ()
    counts: dict[Place, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _table(header[2], header[1] == "[[", counts)
            if table[-1] == 0:
                yield table[:-1], number  # the list begins with its first table
            yield table, number
        elif key:
            yield (*table, key[1].strip("\"'")), number


def _table(name: str, listed: bool, counts: dict[Place, int]) -> Place:
    """Return a table's place; one written as `[[name]]` has its index in front of its keys."""
    parts = [part.strip().strip("\"'") for part in name.split(".")]
    place: Place = ()
    for number, part in enumerate(parts, 1):
        place = (*place, part)
        if listed and number == len(parts):
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return place


def _hint(values: Json, place: Place) -> str | None:
    """Return a text that stands where the place is: a text's own, else the innermost key."""
    found = reduce(_inside, place, values)
    if isinstance(found, str):
        return found
    return next((part for part in reversed(place) if isinstance(part, str)), None)


def _inside(value: Json, part: str | int) -> Json:
    """Return what is in a table or a list; a text, as a part is short for, holds itself."""
    if isinstance(value, dict):
        return value.get(str(part))
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        return value[part]
    return value if isinstance(value, str) else None


def _search(text: str, start: int, hint: str | None) -> int:
    if hint:
        word = re.compile(rf"(?<![\w-]){re.escape(hint)}(?![\w-])")
        for number, line in enumerate(text.splitlines()[start - 1 :], start):
            if word.search(line):
                return number
    return start
