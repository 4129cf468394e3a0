"""The report's page: content set in HTML, every text escaped, and written as one file."""

import os
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from runs.report.content import Content, content
from runs.spelling import CONTROLS, spelled
from scoring.run import load_run
from simulator.events.errors import InputError

_TEMPLATES = Path(__file__).parent
_MARK = '<span class="control">{}</span>'


def write_report(folder: Path, out: Path, workers: int = 1) -> Path:
    """Write the report of a run to the HTML file `out`, whole or not at all, and return `out`.

    A long run is read in so many processes. The same run folder gives the same bytes.

    Raises:
        InputError: when the folder is no run, or `out` cannot be written.
    """
    check_out(out)
    with load_run(folder) as run:
        page = render(content(run, workers))
    return write_page(page, out)


def check_out(out: Path) -> None:
    """Refuse a folder.

    Raises:
        InputError: when `out` is one.
    """
    if out.is_dir():
        raise InputError("this is a folder; name an HTML file", file=str(out))


def write_page(page: str, out: Path) -> Path:
    """Write a page, whole or not at all, and return `out`.

    Raises:
        InputError: when `out` cannot be written.
    """
    part = out.with_name(f"{out.name}.part")
    try:
        part.write_bytes(page.encode("utf-8"))
        os.replace(part, out)
    except OSError as error:
        raise InputError(f"cannot write the report: {error.strerror}", file=str(out)) from None
    return out


def render(told: Content) -> str:
    """Return the page."""
    return fill("report.html.j2", told)


def fill(template: str, told: object) -> str:
    """Return a template filled with what is told, every text escaped and control characters shown."""
    templates = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        finalize=_spelled,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["exact"] = exact
    return templates.get_template(template).render(told=told, version=version("memtrial"))


def _spelled(value: object) -> object:
    return spelled(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def exact(text: str) -> Markup:
    r"""Return a text for the page, its control characters spelled out and marked as such.

    A page cannot hold U+0000 and reads a carriage return as a line feed. The mark tells one from
    the six characters `\u0000`, which a text may hold too.
    """
    marked = CONTROLS.sub(lambda found: _MARK.format(spelled(found[0])), str(escape(text)))
    return Markup(marked)
