"""Sheets that a person has filled in, read back and kept with their scenarios."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from probes.scenario.keeping import keep_review
from runs.reviewing.sheet import END
from runs.reviewing.tasks import Task
from scoring.planting import Review
from simulator.events.errors import InputError, nearest, shown

VERDICTS: tuple[str, ...] = get_args(Review.model_fields["verdict"].annotation)

_MOST = 5_000_000
_FIELDS = ("verdict", "note", "sheet")


@dataclass(frozen=True)
class Filled:
    """What a sheet says.

    Attributes:
        task: Name of the task.
        digest: What the sheet was written of.
        review: The verdict, or None where none is written yet.
        file: The sheet.
        line: The line in which it names its task.
    """

    task: str
    digest: str
    review: Review | None
    file: Path
    line: int


def sheets(paths: Sequence[Path]) -> list[Filled]:
    """Return what sheets say; of a folder, those of all its `*.md` files, sorted by name.

    Raises:
        InputError: with file and line, for what is no sheet or a verdict that is none.
    """
    return [read_sheet(file) for path in paths for file in _files(path)]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.md"))
    if not files:
        raise InputError("the folder holds no sheet (*.md)", file=str(path))
    return files


def read_sheet(path: Path) -> Filled:
    """Return what the head of a sheet says.

    Raises:
        InputError: with file and line.
    """
    found, lines = _head(_text(path), path)
    for name in _FIELDS:
        if name not in found:
            raise InputError(f"this is no sheet: it has no line `{name}:`", file=str(path), line=1)
    task, _, digest = found["sheet"].partition(" ")
    word = found["verdict"].strip("` .").lower()
    if word and word not in VERDICTS:
        message = f"{shown(found['verdict'])} is no verdict{nearest(word, VERDICTS)}"
        raise InputError(message, file=str(path), line=lines["verdict"])
    if not word and found["note"]:
        message = f"a note needs a verdict{nearest('', VERDICTS)}"
        raise InputError(message, file=str(path), line=lines["verdict"])
    review = Review.model_validate({"verdict": word, "note": found["note"]}) if word else None
    return Filled(task, digest, review, path, lines["sheet"])


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST:
            raise InputError(f"a sheet has at most {_MOST:,} bytes", file=str(path))
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", file=str(path)) from None


def _head(text: str, path: Path) -> tuple[dict[str, str], dict[str, int]]:
    """Return the fields above the line that ends the head, and their lines.

    A field goes on until a blank line. What stands below is the scenario's, and says nothing.
    """
    found: dict[str, str] = {}
    lines: dict[str, int] = {}
    running: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == END:
            return found, lines
        name, colon, rest = line.partition(":")
        if colon and name in _FIELDS:
            if name in found:
                raise InputError(f"`{name}:` stands here again", file=str(path), line=number)
            running, found[name], lines[name] = name, rest.strip(), number
        elif running is not None:
            running = running if line.strip() else None
            if running is not None:
                found[running] = f"{found[running]} {line.strip()}".strip()
    raise InputError(
        f"this is no sheet: its head ends with no line `{END}`", file=str(path), line=1
    )


def take(filled: Sequence[Filled], known: Sequence[Task]) -> list[tuple[Task, Review]]:
    """Keep the verdicts of sheets with their scenarios; all sheets are checked before any is kept.

    Raises:
        InputError: for a sheet of no task here, one that was written of another state of its
            task, or two of one task.
    """
    by_name = {task.name: task for task in known}
    _check(filled, by_name)
    kept = [(by_name[each.task], each.review) for each in filled if each.review is not None]
    for task, review in kept:
        keep_review(task.file, review)
    return kept


def _check(filled: Sequence[Filled], by_name: Mapping[str, Task]) -> None:
    seen: dict[str, Path] = {}
    for each in filled:
        message = None
        if each.task not in by_name:
            message = f"there is no task {shown(each.task)}{nearest(each.task, by_name)}"
        elif each.task in seen:
            message = f"{seen[each.task]} is a sheet of {each.task} too"
        elif each.digest != by_name[each.task].digest:
            message = f"{each.task} was changed since this sheet was written; review it anew"
        if message is not None:
            raise InputError(message, file=str(each.file), line=each.line)
        seen[each.task] = each.file
