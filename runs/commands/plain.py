"""Logged text as a part of one line: what would break or steer the line is spelled out."""

from runs.spelling import spelled

_LINE = 110


def plain(text: object) -> str:
    r"""Return a text on one line; line feed and tab come out as `\n` and `\t`."""
    return spelled(str(text)).replace("\n", r"\n").replace("\t", r"\t")


def short(text: object, longest: int = _LINE) -> str:
    """Return a plain text of at most `longest` characters, with a mark where it was cut."""
    line = plain(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
