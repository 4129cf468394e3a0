"""Checking that a report belongs to a log, and says what the log gives."""

from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path

from runs.report.content import content
from runs.report.page import render
from scoring.run import Run
from simulator.events.errors import InputError

ROOT = "memtrial-root"
"""Name of the `<meta>` that holds the root of the log that a report was made from."""

VERSION = "memtrial-version"
"""Name of the `<meta>` that holds the version of MemTrial that made it."""


def report_faults(file: Path, run: Run, workers: int = 1) -> Iterator[str]:
    """Yield what is wrong with a report of a run: another root, or another page.

    Raises:
        InputError: when the file cannot be read or is no report.
    """
    try:
        written = file.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise InputError(f"cannot read the report: {error.strerror}", file=str(file)) from None
    named = _named(written)
    if ROOT not in named:
        raise InputError(f'this is no report: it has no <meta name="{ROOT}">', file=str(file))
    root, ours, here = run.log.root(), named.get(VERSION), version("memtrial")
    if named[ROOT] != root:
        yield f"{file}: the report is of the log with root {named[ROOT]}, this one has {root}"
    elif ours != here:
        yield (
            f"{file}: the root is this log's, but MemTrial {ours} made the report and this is "
            f"{here}, so its figures are not checked"
        )
    else:
        yield from _differing(file, written, render(content(run, workers)))


def _differing(file: Path, written: str, made: str) -> Iterator[str]:
    lines = zip_longest(written.split("\n"), made.split("\n"))
    for number, (there, here) in enumerate(lines, start=1):
        if there != here:
            yield f"{file}: the root is this log's, but line {number} is not what the log gives"
            return


def _named(text: str) -> dict[str, str]:
    """Return the contents of the page's named `<meta>` elements."""
    reader = _Metas()
    reader.feed(text)
    return reader.found


class _Metas(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("name")
        if tag == "meta" and name is not None:
            self.found.setdefault(name, given.get("content") or "")
