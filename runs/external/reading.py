"""Reading a table: CSV with a heading, or a JSON object a line; each row knows its line."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from simulator.events import Json
from simulator.events.canonical import NotStorable, read_json
from simulator.events.errors import InputError


@dataclass(frozen=True)
class Line:
    """One row as it is written.

    Attributes:
        file: The file.
        number: The line that it begins on, from 1.
        cells: Column to its text, number, boolean or null.
    """

    file: str
    number: int
    cells: dict[str, Json]


@dataclass(frozen=True)
class Table:
    """One file.

    Attributes:
        name: Its name without the ending.
        file: Its path, for messages.
        headings: The columns.
        lines: The rows, at least one.
    """

    name: str
    file: str
    headings: list[str]
    lines: list[Line]


def read_table(path: Path) -> Table:
    """Read a file; one that begins with `{` holds a JSON object a line, any other is CSV.

    Raises:
        InputError: for what is neither, with the line; for a file without rows.
    """
    file = str(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"this is no UTF-8 text (byte {error.start})", file=file) from None
    lines = list(_json_lines(text, file) if text.lstrip().startswith("{") else _csv(text, file))
    if not lines:
        raise InputError("this table has no rows", file=file)
    headings = dict.fromkeys(name for line in lines for name in line.cells)
    return Table(path.stem, file, list(headings), lines)


def _csv(text: str, file: str) -> Iterator[Line]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    headings: list[str] | None = None
    begin = 1
    try:
        for cells in reader:
            if headings is None:
                headings = _headings(cells, file, begin)
            elif cells:
                if len(cells) != len(headings):
                    message = f"{len(cells)} cells where the heading has {len(headings)}"
                    raise InputError(message, file=file, line=begin)
                yield Line(file, begin, dict(zip(headings, cells, strict=True)))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"this is no CSV: {error}", file=file, line=reader.line_num) from None


def _headings(cells: list[str], file: str, line: int) -> list[str]:
    names = [cell.strip() for cell in cells]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise InputError(f"two columns are called {name!r}", file=file, line=line)
    return names


def _json_lines(text: str, file: str) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            cells = read_json(line)
        except NotStorable as error:
            raise InputError(str(error), file=file, line=number) from None
        if not isinstance(cells, dict):
            raise InputError("each line is one JSON object", file=file, line=number)
        yield Line(file, number, cells)
