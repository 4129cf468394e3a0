"""`memtrial review`: a sheet per task for a person, and what the person said kept with the task."""

from collections.abc import Sequence
from pathlib import Path

from runs.commands.output import print_json, refuse_used
from runs.reviewing.filled import sheets, take
from runs.reviewing.sheet import sheet
from runs.reviewing.tasks import Task, tasks
from scoring.reviews import Reviews, counted
from simulator.events.errors import InputError


def review(path: Path, out: Path | None, filled: Sequence[Path], as_json: bool) -> None:
    """Write the sheets, or take filled ones back."""
    if filled:
        if out is not None:
            raise InputError("sheets are either written or taken back", field="out")
        _take(path, filled, as_json)
    else:
        _write(path, out or path.with_name(f"{path.resolve().name}-review"), as_json)


def _write(path: Path, out: Path, as_json: bool) -> None:
    refuse_used(out)
    found = tasks(path)
    made = [(out / f"{task.name}.md", sheet(task)) for task in found]
    try:
        out.mkdir(parents=True, exist_ok=True)
        for file, text in made:
            file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(out)) from None
    follow = f"memtrial review {path} --take {out}"
    if as_json:
        names = [str(file) for file, _ in made]
        print_json({"out": str(out), "sheets": names, "next": follow})
    else:
        print(f"{_many(len(made), 'sheet')} in {out}; fill in `verdict:` and `note:`")
        print(f"next: {follow}")


def _take(path: Path, filled: Sequence[Path], as_json: bool) -> None:
    read = sheets(filled)
    kept = take(read, tasks(path))
    now = _counted(tasks(path))
    if as_json:
        rows = [
            {"task": task.name, "file": str(task.file), **found.model_dump(mode="json")}
            for task, found in kept
        ]
        print_json({"taken": rows, "unfilled": len(read) - len(kept), **now._asdict()})
    else:
        left = _many(len(read) - len(kept), "sheet")
        print(f"{_many(len(kept), 'verdict')} kept, {left} without one\n{now}")


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _counted(found: Sequence[Task]) -> Reviews:
    said = (task.loaded.scenario.key.review for task in found)
    return counted(review.verdict if review else None for review in said)
