"""How commands speak: tables for people, JSON for programs, progress for long work."""

import codecs
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from runs.commands.gate import print_styled
from runs.spelling import spelled
from simulator.events import Json
from simulator.events.errors import InputError

_PLAIN_WIDTH = 200

PROCESSES = len(os.sched_getaffinity(0))
"""Processes that long reading is spread over."""


def console() -> Console:
    """Return a console on standard output; files and pipes get wide lines and no colour."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(width=_PLAIN_WIDTH, highlight=False, color_system=None)


def print_json(value: Json) -> None:
    """Print a value as JSON; where not every character can be printed, as plain ASCII."""
    every = codecs.lookup(sys.stdout.encoding or "utf-8").name.startswith("utf")
    print(json.dumps(value, indent=2, ensure_ascii=not every, allow_nan=False))


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    text: Sequence[str] = (),
    wrap: Sequence[str] = (),
) -> None:
    """Print a table; columns in `text` are set left, others right; those in `wrap` may wrap."""
    # Everything is given as `Text`, since rich reads markup in a plain string.
    table = Table(title=_text(title), title_justify="left", box=None, pad_edge=False)
    table.header_style = "bold"
    for column in columns:
        side: Literal["left", "right"] = "left" if column in text else "right"
        table.add_column(_text(column), justify=side, no_wrap=column not in wrap)
    for row in rows:
        table.add_row(*(_text(cell(value)) for value in row))
    screen = console()
    with screen.capture() as captured:
        screen.print(table)
    print_styled("\n".join(line.rstrip() for line in captured.get().split("\n")[:-1]))


def _text(value: str) -> Text:
    return Text(spelled(value))


def refuse_used(out: Path) -> None:
    """Refuse a folder to write into that holds something.

    Raises:
        InputError: naming it.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("this is no empty folder; choose another with --out", file=str(out))


def cell(value: object) -> str:
    """Return a value as a table shows it: `-` for none, two decimals for a rate."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that is told (done, of): a bar on a terminal, plain lines elsewhere."""
    if not sys.stderr.isatty():
        yield _plain(what)
        return
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _plain(what: str) -> Callable[[int, int], None]:
    last = -1

    def report(done: int, of: int) -> None:
        nonlocal last
        tenth = done * 10 // of
        if tenth != last:
            last = tenth
            print(f"{what}: {done} of {of}", file=sys.stderr, flush=True)

    return report
