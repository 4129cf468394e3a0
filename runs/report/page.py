"""The report's page: content set in HTML, every text escaped, and written as one file."""

import os
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from runs.report.content import Content, content
from scoring.run import load_run
from simulator.events.errors import InputError

_TEMPLATES = Path(__file__).parent


def write_report(folder: Path, out: Path, workers: int = 1) -> Path:
    """Write the report of a run to the HTML file `out`, whole or not at all, and return `out`.

    A long run is read in so many processes. The same run folder gives the same bytes.

    Raises:
        InputError: when the folder is no run, or `out` cannot be written.
    """
    if out.is_dir():
        raise InputError("this is a folder; name an HTML file", file=str(out))
    with load_run(folder) as run:
        page = render(content(run, workers))
    part = out.with_name(f"{out.name}.part")
    try:
        part.write_bytes(page.encode("utf-8"))
        os.replace(part, out)
    except OSError as error:
        raise InputError(f"cannot write the report: {error.strerror}", file=str(out)) from None
    return out


def render(told: Content) -> str:
    """Return the page."""
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return templates.get_template("report.html.j2").render(told=told, version=version("memtrial"))
